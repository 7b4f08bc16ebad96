import { Embeddings } from '../../src/index/search/vectors/embeddings.ts';
import type { Statements } from '../../src/index/store/database/statements.ts';
import { Store } from '../../src/index/store/store.ts';
import { hashBytes } from '../../src/features/team/service/packed.ts';

/** The rows of vectors that a notebook's documents have, by its own words, and of how many texts each is. */
export function partsOf(sql: Statements): { content: Buffer; texts: Buffer; count: number }[] {
  const store = new Store(sql);
  const embeddings = new Embeddings(sql, (id) => store.documents.document(id));
  return sql
    .all(
      `SELECT d.id, t.stamp FROM documents d JOIN team_documents t ON t.id = d.source_id || char(10) || d.key`,
    )
    .flatMap(({ id, stamp }) => {
      const content = Buffer.from(String(stamp).split(' ')[0] ?? '', 'base64');
      const hashes = embeddings.textHashes(Number(id));
      return Array.from({ length: Math.ceil(hashes.length / 64) }, (_, part) => {
        const own = hashes.slice(64 * part, 64 * (part + 1));
        return { content, texts: hashBytes(Buffer.from(own.join('\n'))), count: own.length };
      });
    });
}
