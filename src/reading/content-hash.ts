import { createHash } from 'node:crypto';

/** The SHA-256 of some bytes as lower-case hexadecimal digits: the name by which a document's content is known. */
export function contentHash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
