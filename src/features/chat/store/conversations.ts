import { randomUUID } from 'node:crypto';
import { t } from '@vscode/l10n';
import * as v from 'valibot';
import type { Handlers } from '../../../core/rpc/rpc.ts';
import { MAX_VERSIONS, type Turn, type TurnVersion } from '../../../core/domain/answer.ts';
import { NotebookError } from '../../../core/domain/errors.ts';
import { firstParagraph } from '../../../core/domain/note-markdown.ts';
import type { ConversationEntry, ConversationsApi, StoredConversation } from './conversations-api.ts';
import { optionalText, type Row } from '../../../index/store/database/database.ts';
import {
  storedAnswer,
  storedRating,
  storedScope,
  storedSelection,
  storedTurnState,
  storedUsage,
  readJson,
  readOptionalJson,
} from '../../../index/store/database/stored-json.ts';
import { optionalJson, type Statements } from '../../../index/store/database/statements.ts';
import { teamRight } from '../../../index/store/database/team-rights.ts';

/** Number of turns loaded at once: more than a panel shows, but few enough to load without delay. */
const TURNS_AT_ONCE = 50;

/** Maximum length of a first question used as a title, in characters. */
const MAX_TITLE_LENGTH = 300;

/** Maximum number of conversations in a list. */
const MAX_LISTED_CONVERSATIONS = 500;

/** SQL for turns, with the number of other answers of each, and of those older than the current one. */
const TURNS = `SELECT t.*,
    (SELECT count(*) FROM turn_versions v WHERE v.turn_id = t.id) AS others,
    (SELECT count(*) FROM turn_versions v WHERE v.turn_id = t.id AND v.version < t.version) AS older
  FROM turns t`;

/** Columns that each answer of a turn has separately. */
const OWN_COLUMNS = 'question, state, answer, rating, scope, usage';

/** Conversations of a notebook, in its database. Every change is one transaction. */
export class Conversations {
  readonly #sql: Statements;

  constructor(sql: Statements) {
    this.#sql = sql;
  }

