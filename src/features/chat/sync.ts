import * as v from 'valibot';
import { toTurn } from './store/conversations.ts';
import { portableTurn, readTurn } from './store/portable-conversations.ts';
import { pack, unpack } from '../team/service/packed.ts';
import {
  dropBase,
  keepBase,
  namedDocuments,
  localNumbers,
  removedEntity,
  type EntitySync,
  type LocalContext,
} from '../team/service/synced-entity.ts';

const sharedConversation = v.object({
  title: v.nullable(v.pipe(v.string(), v.maxLength(2_000))),
  createdAt: v.pipe(v.number(), v.safeInteger()),
});

/** Syncs a conversation that a member shares. */
const conversationSync: EntitySync = {
  toSend(local, id) {
    const row = local.sql.get(
      'SELECT title, created_at, shared, shared_by FROM conversations WHERE id = ?',
      id,
    );
    if (row?.['shared'] !== 1) return removedEntity(local, 'conversation', id);
    // The local name of another member's conversation isn't shared.
    if (row['shared_by'] !== null) return undefined;
    const value = pack({ title: row['title'], createdAt: row['created_at'] });
    return { id, within: '', base: undefined, value };
  },
  take(local, { id, value, addedBy, isOwn, revision }, isWaiting) {
    const { sql } = local;
    const row = sql.get('SELECT shared, shared_by FROM conversations WHERE id = ?', id);
    if (isWaiting) return false;
    if (value === undefined) {
      if (row?.['shared'] === 1) stopSharing(local, id);
      return false;
    }
    // Other members can't share a conversation that wasn't shared on this machine.
    const isTheirs = row?.['shared'] === 1 && (isOwn || row['shared_by'] !== null);
    if (row !== undefined && !isTheirs) throw new Error('A conversation of this machine.');
    const { title, createdAt } = v.parse(sharedConversation, unpack(value));
    sql.run(
      `INSERT INTO conversations (id, title, created_at, shared, shared_by) VALUES (?, ?, ?, 1, ?)
       ON CONFLICT (id) DO UPDATE SET title = excluded.title, shared_by = excluded.shared_by`,
      id,
      title,
      Math.min(createdAt, Date.now()),
      isOwn ? null : addedBy,
    );
    keepBase(local, 'conversation', id, { revision, value });
    return false;
  },
};

/** Deletes the turns of other members. The user's own turns stay as a local conversation. */
function stopSharing({ sql }: LocalContext, id: string): void {
  sql.run("DELETE FROM team_things WHERE kind = 'conversation' AND id = ?", id);
  for (const table of ['team_things', 'team_outbox'])
    sql.run(
      `DELETE FROM ${table} WHERE kind = 'turn' AND id IN (SELECT id FROM turns WHERE conversation_id = ?)`,
      id,
    );
  const isOthers = sql.get('SELECT 1 FROM conversations WHERE id = ? AND shared_by IS NOT NULL', id);
  if (isOthers !== undefined)
    sql.run('DELETE FROM turns WHERE conversation_id = ? AND asked_by IS NOT NULL', id);
  sql.run('UPDATE conversations SET shared = 0, shared_by = NULL WHERE id = ?', id);
  if (isOthers !== undefined)
    sql.run(
      'DELETE FROM conversations WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM turns WHERE conversation_id = ?1)',
      id,
    );
}

/** Syncs a question with its answer in a shared conversation. */
const turnSync: EntitySync = {
  isPart: true,
  toSend(local, id) {
    const row = local.sql.get(
      'SELECT t.*, c.shared FROM turns t JOIN conversations c ON c.id = t.conversation_id WHERE t.id = ?',
      id,
    );
    if (row?.['shared'] !== 1) return removedEntity(local, 'turn', id);
    const read = toTurn(row);
    if (row['asked_by'] !== null || read.state.kind === 'answering') return undefined;
    const { answer } = read;
    const documents = namedDocuments(local, answer?.citations.map(({ documentId }) => documentId) ?? []);
    const value = pack({ ...portableTurn(read, local.roots), documents });
    return { id, within: String(row['conversation_id']), base: undefined, value };
  },
  take(local, { id, within, value, addedBy, isOwn, revision }, isWaiting) {
    const { sql } = local;
    if (isWaiting) return false;
    const row = sql.get('SELECT conversation_id, asked_by FROM turns WHERE id = ?', id);
    const conversationRow = sql.get('SELECT shared, shared_by FROM conversations WHERE id = ?', within);
    if (value === undefined) {
      dropBase(local, 'turn', id);
      if (row?.['conversation_id'] === within && conversationRow?.['shared'] === 1)
        sql.run('DELETE FROM turns WHERE id = ?', id);
      return false;
    }
    if (conversationRow === undefined)
      // The conversation was changed after the turn, so it arrives later.
      sql.insert('conversations', { id: within, created_at: Date.now(), shared: 1, shared_by: addedBy });
    else if (conversationRow['shared'] !== 1) throw new Error('A conversation of this machine.');
    if (row !== undefined && (row['conversation_id'] !== within || (row['asked_by'] === null && !isOwn)))
      throw new Error('A turn of this machine.');
    const json = unpack(value);
    const read = readTurn(json, localNumbers(local, json['documents']));
    sql.run(
      `INSERT INTO turns (id, conversation_id, question, asked_at, state, answer, rating, scope, asked_by)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET question = excluded.question, state = excluded.state, answer = excluded.answer,
         rating = excluded.rating, scope = excluded.scope`,
      id,
      within,
      read.question,
      Math.min(Math.trunc(read.askedAt), Date.now()),
      JSON.stringify(read.state),
      read.answer === undefined ? null : JSON.stringify(read.answer),
      read.rating ?? null,
      read.scope === undefined ? null : JSON.stringify(read.scope),
      isOwn ? null : addedBy,
    );
    keepBase(local, 'turn', id, { revision, value });
    return false;
  },
  beforeReload({ sql }) {
    // A restored conversation gets its turns again, except those whose deletion is pending.
    sql.run(
      `DELETE FROM team_things WHERE kind = 'turn' AND id NOT IN (SELECT id FROM turns)
         AND id NOT IN (SELECT id FROM team_outbox WHERE kind = 'turn')`,
    );
  },
};

/** Tables that stay behind when a personal notebook becomes a team notebook. */
export const PERSONAL_TABLES = ['conversations'];

/** Syncs of shared conversations and their turns by kind. */
export const conversationSyncs = { conversation: conversationSync, turn: turnSync };
