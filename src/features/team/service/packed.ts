import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { parseBounded } from '../../../core/domain/bounded-json.ts';

/** Maximum size of an unpacked text, and of any other value, in bytes, so that a small row can't fill the memory. */
export const MAX_TEXT_BYTES = 400 * 2 ** 20;
const MAX_UNPACKED_BYTES = 32 * 2 ** 20;
const BOUNDS = { depth: 50, values: 1_000_000 };

/** Packs a value for a team database. */
export function pack(value: object): Buffer {
  return deflateRawSync(JSON.stringify(value), { level: 5 });
}

/** Unpacks a value. @throws Error if it is damaged or larger than allowed */
export function unpack(bytes: Uint8Array, limit = MAX_UNPACKED_BYTES): Record<string, unknown> {
  const json = inflateRawSync(bytes, { maxOutputLength: limit }).toString('utf8');
  const value = parseBounded(json, BOUNDS);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('It is no object.');
  return value as Record<string, unknown>;
}

/** Returns the key by which a team database finds packed texts. */
export function hashBytes(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}
