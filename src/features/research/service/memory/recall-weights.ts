/**
 * Weights for recalling memories. Chosen by test/support/fit-recall.ts on the synthetic goals of test/fixtures/research
 * (there are no public ones), in six folds: for unseen goals, the right memory, or none, comes first for 98 %.
 */
export const RECALL_WEIGHTS = {
  /** Minimum similarity of a match. "The chapters of the handbook" and "A guide to the code" are below it. */
  leastAlike: 0.3,
  /** Weight of the situation relative to the words: of two guides, prefer the one for the sources that are present. */
  situation: 1,
};
