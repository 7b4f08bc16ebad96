/**
 * Chosen by test/support/fit-narrowing.ts on the questions of chunking_evaluation (public: state_of_the_union,
 * wikitexts, pubmed), where recall counts 3 times as much as intersection over union, as a sentence that is missed
 * costs a reader more than one too many. One text is held back at a time: of those not seen a recall of 89 %, an
 * intersection over union of 10 %. Shares are of the best window's score, of the question, or of the greatest length
 * of a passage.
 */
export const NARROWING_WEIGHTS = {
  k: 1.5,
  b: 0.7,
  /** A window's greatest length, as a share of a passage's. */
  window: 0.8,
  /** Weight of the surrounding passage's score in a window's score. */
  context: 0.6,
  /**
   * Windows under this share of the best one's score are left out: of long ones fewer, by so much less for twice the
   * length, as who wants long passages wants to miss nothing.
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
