import {
  compareVersions,
  type ArtifactOrigin,
  type ArtifactScope,
  type DocumentVersion,
  type SourceDrift,
} from '../../../core/domain/artifact.ts';
import type { Statements } from '../../../index/store/database/statements.ts';

/** Maximum number of documents for an artifact. */
export const MAX_DOCUMENTS = 2_000;
/** Length of a hash prefix that distinguishes versions, in UTF-16 code units. */
export const HASH_LENGTH = 16;

/** The condition on documents `d` of sources `s` that are in a scope, which is given as JSON or null by the parameter `?1`. */
export const IN_SCOPE = `(?1 IS NULL OR EXISTS (SELECT 1 FROM json_each(?1) WHERE value = s.id
  OR value = s.id || '/' || d.key OR substr(s.id || '/' || d.key, 1, length(value) + 1) = value || '/'))`;

/** Returns the current versions of the documents in a scope, in the order of their sources. */
export function documentVersions(sql: Statements, { sourceIds }: ArtifactScope): DocumentVersion[] {
  return sql
    .all(
      `SELECT d.id, d.hash FROM documents d JOIN sources s ON s.id = d.source_id
       WHERE ${IN_SCOPE}
       ORDER BY s.added_at, s.rowid, d.key LIMIT ${String(MAX_DOCUMENTS)}`,
      sourceIds === undefined ? null : JSON.stringify(sourceIds),
    )
    .map(({ id, hash }) => ({ documentId: Number(id), hash: String(hash).slice(0, HASH_LENGTH) }));
}

/**
 * Returns a function that compares the sources of artifacts with the current ones. It reads each set of sources once.
 */
export function differences(sql: Statements): (origin: ArtifactOrigin) => SourceDrift {
  const versionsByScope = new Map<string, DocumentVersion[]>();
  return ({ sourceIds, documents }) => {
    const key = JSON.stringify(sourceIds ?? null);
    const currentVersions = versionsByScope.get(key) ?? documentVersions(sql, { sourceIds });
    versionsByScope.set(key, currentVersions);
    return compareVersions(documents, currentVersions);
  };
}
