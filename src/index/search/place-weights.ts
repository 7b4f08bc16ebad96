/**
 * Chosen by test/support/fit-places.ts on everyday questions (written for this project about Git's documentation, R's
 * manuals, and MiniSearch's source) and on those of chunking_evaluation (public: state_of_the_union, wikitexts,
 * pubmed), with one notebook or text held out at a time. On held-out questions, the places answer 57 % of the former
 * and 90 % of the latter. Rarity has an exponent to reduce it, because the words of people's questions are often rare
 * in documents but mean little: "get", "show", "stuff". Lengths are in UTF-16 code units.
 */
export const PLACE_WEIGHTS = {
  rarity: 0.25,
  /**
   * Exponent of rarity for the first excerpt, and share by which the most general words count less there (see
   * `specificityOf`). One excerpt has to be about the subject, while the others cover all words of the question. With
   * .25 and 0, the first excerpt answers 24 % of the everyday questions in a mixed notebook instead of 32 %. Fitted with
   * one notebook held out at a time, it answers 32 % of the held-out questions, too.
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
   * Weight of code for a question that isn't about code, since parts of names match its words by chance. With both at
   * 1, the excerpts contain 35 % of the answers in the mixed notebook of `everyday --mixed`; with these weights, 48 %.
   * Comments at .7 and code at .4 reach 50 %, but lose an answer in code in test/unit/question-floors.test.ts. So do
   * comments that count like code.
   */
  code: 0.5,
  comments: 0.75,
  /**
   * Weight of text about a figure elsewhere in the score of its caption. At 1, "Figure 3: Yield" would rank above the
   * sentence "As figure 3 shows, yield fell in dry years", especially with two or three such sentences. With 0, .25, .5,
   * and 1, the first excerpts answer 69.1, 69.3, 69.3, and 68.8 % of every second question of chunking_evaluation, and
   * the first pages 87.5 %, but 87.0 % with 1. Everyday questions have the same figures with all values.
   */
  elsewhere: 0.25,
  /**
   * Weight of legal boilerplate, unless the question asks about it: a license header must not rank above a sentence with
   * the same words. The questions of our data have the same figures with all values from 0 to 1.
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
   * question. Without it, the first excerpt answers 67 % of every second question of chunking_evaluation instead of
   * 69 %. Everyday questions have the same figures with all values up to .3.
   */
  pairs: 0.2,
  /**
   * Share of the best score added to the earliest of these sentences when choosing the first excerpt. Without it, the
   * first excerpt answers 31 % of R's questions instead of 38 %. All values from .05 to 1, which would be a fixed rule,
   * give the same figures. From .5 on, "A factor is a vector…" ranks above many lines that count factors.
   */
  begins: 0.5,
  /** Excerpts below this share of the best score are left out. */
  weakest: 0.5,
};

/**
 * Sentences of an excerpt are marked if they have this share of the best one's weight, up to a maximum number. Chosen
 * by the same script on the same questions. On held-out questions the marks match the answers with an F1 of 58 %.
 */
export const MARK_WEIGHTS = {
  shareOfBest: 0.75,
  mostMarks: 3,
};
