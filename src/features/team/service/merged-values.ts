import { isDeepStrictEqual } from 'node:util';

/** Merges a value that can't be split: returns the changed version, and the local one if both changed. */
export function mergedValue<T>(base: T, theirs: T, ours: T): T {
  return isDeepStrictEqual(ours, base) ? theirs : ours;
}

/**
 * Merges a short text. Returns the changed version. If both changed it, returns both, one below the other, unless one
 * contains the other. A change wins over a deletion.
 */
export function mergedText<T extends string | undefined>(base: T, theirs: T, ours: T): T {
  if (ours === base || ours === theirs) return theirs;
  if (theirs === base || theirs === undefined) return ours;
  if (ours === undefined || theirs.includes(ours)) return theirs;
  return ours.includes(theirs) ? ours : (`${theirs}\n\n${ours}` as T);
}
