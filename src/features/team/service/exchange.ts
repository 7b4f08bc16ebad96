import type { QueryConfig } from 'pg';
import * as v from 'valibot';
import { NotebookError, throwIfCanceled } from '../../../core/domain/errors.ts';
import { plainTitle } from '../../../core/domain/plain-title.ts';
import { STATIC_ADDRESS } from '../../../core/domain/settings.ts';
import { Embeddings } from '../../../index/search/vectors/embeddings.ts';
import type { SearchLine } from '../../../index/search/search-api.ts';
import type { Statements } from '../../../index/store/database/statements.ts';
import { Store } from '../../../index/store/store.ts';
import { findDocuments } from './candidates.ts';
import { checkOrder, notATeams } from './checked-rows.ts';
import { teamError } from './connect.ts';
import { CHANGE_QUERY_TIMEOUT_MS, notReadable, type NotebookConnection } from './notebook-connection.ts';
import type { VectorQuery } from './points.ts';
import {
  documentStamp,
  type Authorship,
  type DocumentRow,
  type Kind,
  type Replica,
  type Waiting,
} from './replica.ts';
import type { RemoteClaim } from '../../sync.ts';
import { MAX_PREFETCHED_PASSAGES, MAX_LOCAL_PASSAGES } from './searchable.ts';
import { takeVectors } from './vectors.ts';
import type { SentEntity, EntityKind } from './synced-entity.ts';
import { isEntityKind } from './entity-syncs.ts';

/** Maximum rows and bytes of texts in one request, in either direction. */
const ROWS = 200;
const BYTES = 8 * 2 ** 20;

const KINDS: readonly Kind[] = ['sources', 'documents', 'notes', 'things'];

/** Reports the progress of a download. `total` may grow meanwhile. */
export type Progress = (done: number, total: number) => void;

/**
 * Downloads the team's changes up to the revision that the notebook had at the start. Notes come after the documents
 * that they cite. Returns the number of unreadable rows.
 */
export async function takeIn(
  connection: NotebookConnection,
  replica: Replica,
  progress: Progress,
): Promise<number> {
  const upTo = await readRevision(connection, replica);
  if (!isBefore(replica, upTo)) return 0;
  const news = await checkForChanges(connection, replica);
  const total = news.documents;
  let unread = news.sources ? await takeSources(connection, replica) : 0;
  let done = 0;
  if (total > 0)
    unread += await takeDocuments(connection, replica, upTo, (count) => {
      done += count;
      progress(done, Math.max(done, total));
    });
  await takeCounts(connection, replica, total > 0);
  if (news.notes) unread += await takeNotes(connection, replica, upTo);
  if (news.things) unread += await takeEntities(connection, replica, upTo);
  for (const kind of KINDS) replica.passed(kind, upTo);
  return unread;
}

/**
 * Uploads local changes. Returns whether there is more to sync at once, because something changed here or there
 * meanwhile. A change that the database rejects stays here, with the reason.
 * @throws NotebookError, Error if the database can't be reached
 */
export async function send(connection: NotebookConnection, replica: Replica): Promise<boolean> {
  const waiting = replica.waiting();
  if (waiting.length === 0) return false;
  for (const one of waiting.filter(({ kind }) => kind === 'source'))
    await refusable(connection, replica, one, () => sendSource(connection, replica, one));
  for (const batch of batches(waiting.filter(({ kind }) => kind === 'document')))
    try {
      await sendDocuments(connection, replica, batch);
    } catch (error) {
      if (!isRefusal(teamError(error, connection.connection))) throw error;
      // Send each document separately to find the rejected one.
      for (const one of batch)
        await refusable(connection, replica, one, () => sendDocuments(connection, replica, [one]));
    }
  const conflicts: Waiting[] = [];
  for (const one of waiting.filter(({ kind }) => kind === 'note'))
    await refusable(connection, replica, one, async () => {
      if (!(await sendNote(connection, replica, one))) conflicts.push(one);
    });
  for (const batch of batches(waiting.filter(({ kind }) => isEntityKind(kind))))
    try {
      conflicts.push(...(await sendEntities(connection, replica, batch)));
    } catch (error) {
      if (!isRefusal(teamError(error, connection.connection))) throw error;
      for (const one of batch)
        await refusable(connection, replica, one, async () => {
          conflicts.push(...(await sendEntities(connection, replica, [one])));
        });
    }
  return conflicts.length > 0 || replica.waiting().length > 0;
}

