import { constants, type BigIntStats } from 'node:fs';
import { lstat, open, stat, type FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import { t } from '@vscode/l10n';
import { NotebookError } from './errors.ts';

/** Options for opening a file. */
interface FileOpening {
  /** Name of the file in messages; by default the last name of its path. */
  readonly name?: string;
  /** `true` to open the target of a link; the default. Links in the path of its folder are always followed. */
  readonly followsLink?: boolean;
}

/**
 * Opens a regular file for reading, but nothing else in its place. Opening waits for a pipe's writer, which would block
 * one of the few threads that read all files of the process.
 * @throws NotebookError `unsupported` for a pipe, a socket, a device, a folder, or a link that isn't followed, and
 * errors of opening a file
 */
export async function openRegularFile(
  path: string,
  { name = basename(path), followsLink = true }: FileOpening = {},
): Promise<FileHandle> {
  const stats = await (followsLink ? stat : lstat)(path, { bigint: true });
  refuseOthers(stats, name);
  // Another file may replace it before it's opened. The flags keep the process from blocking on it or reading it.
  // Windows supports neither flag.
  const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants as Partial<typeof constants>;
  const file = await open(path, (O_RDONLY ?? 0) | O_NONBLOCK | (followsLink ? 0 : O_NOFOLLOW));
  try {
    const opened = await file.stat({ bigint: true });
    refuseOthers(opened, name);
    if (!followsLink && (opened.ino !== stats.ino || opened.dev !== stats.dev)) throw isLink(name);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Reads at most `maxBytes` bytes from the start of a file. @throws as `openRegularFile` does */
export async function readRegularFile(
  path: string,
  { maxBytes, ...opening }: FileOpening & { readonly maxBytes: number },
): Promise<Uint8Array> {
  const file = await openRegularFile(path, opening);
  try {
    const { size } = await file.stat();
    return await readStart(file, Math.min(size, maxBytes));
  } finally {
    await file.close();
  }
}

/** Reads the first bytes of an open file; fewer if it has become shorter. */
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

/** Returns the error for a file with too many bytes. */
export function tooLargeError(name: string): NotebookError {
  return new NotebookError('too-large', t('{0} is too large to read. Use a smaller file.', name));
}

/** Returns the error for a name that is neither a file nor a folder. */
export function notAFile(name: string): NotebookError {
  return new NotebookError(
    'unsupported',
    t(
      'Can’t read {0} because it’s a pipe, a socket, or a device. Remove it, or replace it with a file.',
      name,
    ),
  );
}

function refuseOthers(stats: BigIntStats, name: string): void {
  if (stats.isFile()) return;
  if (stats.isDirectory())
    throw new NotebookError('unsupported', t('{0} is now a folder. Remove it, then add the folder.', name));
  throw stats.isSymbolicLink() ? isLink(name) : notAFile(name);
}

function isLink(name: string): NotebookError {
  return new NotebookError(
    'unsupported',
    t('Can’t read {0} because it’s a symbolic link. Use the file that it points to.', name),
  );
}

/** Returns the size of a file in bytes; 0 if it isn't a file. */
export async function fileLength(path: string): Promise<number> {
  return stat(path).then(
    (stats) => (stats.isFile() ? stats.size : 0),
    () => 0,
  );
}
