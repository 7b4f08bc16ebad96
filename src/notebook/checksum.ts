import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { t } from '@vscode/l10n';
import { NotebookError, throwIfCancelled } from './errors.ts';

/** The SHA-256 of a file, in hexadecimal digits. @throws NotebookError `cancelled`, and what reading a file throws */
export async function computeChecksum(path: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 2 ** 20 })) {
    throwIfCancelled(signal);
    hash.update(chunk as Buffer);
  }
  return hash.digest('hex');
}

/** What came is another file than the one that was asked for. */
export function checksumError(name: string): NotebookError {
  return new NotebookError(
    'damaged',
    t(
      '{0} was thrown away, because it is not the file that it should be: its checksum differs. Fetch it again, or from another address.',
      name,
    ),
  );
}
