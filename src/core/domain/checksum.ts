import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { t } from '@vscode/l10n';
import { NotebookError, throwIfCanceled } from './errors.ts';

/**
 * Returns the SHA-256 of a file, in hexadecimal digits.
 * @throws NotebookError `cancelled`, and errors of reading a file
 */
export async function computeChecksum(path: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 2 ** 20 })) {
    throwIfCanceled(signal);
    hash.update(chunk as Buffer);
  }
  return hash.digest('hex');
}

/** Returns the error for a download with the wrong checksum. */
export function checksumError(name: string): NotebookError {
  return new NotebookError(
    'damaged',
    t('Discarded {0} because its checksum doesn’t match. Download it again, or use another URL.', name),
  );
}
