import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Embeddings } from '../../src/index/search/vectors/embeddings.ts';
import { PassageVectors } from '../../src/index/search/vectors/passage-vectors.ts';
import { openDatabase } from '../../src/index/store/database/opening.ts';
import { Statements } from '../../src/index/store/database/statements.ts';

/** Set of the stored vectors. */
export const SET_ID = 1;

interface StoredVectors {
  readonly vectors: PassageVectors;
  /** Closes the database and deletes it. */
  readonly close: () => void;
}

/** Returns the ID of a source, from 0. */
export function sourceIdOf(source: number): string {
  return `source-${String(source)}`;
}

/**
 * Writes vectors to the database of a new notebook, as the embeddings of passages whose IDs are the rows plus one, with
 * one document per source.
 */
export async function storeVectors(
  rows: Float32Array,
  dimension: number,
  sources: number,
  sourceOf: (row: number) => number,
): Promise<StoredVectors> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-vectors-'));
  const { database } = await openDatabase(folder);
  const sql = new Statements(database);
  sql.transaction(() => {
    sql.run(
      "INSERT INTO embedding_sets (id, base_url, model, dimension, is_complete) VALUES (?, 'made', 'made', ?, 1)",
      SET_ID,
      dimension,
    );
    for (let source = 0; source < sources; source++) {
      const id = sourceIdOf(source);
      sql.run(
        "INSERT INTO sources (id, title, origin, state, added_at, skipped) VALUES (?, ?, '{}', '{}', 0, '[]')",
        id,
        id,
      );
      sql.run(
        `INSERT INTO documents (id, source_id, key, title, uri, media_type, format, hash, size, modified_at, read_at,
           text, map, headings, warnings, split)
         VALUES (?, ?, 'a', 'a', 'a', 'text/plain', 'text', '', 0, 0, 0, x'', x'', '[]', '[]', '')`,
        source + 1,
        id,
      );
    }
    for (let row = 0; row < rows.length / dimension; row++) {
      const hash = createHash('sha256').update(String(row)).digest('hex').slice(0, 32);
      const vector = new Float16Array(rows.subarray(row * dimension, (row + 1) * dimension));
      sql.run(
        `INSERT INTO passages (id, document_id, start, "end", headings, embedded) VALUES (?, ?, 0, 1, '[]', ?)`,
        row + 1,
        sourceOf(row) + 1,
        hash,
      );
      sql.run(
        'INSERT INTO vectors (set_id, hash, vector) VALUES (?, ?, ?)',
        SET_ID,
        hash,
        new Uint8Array(vector.buffer),
      );
    }
  });
  return {
    vectors: new PassageVectors(new Embeddings(sql, () => undefined)),
    close: () => {
      sql.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
