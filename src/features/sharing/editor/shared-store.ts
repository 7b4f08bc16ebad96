import { randomUUID } from 'node:crypto';
import { lstat, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { t } from '@vscode/l10n';
import { NotebookError } from '../../../core/domain/errors.ts';
import { resolveInsideRoot } from '../../../core/domain/resolve-inside-root.ts';
import { openRegularFile, readStart, tooLargeError } from '../../../core/domain/regular-file.ts';
import { replaceFile } from '../../../core/domain/write-file.ts';

/** Files below a folder, by paths with `/` between names. Links are never followed. */
export interface SharedStore {
  /**
   * Returns the bytes of a file; undefined if it doesn't exist.
   * @throws NotebookError `too-large` if it has more than `limit` bytes, `unsupported` if it isn't a file of the folder
   */
  read(path: string, limit: number): Promise<Uint8Array | undefined>;
  /** Writes a complete file, and the folders above it. @throws NotebookError `unsupported` */
  write(path: string, bytes: Uint8Array): Promise<void>;
  /** Removes a file. @throws NotebookError `unsupported` */
  remove(path: string): Promise<void>;
}

/** Accesses the files below a folder on this machine's disk, which the repository may have replaced with links. */
export function diskStore(root: string): SharedStore {
  return {
    async read(path, limit) {
      const parent = await folderAt(root, parentPath(path));
      if (parent === undefined) return undefined;
      const place = join(parent, nameIn(path));
      if (!(await isThere(place))) return undefined;
      const file = await openRegularFile(place, { name: path, followsLink: false });
      try {
        const { size } = await file.stat();
        if (size > limit) throw tooLargeError(path);
        const bytes = await readStart(file, size);
        await standsStill(root, path, parent);
        return bytes;
      } finally {
        await file.close();
      }
    },
    async write(path, bytes) {
      const parent = await ensureFolder(root, parentPath(path));
      // Replacing a link doesn't change its target.
      await replaceFile(join(parent, nameIn(path)), bytes, {
        unfinished: join(parent, `.unfinished-${randomUUID()}`),
        confirm: () => standsStill(root, path, parent),
      });
    },
    async remove(path) {
      const parent = await folderAt(root, parentPath(path));
      if (parent === undefined) return;
      await rm(join(parent, nameIn(path)), { force: true });
    },
  };
}

/** Returns the error for a path that isn't the expected file or folder. */
export function outsideFolderError(path: string): NotebookError {
  return new NotebookError(
    'unsupported',
    t(
      'Can’t use {0} because it isn’t a regular file or folder, or it links to another location. Remove it, then try again.',
      path,
    ),
  );
}

/**
 * Returns the real path of a folder; undefined if it doesn't exist.
 * @throws NotebookError `unsupported` if it leads elsewhere
 */
async function folderAt(root: string, folder: string): Promise<string | undefined> {
  const place = await resolveInsideRoot(root, folder);
  if (place?.kind === 'folder') return place.path;
  if (place !== undefined) throw outsideFolderError(folder);
  const above = folder === '.' ? undefined : await folderAt(root, parentPath(folder));
  if (above === undefined) return undefined;
  if (await isThere(join(above, nameIn(folder)))) throw outsideFolderError(folder);
  return undefined;
}

async function ensureFolder(root: string, folder: string): Promise<string> {
  const existingFolder = await folderAt(root, folder);
  if (existingFolder !== undefined) return existingFolder;
  const above = folder === '.' ? root : await ensureFolder(root, parentPath(folder));
  await mkdir(join(above, nameIn(folder)), { recursive: folder === '.' });
  const folderPath = await folderAt(root, folder);
  if (folderPath === undefined) throw outsideFolderError(folder);
  return folderPath;
}

/** @throws NotebookError `unsupported` if the folder of a file was replaced meanwhile */
async function standsStill(root: string, path: string, parent: string): Promise<void> {
  if ((await folderAt(root, parentPath(path))) !== parent) throw outsideFolderError(path);
}

function isThere(place: string): Promise<boolean> {
  return lstat(place).then(
    () => true,
    () => false,
  );
}

function parentPath(path: string): string {
  const end = path.lastIndexOf('/');
  return end < 0 ? '.' : path.slice(0, end);
}

function nameIn(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
