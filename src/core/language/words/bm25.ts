/** Parameters of BM25: the saturation of term frequency, and the influence of the length. */
export interface Ranking {
  readonly k: number;
  readonly b: number;
}

/** Returns the weight of a term that `holding` of `all` texts contain. */
export function inverseDocumentFrequency(holding: number, all: number): number {
  return Math.log(1 + Math.max(0, all - holding + 0.5) / (holding + 0.5));
}
