/**
 * Weights for matching the terms of a claim with those of sources, before the model of evidence-weights.ts. Chosen on
 * 150 sentences of Wikipedia with the pages they cite (WiCE) and 814 claims with abstracts (SciFact), in five folds by
 * page.
 */
export const CHECKING_WEIGHTS = {
  /** Minimum credit of a term of a claim that counts as found: "phosphorylated" for "phosphorylation". */
  there: 0.5,
  /** Minimum credit of a name, which can only differ in its ending: "Elder" isn't "Alder". */
  sameName: 0.7,
  /** Credit of "TLS" if the text explains it once and then uses the long form. */
  implied: 0.9,
  /** Credit of "rises" for "increases". */
  kin: 0.8,
  /** Credit of a similar term, multiplied by the share of common letters. */
  similar: 0.9,
  /**
   * Constant part of each term's weight, added to its rarity among the few passages: in three passages about sails, all
   * contain "sail".
   */
  weightOfAny: 0.5,
  /** Parameters of BM25, which ranks units for the closer comparison. */
  k: 1.2,
  b: 0.75,
};
