import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { chmod, copyFile, open, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import { t } from '@vscode/l10n';
import { isDiskFull, NotebookError } from './errors.ts';

/** What a file is to hold: text, bytes, chunks of bytes, or a copy of another file with bytes behind it. */
export type FileContent = AsyncIterable<Uint8Array> | Uint8Array | string | FileCopy;

interface FileCopy {
  readonly copyOf: string;
  readonly tail?: Uint8Array;
}

/** How a file is replaced. */
interface Replacing {
  /** Where the file is until it is whole; by default beside its place, under a name that nobody has. */
  readonly unfinished?: string;
  /** Runs before the file takes its place; nothing is replaced if it throws. */
  readonly confirm?: () => Promise<void>;
}

/** What a sync fails with on file systems that have none. */
const NO_SYNC = /^(?:EINVAL|ENOSYS|ENOTSUP|EPERM)$/;

/**
 * Puts a file in its place at once, when the disk has all of it: a reader finds the file before or this one, also after
 * a power cut.
 * @throws NotebookError `disk-full`, and what else the file system throws, with nothing left behind
 */
export async function replaceFile(
  path: string,
  content: FileContent,
  { unfinished = `${path}.${randomUUID().slice(0, 8)}.unfinished`, confirm }: Replacing = {},
): Promise<void> {
  try {
    // A process that was killed leaves one there if the name is a fixed one.
    await rm(unfinished, { force: true });
    await create(unfinished, content);
    try {
      await confirm?.();
      await rename(unfinished, path);
    } catch (error) {
      await rm(unfinished, { force: true }).catch(() => undefined);
      throw error;
    }
  } catch (error) {
    throw fullDiskError(error, path);
  }
}

/**
 * Creates a file that its owner may write, and resolves when the disk has all of it.
 * @throws NotebookError `disk-full`, and what else the file system throws, such as `EEXIST` if something is there; what
 * was written is removed then
 */
export async function createFile(path: string, content: FileContent): Promise<void> {
  try {
    await create(path, content);
  } catch (error) {
    throw fullDiskError(error, path);
  }
}

async function create(path: string, content: FileContent): Promise<void> {
  if (isCopy(content)) {
    const { size, mode } = await stat(content.copyOf);
    await copyFile(content.copyOf, path, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    // The copy of a read-only file is read-only, too, and could neither be synced nor removed everywhere.
    if ((mode & constants.S_IWUSR) === 0) await chmod(path, mode | constants.S_IWUSR);
    await filled(path, await open(path, 'r+'), chunksOf(content.tail ?? ''), size);
  } else await filled(path, await open(path, 'wx'), chunksOf(content), 0);
}

/** Appends chunks to a new file that has a size, and closes it; one that can't get them all is removed. */
async function filled(
  path: string,
  file: FileHandle,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  expected: number,
): Promise<void> {
  try {
    try {
      let size = await checkSize(file, expected);
      for await (const chunk of chunks) {
        await writeAll(file, chunk, size);
        size += chunk.length;
      }
      await settleFile(file, size);
    } finally {
      await file.close();
    }
  } catch (error) {
    await rm(path, { force: true }).catch(() => undefined);
    throw error;
  }
}

/**
 * Writes all of some bytes to an open file: one write may take only a part of them, as on a disk that is nearly full.
 * @throws what the file system throws
 */
export async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, at, bytes.length - at, position + at);
    if (bytesWritten === 0) throw tooShort(position + at, position + bytes.length);
    at += bytesWritten;
  }
}

/**
 * Resolves when the disk has all of an open file, which is to have a size in bytes. A disk in a network may notice only
 * now that it is full.
 * @throws `ENOSPC` if the file is shorter, and what the file system throws
 */
export async function settleFile(file: FileHandle, size: number): Promise<void> {
  await file.sync().catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && NO_SYNC.test(String(error.code)))) throw error;
  });
  await checkSize(file, size);
}

async function checkSize(file: FileHandle, expected: number): Promise<number> {
  const { size } = await file.stat();
  if (size < expected) throw tooShort(size, expected);
  return size;
}

/** Returns what a file couldn't be written for: one sentence if the disk is full, or else the error as it is. */
function fullDiskError(error: unknown, path: string): unknown {
  if (!isDiskFull(error) || error instanceof NotebookError) return error;
  return new NotebookError(
    'disk-full',
    t('Can’t save {0} because the disk is full. Free up some space, then try again.', basename(path)),
    { cause: error },
  );
}

function tooShort(found: number, size: number): Error {
  return Object.assign(new Error(`The disk has ${String(found)} of ${String(size)} bytes.`), {
    code: 'ENOSPC',
  });
}

function isCopy(content: FileContent): content is FileCopy {
  return typeof content === 'object' && 'copyOf' in content;
}

function chunksOf(
  content: Exclude<FileContent, FileCopy>,
): AsyncIterable<Uint8Array> | readonly Uint8Array[] {
  if (typeof content === 'string') return [Buffer.from(content)];
  return content instanceof Uint8Array ? [content] : content;
}
