import type { QueryConfig } from 'pg';
import { searchableText } from '../../../index/search/lexical/passage-terms.ts';
import type { Statements } from '../../../index/store/database/statements.ts';
import { Store } from '../../../index/store/store.ts';
import { throwIfCanceled } from '../../../core/domain/errors.ts';
import { CHANGE_QUERY_TIMEOUT_MS, type NotebookConnection } from './notebook-connection.ts';
import { blockColumns, mergeWindows } from './merge-windows.ts';
import { MAX_BATCH_PASSAGES, writePostings, type WrittenWindow } from './postings.ts';

/** Maximum number of passages of a team notebook on a machine. The team database finds the others. */
export const MAX_LOCAL_PASSAGES = 200_000;

/** Maximum number of passages of prefetched documents in addition. */
export const MAX_PREFETCHED_PASSAGES = 50_000;

/** Number of documents that are checked at once. */
const DOCUMENTS = 5_000;

/** Document of a team notebook. */
export interface DocumentName {
  readonly sourceId: string;
  readonly key: string;
}

/**
 * Returns the number of passages that the team database can find, including dead ones, as postings count them;
 * undefined if it finds none and needs to find none.
 */
export async function countSearchable({
  client,
  connection,
  notebookId,
}: NotebookConnection): Promise<
  { readonly count: number; readonly average: number; readonly languages: number } | undefined
> {
  const { rows } = await client.query<{ passages: string; length: string; languages: string }>({
    text: 'SELECT languages, passages, length FROM open_notebook.read_searchable($1)',
    values: [notebookId],
    query_timeout: connection.queryTimeout ?? CHANGE_QUERY_TIMEOUT_MS,
  } as QueryConfig);
  const [row] = rows;
  if (row === undefined) return undefined;
  const count = Number(row.passages);
  return { count, average: Number(row.length) / count, languages: Number(row.languages) };
}

/**
 * Indexes changed documents in the team's database, after a revision. Does nothing for a notebook that fits on one
 * machine. Returns the revision up to which documents are indexed.
 */
export async function makeSearchable(
  connection: NotebookConnection,
  sql: Statements,
  after: number,
  signal: AbortSignal,
): Promise<number> {
  const { client, notebookId, maxLocalPassages = MAX_LOCAL_PASSAGES } = connection;
  const passageCount = sql.number('SELECT sum(passages) AS held FROM documents');
  if (passageCount <= maxLocalPassages && (await countSearchable(connection)) === undefined) return after;
  const { rows: levels } = await client.query<{ level: number }>(
    'SELECT level FROM open_notebook.levels() WHERE notebook_id = $1',
    [notebookId],
  );
  // A member who can only view leaves the work to others.
  if ((levels[0]?.level ?? 0) < 2) return after;
  const store = new Store(sql);
  for (;;) {
    throwIfCanceled(signal);
    const { rows } = await client.query<{
      source_id: string;
      key: string;
      content: Buffer;
      revision: string;
    }>('SELECT source_id, key, content, revision FROM open_notebook.read_unsearchable($1, $2, $3)', [
      notebookId,
      after,
      DOCUMENTS,
    ]);
    let batch: {
      name: DocumentName;
      content: Buffer;
      texts: { terms: string; language: string | undefined }[];
    }[] = [];
    let count = 0;
    const write = async (): Promise<void> => {
      if (batch.length > 0)
        await savePostings(
          connection,
          batch.map(({ name, content, texts }) => ({ name, content, passages: texts.length })),
          writePostings(
            batch.flatMap(({ texts }) => texts),
            (await countSearchable(connection))?.average,
          ),
        );
      [batch, count] = [[], 0];
    };
    for (const { source_id: sourceId, key, content } of rows) {
      throwIfCanceled(signal);
      const texts = textsHere(sql, store, { sourceId, key }, content).slice(0, MAX_BATCH_PASSAGES);
      if (texts.length === 0) continue;
      if (count + texts.length > MAX_BATCH_PASSAGES) await write();
      batch.push({ name: { sourceId, key }, content, texts });
      count += texts.length;
    }
    await write();
    after = Math.max(after, Number(rows.at(-1)?.revision ?? 0));
    if (rows.length < DOCUMENTS) break;
  }
  await mergeWindows(connection, signal);
  return after;
}

/** Returns the terms of a document's passages if this machine has the team's version. */
function textsHere(
  sql: Statements,
  store: Store,
  { sourceId, key }: DocumentName,
  content: Buffer,
): { terms: string; language: string | undefined }[] {
  const id = `${sourceId}\n${key}`;
  const stamp = sql.get('SELECT stamp FROM team_documents WHERE id = ?', id)?.['stamp'];
  const row = sql.get('SELECT id FROM documents WHERE source_id = ? AND key = ?', sourceId, key);
  const document = row && store.documents.document(Number(row['id']));
  if (
    document === undefined ||
    typeof stamp !== 'string' ||
    !stamp.startsWith(`${content.toString('base64')} `)
  )
    return [];
  return store.documents.documentPassages(Number(row?.['id'])).map((passage) => ({
    terms: searchableText(document, passage),
    language: document.entry.byline?.language,
  }));
}

/** Indexed document with its version and its number of passages. */
interface WrittenDocument {
  readonly name: DocumentName;
  readonly content: Uint8Array;
  readonly passages: number;
}

/** Indexes the passages of documents in the team database, in the order in which they were written. */
export async function savePostings(
  { client, notebookId }: NotebookConnection,
  documents: readonly WrittenDocument[],
  { blocks, words, length, languages }: WrittenWindow,
): Promise<void> {
  await client.query(
    'SELECT open_notebook.put_postings($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)',
    [
      notebookId,
      documents.map(({ name }) => name.sourceId),
      documents.map(({ name }) => name.key),
      documents.map(({ content }) => content),
      documents.map(({ passages }) => passages),
      length,
      languages,
      words,
      ...blockColumns(blocks),
    ],
  );
}
