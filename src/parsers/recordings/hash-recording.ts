import { createHash } from 'node:crypto';
import { throwIfCanceled } from '../../core/domain/errors.ts';
import { openRegularFile } from '../../core/domain/regular-file.ts';
import type { ReadRequest } from '../api.ts';
import { fileError } from '../read-file-bytes.ts';

/**
 * Returns the SHA-256 of a recording as lowercase hexadecimal digits and its size in bytes, without loading it whole.
 * @throws NotebookError as opening a file does
 */
export async function hashRecording(
  content: ReadRequest['content'],
  name: string,
  signal: AbortSignal | undefined,
): Promise<{ readonly hash: string; readonly size: number }> {
  const hash = createHash('sha256');
  let size = 0;
  const add = (part: Uint8Array): void => {
    hash.update(part);
    size += part.length;
  };
  if (content.kind === 'bytes') add(content.bytes);
  else
    try {
      const file = await openRegularFile(content.path, { name });
      for await (const part of file.createReadStream({ highWaterMark: 2 ** 20 })) {
        throwIfCanceled(signal);
        add(part as Buffer);
      }
    } catch (error) {
      throw fileError(error, name);
    }
  return { hash: hash.digest('hex'), size };
}
