// With 1 for `others`, the right page is among the first for 76 % of the same questions instead of 79 %, with 1 for
// `names` for 78 %, and with 0 for `names` for 41 %.

/**
 * Weights if a question names documents: of passages in other documents, and of the names themselves, which don't
 * distinguish passages within their documents. Chosen by test/support/fit-named.ts on generated annual reports of several
 * companies, with other seeds than those of `npm run bench -- tables`. On three held-out seeds, the right page is among
 * the first for 76 % of questions.
 */
export const NAMED_WEIGHTS = {
  others: 0.25,
  names: 0.25,
};
