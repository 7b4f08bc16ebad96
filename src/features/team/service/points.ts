import type { Statements } from '../../../index/store/database/statements.ts';
import type { EmbeddingModel } from '../../../core/domain/settings.ts';
import type { NotebookConnection } from './notebook-connection.ts';
import type { DocumentName } from './searchable.ts';
import { hashModel } from './vectors.ts';

/** Time limit for all vector searches of one question, in milliseconds. Falls back to keyword search after it. */
const TIMEOUT_MS = 2_000;

/** Maximum number of vector searches of one question. */
const MAX_SEARCHES = 4;

/** Questions as vectors of a model. */
export interface VectorQuery {
  readonly model: EmbeddingModel;
  readonly vectors: readonly Float32Array[];
}

/** Document with the similarity of its most similar text; 1 for equal vectors. */
interface NearDocument extends DocumentName {
  readonly nearness: number;
}

/**
 * Returns the documents of a notebook with the text most similar to each question, most similar first, at most
 * `limit` for each. Returns none if the database has no pgvector, has no vectors of the model, or takes too long.
 */
export async function findNear(
  { client, notebookId }: NotebookConnection,
  { model, vectors }: VectorQuery,
  limit: number,
): Promise<readonly NearDocument[]> {
  const best = new Map<string, NearDocument>();
  const ends = Date.now() + TIMEOUT_MS;
  try {
    for (const vector of vectors.slice(0, MAX_SEARCHES)) {
      // The setting ends with the transaction. Zero would mean no limit.
      const remainingMs = Math.max(1, ends - Date.now());
      await client.query(`BEGIN; SET LOCAL statement_timeout = ${String(remainingMs)}`);
      const { rows } = await client.query<{ source_id: string; key: string; nearness: number }>(
        'SELECT source_id, key, nearness FROM open_notebook.near($1, $2, $3, $4, $5)',
        [notebookId, hashModel(model), vector.length, `[${vector.join(',')}]`, limit],
      );
      await client.query('COMMIT');
      for (const { source_id: sourceId, key, nearness } of rows) {
        const id = `${sourceId}\n${key}`;
        if (nearness > (best.get(id)?.nearness ?? -Infinity)) best.set(id, { sourceId, key, nearness });
      }
    }
  } catch {
    // Keyword search still returns documents.
    // A lost connection has no transaction.
    await client.query('ROLLBACK').catch(() => undefined);
    return [];
  }
  return [...best.values()].toSorted((a, b) => b.nearness - a.nearness);
}

/**
 * Indexes some vectors of a model with numbers above `after` in the team database. Returns the last indexed number, or
 * Infinity after a failure; undefined if the database can't index vectors, or the user has no permission.
 */
export async function placePoints(
  { client, notebookId }: NotebookConnection,
  sql: Statements,
  model: EmbeddingModel,
  after: number,
): Promise<number | undefined> {
  if (sql.number('SELECT level FROM team') < 2) return undefined;
  try {
    const { rows } = await client.query<{ number: string | null }>(
      'SELECT open_notebook.place_points($1, $2, $3) AS number',
      [notebookId, hashModel(model), after],
    );
    const number = rows[0]?.number ?? null;
    return number === null ? undefined : Number(number);
  } catch {
    // Nobody waits for this result. The next statement reports a broken connection.
    return Infinity;
  }
}
