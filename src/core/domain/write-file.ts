import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { chmod, copyFile, open, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import { t } from '@vscode/l10n';
import { isDiskFull, NotebookError } from './errors.ts';

/** Content of a file: text, bytes, chunks of bytes, or a copy of another file with bytes after it. */
export type FileContent = AsyncIterable<Uint8Array> | Uint8Array | string | FileCopy;

interface FileCopy {
  readonly copyOf: string;
  readonly tail?: Uint8Array;
}

/** Options for replacing a file. */
interface Replacing {
  /** Path of the file until it's complete; by default beside the original, under a unique name. */
  readonly unfinished?: string;
  /** Runs before the replacement; if it throws, the original stays. */
  readonly confirm?: () => Promise<void>;
}

/** Error codes of a sync on file systems that don't support it. */
const NO_SYNC = /^(?:EINVAL|ENOSYS|ENOTSUP|EPERM)$/;

/**
 * Replaces a file in one step after the disk has all of the new one: a reader finds either the old or the new file,
 * even after a power failure.
 * @throws NotebookError `disk-full`, and other errors of the file system, with nothing left behind
 */
export async function replaceFile(
  path: string,
  content: FileContent,
  { unfinished = `${path}.${randomUUID().slice(0, 8)}.unfinished`, confirm }: Replacing = {},
): Promise<void> {
  try {
    // A killed process may have left a file there if the name is fixed.
    await rm(unfinished, { force: true });
    await create(unfinished, content);
    try {
      await confirm?.();
      await rename(unfinished, path);
    } catch (error) {
      // The first error explains the failure.
      await rm(unfinished, { force: true }).catch(() => undefined);
      throw error;
    }
  } catch (error) {
    throw fullDiskError(error, path);
  }
}

/**
 * Creates a file that its owner can write, and resolves when the disk has all of it.
 * @throws NotebookError `disk-full`, and other errors of the file system, such as `EEXIST` if something is there; then
 * removes the written part
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
    // The copy of a read-only file is also read-only, and some systems could neither sync nor remove it.
    if ((mode & constants.S_IWUSR) === 0) await chmod(path, mode | constants.S_IWUSR);
    await writeNewFile(path, await open(path, 'r+'), chunksOf(content.tail ?? ''), size);
  } else await writeNewFile(path, await open(path, 'wx'), chunksOf(content), 0);
}

/** Appends chunks to a new file of a known size, and closes it; removes the file if the writing fails. */
async function writeNewFile(
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
    // The first error explains the failure.
    await rm(path, { force: true }).catch(() => undefined);
    throw error;
  }
}

/**
 * Writes all bytes to an open file. A single write may write only a part of them, for example on a disk that is almost
 * full.
 * @throws errors of the file system
 */
export async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, at, bytes.length - at, position + at);
    if (bytesWritten === 0) throw tooShort(position + at, position + bytes.length);
    at += bytesWritten;
  }
}

/**
 * Resolves when the disk has all of an open file with an expected size in bytes. A network disk may only notice now
 * that it's full.
 * @throws `ENOSPC` if the file is shorter, and errors of the file system
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

/** Returns the error for the user: one sentence if the disk is full, or else the original error. */
function fullDiskError(error: unknown, path: string): unknown {
  if (!isDiskFull(error) || error instanceof NotebookError) return error;
  return new NotebookError(
    'disk-full',
    t('Can’t save {0} because the disk is full. Free up some space, then try again.', basename(path)),
    { cause: error },
  );
}

function tooShort(writtenBytes: number, size: number): Error {
  return Object.assign(new Error(`The disk has ${String(writtenBytes)} of ${String(size)} bytes.`), {
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

/** Deletes a file or folder if it exists, and tries again if another program uses it. */
export async function deleteAll(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3 });
}
