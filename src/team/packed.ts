import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { parseBounded } from '../notebook/bounded-json.ts';

/** What a row may hold of a text, and of anything else, so that a small one can't fill memory; in bytes. */
export const MOST_OF_TEXT = 400 * 2 ** 20;
const MOST_UNPACKED = 32 * 2 ** 20;
const BOUNDS = { depth: 50, values: 1_000_000 };

/** A value as it is kept in a team's database. */
export function pack(value: object): Buffer {
  return deflateRawSync(JSON.stringify(value), { level: 5 });
}

/** The way back. @throws Error where it is none, or holds more than is allowed */
export function unpack(bytes: Uint8Array, most = MOST_UNPACKED): Record<string, unknown> {
  const json = inflateRawSync(bytes, { maxOutputLength: most }).toString('utf8');
  const value = parseBounded(json, BOUNDS);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('It is no object.');
  return value as Record<string, unknown>;
}

/** By which a team's database finds packed texts. */
export function hashBytes(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}
