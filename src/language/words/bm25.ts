/** The parameters of BM25: how soon repetition stops to count, and how much length does. */
export interface Ranking {
  readonly k: number;
  readonly b: number;
}

/**
 * As passages are ranked, in memory and in a team's database alike. Length counts more than usual, which was measured
 * better on abstracts and functions: see `npm run bench -- documents`.
 */
export const RANKING: Ranking = { k: 1.5, b: 0.9 };

/** How much a term tells that so many of all texts hold. */
export function inverseDocumentFrequency(holding: number, all: number): number {
  return Math.log(1 + Math.max(0, all - holding + 0.5) / (holding + 0.5));
}
