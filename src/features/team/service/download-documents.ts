import { throwIfCanceled } from '../../../core/domain/errors.ts';
import { STATIC_ADDRESS } from '../../../core/domain/settings.ts';
import { Embeddings } from '../../../index/search/vectors/embeddings.ts';
import type { SearchLine } from '../../../index/search/search-api.ts';
import type { Statements } from '../../../index/store/database/statements.ts';
import { Store } from '../../../index/store/store.ts';
import { batches, MAX_ROWS } from './batches.ts';
import { findDocuments } from './candidates.ts';
import { checkOrder } from './checked-rows.ts';
import type { NotebookConnection } from './notebook-connection.ts';
import type { VectorQuery } from './points.ts';
import { MAX_LOCAL_PASSAGES, MAX_PREFETCHED_PASSAGES } from './searchable.ts';
import { takeVectors } from './vectors.ts';
import { downloadedRevision, recordRevision } from './sync-state.ts';
import {
  type DocumentRow,
  hasCurrentDocument,
  hasDocument,
  applyDocuments,
  documentStamp,
} from './local-documents.ts';
import {
  countPassages,
  hasDocumentCounts,
  saveDocumentCounts,
  recordUse,
  evictDocuments,
} from './local-limit.ts';
import { findFiles } from './document-files.ts';
import type { Replica } from './replica.ts';

/** Reports the progress of a download. `total` may grow meanwhile. */
export type Progress = (done: number, total: number) => void;

interface DocumentHead {
  readonly source_id: string;
  readonly key: string;
  readonly revision: string;
  readonly head: Buffer;
  readonly content: Buffer | null;
  readonly bytes: string;
}

/** Downloads documents up to a revision. Sources of later documents may not have arrived yet. */
export async function downloadDocuments(
  connection: NotebookConnection,
  replica: Replica,
  upTo: number,
  onDownloaded: (count: number) => void,
): Promise<number> {
  const { client, notebookId, maxLocalPassages = MAX_LOCAL_PASSAGES } = connection;
  let unread = 0;
  for (;;) {
    const after = downloadedRevision(replica, 'documents');
    const { rows } = await client.query<DocumentHead>(
      'SELECT source_id, key, revision, head, content, bytes FROM open_notebook.read_documents($1, $2, $3, $4)',
      [notebookId, after, upTo, MAX_ROWS],
    );
    checkOrder(rows, after);
    // Documents beyond the limit of a machine are downloaded when a search needs them.
    const isFull = countPassages(replica) >= maxLocalPassages;
    const fresh = rows.filter(
      ({ source_id: sourceId, key, head, content }) =>
        content === null ||
        (!hasCurrentDocument(replica, `${sourceId}\n${key}`, documentStamp({ head, hash: content })) &&
          (!isFull || hasDocument(replica, sourceId, key))),
    );
    unread += await downloadTexts(connection, replica, fresh, onDownloaded);
    recordRevision(replica, 'documents', Number(rows.at(-1)?.revision ?? 0));
    if (rows.length < MAX_ROWS) return unread;
  }
}

/** Downloads all missing documents of local sources, however many there are. */
export async function downloadRest(
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
      [notebookId, after, upTo, MAX_ROWS],
    );
    checkOrder(rows, after);
    const missing = rows.filter(({ source_id: sourceId, key }) => !hasDocument(replica, sourceId, key));
    done += rows.length - missing.length;
    await downloadTexts(connection, replica, missing, (count) => {
      throwIfCanceled(signal);
      done += count;
      progress(done, total);
    });
    while (await findFiles(replica)) throwIfCanceled(signal);
    after = Number(rows.at(-1)?.revision ?? 0);
    if (rows.length < MAX_ROWS) return;
  }
}

/** Downloads the number of documents of each source if this machine doesn't store all of them. */
export async function downloadCounts(
  { client, notebookId, maxLocalPassages = MAX_LOCAL_PASSAGES }: NotebookConnection,
  replica: Replica,
  isOther: boolean,
): Promise<void> {
  const areCounted = hasDocumentCounts(replica);
  if (areCounted ? !isOther : countPassages(replica) < maxLocalPassages) return;
  const { rows } = await client.query<{ source_id: string; count: string }>(
    'SELECT source_id, count FROM open_notebook.count_documents($1)',
    [notebookId],
  );
  saveDocumentCounts(
    replica,
    new Map(rows.map(({ source_id: sourceId, count }) => [sourceId, Number(count)])),
  );
}

/** Saves documents with their texts, requested in batches. */
async function downloadTexts(
  { client, notebookId }: NotebookConnection,
  replica: Replica,
  heads: readonly DocumentHead[],
  onDownloaded: (count: number) => void,
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
    unread += applyDocuments(replica, read, usedAt);
    onDownloaded(batch.length);
  }
  return unread;
}

/**
 * Downloads the documents that match searches best if the notebook is larger than this machine stores. Local search
 * then finds them, by meaning too if `sql` says that questions are embedded. Returns their number.
 */
export async function prefetchMatches(
  connection: NotebookConnection,
  replica: Replica,
  searches: readonly SearchLine[],
  sql: Statements,
): Promise<number> {
  const { client, notebookId, maxPrefetchedPassages = MAX_PREFETCHED_PASSAGES } = connection;
  const vectorQuery = toVectorQuery(sql, searches);
  const names = await findDocuments(
    connection,
    searches.map(({ words }) => words),
    vectorQuery,
  );
  const now = Date.now();
  recordUse(replica, names, now);
  const missing = names.filter(({ sourceId, key }) => !hasDocument(replica, sourceId, key));
  if (missing.length === 0) return 0;
  const { rows } = await client.query<DocumentHead>(
    'SELECT source_id, key, revision, head, content, bytes FROM open_notebook.read_named_documents($1, $2, $3)',
    [notebookId, missing.map(({ sourceId }) => sourceId), missing.map(({ key }) => key)],
  );
  // The next sync downloads the changes in between.
  const revision = String(downloadedRevision(replica, 'documents'));
  const heads = rows.map((row) => ({ ...row, revision }));
  const unread = await downloadTexts(connection, replica, heads, () => undefined, now);
  await findFiles(replica);
  evictDocuments(replica, maxPrefetchedPassages, now);
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
