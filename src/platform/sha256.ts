import { webcrypto } from 'node:crypto';

/**
 * Returns the SHA-256 of several parts one after another, as lower-case hexadecimal digits. Computes it off this
 * thread, because hashing fifty megabytes, such as a dropped file or a pasted text, would block it.
 */
export async function sha256(...parts: readonly Uint8Array[]): Promise<string> {
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', Buffer.concat(parts))).toString('hex');
}
