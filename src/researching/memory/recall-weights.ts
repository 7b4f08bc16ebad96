/**
 * How memories are recalled. Chosen by test/support/fit-recall.ts on the made goals of test/fixtures/research (there
 * are no public ones), in six folds: of those not seen the right memory, or none, comes first for 98 %.
 */
export const RECALL_WEIGHTS = {
  /** Less likeness than this is none: "The chapters of the handbook" and "A guide to the code". */
  leastAlike: 0.3,
  /** How much the situation counts beside the words: of two guides that of the sources that are here. */
  situation: 1,
};