/**
 * Reports whether the team has changes that this machine doesn't have. Reads only the revision.
 * @throws NotebookError without access
 */
export async function isBehind(connection: NotebookConnection, replica: Replica): Promise<boolean> {
  return isBefore(replica, await readRevision(connection, replica));
}

function isBefore(replica: Replica, revision: number): boolean {
  return KINDS.some((kind) => replica.revision(kind) < revision);
}

async function readRevision({ client, notebookId }: NotebookConnection, replica: Replica): Promise<number> {
  const { rows } = await client.query<{
    revision: string;
    name: string;
    level: number;
    channel: string;
    salt: string;
  }>({
    text: 'SELECT revision, name, channel, salt, level FROM open_notebook.read_notebook($1)',
    values: [notebookId],
    query_timeout: CHANGE_QUERY_TIMEOUT_MS,
  } as QueryConfig);
  const [head] = rows;
  if (head === undefined) throw notReadable();
  replica.setRight(head.level);
  replica.name = plainTitle(head.name);
  replica.channel = head.channel;
  replica.salt = head.salt;
  return Number(head.revision);
}

/** Returns which kinds of changes there are, as most syncs have changes of one kind. `documents` counts them. */
async function checkForChanges(
  { client, notebookId }: NotebookConnection,
  replica: Replica,
): Promise<Record<'notes' | 'sources' | 'things', boolean> & { readonly documents: number }> {
  const { rows } = await client.query<Record<'notes' | 'sources' | 'things', boolean> & { count: string }>(
    'SELECT sources, notes, things, count FROM open_notebook.read_news($1, $2, $3, $4, $5)',
    [
      notebookId,
      ...(['sources', 'notes', 'things', 'documents'] as const).map((kind) => replica.revision(kind)),
    ],
  );
  const [row] = rows;
  if (row === undefined) throw notReadable();
  const { sources, notes, things, count } = row;
  return { sources, notes, things, documents: Number(count) };
}

async function takeSources({ client, notebookId }: NotebookConnection, replica: Replica): Promise<number> {
  let unread = 0;
  for (;;) {
    const after = replica.revision('sources');
    const { rows } = await client.query<{ id: string; revision: string; value: Buffer | null } & DeedColumns>(
      `SELECT id, revision, ${DEEDS}, value FROM open_notebook.read_sources($1, $2, $3)`,
      [notebookId, after, ROWS],
    );
    checkOrder(rows, after);
    unread += replica.takeSources(
      rows.map(({ id, revision, value, ...deeds }) => ({
        id,
        revision: Number(revision),
        value: value ?? undefined,
        ...readAuthorship(deeds),
      })),
    );
    if (rows.length < ROWS) return unread;
  }
}

interface DocumentHead {
  readonly source_id: string;
  readonly key: string;
  readonly revision: string;
  readonly head: Buffer;
  readonly content: Buffer | null;
  readonly bytes: string;
}

