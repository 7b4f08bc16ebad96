/**
 * Chosen by test/support/fit-narrowing.ts on the questions of chunking_evaluation (public: state_of_the_union,
 * wikitexts, pubmed). Recall counts 3 times as much as intersection over union, since a missing sentence costs a reader
 * more than an extra one. With one text held out at a time, recall is 89 %, and intersection over union is 10 %. Shares
 * refer to the best window's score, the question, or the maximum length of a passage.
 */
export const NARROWING_WEIGHTS = {
  k: 1.5,
  b: 0.7,
  /** Maximum length of a window, as a share of the passage length. */
  window: 0.8,
  /** Weight of the surrounding passage's score in a window's score. */
  context: 0.6,
  /**
   * Windows below this share of the best score are left out. The share drops by `cutLess` for each doubling of the
   * passage length, since users of long passages want to miss nothing.
   */
  cut: 0.635,
  cutLess: 0.1,
  /**
   * Weaker windows stay if only they contain some part of the question. That part must grow as the score drops, up to
   * this share of the question.
   */
  cutOfNew: 0.4,
  partOfNew: 0.4,
};
