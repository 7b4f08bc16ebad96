/** Parameters of BM25: the saturation of term frequency, and the influence of the length. */
export interface Ranking {
  readonly k: number;
  readonly b: number;
}

/** Returns the weight of a term that `holding` of `all` texts contain. */
export function inverseDocumentFrequency(holding: number, passageCount: number): number {
  return Math.log(1 + Math.max(0, passageCount - holding + 0.5) / (holding + 0.5));
}
