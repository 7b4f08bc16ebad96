import type { Statements } from '../indexing/store/database/statements.ts';
import type { EmbeddingModel } from '../notebook/settings.ts';
import type { Line } from './line.ts';
import type { DocumentName } from './searchable.ts';
import { hashModel } from './vectors.ts';

/** How long the database may look for what is near to a question, all its searches together, in milliseconds; then words have to do. */
const PATIENCE = 2_000;

/** So many searches of a question are looked for by their meaning. */
const MOST_SEARCHES = 4;

/** Questions as vectors, by the model that those of the notebook are by. */
export interface AskedVectors {
  readonly model: EmbeddingModel;
  readonly vectors: readonly Float32Array[];
}

/** A document with the nearness of its nearest text: 1 is the same. */
interface NearDocument extends DocumentName {
  readonly nearness: number;
}

/**
 * The documents of a notebook in which some text is nearest to questions, nearest first, `limit` at most to each. None where
 * the team's database has no pgvector, no vectors of the model, or takes too long.
 */
export async function findNear(
  { client, notebookId }: Line,
  { model, vectors }: AskedVectors,
  limit: number,
): Promise<readonly NearDocument[]> {
  const best = new Map<string, NearDocument>();
  const ends = Date.now() + PATIENCE;
  try {
    for (const vector of vectors.slice(0, MOST_SEARCHES)) {
      // What is set goes with the transaction.
      // Zero would be no end.
      const left = Math.max(1, ends - Date.now());
      await client.query(`BEGIN; SET LOCAL statement_timeout = ${String(left)}`);
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
    await client.query('ROLLBACK').catch(() => undefined);
    return [];
  }
  return [...best.values()].toSorted((a, b) => b.nearness - a.nearness);
}

/**
 * Has the team's database find texts by the vectors that it has of a model, of some of those with higher numbers than
 * `after`. Returns the number that it came to, beyond all where it went wrong; undefined where the database does not do
 * that, or who asks may not have it done.
 */
export async function placePoints(
  { client, notebookId }: Line,
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
    // Nothing waits for it. Where the line is cut, what is asked next says so.
    return Infinity;
  }
}
