import { constants, type BigIntStats } from 'node:fs';
import { lstat, open, stat, type FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import { t } from '@vscode/l10n';
import { NotebookError } from './errors.ts';

/** How a file is opened. */
interface FileOpening {
  /** What it is called in sentences; by default the last name of its path. */
  readonly name?: string;
  /** Whether what a link leads to is opened; true by default. Links to its folders are followed in any case. */
  readonly followsLink?: boolean;
}

/**
 * Opens a file for reading, and nothing that only has a file's place: a pipe without a writer, which opening waits for,
 * would stop one of the few threads that all files of the process are read by.
 * @throws NotebookError `unsupported` for a pipe, a socket, a device, a folder or a link that is not followed, and what
 * opening a file throws
 */
export async function openRegularFile(
  path: string,
  { name = basename(path), followsLink = true }: FileOpening = {},
): Promise<FileHandle> {
  const found = await (followsLink ? stat : lstat)(path, { bigint: true });
  refuseOthers(found, name);
  // Another may take its place before it is opened: that neither blocks nor is read.
  // Windows knows neither of the two.
  const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants as Partial<typeof constants>;
  const file = await open(path, (O_RDONLY ?? 0) | O_NONBLOCK | (followsLink ? 0 : O_NOFOLLOW));
  try {
    const opened = await file.stat({ bigint: true });
    refuseOthers(opened, name);
    if (!followsLink && (opened.ino !== found.ino || opened.dev !== found.dev)) throw isLink(name);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** The first bytes of a file, `most` of them at most. @throws as `openRegularFile` does */
export async function readRegularFile(
  path: string,
  { most, ...opening }: FileOpening & { readonly most: number },
): Promise<Uint8Array> {
  const file = await openRegularFile(path, opening);
  try {
    const { size } = await file.stat();
    return await readStart(file, Math.min(size, most));
  } finally {
    await file.close();
  }
}

/** The first bytes of an open file; fewer where it has become shorter. */
export async function readStart(file: FileHandle, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  let at = 0;
  while (at < length) {
    const { bytesRead } = await file.read(bytes, at, length - at, at);
    if (bytesRead === 0) break;
    at += bytesRead;
  }
  return bytes.subarray(0, at);
}

/** Returns the error for a file that has too many bytes to be read. */
export function tooLargeError(name: string): NotebookError {
  return new NotebookError('too-large', t('{0} is too large to read. Use a smaller file.', name));
}

/** The error of what is neither a file nor a folder, by its name. */
export function notAFile(name: string): NotebookError {
  return new NotebookError(
    'unsupported',
    t(
      'Can’t read {0} because it’s a pipe, a socket, or a device. Remove it, or replace it with a file.',
      name,
    ),
  );
}

function refuseOthers(found: BigIntStats, name: string): void {
  if (found.isFile()) return;
  if (found.isDirectory())
    throw new NotebookError('unsupported', t('{0} is now a folder. Remove it, then add the folder.', name));
  throw found.isSymbolicLink() ? isLink(name) : notAFile(name);
}

function isLink(name: string): NotebookError {
  return new NotebookError(
    'unsupported',
    t('Can’t read {0} because it’s a symbolic link. Use the file that it points to.', name),
  );
}

/** The bytes of a file; none of what is none. */
export async function fileLength(path: string): Promise<number> {
  return stat(path).then(
    (found) => (found.isFile() ? found.size : 0),
    () => 0,
  );
}
