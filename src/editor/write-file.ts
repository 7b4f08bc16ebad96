import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { t } from '@vscode/l10n';
import type { Uri } from 'vscode';
import { isDiskFull, NotebookError } from '../notebook/errors.ts';

/**
 * Writes a file of this machine where the user wants it. What stood there before stays until all is written.
 * @throws NotebookError `disk-full`, `forbidden`
 */
export async function writeWhole(
  path: string,
  bytes: AsyncIterable<Uint8Array> | Uint8Array | string,
): Promise<void> {
  const unfinished = `${path}.${randomUUID().slice(0, 8)}.unfinished`;
  try {
    await writeFile(unfinished, bytes);
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => undefined);
    throw tellWriting(error, basename(path));
  }
}

/** The same for a file of any kind. @throws NotebookError */
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
    throw tellWriting(error, basename(uri.path));
  }
}

/** Why a file could not be written, in one sentence. */
export function tellWriting(error: unknown, name: string): NotebookError {
  if (error instanceof NotebookError) return error;
  return isDiskFull(error)
    ? new NotebookError(
        'disk-full',
        t('The disk is full, so {0} could not be written. Free some space and try again.', name),
        { cause: error },
      )
    : new NotebookError('forbidden', t('{0} could not be written there. Choose another place.', name), {
        cause: error,
      });
}
