/**
 * Chosen by test/support/fit-places.ts on everyday questions (written for this project about Git's documentation, R's
 * manuals, and MiniSearch's source) and on those of chunking_evaluation (public: state_of_the_union, wikitexts,
 * pubmed). It prints the figures of held-out notebooks and texts. Rarity has an exponent to reduce it, because the words
 * of people's questions are often rare in documents but mean little: "get", "show", "stuff". Lengths are in UTF-16 code
 * units.
 */
export const PLACE_WEIGHTS = {
  rarity: 0.25,
  /**
   * Exponent of rarity for the first excerpt, and share by which the most general words count less there (see
   * `specificityOf`). One excerpt has to be about the subject, while the others cover all words of the question. With
   * .25 and 0, the first excerpt contains 26 % of the answers of `everyday --mixed` instead of 34 %.
   */
  firstRarity: 0.5,
  firstGeneral: 0.6,
  blockK: 1.4,
  blockB: 0.3,
  sectionK: 2,
  sectionB: 0.5,
  section: 0.7,
  heading: 1,
  /**
   * Weight of code for a question that isn't about code, since parts of names match its words by chance. The excerpts
   * contain 52 % of the answers of `everyday --mixed` with all values. With both at 1, they contain 26 % of those of
   * test/fixtures/everyday in the same notebook, and nearly half of them are code; with .5 and .75 or these, 34 %.
   */
  code: 0.4,
  comments: 0.7,
  /**
   * Weight of text about a figure elsewhere in the score of its caption. At 1, "Figure 3: Yield" would rank above the
   * sentence "As figure 3 shows, yield fell in dry years", especially with two or three such sentences.
   */
  elsewhere: 0.25,
  /**
   * Weight of legal boilerplate, unless the question asks about it: a license header must not rank above a sentence with
   * the same words.
   */
  boilerplate: 0.25,
  /** Weight of passages of code, for the choice of passages for excerpts or for the model. */
  codePassage: 0.85,
  /** Approximate length of the blocks into which paragraphs are split. */
  blockLength: 300,
  /** Minimum and maximum length of a block that ends with a sentence, as factors of it. */
  shortestBlock: 0.5,
  longestBlock: 1.2,
  /** Maximum length of code or a table that stays one block. */
  longestWhole: 1_200,
  /** Maximum lengths of excerpts: the first one is for reading, the others for skimming. */
  longestFirst: 1_400,
  longestOther: 280,
  /**
   * Number of the best windows that are read again: for pairs of the question's words, and short ones for a sentence
   * that begins with all terms of the question.
   */
  lookedAt: 12,
  /**
   * Share of the best score added to a candidate for the first excerpt with all pairs of neighboring words of the
   * question: "dry years" rather than "dry" and "years".
   */
  pairs: 0.2,
  /**
   * Share of the best score added to the earliest of these sentences when choosing the first excerpt. From .5 on, "A
   * factor is a vector…" ranks above many lines that count factors.
   */
  begins: 0.5,
  /** Excerpts below this share of the best score are left out. */
  weakest: 0.5,
};

/**
 * Sentences of an excerpt are marked if they have this share of the best one's weight, up to a maximum number. Chosen
 * by the same script on the same questions.
 */
export const MARK_WEIGHTS = {
  shareOfBest: 0.75,
  mostMarks: 3,
};
