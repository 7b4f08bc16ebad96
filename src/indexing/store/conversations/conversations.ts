import { randomUUID } from 'node:crypto';
import { t } from '@vscode/l10n';
import * as v from 'valibot';
import type { Handlers } from '../../../messages/rpc.ts';
import type { Turn } from '../../../notebook/answer.ts';
import { NotebookError } from '../../../notebook/errors.ts';
import type { ConversationEntry, ConversationsApi, StoredConversation } from './conversations-api.ts';
import { optionalText, type Row } from '../database/database.ts';
import {
  storedAnswer,
  storedRating,
  storedScope,
  storedTurnState,
  storedUsage,
  readJson,
  readOptionalJson,
} from '../database/stored-json.ts';
import type { Statements } from '../database/statements.ts';
import { teamRight } from '../database/team-rights.ts';

/** How many turns are given at once: more than a panel shows, few enough to be there without delay. */
const TURNS_AT_ONCE = 50;

/** So much of a first question stands for a title, in characters. */
const LONGEST_TITLE = 300;

/** How many conversations a list holds. */
const MOST_LISTED = 500;

/** The conversations with a notebook, in its database. Every change is one transaction. */
export class Conversations {
  readonly #sql: Statements;

  constructor(sql: Statements) {
    this.#sql = sql;
  }

