import { randomUUID } from 'node:crypto';
import type { Turn } from '../notebook/answer.ts';
import type { Statements } from './statements.ts';

/** The conversations with a notebook, in its database. Every change is one transaction. */
export class Conversations {
  readonly #sql: Statements;

  constructor(sql: Statements) {
    this.#sql = sql;
  }

  /** The newest conversation's id, or undefined in a new notebook. */
  newest(): string | undefined {
    const row = this.#sql.get('SELECT id FROM conversations ORDER BY created_at DESC, rowid DESC LIMIT 1');
    return row && String(row['id']);
  }

  begin(): string {
    const id = randomUUID();
    this.#sql.transaction(() => {
      this.#sql.run('INSERT INTO conversations (id, created_at) VALUES (?, ?)', id, Date.now());
    });
    return id;
  }

  /** What was typed and not asked yet. */
  draft(conversationId: string): string {
    const row = this.#sql.get('SELECT draft FROM conversations WHERE id = ?', conversationId);
    return row === undefined ? '' : String(row['draft']);
  }

  setDraft(conversationId: string, draft: string): void {
    this.#sql.transaction(() => {
      this.#sql.run('UPDATE conversations SET draft = ? WHERE id = ?', draft, conversationId);
    });
  }

  turns(conversationId: string): Turn[] {
    return this.#sql
      .all('SELECT * FROM turns WHERE conversation_id = ? ORDER BY asked_at, rowid', conversationId)
      .map((row) => ({
        id: String(row['id']),
        question: String(row['question']),
        askedAt: Number(row['asked_at']),
        state: JSON.parse(String(row['state'])) as Turn['state'],
        answer: typeof row['answer'] === 'string' ? (JSON.parse(row['answer']) as Turn['answer']) : undefined,
      }));
  }

  putTurn(conversationId: string, turn: Turn): void {
    this.#sql.transaction(() => {
      this.#sql.run(
        `INSERT INTO turns (id, conversation_id, question, asked_at, state, answer) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET state = excluded.state, answer = excluded.answer`,
        turn.id,
        conversationId,
        turn.question,
        turn.askedAt,
        JSON.stringify(turn.state),
        turn.answer === undefined ? null : JSON.stringify(turn.answer),
      );
    });
  }
}