/** Downloads documents up to a revision. Sources of later documents may not have arrived yet. */
async function takeDocuments(
  connection: NotebookConnection,
  replica: Replica,
  upTo: number,
  onTaken: (count: number) => void,
): Promise<number> {
  const { client, notebookId, mostHeld = MAX_LOCAL_PASSAGES } = connection;
  let unread = 0;
  for (;;) {
    const after = replica.revision('documents');
    const { rows } = await client.query<DocumentHead>(
      'SELECT source_id, key, revision, head, content, bytes FROM open_notebook.read_documents($1, $2, $3, $4)',
      [notebookId, after, upTo, ROWS],
    );
    checkOrder(rows, after);
    // Documents beyond the limit of a machine are downloaded when a search needs them.
    const isFull = replica.held() >= mostHeld;
    const fresh = rows.filter(
      ({ source_id: sourceId, key, head, content }) =>
        content === null ||
        (!replica.hasDocument(`${sourceId}\n${key}`, documentStamp({ head, hash: content })) &&
          (!isFull || replica.holdsDocument(sourceId, key))),
    );
    unread += await takeTexts(connection, replica, fresh, onTaken);
    replica.passed('documents', Number(rows.at(-1)?.revision ?? 0));
    if (rows.length < ROWS) return unread;
  }
}

/** Downloads all missing documents of local sources, however many there are. */
export async function takeRest(
  connection: NotebookConnection,
  replica: Replica,
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  const { client, notebookId } = connection;
  const { rows: counts } = await client.query<{ count: string; revision: string | null }>(
    'SELECT count, revision FROM open_notebook.count_living_documents($1)',
    [notebookId],
  );
  const total = Number(counts[0]?.count);
  // Stop at this revision, because documents that change during the download would arrive again and again.
  const upTo = Number(counts[0]?.revision ?? 0);
  let after = 0;
  let done = 0;
  for (;;) {
    const { rows } = await client.query<DocumentHead>(
      `SELECT source_id, key, revision, head, content, bytes
       FROM open_notebook.read_living_documents($1, $2, $3, $4)`,
      [notebookId, after, upTo, ROWS],
    );
    checkOrder(rows, after);
    const missing = rows.filter(({ source_id: sourceId, key }) => !replica.holdsDocument(sourceId, key));
    done += rows.length - missing.length;
    await takeTexts(connection, replica, missing, (count) => {
      throwIfCanceled(signal);
      done += count;
      progress(done, total);
    });
    while (await replica.findFiles()) throwIfCanceled(signal);
    after = Number(rows.at(-1)?.revision ?? 0);
    if (rows.length < ROWS) return;
  }
}

/** Downloads the number of documents of each source if this machine doesn't store all of them. */
async function takeCounts(
  { client, notebookId, mostHeld = MAX_LOCAL_PASSAGES }: NotebookConnection,
  replica: Replica,
  isOther: boolean,
): Promise<void> {
  const { areCounted } = replica;
  if (areCounted ? !isOther : replica.held() < mostHeld) return;
  const { rows } = await client.query<{ source_id: string; count: string }>(
    'SELECT source_id, count FROM open_notebook.count_documents($1)',
    [notebookId],
  );
  replica.keepCounts(new Map(rows.map(({ source_id: sourceId, count }) => [sourceId, Number(count)])));
}

/** Saves documents with their texts, requested in batches. */
async function takeTexts(
  { client, notebookId }: NotebookConnection,
  replica: Replica,
  heads: readonly DocumentHead[],
  onTaken: (count: number) => void,
  usedAt?: number,
): Promise<number> {
  let unread = 0;
  for (const batch of batches(heads, ({ bytes }) => Number(bytes))) {
    const hashes = batch.flatMap(({ content }) => (content === null ? [] : [content]));
    const { rows: texts } = await client.query<{ hash: Buffer; bytes: Buffer }>(
      'SELECT hash, bytes FROM open_notebook.read_contents($1, $2)',
      [notebookId, hashes],
    );
    const byHash = new Map(texts.map(({ hash, bytes }) => [hash.toString('hex'), bytes]));
    const read: DocumentRow[] = [];
    for (const { source_id: sourceId, key, revision, head, content } of batch) {
      const bytes = content === null ? undefined : byHash.get(content.toString('hex'));
      // The text was deleted because the document changed meanwhile. It arrives again with a later revision.
      if (content !== null && bytes === undefined) continue;
      read.push({
        sourceId,
        key,
        revision: Number(revision),
        content: content === null || bytes === undefined ? undefined : { head, hash: content, bytes },
      });
    }
    unread += replica.takeDocuments(read, usedAt);
    onTaken(batch.length);
  }
  return unread;
}

