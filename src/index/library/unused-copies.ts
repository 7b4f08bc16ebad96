import { readdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { NotebookError } from '../../core/domain/errors.ts';
import { openDatabaseToRead } from '../store/database/database.ts';
import { Statements } from '../store/database/statements.ts';
import { COPY_SETTLES } from './library-api.ts';
import { deleteAll } from '../../core/domain/write-file.ts';

/** Minimum age before unfinished copies, and the copies of a damaged notebook, are removed, in milliseconds. */
const UNFINISHED_LIFETIME_MS = 3_600_000;
const DAMAGED_LIFETIME_MS = 30 * 24 * 3_600_000;

/** Name of a copy's folder: the hash of its bytes. An unused copy is renamed with this suffix. */
const HASH = /^[\da-f]{32}$/;
const ASIDE = '.unused';
const DOOMED = '.removed';

/** Folder of a copy: its parent and its name there. */
interface CopyFolder {
  readonly parent: string;
  readonly hash: string;
}

/**
 * Deletes copies of files that no notebook uses, including those in the trash. Each copy is first renamed and then
 * checked again, since a source may be restored or moved meanwhile. The next run restores copies that a kill left
 * renamed. If any notebook can't be read, all copies stay.
 */
export async function removeUnusedCopies({
  notebooks,
  copies,
}: {
  readonly notebooks: string;
  readonly copies: readonly string[];
}): Promise<void> {
  const now = Date.now();
  const settled: CopyFolder[] = [];
  for (const parent of copies)
    for (const hash of await hashesIn(parent, now))
      if (await isSettled(join(parent, hash), now)) settled.push({ parent, hash });
  if (settled.length === 0) return;
  const used = await usedHashes(notebooks, now);
  if (used === undefined) return;
  const aside: CopyFolder[] = [];
  for (const copy of settled) {
    if (used.has(copy.hash) || !(await move(copy, '', ASIDE))) continue;
    // A copy that was used just now is only missing for a moment.
    if (await isSettled(asidePath(copy), now)) aside.push(copy);
    else await putBack(copy);
  }
  if (aside.length === 0) return;
  const usedNow = await usedHashes(notebooks, now);
  for (const copy of aside) {
    if (usedNow?.has(copy.hash) === false && (await isSettled(asidePath(copy), now))) await removeAside(copy);
    else await putBack(copy);
  }
}

/** Renames an unused copy before deleting it, so that the next run doesn't restore a half-deleted one after a kill. */
async function removeAside(copy: CopyFolder): Promise<void> {
  if (await move(copy, ASIDE, DOOMED)) await deleteAll(join(copy.parent, copy.hash + DOOMED));
}

/** Returns the hashes of the copies in a folder. Restores renamed copies, and deletes unfinished ones. */
async function hashesIn(parent: string, now: number): Promise<string[]> {
  const names = await namesIn(parent);
  for (const name of names) {
    const path = join(parent, name);
    const hash = name.replace(ASIDE, '');
    if (HASH.test(name)) continue;
    if (name.endsWith(ASIDE) && HASH.test(hash)) {
      await putBack({ parent, hash });
    } else if (await isOlder(path, now - UNFINISHED_LIFETIME_MS)) await deleteAll(path);
  }
  return (await namesIn(parent)).filter((name) => HASH.test(name));
}

function asidePath({ parent, hash }: CopyFolder): string {
  return join(parent, hash + ASIDE);
}

/** Restores a renamed copy, unless a new one took its place. */
async function putBack(copy: CopyFolder): Promise<void> {
  if (!(await move(copy, ASIDE, ''))) await deleteAll(asidePath(copy));
}

/** Renames a copy's folder to another ending. Returns `false` if the folder is gone or a new copy took its place. */
async function move({ parent, hash }: CopyFolder, from: string, to: string): Promise<boolean> {
  try {
    await rename(join(parent, hash + from), join(parent, hash + to));
    return true;
  } catch {
    // The folder is gone, or the new name is in use.
    return false;
  }
}

function isSettled(folder: string, now: number): Promise<boolean> {
  return isOlder(folder, now - COPY_SETTLES);
}

/** Reports whether a file was last used or changed before a time; `false` if it doesn't exist. */
async function isOlder(path: string, time: number): Promise<boolean> {
  // The file doesn't exist.
  const stats = await stat(path).catch(() => undefined);
  return stats !== undefined && stats.mtimeMs < time;
}

/** Returns the hashes of the copies that notebooks use; undefined if any of them can't be read. */
async function usedHashes(notebooks: string, now: number): Promise<ReadonlySet<string> | undefined> {
  const trash = join(notebooks, '.trash');
  const directories = [
    ...(await namesIn(notebooks)).map((name) => join(notebooks, name)),
    ...(await namesIn(trash)).map((name) => join(trash, name)),
  ];
  const used = new Set<string>();
  try {
    for (const directory of directories) {
      if (await holdsDamaged(directory, now)) return undefined;
      for (const hash of await findHashes(directory)) used.add(hash);
    }
  } catch {
    // Without the complete list, no copy may be removed.
    return undefined;
  }
  return used;
}

/** Reports whether a folder contains a recently quarantined database, whose copies are unknown. */
async function holdsDamaged(directory: string, now: number): Promise<boolean> {
  for (const name of await namesIn(directory))
    if (name.includes('.damaged-') && !(await isOlder(join(directory, name), now - DAMAGED_LIFETIME_MS)))
      return true;
  return false;
}

/**
 * Returns the hashes of the copies that a notebook uses: those of its sources, and of PDFs from the web, which are
 * identified by their bytes.
 */
async function findHashes(directory: string): Promise<string[]> {
  const { database } = await openDatabaseToRead(directory, { allowsOlder: true }).catch((error: unknown) => {
    if (error instanceof NotebookError && error.code === 'not-found') return { database: undefined };
    throw error;
  });
  if (database === undefined) return [];
  const sql = new Statements(database);
  try {
    const places = sql.all(`SELECT origin ->> '$.uri' AS uri FROM sources WHERE uri IS NOT NULL`);
    const pdfs = sql.all(
      `SELECT substr(hash, 1, 32) AS hash FROM documents WHERE media_type = 'application/pdf' AND uri LIKE 'http%'`,
    );
    return [
      ...places.flatMap(({ uri }) => String(uri).split('/')).filter((part) => HASH.test(part)),
      ...pdfs.map(({ hash }) => String(hash)),
    ];
  } finally {
    sql.close();
  }
}

async function namesIn(directory: string): Promise<string[]> {
  return readdir(directory).catch(() => []);
}
