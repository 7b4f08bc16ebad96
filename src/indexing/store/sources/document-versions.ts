import {
  compareVersions,
  type DocumentVersion,
  type MadeDifference,
  type StudioScope,
} from '../../../notebook/studio.ts';
import type { Statements } from '../database/statements.ts';

/** Something is made of so many documents at most. */
export const MOST_DOCUMENTS = 2_000;
/** So much of a hash, in UTF-16 code units, tells versions apart. */
export const HASH_LENGTH = 16;

/** The documents that something would be made of now, in their versions, in the order of their sources. */
export function documentVersions(sql: Statements, { sourceIds }: StudioScope): DocumentVersion[] {
  return sql
    .all(
      `SELECT d.id, d.hash FROM documents d JOIN sources s ON s.id = d.source_id
       WHERE ?1 IS NULL OR s.id IN (SELECT value FROM json_each(?1))
       ORDER BY s.added_at, s.rowid, d.key LIMIT ${String(MOST_DOCUMENTS)}`,
      sourceIds === undefined ? null : JSON.stringify(sourceIds),
    )
    .map(({ id, hash }) => ({ documentId: Number(id), hash: String(hash).slice(0, HASH_LENGTH) }));
}

/** How the sources differ from what things were made of; what is of the same sources is looked up once. */
export function differences(
  sql: Statements,
): (made: StudioScope & { readonly madeOf: readonly DocumentVersion[] }) => MadeDifference {
  const now = new Map<string, DocumentVersion[]>();
  return ({ sourceIds, madeOf }) => {
    const key = JSON.stringify(sourceIds ?? null);
    const documents = now.get(key) ?? documentVersions(sql, { sourceIds });
    now.set(key, documents);
    return compareVersions(madeOf, documents);
  };
}
