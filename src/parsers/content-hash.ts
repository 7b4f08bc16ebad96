import { createHash } from 'node:crypto';

/** Returns the SHA-256 of some bytes as lowercase hexadecimal digits, which identifies a document's content. */
export function contentHash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
