/** Maximum length of a phrase; longer ones are quoted texts. */
const MAX_LENGTH = 300;
const MAX_PHRASES = 4;

/** Straight quotes must be at word boundaries, so that `5" pipes and 6" pipes` contains no phrase. */
const QUOTED = new RegExp(
  [
    `(?<![\\p{L}\\p{N}])"(?=\\S)([^"]{1,${String(MAX_LENGTH)}})(?<=\\S)"(?![\\p{L}\\p{N}])`,
    ...['“”', '„“', '„”', '«»', '»«', '「」', '『』', '《》'].map(
      (marks) => `${marks.charAt(0)}([^${marks}]{1,${String(MAX_LENGTH)}})${marks.charAt(1)}`,
    ),
  ].join('|'),
  'gu',
);
const WORD = /[\p{L}\p{N}]/u;
/**
 * Characters at the border of a phrase that would continue a word: letters of scripts with spaces between words,
 * digits, and `_`.
 */
const JOINED =
  '(?:(?![\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}])[\\p{L}\\p{N}_])';
const JOINS = new RegExp(`^${JOINED}`, 'u');
const JOINED_END = new RegExp(`${JOINED}$`, 'u');

/** Quoted words in a question. If any passage contains them literally, the search returns only such passages. */
export interface Phrase {
  readonly words: string;
  /** Finds these words, ignoring case and differences in white space. */
  readonly pattern: RegExp;
}

/** Returns the phrases of a question: at most four, each with at most 300 UTF-16 code units. */
export function quotedPhrases(question: string): Phrase[] {
  const phrases: Phrase[] = [];
  for (const match of question.matchAll(QUOTED)) {
    // Only one group matches, depending on the quotation marks.
    const words = match.slice(1).join('').trim();
    if (WORD.test(words) && phrases.length < MAX_PHRASES)
      phrases.push({ words, pattern: makePattern(words) });
  }
  return phrases;
}

function makePattern(words: string): RegExp {
  const source = words
    .split(/\s+/u)
    .map((word) => word.replace(/[$()*+./?[\\\]^{|}]/g, '\\$&').replace(/['’]/g, "['’]"))
    .join('\\s+');
  const before = JOINS.test(words) ? `(?<!${JOINED})` : '';
  const after = JOINED_END.test(words) ? `(?!${JOINED})` : '';
  return new RegExp(`${before}${source}${after}`, 'iu');
}