  /** The user's conversation that was used last; a new one in a new notebook. */
  openNewest(): StoredConversation {
    const row = this.#sql.get(`SELECT id FROM conversations c WHERE shared_by IS NULL
       ORDER BY max(created_at, coalesce((SELECT max(asked_at) FROM turns WHERE conversation_id = c.id), 0)) DESC,
         rowid DESC LIMIT 1`);
    const newest = row && this.open(String(row['id']));
    return newest ?? { id: this.begin(), draft: '', turns: [], earlier: 0 };
  }

  /** Begins a conversation without turns; returns its id. */
  begin(): string {
    const id = randomUUID();
    this.#sql.transaction(() => this.#sql.insert('conversations', { id, created_at: Date.now() }));
    return id;
  }

  /** A conversation with its last turns; undefined where it was deleted. */
  open(conversationId: string): StoredConversation | undefined {
    const row = this.#sql.get('SELECT draft FROM conversations WHERE id = ?', conversationId);
    if (row === undefined) return undefined;
    return { id: conversationId, draft: String(row['draft']), ...this.turns(conversationId, Infinity) };
  }

  /** The last turns that were asked before the given number of turns from the beginning, oldest first, and how many come before them. */
  turns(conversationId: string, before: number): { readonly turns: Turn[]; readonly earlier: number } {
    return this.#sql.reading(() => {
      const row = this.#sql.get(
        'SELECT count(*) AS count FROM turns WHERE conversation_id = ?',
        conversationId,
      );
      const end = Math.min(before, Number(row?.['count']));
      const earlier = Math.max(0, end - TURNS_AT_ONCE);
      const turns = this.#sql
        .all(
          'SELECT * FROM turns WHERE conversation_id = ? ORDER BY asked_at, rowid LIMIT ? OFFSET ?',
          conversationId,
          end - earlier,
          earlier,
        )
        .map(toTurn);
      return { turns, earlier };
    });
  }

  /** All turns of a conversation, in the order in which they were asked. */
  allTurns(conversationId: string): Turn[] {
    return this.#sql
      .all('SELECT * FROM turns WHERE conversation_id = ? ORDER BY asked_at, rowid', conversationId)
      .map(toTurn);
  }

  /** Conversations in which something was asked, the last asked first; with `words` those that hold them in a title, question or answer. */
  list(words: string): ConversationEntry[] {
    const pattern = `%${words.trim().replaceAll(/[!%_]/g, '!$&')}%`;
    return this.#sql
      .all(
        `SELECT c.id, c.title, iif(c.shared = 1, coalesce(c.shared_by, ''), NULL) AS shared_by, count(*) AS turns, max(t.asked_at) AS asked_at,
           (SELECT substr(question, 1, ${String(LONGEST_TITLE)}) FROM turns f WHERE f.conversation_id = c.id ORDER BY f.asked_at, f.rowid LIMIT 1) AS first
         FROM conversations c JOIN turns t ON t.conversation_id = c.id
         WHERE ?1 = '%%' OR c.title LIKE ?1 ESCAPE '!' OR EXISTS (
           SELECT 1 FROM turns w WHERE w.conversation_id = c.id
             AND (w.question LIKE ?1 ESCAPE '!' OR w.answer ->> '$.text' LIKE ?1 ESCAPE '!' OR EXISTS (
               SELECT 1 FROM json_each(w.answer, '$.citations') q WHERE q.value ->> '$.quote' LIKE ?1 ESCAPE '!')))
         GROUP BY c.id ORDER BY asked_at DESC LIMIT ${String(MOST_LISTED)}`,
        pattern,
      )
      .map((row) => ({
        id: String(row['id']),
        title: typeof row['title'] === 'string' ? row['title'] : String(row['first']),
        turns: Number(row['turns']),
        askedAt: Number(row['asked_at']),
        sharedBy: optionalText(row['shared_by']),
      }));
  }

  /** An empty title gives the first question back its place. */
  rename(conversationId: string, title: string): void {
    this.#sql.transaction(() => {
      const kept = title.trim() === '' ? null : title.trim();
      this.#sql.run('UPDATE conversations SET title = ? WHERE id = ?', kept, conversationId);
    });
  }

  /** Has a team see a conversation, or nobody any more; what another member shares is theirs. */
  share(conversationId: string, isShared: boolean): void {
    this.#forbidOthers(conversationId);
    this.#sql.write('UPDATE conversations SET shared = ? WHERE id = ?', Number(isShared), conversationId);
  }

  /** What another member shares goes for the whole team where the user manages the notebook. @throws NotebookError `forbidden` */
  remove(conversationId: string): void {
    const by = this.#sharedBy(conversationId);
    if (by !== undefined && teamRight(this.#sql) !== 'manager')
      throw new NotebookError(
        'forbidden',
        t(
          '{0} shares this conversation with the team. Only they and who manages the notebook can delete it.',
          by,
        ),
      );
    this.#sql.write('DELETE FROM conversations WHERE id = ?', conversationId);
  }

  /** Whose a conversation is that another member shares. */
  #sharedBy(conversationId: string): string | undefined {
    const row = this.#sql.get('SELECT shared_by FROM conversations WHERE id = ?', conversationId);
    return typeof row?.['shared_by'] === 'string' ? row['shared_by'] : undefined;
  }

  #forbidOthers(conversationId: string): void {
    const by = this.#sharedBy(conversationId);
    if (by !== undefined)
      throw new NotebookError(
        'forbidden',
        t('{0} shares this conversation with the team. Only they can stop that.', by),
      );
  }

  /** Keeps what is being typed in a conversation. */
  setDraft(conversationId: string, draft: string): void {
    this.#sql.write('UPDATE conversations SET draft = ? WHERE id = ?', draft, conversationId);
  }

  /** Does nothing where the conversation was deleted meanwhile. */
  putTurn(conversationId: string, turn: Turn): void {
    this.#sql.transaction(() => {
      if (!this.#sql.has('SELECT 1 FROM conversations WHERE id = ?', conversationId)) return;
      this.#sql.run(
        `INSERT INTO turns (id, conversation_id, question, asked_at, state, answer, rating, scope, usage, asked_by)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET question = excluded.question, state = excluded.state,
           answer = excluded.answer, rating = excluded.rating, scope = excluded.scope, usage = excluded.usage`,
        turn.id,
        conversationId,
        turn.question,
        turn.askedAt,
        JSON.stringify(turn.state),
        turn.answer === undefined ? null : JSON.stringify(turn.answer),
        turn.rating ?? null,
        turn.scope === undefined ? null : JSON.stringify(turn.scope),
        turn.usage === undefined ? null : JSON.stringify(turn.usage),
        turn.askedBy ?? null,
      );
    });
  }

  /**
   * What another member asked goes for the whole team where the conversation is the user's, or they manage the notebook.
   * @throws NotebookError `forbidden`
   */
  removeTurn(turnId: string): void {
    const row = this.#sql.get(
      `SELECT t.asked_by FROM turns t JOIN conversations c ON c.id = t.conversation_id
       WHERE t.id = ? AND t.asked_by IS NOT NULL AND c.shared_by IS NOT NULL`,
      turnId,
    );
    if (row !== undefined && teamRight(this.#sql) !== 'manager')
      throw new NotebookError(
        'forbidden',
        t(
          '{0} asked this. Only they, whose conversation it is, and who manages the notebook can delete it.',
          String(row['asked_by']),
        ),
      );
    this.#sql.write('DELETE FROM turns WHERE id = ?', turnId);
  }
}

/** A turn of its row. */
export function toTurn(row: Row): Turn {
  const { rating } = row;
  const scope = readOptionalJson(storedScope, row['scope']);
  const usage = readOptionalJson(storedUsage, row['usage']);
  return {
    id: String(row['id']),
    question: String(row['question']),
    askedAt: Number(row['asked_at']),
    state: readJson(storedTurnState, row['state'], { kind: 'interrupted' }),
    answer: readOptionalJson(storedAnswer, row['answer']),
    ...(v.is(storedRating, rating) && { rating }),
    ...(scope !== undefined && { scope }),
    ...(usage !== undefined && { usage }),
    ...(typeof row['asked_by'] === 'string' && { askedBy: row['asked_by'] }),
  };
}

/** What the index worker does with the conversations of the notebook that is open. */
export function conversationsHandlers(
  notebook: () => { readonly conversations: Conversations },
): Handlers<ConversationsApi> {
  return {
    conversation({ id }) {
      const { conversations } = notebook();
      const asked = id === undefined ? undefined : conversations.open(id);
      return asked ?? conversations.openNewest();
    },
    earlierTurns: ({ conversationId, before }) => notebook().conversations.turns(conversationId, before),
    allTurns: ({ conversationId }) => notebook().conversations.allTurns(conversationId),
    conversations: ({ words }) => notebook().conversations.list(words),
    renameConversation({ conversationId, title }) {
      notebook().conversations.rename(conversationId, title);
    },
    shareConversation: ({ conversationId, isShared }) =>
      notebook().conversations.share(conversationId, isShared),
    removeConversation: ({ conversationId }) => notebook().conversations.remove(conversationId),
    setDraft: ({ conversationId, draft }) => notebook().conversations.setDraft(conversationId, draft),
    newConversation: () => ({ id: notebook().conversations.begin() }),
    removeTurn: ({ turnId }) => notebook().conversations.removeTurn(turnId),
    putTurn: ({ conversationId, turn }) => notebook().conversations.putTurn(conversationId, turn),
  };
}
