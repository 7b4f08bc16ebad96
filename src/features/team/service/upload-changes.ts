import { NotebookError } from '../../../core/domain/errors.ts';
import { batches, MAX_BYTES } from './batches.ts';
import { teamError } from './connect.ts';
import type { NotebookConnection } from './notebook-connection.ts';
import type { EntityKind, SentEntity } from './synced-entity.ts';
import {
  type PendingChange,
  listPendingChanges,
  markSent,
  markRejected,
  isDeletion,
  restoreDeleted,
} from './outbox.ts';
import { packSource } from './local-sources.ts';
import {
  type DocumentRow,
  hasCurrentDocument,
  packDocument,
  markDocumentsSent,
  documentStamp,
} from './local-documents.ts';
import { packNote, findNoteBase, markNoteSent, renameDuplicateNote } from '../../sync.ts';
import { isEntityKind, packEntity, markEntitiesSent } from './local-entities.ts';
import type { Replica } from './replica.ts';

/**
 * Uploads local changes. Returns whether there is more to sync at once, because something changed here or there
 * meanwhile. A change that the database rejects stays here, with the reason.
 * @throws NotebookError, Error if the database can't be reached
 */
export async function uploadChanges(connection: NotebookConnection, replica: Replica): Promise<boolean> {
  const waiting = listPendingChanges(replica);
  if (waiting.length === 0) return false;
  for (const change of waiting.filter(({ kind }) => kind === 'source'))
    await uploadOrReject(connection, replica, change, () => uploadSource(connection, replica, change));
  for (const batch of batches(waiting.filter(({ kind }) => kind === 'document')))
    try {
      await uploadDocuments(connection, replica, batch);
    } catch (error) {
      if (!isRejection(teamError(error, connection.connection))) throw error;
      // Send each document separately to find the rejected one.
      for (const change of batch)
        await uploadOrReject(connection, replica, change, () =>
          uploadDocuments(connection, replica, [change]),
        );
    }
  const conflicts: PendingChange[] = [];
  for (const change of waiting.filter(({ kind }) => kind === 'note'))
    await uploadOrReject(connection, replica, change, async () => {
      if (!(await uploadNote(connection, replica, change))) conflicts.push(change);
    });
  for (const batch of batches(waiting.filter(({ kind }) => isEntityKind(kind))))
    try {
      conflicts.push(...(await uploadEntities(connection, replica, batch)));
    } catch (error) {
      if (!isRejection(teamError(error, connection.connection))) throw error;
      for (const change of batch)
        await uploadOrReject(connection, replica, change, async () => {
          conflicts.push(...(await uploadEntities(connection, replica, [change])));
        });
    }
  return conflicts.length > 0 || listPendingChanges(replica).length > 0;
}

async function uploadSource(
  { client, notebookId }: NotebookConnection,
  replica: Replica,
  { id, number }: PendingChange,
): Promise<void> {
  const value = packSource(replica, id);
  if (value === undefined) await client.query('SELECT open_notebook.remove_source($1, $2)', [notebookId, id]);
  else await client.query('SELECT open_notebook.put_source($1, $2, $3)', [notebookId, id, value]);
  markSent(replica, [number]);
}

interface SentDocument {
  readonly id: string;
  readonly stamp: string;
  readonly sourceId: string;
  readonly key: string;
  readonly content: NonNullable<DocumentRow['content']>;
}

/** Uploads documents. Skips texts that the team notebook already has. */
async function uploadDocuments(
  { client, notebookId }: NotebookConnection,
  replica: Replica,
  waiting: readonly PendingChange[],
): Promise<void> {
  let numbers: number[] = [];
  let documents: SentDocument[] = [];
  let size = 0;
  const flush = async (): Promise<void> => {
    if (documents.length > 0) {
      const { rows } = await client.query<{ hash: Buffer }>(
        'SELECT hash FROM open_notebook.find_contents($1, $2)',
        [notebookId, documents.map(({ content }) => content.hash)],
      );
      const known = new Set(rows.map(({ hash }) => hash.toString('hex')));
      await client.query(
        `SELECT open_notebook.put_document($1, source, named, head, hash, bytes)
         FROM unnest($2::text[], $3::text[], $4::bytea[], $5::bytea[], $6::bytea[]) AS sent (source, named, head, hash, bytes)`,
        [
          notebookId,
          documents.map(({ sourceId }) => sourceId),
          documents.map(({ key }) => key),
          documents.map(({ content }) => content.head),
          documents.map(({ content }) => content.hash),
          documents.map(({ content: { hash, bytes } }) =>
            known.has(Buffer.from(hash).toString('hex')) ? null : bytes,
          ),
        ],
      );
    }
    markDocumentsSent(replica, numbers, documents);
    [numbers, documents, size] = [[], [], 0];
  };
  for (const { id, number } of waiting) {
    const document = packDocument(replica, id);
    numbers.push(number);
    if (document?.content === undefined) continue;
    const { sourceId, key, content } = document;
    if (content === 'removed')
      await client.query('SELECT open_notebook.remove_document($1, $2, $3)', [notebookId, sourceId, key]);
    else {
      const stamp = documentStamp(content);
      if (hasCurrentDocument(replica, id, stamp)) continue;
      documents.push({ id, stamp, sourceId, key, content });
      size += content.bytes.length;
      if (size > MAX_BYTES) await flush();
    }
  }
  await flush();
}

