import { numberSlot, readCount } from './posting-reader.ts';

/** An impact is the share of a term's weight that a posting scores, 0 to 1. Its level is stored in a byte, rounded up. */
const IMPACT_LEVELS = 255;
/** Covers the rounding of sums of impacts. */
const ROUNDING_MARGIN = 1 + 1e-9;
/** Share of a term's weight that one level stands for. */
export const LEVEL_SHARE = ROUNDING_MARGIN / IMPACT_LEVELS;

/** Length normalization of BM25; see `scoreOf`. */
export interface Norms {
  readonly constant: number;
  readonly byLength: number;
  /** Length of each slot's passage. */
  readonly lengths: Uint16Array;
}

/** Returns the score of a posting by BM25, at most the weight of its term. */
export function scoreOf(
  posting: number,
  weight: number,
  constant: number,
  byLength: number,
  lengths: Uint16Array,
): number {
  const count = readCount(posting);
  return (weight * count) / (count + constant + byLength * (lengths[numberSlot(posting)] ?? 0));
}

/**
 * Returns the level of the highest impact in a block of postings, as in block-max WAND, by which a search skips blocks
 * that can't score enough.
 */
export function highestLevel(
  postings: Uint32Array,
  from: number,
  to: number,
  { constant, byLength, lengths }: Norms,
): number {
  let highest = 0;
  for (let i = from; i < to; i++) {
    const impact = scoreOf(postings[i] ?? 0, 1, constant, byLength, lengths);
    if (impact > highest) highest = impact;
  }
  return Math.ceil(highest * IMPACT_LEVELS);
}
