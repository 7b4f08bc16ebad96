/** The parameters of BM25: how soon repetition stops to count, and how much length does. */
export interface Ranking {
  readonly k: number;
  readonly b: number;
}

/** Returns the weight of a term that `holding` of `all` texts contain. */
export function inverseDocumentFrequency(holding: number, all: number): number {
  return Math.log(1 + Math.max(0, all - holding + 0.5) / (holding + 0.5));
}