/**
 * Uploads a note. Returns `false` if another member changed it meanwhile, because that change must be merged first.
 */
async function uploadNote(
  { client, notebookId }: NotebookConnection,
  replica: Replica,
  { id, number }: PendingChange,
): Promise<boolean> {
  const note = packNote(replica, id);
  if (note === undefined) {
    await client.query('SELECT open_notebook.remove_note($1, $2, $3)', [
      notebookId,
      id,
      findNoteBase(replica, id),
    ]);
    // If another member changed it meanwhile, it arrives again with that change.
    markNoteSent(replica, number, id, 0, undefined);
    return true;
  }
  const { rows } = await client.query<{ revision: string }>(
    'SELECT open_notebook.put_note($1, $2, $3, $4, $5) AS revision',
    [notebookId, id, note.base, note.title, note.value],
  );
  const revision = Number(rows[0]?.revision);
  if (revision > 0) markNoteSent(replica, number, id, revision, note);
  else if (revision === -2) renameDuplicateNote(replica, id);
  return revision > 0;
}

/** Uploads entities, changed ones in one request. Returns those that conflict with a change of another member. */
async function uploadEntities(
  { client, notebookId }: NotebookConnection,
  replica: Replica,
  waiting: readonly PendingChange[],
): Promise<readonly PendingChange[]> {
  const uploads: (PendingChange & { readonly kind: EntityKind; readonly entity: SentEntity })[] = [];
  for (const change of waiting) {
    const { kind, id, number } = change;
    if (!isEntityKind(kind)) continue;
    const entity = packEntity(replica, kind, id);
    if (entity === undefined) markSent(replica, [number]);
    else if (entity.value === undefined) {
      await client.query('SELECT open_notebook.remove_thing($1, $2, $3)', [notebookId, kind, entity.id]);
      markEntitiesSent(replica, [{ number, kind, entity, revision: 0 }]);
    } else uploads.push({ number, kind, id, entity });
  }
  const conflicts: PendingChange[] = [];
  for (const batch of batches(uploads, ({ entity }) => entity.value.length)) {
    const { rows } = await client.query<{ revision: string }>(
      `SELECT open_notebook.put_thing($1, kind, id, within, base, value) AS revision
       FROM unnest($2::text[], $3::text[], $4::text[], $5::bigint[], $6::bytea[]) WITH ORDINALITY
         AS sent (kind, id, within, base, value, place) ORDER BY place`,
      [
        notebookId,
        batch.map(({ kind }) => kind),
        batch.map(({ entity }) => entity.id),
        batch.map(({ entity }) => entity.within),
        batch.map(({ entity }) => entity.base ?? null),
        batch.map(({ entity }) => entity.value),
      ],
    );
    const revisions = batch.map((change, place) => ({ ...change, revision: Number(rows[place]?.revision) }));
    markEntitiesSent(
      replica,
      revisions.filter(({ revision }) => revision > 0),
    );
    conflicts.push(...revisions.filter(({ revision }) => !(revision > 0)));
  }
  return conflicts;
}

/**
 * Syncs one entity. Saves the reason if the database rejects it, so that the others continue. Restores an entity that
 * the user can't delete.
 */
async function uploadOrReject(
  { connection }: NotebookConnection,
  replica: Replica,
  change: PendingChange,
  action: () => Promise<void>,
): Promise<void> {
  try {
    await action();
  } catch (error) {
    const reported = teamError(error, connection);
    if (!isRejection(reported)) throw error;
    if (reported.code === 'forbidden' && isDeletion(replica, change)) restoreDeleted(replica, change);
    else markRejected(replica, change.number, reported.message);
  }
}

function isRejection(error: unknown): error is NotebookError {
  return (
    error instanceof NotebookError && ['forbidden', 'not-found', 'too-large', 'server'].includes(error.code)
  );
}
