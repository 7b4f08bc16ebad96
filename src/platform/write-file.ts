import { basename } from 'node:path';
import { t } from '@vscode/l10n';
import type { Uri } from 'vscode';
import { isDiskFull, NotebookError } from '../core/domain/errors.ts';
import { replaceFile, type FileContent } from '../core/domain/write-file.ts';

/**
 * Writes a file on this machine at a location that the user chose. An existing file stays until everything is written.
 * @throws NotebookError `disk-full`, `forbidden`
 */
export async function writeWhole(path: string, content: FileContent): Promise<void> {
  try {
    await replaceFile(path, content);
  } catch (error) {
    throw toWriteError(error, basename(path));
  }
}

/** Writes a file of any file system. @throws NotebookError */
export async function writeAt(uri: Uri, bytes: AsyncIterable<Uint8Array> | Uint8Array): Promise<void> {
  if (uri.scheme === 'file') {
    await writeWhole(uri.fsPath, bytes);
    return;
  }
  const { workspace } = await import('vscode');
  try {
    const parts: Uint8Array[] = [];
    if (!(bytes instanceof Uint8Array)) for await (const part of bytes) parts.push(part);
    await workspace.fs.writeFile(uri, bytes instanceof Uint8Array ? bytes : Buffer.concat(parts));
  } catch (error) {
    throw toWriteError(error, basename(uri.path));
  }
}

/** Copies a file and replaces an existing one. @throws NotebookError */
export async function copyTo(from: Uri, to: Uri): Promise<void> {
  if (from.scheme === 'file' && to.scheme === 'file') {
    await writeWhole(to.fsPath, { copyOf: from.fsPath });
    return;
  }
  const { workspace } = await import('vscode');
  try {
    await workspace.fs.copy(from, to, { overwrite: true });
  } catch (error) {
    throw toWriteError(error, basename(to.path));
  }
}

/** Returns the error for a file that couldn't be written, in one sentence. */
export function toWriteError(error: unknown, name: string): NotebookError {
  if (error instanceof NotebookError) return error;
  return isDiskFull(error)
    ? new NotebookError(
        'disk-full',
        t('Can’t save {0} because the disk is full. Free up some space, then try again.', name),
        { cause: error },
      )
    : new NotebookError('forbidden', t('Can’t save {0} to this location. Choose another location.', name), {
        cause: error,
      });
}
