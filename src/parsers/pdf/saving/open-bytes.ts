import { readSync } from 'node:fs';
import { openRegularFile } from '../../../core/domain/regular-file.ts';
import type { ReadRequest } from '../../api.ts';
import { fileError } from '../../read-file-bytes.ts';
import type { FileBytes } from './file-index.ts';

/**
 * Runs a function on the bytes of a file. Loads only the requested ranges.
 * @throws NotebookError
 */
export async function withFileBytes<T>(
  content: ReadRequest['content'],
  name: string,
  action: (bytes: FileBytes) => T,
): Promise<T> {
  if (content.kind === 'bytes') {
    const { bytes } = content;
    return action({ length: bytes.length, read: (begin, end) => bytes.subarray(begin, end) });
  }
  const file = await openRegularFile(content.path, { name }).catch((error: unknown) => {
    throw fileError(error, name);
  });
  try {
    const { size } = await file.stat();
    return action({
      length: size,
      read(begin, end) {
        const bytes = new Uint8Array(Math.max(0, Math.min(end, size) - begin));
        return bytes.subarray(0, readSync(file.fd, bytes, 0, bytes.length, begin));
      },
    });
  } finally {
    await file.close();
  }
}
