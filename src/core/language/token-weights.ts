/**
 * Tokens per word, character, or run of a text. Fitted by test/support/fit-tokens.ts on texts of the benchmarks
 * (chunking_evaluation, the documentation of Git and R, MiniSearch's source, Docling's) and of this project, 113 files
 * in five folds, against the vocabularies of GPT-4 and GPT-4o (the larger count). Of held-out texts 8 % are
 * underestimated, and the mean overestimate is 10 %. `mixedCharacter`, `otherLetter`, `punctuation`, `sameSigns`, and
 * `symbol` are rare in them; test/unit/notebook-tokens.test.ts tests them with made-up texts.
 */
export const TOKEN_WEIGHTS = {
  word: 1.31,
  commonWord: 0.57,
  /** A letter after the sixth of a word. */
  furtherLetter: 0.2,
  accentedLetter: 2.3,
  /** A letter of a word in capitals. */
  capital: 0.33,
  /** A run of up to three digits. */
  digits: 1.36,
  spaceBeforeDigits: 0.73,
  /** A character of a hash or a key. */
  mixedCharacter: 0.75,
  /** A run of signs: "=>". Also each further sign. */
  signs: 1,
  furtherSign: 0.13,
  /** A run of one sign: "----". */
  sameSigns: 8,
  spaces: 0.91,
  /** Beyond ASCII: "“". */
  punctuation: 0.95,
  /** Beyond ASCII: "☔". */
  symbol: 2.45,
  han: 1.4,
  kana: 1.12,
  hangul: 1.49,
  cyrillic: 0.58,
  greek: 1.07,
  arabic: 0.85,
  devanagari: 1.27,
  thai: 0.98,
  /** Letters of other scripts are often encoded byte by byte. */
  otherLetter: 2,
};
