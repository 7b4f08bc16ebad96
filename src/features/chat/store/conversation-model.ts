import type { Statements } from '../../../index/store/database/statements.ts';

/** Returns the model selected for a conversation, as JSON; undefined if there is none. */
export function readConversationModel(sql: Statements, conversationId: string): unknown {
  return sql.get('SELECT model FROM conversations WHERE id = ?', conversationId)?.['model'];
}

/** Saves the model selected for a conversation, as JSON; null clears it. */
export function writeConversationModel(sql: Statements, conversationId: string, json: string | null): void {
  sql.run('UPDATE conversations SET model = ? WHERE id = ?', json, conversationId);
}
