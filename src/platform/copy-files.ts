import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { t } from '@vscode/l10n';
import * as v from 'valibot';
import { isDiskFull, NotebookError } from '../core/domain/errors.ts';
import { createFile } from '../core/domain/write-file.ts';

/** Number of characters of the content hash in the name of a copy's folder. */
export const COPY_NAME = 32;

/** File beside a copy that records its origin. */
const ORIGIN = 'origin.json';

/** Maximum number of attempts to move a file into place while other windows clean up. */
const MAX_ATTEMPTS = 10;

const copyOrigin = v.object({ uri: v.string(), hash: v.string() });

/** Origin of a copied PDF: its URL and the hash of its bytes. */
type CopyOrigin = Readonly<v.InferOutput<typeof copyOrigin>>;

/** File to copy: the hash of its bytes or of everything it was dropped with, and its path as a list of names. */
interface FileToSave {
  readonly hash: string;
  readonly names: readonly string[];
  readonly bytes: Uint8Array;
}

/**
 * Saves a copy of a file below a folder, in a subfolder named by its hash. An existing copy is marked as used. Resolves
 * to its path, where the file is complete at any time.
 * @throws NotebookError `disk-full`
 */
export async function keepCopy(parent: string, { hash, names, bytes }: FileToSave): Promise<string> {
  const folder = copyFolder(parent, hash);
  const path = join(folder, ...names);
  if ((await noteUse(folder)) && (await readSize(path)) === bytes.length) return path;
  await saveFile(parent, path, bytes);
  return path;
}

/** Returns the stored PDF with a hash and marks it as used; undefined if there is none. */
export async function storedPdf(parent: string, hash: string): Promise<string | undefined> {
  const folder = copyFolder(parent, hash);
  if (!(await noteUse(folder))) return undefined;
  const file = (await readdir(folder)).find((name) => name.toLowerCase().endsWith('.pdf'));
  return file === undefined ? undefined : join(folder, file);
}

/** Records the origin of a copy beside it, so that every window knows it. */
export async function recordOrigin(parent: string, origin: CopyOrigin): Promise<void> {
  await saveFile(parent, join(copyFolder(parent, origin.hash), ORIGIN), Buffer.from(JSON.stringify(origin)));
}

/** Returns the origin of the copies in a folder; undefined if it isn't recorded. */
export async function originIn(folder: string): Promise<CopyOrigin | undefined> {
  try {
    return v.parse(copyOrigin, JSON.parse(await readFile(join(folder, ORIGIN), 'utf8')));
  } catch {
    // The record may be missing or damaged.
    return undefined;
  }
}

/** Returns the folder below a parent folder that contains the copies of some bytes. */
function copyFolder(parent: string, hash: string): string {
  return join(parent, hash.slice(0, COPY_NAME));
}

/** Writes a file under another name first, so that an interruption leaves no partial file. */
async function saveFile(parent: string, path: string, bytes: Uint8Array): Promise<void> {
  const unfinished = join(parent, `unfinished-${randomUUID()}`);
  try {
    await mkdir(parent, { recursive: true });
    await createFile(unfinished, bytes);
    await moveInto(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    if (!isDiskFull(error)) throw error;
    throw new NotebookError(
      'disk-full',
      t('Can’t save the file because the disk is full. Free up some space, then try again.'),
      { cause: error },
    );
  }
}

/** Moves a file into place. Another window may delete the empty folder meanwhile, which is then created again. */
async function moveInto(unfinished: string, path: string): Promise<void> {
  for (let attempt = 1; ; attempt++)
    try {
      await mkdir(dirname(path), { recursive: true });
      await rename(unfinished, path);
      return;
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isMissing(error)) throw error;
    }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/** Marks a folder as used; returns whether it exists. */
async function noteUse(folder: string): Promise<boolean> {
  const now = new Date();
  return utimes(folder, now, now).then(
    () => true,
    () => false,
  );
}

async function readSize(path: string): Promise<number | undefined> {
  // The file may be gone.
  return (await stat(path).catch(() => undefined))?.size;
}
