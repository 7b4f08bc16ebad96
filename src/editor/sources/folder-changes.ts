import type { DocumentStamp } from '../../indexing/store/sources/sources-api.ts';
import type { Changes } from './change-settler.ts';

/** What of a folder is kept already, by path, and what is kept of files that are no longer there. */
interface FolderChanges {
  readonly known: ReadonlyMap<string, DocumentStamp>;
  readonly gone: readonly DocumentStamp[];
}

/**
 * Compares the files of a folder with the documents that are kept of it. With named changes only documents of these
 * paths, and of what lay below them, can be gone.
 */
export function compareFolder(
  paths: readonly string[],
  stamps: readonly DocumentStamp[],
  changes: Changes,
): FolderChanges {
  const known = new Map(stamps.map((stamp) => [stamp.key, stamp]));
  const present = new Set(paths);
  const gone = stamps.filter(({ key }) => !present.has(key) && (changes === 'many' || isIn(key, changes)));
  return { known, gone };
}

/** The document among those that are leaving that a new file was before it was renamed: same content, same kind of name. */
export function formerDocument(
  path: string,
  hash: string,
  leaving: Iterable<DocumentStamp>,
): DocumentStamp | undefined {
  for (const stamp of leaving)
    if (stamp.hash === hash && findEnding(stamp.key) === findEnding(path)) return stamp;
  return undefined;
}

/** Whether a path is one of some paths or lies below one. */
export function isIn(key: string, paths: ReadonlySet<string>): boolean {
  if (paths.has(key)) return true;
  for (let at = key.lastIndexOf('/'); at > 0; at = key.lastIndexOf('/', at - 1))
    if (paths.has(key.slice(0, at))) return true;
  return false;
}

function findEnding(path: string): string {
  return /\.[^./]+$/.exec(path)?.[0] ?? path.slice(path.lastIndexOf('/') + 1);
}