/**
 * Downloads the documents that match searches best if the notebook is larger than this machine stores. Local search
 * then finds them, by meaning too if `sql` says that questions are embedded. Returns their number.
 */
export async function takeCandidates(
  connection: NotebookConnection,
  replica: Replica,
  searches: readonly SearchLine[],
  sql: Statements,
): Promise<number> {
  const { client, notebookId, mostBrought = MAX_PREFETCHED_PASSAGES } = connection;
  const vectorQuery = toVectorQuery(sql, searches);
  const names = await findDocuments(
    connection,
    searches.map(({ words }) => words),
    vectorQuery,
  );
  const now = Date.now();
  replica.used(names, now);
  const missing = names.filter(({ sourceId, key }) => !replica.holdsDocument(sourceId, key));
  if (missing.length === 0) return 0;
  const { rows } = await client.query<DocumentHead>(
    'SELECT source_id, key, revision, head, content, bytes FROM open_notebook.read_named_documents($1, $2, $3)',
    [notebookId, missing.map(({ sourceId }) => sourceId), missing.map(({ key }) => key)],
  );
  // The next sync downloads the changes in between.
  const revision = String(replica.revision('documents'));
  const heads = rows.map((row) => ({ ...row, revision }));
  const unread = await takeTexts(connection, replica, heads, () => undefined, now);
  await replica.findFiles();
  replica.evict(mostBrought, now);
  if (vectorQuery !== undefined) await takeVectors(connection, sql, vectorQuery.model, missing);
  return rows.length - unread;
}

/**
 * Returns searches as vectors if questions here use a model on an endpoint. Vectors of a local model stay on this
 * machine.
 */
function toVectorQuery(sql: Statements, searches: readonly SearchLine[]): VectorQuery | undefined {
  const store = new Store(sql);
  const active = new Embeddings(sql, (id) => store.documents.document(id)).active();
  if (active === undefined || active.model.baseUrl === STATIC_ADDRESS) return undefined;
  const vectors = searches.flatMap(({ vector }) => (vector?.setId === active.setId ? vector.values : []));
  return vectors.length === 0 ? undefined : { model: active.model, vectors };
}

async function takeNotes(
  { client, notebookId }: NotebookConnection,
  replica: Replica,
  upTo: number,
): Promise<number> {
  let unread = 0;
  for (;;) {
    const after = replica.revision('notes');
    const { rows } = await client.query<
      { id: string; revision: string; title: string; value: Buffer | null } & DeedColumns
    >(`SELECT id, revision, title, ${DEEDS}, value FROM open_notebook.read_notes($1, $2, $3, $4)`, [
      notebookId,
      after,
      upTo,
      ROWS,
    ]);
    checkOrder(rows, after);
    unread += replica.takeNotes(
      rows.map(({ id, revision, title, value, ...deeds }) => ({
        id,
        revision: Number(revision),
        ...readAuthorship(deeds),
        content: value === null ? undefined : { title, value },
      })),
    );
    if (rows.length < ROWS) return unread;
  }
}

interface EntityColumns {
  readonly kind: EntityKind;
  readonly id: string;
  readonly within: string;
  readonly revision: string;
  readonly added_by: string;
  readonly changed_by: string;
  readonly is_own: boolean;
  readonly value: Buffer | null;
}

