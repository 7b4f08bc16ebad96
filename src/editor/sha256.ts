import { webcrypto } from 'node:crypto';

/**
 * The SHA-256 of some bytes, of several parts one after another, as lower-case hexadecimal digits. It is computed off this
 * thread, which must not stand still for what may be fifty megabytes: a file that was dropped, a text that was pasted.
 */
export async function sha256(...parts: readonly Uint8Array[]): Promise<string> {
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', Buffer.concat(parts))).toString('hex');
}
