import * as v from 'valibot';
import { isAlias, endpointAlias } from '../search/vectors/endpoint-alias.ts';
import { isFinite16 } from '../search/vectors/half-precision.ts';
import type { Statements } from '../store/database/statements.ts';
import { count, finite } from './exported-values.ts';

/** Approximate bytes of the embeddings in a line, and maximum number of texts. */
const BYTES_A_LINE = 2 ** 20;
const MAX_VECTORS_PER_LINE = 512;

/** Limits for imported embeddings: sets, numbers in a vector, and characters in a model's name. */
const MAX_SETS = 8;
const MAX_VECTOR_LENGTH = 16_384;
const MAX_NAME_LENGTH = 300;

const hash = v.pipe(v.string(), v.regex(/^[\da-f]{32}$/));

/** Line that describes a set of embeddings. */
export const embeddingSet = v.object({
  type: v.literal('embeddings'),
  set: finite,
  endpoint: v.pipe(v.string(), v.check(isAlias)),
  model: v.pipe(v.string(), v.minLength(1), v.maxLength(MAX_NAME_LENGTH)),
  dimension: v.pipe(count(MAX_VECTOR_LENGTH), v.minValue(1)),
});

/** Line with embeddings. */
export const vectorsOfTexts = v.object({
  type: v.literal('vectors'),
  set: finite,
  hashes: v.array(hash),
  none: v.array(hash),
  data: v.string(),
});

/** Map from the numbers of embedding sets in the file to those in the notebook, with their dimensions. */
export type ImportedSets = Map<number, { readonly setId: number; readonly dimension: number }>;

/** Yields the embedding models of a notebook's passages. Endpoints are exported by alias only. */
export function* embeddingLines(sql: Statements): Generator<object> {
  for (const row of sql.all('SELECT * FROM embedding_sets WHERE dimension IS NOT NULL ORDER BY id'))
    yield {
      type: 'embeddings',
      set: Number(row['id']),
      endpoint: endpointAlias(String(row['base_url'])),
      model: String(row['model']),
      dimension: Number(row['dimension']),
    };
}

/**
 * Yields lines with the embeddings of a notebook's passages by the hashes of their texts, many per line: half-precision
 * numbers in base64.
 */
export function* vectorLines(sql: Statements): Generator<object> {
  for (const { id, dimension } of sql.all(
    'SELECT id, dimension FROM embedding_sets WHERE dimension IS NOT NULL',
  )) {
    const atOnce = Math.max(
      1,
      Math.min(MAX_VECTORS_PER_LINE, Math.floor(BYTES_A_LINE / (2 * Number(dimension)))),
    );
    let after = '';
    for (;;) {
      const rows = sql.all(
        `SELECT hash, vector FROM vectors v WHERE set_id = ? AND hash > ?
           AND EXISTS (SELECT 1 FROM passages p WHERE p.embedded = v.hash) ORDER BY hash LIMIT ?`,
        Number(id),
        after,
        atOnce,
      );
      if (rows.length === 0) break;
      after = String(rows.at(-1)?.['hash']);
      const hashes: string[] = [];
      const none: string[] = [];
      const vectors: Uint8Array[] = [];
      for (const { hash, vector } of rows)
        if (vector instanceof Uint8Array) {
          hashes.push(String(hash));
          vectors.push(vector);
        } else none.push(String(hash));
      yield {
        type: 'vectors',
        set: Number(id),
        hashes,
        none,
        data: Buffer.concat(vectors).toString('base64'),
      };
    }
  }
}

/**
 * Creates a set of embeddings in an empty notebook. Searches don't use it until the same model is set up.
 * @throws Error
 */
export function importEmbeddings(
  sql: Statements,
  sets: ImportedSets,
  { set: number, endpoint, model, dimension }: v.InferOutput<typeof embeddingSet>,
): void {
  if (sets.has(number) || sets.size === MAX_SETS) throw new Error('Those are too many embeddings.');
  const row = sql.transaction(() =>
    sql.get(
      'INSERT INTO embedding_sets (base_url, model, dimension) VALUES (?, ?, ?) RETURNING id',
      endpoint,
      model,
      dimension,
    ),
  );
  sets.set(number, { setId: Number(row?.['id']), dimension });
}

/** Stores the embeddings of a line for the texts that occur in the notebook. @throws Error if they aren't valid */
export function importVectors(
  sql: Statements,
  sets: ImportedSets,
  line: v.InferOutput<typeof vectorsOfTexts>,
): void {
  const set = sets.get(line.set);
  if (set === undefined) throw new Error('Vectors of no embeddings.');
  const { hashes, none } = line;
  const data = new Uint8Array(Buffer.from(line.data, 'base64'));
  const size = 2 * set.dimension;
  if (data.length !== hashes.length * size || !isFinite16(data)) throw new Error('Those are no vectors.');
  const keep = (hash: string, vector: Uint8Array | null): unknown =>
    sql.run(
      `INSERT OR IGNORE INTO vectors (set_id, hash, vector)
         SELECT ?1, ?2, ?3 WHERE EXISTS (SELECT 1 FROM passages WHERE embedded = ?2)`,
      set.setId,
      hash,
      vector,
    );
  sql.transaction(() => {
    for (const [index, hash] of hashes.entries()) keep(hash, data.subarray(index * size, (index + 1) * size));
    for (const hash of none) keep(hash, null);
  });
}

/**
 * Deletes sets without any embeddings. They are empty if the passages were split differently in the original notebook.
 */
export function dropEmptySets(sql: Statements): void {
  sql.write(
    'DELETE FROM embedding_sets WHERE NOT EXISTS (SELECT 1 FROM vectors WHERE set_id = embedding_sets.id)',
  );
}