async function takeEntities(
  { client, notebookId }: NotebookConnection,
  replica: Replica,
  upTo: number,
): Promise<number> {
  const read = async (after: number, last: number, limit: number | null): Promise<EntityColumns[]> => {
    const { rows } = await client.query<EntityColumns>(
      `SELECT kind, id, within, revision, added_by, changed_by, is_own, value
       FROM open_notebook.read_things($1, $2, $3, $4)`,
      [notebookId, after, last, limit],
    );
    return rows;
  };
  let unread = 0;
  for (;;) {
    const after = replica.revision('things');
    const rows = await read(after, upTo, ROWS);
    checkOrder(rows, after);
    const last = Number(rows.at(-1)?.revision ?? 0);
    // Rows that were deleted together have one revision and must not be split.
    const whole = rows.length < ROWS ? [] : await read(last - 1, last, null);
    const saved =
      whole.length === 0 ? rows : [...rows.filter(({ revision }) => Number(revision) !== last), ...whole];
    unread += replica.applyEntities(
      saved
        .filter(({ kind }) => isEntityKind(kind))
        .map(({ revision, added_by: addedBy, changed_by: changedBy, is_own: isOwn, value, ...row }) => ({
          ...row,
          revision: Number(revision),
          addedBy,
          changedBy,
          isOwn,
          value: value ?? undefined,
        })),
    );
    replica.passed('things', last);
    if (rows.length < ROWS) return unread;
  }
}

/** Downloads which steps of research projects are assigned on other machines. */
export async function takeClaims(
  { client, notebookId }: NotebookConnection,
  replica: Replica,
): Promise<void> {
  const { rows } = await client.query<RemoteClaim>({
    text: 'SELECT research, step, member FROM open_notebook.read_claims($1)',
    values: [notebookId],
    query_timeout: CHANGE_QUERY_TIMEOUT_MS,
  } as QueryConfig);
  replica.takeClaims(rows);
}

async function sendSource(
  { client, notebookId }: NotebookConnection,
  replica: Replica,
  { id, number }: Waiting,
): Promise<void> {
  const value = replica.sourceToSend(id);
  if (value === undefined) await client.query('SELECT open_notebook.remove_source($1, $2)', [notebookId, id]);
  else await client.query('SELECT open_notebook.put_source($1, $2, $3)', [notebookId, id, value]);
  replica.sent([number]);
}

interface SentDocument {
  readonly id: string;
  readonly stamp: string;
  readonly sourceId: string;
  readonly key: string;
  readonly content: NonNullable<DocumentRow['content']>;
}

/** Uploads documents. Skips texts that the team notebook already has. */
async function sendDocuments(
  { client, notebookId }: NotebookConnection,
  replica: Replica,
  waiting: readonly Waiting[],
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
    replica.documentsSent(numbers, documents);
    [numbers, documents, size] = [[], [], 0];
  };
  for (const { id, number } of waiting) {
    const document = replica.documentToSend(id);
    numbers.push(number);
    if (document?.content === undefined) continue;
    const { sourceId, key, content } = document;
    if (content === 'removed')
      await client.query('SELECT open_notebook.remove_document($1, $2, $3)', [notebookId, sourceId, key]);
    else {
      const stamp = documentStamp(content);
      if (replica.hasDocument(id, stamp)) continue;
      documents.push({ id, stamp, sourceId, key, content });
      size += content.bytes.length;
      if (size > BYTES) await flush();
    }
  }
  await flush();
}

/**
 * Uploads a note. Returns `false` if another member changed it meanwhile, because that change must be merged first.
 */
async function sendNote(
  { client, notebookId }: NotebookConnection,
  replica: Replica,
  { id, number }: Waiting,
): Promise<boolean> {
  const note = replica.noteToSend(id);
  if (note === undefined) {
    await client.query('SELECT open_notebook.remove_note($1, $2, $3)', [
      notebookId,
      id,
      replica.noteBase(id),
    ]);
    // If another member changed it meanwhile, it arrives again with that change.
    replica.noteSent(number, id, 0, undefined);
    return true;
  }
  const { rows } = await client.query<{ revision: string }>(
    'SELECT open_notebook.put_note($1, $2, $3, $4, $5) AS revision',
    [notebookId, id, note.base, note.title, note.value],
  );
  const revision = Number(rows[0]?.revision);
  if (revision > 0) replica.noteSent(number, id, revision, note);
  else if (revision === -2) replica.renameTaken(id);
  return revision > 0;
}

