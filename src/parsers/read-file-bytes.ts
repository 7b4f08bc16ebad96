import type { FileHandle } from 'node:fs/promises';
import { t } from '@vscode/l10n';
import { NotebookError } from '../core/domain/errors.ts';
import { openRegularFile, readRegularFile, readStart } from '../core/domain/regular-file.ts';
import { readableLength } from './file-types.ts';

/** Size of the beginning that shows the type of a file. */
const SAMPLE_BYTES = 64 * 1024;

/**
 * Reads the bytes of a file, and only the beginning of a huge one. Checks the file's type and size first.
 * @throws NotebookError `not-found`, `forbidden`, and what opening a file throws
 */
export async function readFileBytes(
  path: string,
  name: string,
): Promise<{ readonly bytes: Uint8Array; readonly byteLength: number }> {
  let file: FileHandle | undefined;
  try {
    file = await openRegularFile(path, { name });
    const stats = await file.stat();
    const head = await readStart(file, Math.min(stats.size, SAMPLE_BYTES));
    const length = readableLength(name, stats.size, head);
    return { bytes: await readStart(file, length), byteLength: stats.size };
  } catch (error) {
    throw fileError(error, name);
  } finally {
    await file?.close();
  }
}

/** Number of bytes that show whether a file is a recording. */
const START_BYTES = 64;

/** Returns the first bytes of a file. @throws NotebookError `not-found`, `forbidden`, and what opening a file throws */
export async function readFileStart(path: string, name: string): Promise<Uint8Array> {
  try {
    return await readRegularFile(path, { name, maxBytes: START_BYTES });
  } catch (error) {
    throw fileError(error, name);
  }
}

/** Returns the error for a file that can't be opened, with the reason if it is known. */
export function fileError(error: unknown, name: string): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return new NotebookError(
        'not-found',
        t('Can’t find {0}. Restore the file and refresh the source, or remove the source.', name),
        {
          cause: error,
        },
      );
    case 'EACCES':
    case 'EPERM':
      return new NotebookError(
        'forbidden',
        t('You don’t have permission to read {0}. Check its file permissions.', name),
        {
          cause: error,
        },
      );
    default:
      return error;
  }
}
