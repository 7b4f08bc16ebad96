/**
 * How what a claim says is matched with what stands in sources, before the models of evidence-weights.ts weigh it,
 * and what they never make good. Chosen by test/support/fit-checking.ts on 150 sentences of Wikipedia with the pages
 * they cite (WiCE), 814 claims with abstracts (SciFact) and altered sentences of ours, in five folds by page. Of
 * those not seen the sentences that bear claims out are found with an F1 of 0.58 in pages and 0.57 in abstracts;
 * `supported` is told with an F0.5, as a sentence that is called so and is not costs more than one that is called
 * less, of 0.64 of pages, 0.62 of abstracts and 0.96 of altered sentences.
 */
export const CHECKING_WEIGHTS = {
  /** From this credit on a term of a claim counts as being there: "phosphorylated" for "phosphorylation". */
  there: 0.5,
  /** From this credit on a name does, where it differs by little more than its ending: "Elder" is not "Alder". */
  sameName: 0.7,
  /** The credit of "TLS" where the text explains it once and goes on with the long words. */
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
  /** Of what less was found is not borne out, however the rest may look: of a claim as a whole. */
  leastCovered: 0.4,
  /**
   * Of any part of it: of "the harbour was built in 1998 and closed in 2011 after a storm" one that tells the first half
   * alone holds half.
   */
  leastOfPart: 0.25,
  /** A claim of so few terms says little beside its subject: "The harbour is old." */
  fewTerms: 4,
  /** A claim of so few words mostly begins with what it speaks of: "Ada Berg mends the sails in winter." */
  short: 10,
};