/** Uploads entities, changed ones in one request. Returns those that conflict with a change of another member. */
async function sendEntities(
  { client, notebookId }: NotebookConnection,
  replica: Replica,
  waiting: readonly Waiting[],
): Promise<readonly Waiting[]> {
  const uploads: (Waiting & { readonly kind: EntityKind; readonly thing: SentEntity })[] = [];
  for (const one of waiting) {
    const { kind, id, number } = one;
    if (!isEntityKind(kind)) continue;
    const entity = replica.entityToSend(kind, id);
    if (entity === undefined) replica.sent([number]);
    else if (entity.value === undefined) {
      await client.query('SELECT open_notebook.remove_thing($1, $2, $3)', [notebookId, kind, entity.id]);
      replica.markEntitiesSent([{ number, kind, thing: entity, revision: 0 }]);
    } else uploads.push({ number, kind, id, thing: entity });
  }
  const conflicts: Waiting[] = [];
  for (const batch of batches(uploads, ({ thing: entity }) => entity.value.length)) {
    const { rows } = await client.query<{ revision: string }>(
      `SELECT open_notebook.put_thing($1, kind, id, within, base, value) AS revision
       FROM unnest($2::text[], $3::text[], $4::text[], $5::bigint[], $6::bytea[]) WITH ORDINALITY
         AS sent (kind, id, within, base, value, place) ORDER BY place`,
      [
        notebookId,
        batch.map(({ kind }) => kind),
        batch.map(({ thing: entity }) => entity.id),
        batch.map(({ thing: entity }) => entity.within),
        batch.map(({ thing: entity }) => entity.base ?? null),
        batch.map(({ thing: entity }) => entity.value),
      ],
    );
    const revisions = batch.map((one, place) => ({ ...one, revision: Number(rows[place]?.revision) }));
    replica.markEntitiesSent(revisions.filter(({ revision }) => revision > 0));
    conflicts.push(...revisions.filter(({ revision }) => !(revision > 0)));
  }
  return conflicts;
}

/**
 * Syncs one entity. Saves the reason if the database rejects it, so that the others continue. Restores an entity that
 * the user can't delete.
 */
async function refusable(
  { connection }: NotebookConnection,
  replica: Replica,
  one: Waiting,
  action: () => Promise<void>,
): Promise<void> {
  try {
    await action();
  } catch (error) {
    const reported = teamError(error, connection);
    if (!isRefusal(reported)) throw error;
    if (reported.code === 'forbidden' && replica.isRemoved(one)) replica.restoreDeleted(one);
    else replica.refuse(one.number, reported.message);
  }
}

function isRefusal(error: unknown): error is NotebookError {
  return (
    error instanceof NotebookError && ['forbidden', 'not-found', 'too-large', 'server'].includes(error.code)
  );
}

/** Columns with the authors and times of an entity's changes. */
const deedColumns = v.object({
  added_by: v.string(),
  added_at: v.date(),
  changed_by: v.string(),
  changed_at: v.date(),
});
type DeedColumns = Readonly<v.InferOutput<typeof deedColumns>>;
const DEEDS = 'added_by, added_at, changed_by, changed_at';

function readAuthorship(row: Readonly<Record<keyof DeedColumns, unknown>>): Authorship {
  const read = v.safeParse(deedColumns, row);
  if (!read.success) throw notATeams();
  const { added_by: addedBy, added_at: addedAt, changed_by: changedBy, changed_at: changedAt } = read.output;
  return { addedBy, addedAt: addedAt.getTime(), changedBy, changedAt: changedAt.getTime() };
}

function* batches<T>(all: readonly T[], measure: (one: T) => number = () => 0): Generator<T[]> {
  let batch: T[] = [];
  let size = 0;
  for (const one of all) {
    batch.push(one);
    size += measure(one);
    if (batch.length < ROWS && size < BYTES) continue;
    yield batch;
    [batch, size] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}
