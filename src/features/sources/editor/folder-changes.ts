import type { DocumentStamp } from '../../../index/store/sources/sources-api.ts';
import type { Changes } from './change-settler.ts';

/** Stored documents of a folder by path, and documents whose files no longer exist. */
interface FolderChanges {
  readonly stored: ReadonlyMap<string, DocumentStamp>;
  readonly removed: readonly DocumentStamp[];
}

/**
 * Compares the files of a folder with its stored documents. If changes are listed, only documents at or below these
 * paths can be missing.
 */
export function compareFolder(
  paths: readonly string[],
  stamps: readonly DocumentStamp[],
  changes: Changes,
): FolderChanges {
  const stored = new Map(stamps.map((stamp) => [stamp.key, stamp]));
  const present = new Set(paths);
  const deleted = stamps.filter(({ key }) => !present.has(key) && (changes === 'many' || isIn(key, changes)));
  return { stored, removed: deleted };
}

/** Returns the missing document that a new file was before it was renamed: same content, same file extension. */
export function formerDocument(
  path: string,
  hash: string,
  leaving: Iterable<DocumentStamp>,
): DocumentStamp | undefined {
  for (const stamp of leaving)
    if (stamp.hash === hash && findEnding(stamp.key) === findEnding(path)) return stamp;
  return undefined;
}

/** Reports whether a path equals one of several paths or is below one. */
export function isIn(key: string, paths: ReadonlySet<string>): boolean {
  if (paths.has(key)) return true;
  for (let at = key.lastIndexOf('/'); at > 0; at = key.lastIndexOf('/', at - 1))
    if (paths.has(key.slice(0, at))) return true;
  return false;
}

function findEnding(path: string): string {
  return /\.[^./]+$/.exec(path)?.[0] ?? path.slice(path.lastIndexOf('/') + 1);
}
