/*
 * What makes tokens, fitted to vocabularies of 100,000 and 200,000 so that prose, code, tables and numbers in any script
 * come out a little too long rather than too short: the tokens of a word, a character or a run.
 */
const WORD = 1.31;
const COMMON_WORD = 0.6;
/** Letters that a word has for this, and what each further one adds. */
const LETTERS_OF_WORD = 6;
const FURTHER_LETTER = 0.22;
const ACCENTED_LETTER = 2.3;
const CAPITAL = 0.35;
const DIGITS = 1.24;
const SPACE_BEFORE_DIGITS = 0.73;
const MIXED_CHARACTER = 0.75;
const SIGNS = 0.91;
const FURTHER_SIGN = 0.1;
const SAME_SIGNS = 8;
const SPACES = 1.3;
const PUNCTUATION = 0.95;
const SYMBOL = 2.45;
const SCRIPTS: readonly (readonly [characters: RegExp, tokens: number])[] = [
  [/\p{sc=Han}/u, 1.4],
  [/[\p{sc=Hiragana}\p{sc=Katakana}ー]/u, 1.12],
  [/\p{sc=Hangul}/u, 1.42],
  [/\p{sc=Cyrillic}/u, 0.58],
  [/\p{sc=Greek}/u, 1.07],
  [/[\p{sc=Arabic}\u064b-\u0652]/u, 0.85],
  [/\p{sc=Devanagari}/u, 1.27],
  [/\p{sc=Thai}/u, 0.98],
];
/** Letters of other scripts are often told byte by byte. */
const OTHER_LETTER = 2;

/** Words that English is full of; where they are rare, the others are split more often. Fitted with the figures above, so no list of others. */
const COMMON =
  /^(?:the|of|and|to|in|is|that|for|it|as|was|with|be|by|on|not|this|are|or|from|at|which|but|have|an|had|they|you|were|there|been|their|has|will|its|a|we|can)$/i;
/** Letters and digits without an end: hashes, keys, pictures within text. A match of millions of them has no room on the stack. */
const UNBROKEN = /[A-Za-z0-9+/=_-]{20,20000}/g;
const SAME = /([^\w\s])\1{3,20000}/gu;
const PIECES =
  /(?<letters>\p{Lu}?[\p{Ll}\p{M}]{1,20000}|\p{Lu}{1,20000}|[\p{L}\p{M}]{1,20000})|(?<digits> ?\p{N}{1,3})|(?<signs>[^\s\p{L}\p{N}\p{M}]{1,20000})|\s*\n\s*|\s\s+/gu;

/**
 * How many tokens a text is to a model whose vocabulary is not at hand: an estimate that is rarely below what those of
 * today count, and some per cent above.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  const rest = text
    .replace(UNBROKEN, (run) => {
      if (!/\d/.test(run) || !/[A-Za-z]/.test(run)) return run;
      tokens += MIXED_CHARACTER * run.length;
      return '';
    })
    .replace(SAME, () => {
      tokens += SAME_SIGNS;
      return '';
    });
  for (const { 0: piece, index, groups } of rest.matchAll(PIECES)) {
    if (groups?.['letters'] !== undefined) tokens += ofLetters(piece);
    else if (groups?.['digits'] !== undefined)
      tokens += piece.startsWith(' ') ? SPACE_BEFORE_DIGITS + DIGITS : DIGITS;
    else if (groups?.['signs'] !== undefined)
      tokens += ofSigns(piece, /\p{L}/u.test(rest.charAt(index + piece.length)));
    else tokens += SPACES;
  }
  return Math.ceil(tokens);
}

function ofLetters(letters: string): number {
  if (!/\p{sc=Latin}/u.test(letters)) {
    let tokens = 0;
    for (const letter of letters)
      tokens += SCRIPTS.find(([characters]) => characters.test(letter))?.[1] ?? OTHER_LETTER;
    return tokens;
  }
  if (/^\p{Lu}{2,}$/u.test(letters)) return CAPITAL * letters.length;
  if (COMMON.test(letters)) return COMMON_WORD;
  const accented = letters.match(/\P{ASCII}/gu)?.length ?? 0;
  return WORD + FURTHER_LETTER * Math.max(0, letters.length - LETTERS_OF_WORD) + ACCENTED_LETTER * accented;
}

/** A single sign before a letter belongs to the letter's token. */
function ofSigns(signs: string, isBeforeLetter: boolean): number {
  const punctuation = signs.match(/(?!\p{ASCII})\p{P}/gu)?.length ?? 0;
  const others = (signs.match(/\P{ASCII}/gu)?.length ?? 0) - punctuation;
  const plain = (signs.match(/\p{ASCII}/gu)?.length ?? 0) - (isBeforeLetter ? 1 : 0);
  return PUNCTUATION * punctuation + SYMBOL * others + (plain > 0 ? SIGNS + FURTHER_SIGN * (plain - 1) : 0);
}
