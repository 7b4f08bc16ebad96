/**
 * How what a claim says is matched with what sources say, before the model of evidence-weights.ts weighs it. Chosen on 150
 * sentences of Wikipedia with the pages they cite (WiCE) and 814 claims with abstracts (SciFact), in five folds by page.
 */
export const CHECKING_WEIGHTS = {
  /** From this credit on a term of a claim counts as found: "phosphorylated" for "phosphorylation". */
  there: 0.5,
  /** From this credit on a name does, if it differs by little more than its ending: "Elder" is not "Alder". */
  sameName: 0.7,
  /** The credit of "TLS" if the text explains it once and continues with the long words. */
  implied: 0.9,
  /** The credit of "rises" for "increases". */
  kin: 0.8,
  /** The credit of a term that shares most of its letters, times how many it shares. */
  similar: 0.9,
  /** Every term weighs this much beside its rarity among the passages, which are few: of three about sails all have "sail". */
  weightOfAny: 0.5,
  /** The parameters of BM25, by which units are ranked before they are looked at more closely. */
  k: 1.2,
  b: 0.75,
};
