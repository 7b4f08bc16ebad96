/**
 * Chosen by test/support/fit-places.ts on everyday questions (written for this project, of notebooks of Git's
 * documentation, of R's manuals and of MiniSearch's source) and on those of chunking_evaluation (public:
 * state_of_the_union, wikitexts, pubmed), one notebook or text held back at a time. On those not seen the places
 * hold the answer to 57 % of the former and 90 % of the latter. Rarity is damped (an exponent), because the words
 * that people ask with are often rare in documents and say little all the same: "get", "show", "stuff". Lengths are
 * in UTF-16 code units.
 */
export const PLACE_WEIGHTS = {
  rarity: 0.25,
  blockK: 1.4,
  blockB: 0.3,
  sectionK: 2,
  sectionB: 0.5,
  section: 0.7,
  heading: 1,
  /**
   * How much code counts for a question that isn't about code: parts of names match its words by chance. With both at 1 the
   * excerpts hold 35 % of the answers in the mixed notebook of `everyday --mixed`, so 48 %. Comments at .7 and code at .4 hold
   * 50 %, but lose an answer in code in test/unit/question-floors.test.ts, and so do comments that count like code.
   */
  code: 0.5,
  comments: 0.75,
  /** The same where passages are chosen that excerpts are taken from, or that a model is given. */
  codePassage: 0.85,
  /** Paragraphs are cut into blocks of about so many. */
  blockLength: 300,
  /** How much of that a block has at least and at most, where it ends with a sentence. */
  shortestBlock: 0.5,
  longestBlock: 1.2,
  /** Code and tables up to so many are one block. */
  longestWhole: 1_200,
  /** The first place is read, the others are looked over: how long excerpts are at most. */
  longestFirst: 1_400,
  longestOther: 280,
  /** A sentence that begins with all that is asked for is looked for among so many of the short ones. */
  lookedAt: 12,
  /**
   * By this share of the best score the earliest of these is raised where the first place is chosen. Without it the first
   * place holds the answer to 31 % of R's questions beside 38; from .05 to 1, which would be a rule, all figures are the
   * same. "A factor is a vector…" is raised over many lines that count factors from .5 on.
   */
  begins: 0.5,
  /** What has less than this share of the best score is left out. */
  weakest: 0.5,
};

/**
 * Of an excerpt's sentences those are marked that hold this share of what the best of them holds, and so many at
 * most: chosen by the same script on the same questions. On those not seen the marks meet the answers with an F1 of
 * 58 %.
 */
export const MARK_WEIGHTS = {
  shareOfBest: 0.75,
  mostMarks: 3,
};