  /** Returns the user's last used conversation; a new one in a new notebook. */
  openNewest(): StoredConversation {
    const row = this.#sql.get(`SELECT id FROM conversations c WHERE shared_by IS NULL
       ORDER BY max(created_at, coalesce((SELECT max(asked_at) FROM turns WHERE conversation_id = c.id), 0)) DESC,
         rowid DESC LIMIT 1`);
    const newest = row && this.open(String(row['id']));
    return newest ?? { id: this.begin(), draft: '', turns: [], earlier: 0 };
  }

  /** Creates a conversation without turns; returns its ID. */
  begin(): string {
    const id = randomUUID();
    this.#sql.transaction(() => this.#sql.insert('conversations', { id, created_at: Date.now() }));
    return id;
  }

  /** Returns a conversation with its last turns; undefined if it was deleted. */
  open(conversationId: string): StoredConversation | undefined {
    const row = this.#sql.get('SELECT draft FROM conversations WHERE id = ?', conversationId);
    if (row === undefined) return undefined;
    return { id: conversationId, draft: String(row['draft']), ...this.turns(conversationId, Infinity) };
  }

  /**
   * Returns the last turns before a position, oldest first, and the number of turns before them. `before` counts turns
   * from the beginning.
   */
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
          `${TURNS} WHERE t.conversation_id = ? ORDER BY t.asked_at, t.rowid LIMIT ? OFFSET ?`,
          conversationId,
          end - earlier,
          earlier,
        )
        .map(toTurn);
      return { turns, earlier };
    });
  }

  /** Returns all turns of a conversation, the oldest first. */
  allTurns(conversationId: string): Turn[] {
    return this.#sql
      .all(`${TURNS} WHERE t.conversation_id = ? ORDER BY t.asked_at, t.rowid`, conversationId)
      .map(toTurn);
  }

  /**
   * Returns conversations with questions, the latest question first; with `words`, those that contain them in a title,
   * question, or answer.
   */
  list(words: string): ConversationEntry[] {
    const pattern = `%${words.trim().replaceAll(/[!%_]/g, '!$&')}%`;
    return this.#sql
      .all(
        `SELECT c.id, c.title, iif(c.shared = 1, coalesce(c.shared_by, ''), NULL) AS shared_by, count(*) AS turns, max(t.asked_at) AS asked_at,
           (SELECT substr(question, 1, ${String(MAX_TITLE_LENGTH)}) FROM turns f WHERE f.conversation_id = c.id ORDER BY f.asked_at, f.rowid LIMIT 1) AS first
         FROM conversations c JOIN turns t ON t.conversation_id = c.id
         WHERE ?1 = '%%' OR c.title LIKE ?1 ESCAPE '!' OR EXISTS (
           SELECT 1 FROM turns w WHERE w.conversation_id = c.id
             AND (w.question LIKE ?1 ESCAPE '!' OR w.answer ->> '$.text' LIKE ?1 ESCAPE '!' OR EXISTS (
               SELECT 1 FROM json_each(w.answer, '$.citations') q WHERE q.value ->> '$.quote' LIKE ?1 ESCAPE '!')))
         GROUP BY c.id ORDER BY asked_at DESC LIMIT ${String(MAX_LISTED_CONVERSATIONS)}`,
        pattern,
      )
      .map((row) => ({
        id: String(row['id']),
        title: typeof row['title'] === 'string' ? row['title'] : firstParagraph(String(row['first'])),
        turns: Number(row['turns']),
        askedAt: Number(row['asked_at']),
        sharedBy: optionalText(row['shared_by']),
      }));
  }

  /** Renames a conversation. An empty title restores the first question as the title. */
  rename(conversationId: string, title: string): void {
    this.#sql.transaction(() => {
      const savedTitle = title.trim() === '' ? null : title.trim();
      this.#sql.run('UPDATE conversations SET title = ? WHERE id = ?', savedTitle, conversationId);
    });
  }

  /**
   * Shares a conversation with the team, or stops sharing it.
   * @throws NotebookError `forbidden` if another member shares it
   */
  share(conversationId: string, isShared: boolean): void {
    this.#forbidOthers(conversationId);
    this.#sql.write('UPDATE conversations SET shared = ? WHERE id = ?', Number(isShared), conversationId);
  }

  /**
   * Deletes a conversation. Only managers of the notebook can delete one that another member shares, which deletes it
   * for the whole team.
   * @throws NotebookError `forbidden`
   */
  remove(conversationId: string): void {
    const by = this.#sharedBy(conversationId);
    if (by !== undefined && teamRight(this.#sql) !== 'manager')
      throw new NotebookError(
        'forbidden',
        t(
          '{0} shared this conversation with the team. Only they and the notebook’s managers can delete it.',
          by,
        ),
      );
    this.#sql.write('DELETE FROM conversations WHERE id = ?', conversationId);
  }

  /** Returns the name of the other member who shares a conversation; undefined if it's the user's own. */
  #sharedBy(conversationId: string): string | undefined {
    const row = this.#sql.get('SELECT shared_by FROM conversations WHERE id = ?', conversationId);
    return typeof row?.['shared_by'] === 'string' ? row['shared_by'] : undefined;
  }

  #forbidOthers(conversationId: string): void {
    const by = this.#sharedBy(conversationId);
    if (by !== undefined)
      throw new NotebookError(
        'forbidden',
        t('{0} shared this conversation with the team. Only they can stop sharing it.', by),
      );
  }

  /** Saves the draft of a question. */
  setDraft(conversationId: string, draft: string): void {
    this.#sql.write('UPDATE conversations SET draft = ? WHERE id = ?', draft, conversationId);
  }

  /**
   * Saves the current answer of a turn. If another answer is shown by now, saves the one with the turn's version. Does
   * nothing if the conversation was deleted.
   */
  putTurn(conversationId: string, turn: Turn): void {
    this.#sql.transaction(() => {
      if (!this.#sql.has('SELECT 1 FROM conversations WHERE id = ?', conversationId)) return;
      const number = turn.version?.number ?? 1;
      const shown = this.#sql.get('SELECT version FROM turns WHERE id = ?', turn.id);
      if (shown === undefined || shown['version'] === number)
        this.#sql.insert(
          'turns',
          {
            id: turn.id,
            conversation_id: conversationId,
            asked_at: turn.askedAt,
            asked_by: turn.askedBy,
            selection: optionalJson(turn.selection),
            version: number,
            ...ownColumns(turn),
          },
          `ON CONFLICT (id) DO UPDATE SET (${OWN_COLUMNS}) =
             (excluded.question, excluded.state, excluded.answer, excluded.rating, excluded.scope, excluded.usage)`,
        );
      else if (this.#hasVersion(turn.id, number)) this.#putVersion(turn.id, { ...turn, number });
    });
  }

  /** Saves a deleted turn again, with the answers that weren't shown. */
  restoreTurn(conversationId: string, turn: Turn, versions: readonly TurnVersion[]): void {
    this.#sql.transaction(() => {
      this.putTurn(conversationId, turn);
      if (this.#sql.has('SELECT 1 FROM turns WHERE id = ?', turn.id))
        for (const version of versions) this.#putVersion(turn.id, version);
    });
  }

  /**
   * Saves a turn whose question is asked again. Its current answer becomes an earlier version, and the oldest one is
   * deleted if there are too many. A turn without an answer is replaced. Returns the turn with its version.
   */
  askAgain(turn: Turn): Turn {
    return this.#sql.transaction(() => {
      const { id } = turn;
      const before = this.#turn(id);
      if (before === undefined) return turn;
      let number = before.version?.number ?? 1;
      if (hasWords(before)) {
        this.#putVersion(id, { ...before, number });
        this.#sql.run(
          `DELETE FROM turn_versions WHERE turn_id = ?1 AND version NOT IN (
             SELECT version FROM turn_versions WHERE turn_id = ?1 ORDER BY version DESC LIMIT ?2)`,
          id,
          MAX_VERSIONS - 1,
        );
        number = 1 + this.#sql.number('SELECT max(version) FROM turn_versions WHERE turn_id = ?', id);
      }
      this.#replaceShown(id, { ...turn, number });
      return { ...turn, version: undefined, ...versionOf(this.#row(id)) };
    });
  }

  /**
   * Shows the answer at a position, from 1 on, instead of the current one, which is saved unless it has no text.
   * Undefined if there is no such answer.
   */
  showVersion(turnId: string, position: number): Turn | undefined {
    return this.#sql.transaction(() => {
      const before = this.#turn(turnId);
      if (before === undefined) return undefined;
      const { number: shown, position: from } = before.version ?? { number: 1, position: 1 };
      if (position !== from) {
        const offset = position < from ? position - 1 : position - 2;
        const [row] = this.#sql.all(
          `SELECT * FROM turn_versions WHERE turn_id = ? ORDER BY version LIMIT 1 OFFSET ?`,
          turnId,
          Math.max(0, offset),
        );
        if (row === undefined || offset < 0) return undefined;
        const version = toVersion(row);
        if (hasWords(before)) this.#putVersion(turnId, { ...before, number: shown });
        this.#replaceShown(turnId, version);
        this.#sql.run('DELETE FROM turn_versions WHERE turn_id = ? AND version = ?', turnId, version.number);
      }
      return this.#turn(turnId);
    });
  }

  #row(turnId: string): Row | undefined {
    return this.#sql.get(`${TURNS} WHERE t.id = ?`, turnId);
  }

  #turn(turnId: string): Turn | undefined {
    const row = this.#row(turnId);
    return row && toTurn(row);
  }

  #hasVersion(turnId: string, number: number): boolean {
    return this.#sql.has('SELECT 1 FROM turn_versions WHERE turn_id = ? AND version = ?', turnId, number);
  }

  #putVersion(turnId: string, version: TurnVersion): void {
    const row = { turn_id: turnId, version: version.number, ...ownColumns(version) };
    this.#sql.put('turn_versions', 'turn_id, version', row);
  }

  #replaceShown(turnId: string, { number, ...version }: TurnVersion): void {
    const { question, state, answer, rating, scope, usage } = ownColumns(version);
    this.#sql.run(
      `UPDATE turns SET version = ?, (${OWN_COLUMNS}) = (?, ?, ?, ?, ?, ?) WHERE id = ?`,
      number,
      question,
      state,
      answer,
      rating,
      scope,
      usage,
      turnId,
    );
  }

  /**
   * Deletes a turn. Only the owner of the conversation and managers of the notebook can delete another member's
   * question, which deletes it for the whole team. Returns the answers that weren't shown.
   * @throws NotebookError `forbidden`
   */
  removeTurn(turnId: string): TurnVersion[] {
    const row = this.#sql.get(
      `SELECT t.asked_by FROM turns t JOIN conversations c ON c.id = t.conversation_id
       WHERE t.id = ? AND t.asked_by IS NOT NULL AND c.shared_by IS NOT NULL`,
      turnId,
    );
    if (row !== undefined && teamRight(this.#sql) !== 'manager')
      throw new NotebookError(
        'forbidden',
        t(
          '{0} asked this question. Only they, the conversation’s owner, and the notebook’s managers can delete it.',
          String(row['asked_by']),
        ),
      );
    return this.#sql.transaction(() => {
      const versions = this.#sql
        .all('SELECT * FROM turn_versions WHERE turn_id = ? ORDER BY version', turnId)
        .map(toVersion);
      this.#sql.run('DELETE FROM turns WHERE id = ?', turnId);
      return versions;
    });
  }
}

/** Returns the columns that each answer of a turn has separately. */
function ownColumns({ question, state, answer, rating, scope, usage }: Omit<TurnVersion, 'number'>) {
  return {
    question,
    state: JSON.stringify(state),
    answer: optionalJson(answer) ?? null,
    rating: rating ?? null,
    scope: optionalJson(scope) ?? null,
    usage: optionalJson(usage) ?? null,
  };
}

/** Reports whether a turn has at least part of an answer. */
function hasWords({ answer }: Turn): boolean {
  return answer !== undefined && answer.text.trim() !== '';
}

/** Converts a row to a turn. */
export function toTurn(row: Row): Turn {
  const selection = readOptionalJson(storedSelection, row['selection']);
  return {
    id: String(row['id']),
    askedAt: Number(row['asked_at']),
    ...readOwn(row),
    ...(typeof row['asked_by'] === 'string' && { askedBy: row['asked_by'] }),
    ...(selection !== undefined && { selection }),
    ...versionOf(row),
  };
}

function toVersion(row: Row): TurnVersion {
  return { number: Number(row['version']), ...readOwn(row) };
}

function readOwn(row: Row): Omit<TurnVersion, 'number'> {
  const { rating } = row;
  const scope = readOptionalJson(storedScope, row['scope']);
  const usage = readOptionalJson(storedUsage, row['usage']);
  return {
    question: String(row['question']),
    state: readJson(storedTurnState, row['state'], { kind: 'interrupted' }),
    answer: readOptionalJson(storedAnswer, row['answer']),
    ...(v.is(storedRating, rating) && { rating }),
    ...(scope !== undefined && { scope }),
    ...(usage !== undefined && { usage }),
  };
}

/** Returns the version of the answer in a turn's row; empty if there was only one. */
function versionOf(row: Row | undefined): Pick<Turn, 'version'> {
  const number = Number(row?.['version'] ?? 1);
  const others = Number(row?.['others'] ?? 0);
  if (number === 1 && others === 0) return {};
  return { version: { number, position: Number(row?.['older'] ?? 0) + 1, count: others + 1 } };
}

/** Returns the index worker's handlers for conversations of the open notebook. */
export function conversationsHandlers(
  notebook: () => { readonly conversations: Conversations },
): Handlers<ConversationsApi> {
  return {
    conversation({ id }) {
      const { conversations } = notebook();
      const stored = id === undefined ? undefined : conversations.open(id);
      return stored ?? conversations.openNewest();
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
    restoreTurn: ({ conversationId, turn, versions }) =>
      notebook().conversations.restoreTurn(conversationId, turn, versions),
    askAgain: ({ turn }) => notebook().conversations.askAgain(turn),
    showVersion: ({ turnId, position }) => notebook().conversations.showVersion(turnId, position),
  };
}
