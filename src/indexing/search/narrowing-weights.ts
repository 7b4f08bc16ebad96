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
  /** How much the score of the passage around it counts in a window's. */
  context: 0.6,
  /**
   * Windows under this share of the best one's score are left out: of long ones fewer, by so much less for twice the
   * length, as who wants long passages wants to miss nothing.
   */
  cut: 0.635,
  cutLess: 0.1,
  /** Weaker ones are kept where they alone hold a part of the question: the weaker, the more, and at this share so much of it. */
  cutOfNew: 0.4,
  partOfNew: 0.4,
};
