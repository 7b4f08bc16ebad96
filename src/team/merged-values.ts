import { isDeepStrictEqual } from 'node:util';

/** A value that is whole or not at all, as it is where it was changed; where both changed it, as it is here. */
export function mergedValue<T>(base: T, theirs: T, ours: T): T {
  return isDeepStrictEqual(ours, base) ? theirs : ours;
}

/**
 * A short text as it is where it was changed. Where both changed it otherwise both stay, one below the other, unless one
 * holds the other already; of one that was taken away and one that was changed the changed one stays.
 */
export function mergedText<T extends string | undefined>(base: T, theirs: T, ours: T): T {
  if (ours === base || ours === theirs) return theirs;
  if (theirs === base || theirs === undefined) return ours;
  if (ours === undefined || theirs.includes(ours)) return theirs;
  return ours.includes(theirs) ? ours : (`${theirs}\n\n${ours}` as T);
}
