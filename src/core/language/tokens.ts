import { TOKEN_WEIGHTS } from './token-weights.ts';

/** Counts of everything in a text that makes tokens. */
export type TokenCounts = Record<keyof typeof TOKEN_WEIGHTS, number>;

/** Length of a word that usually is one token: "tomato". Longer ones are often split: "tomatoes". */
const LETTERS_OF_WORD = 6;
const SCRIPTS = [
  ['han', /\p{sc=Han}/u],
  ['kana', /[\p{sc=Hiragana}\p{sc=Katakana}ー]/u],
  ['hangul', /\p{sc=Hangul}/u],
  ['cyrillic', /\p{sc=Cyrillic}/u],
  ['greek', /\p{sc=Greek}/u],
  ['arabic', /[\p{sc=Arabic}\u064b-\u0652]/u],
  ['devanagari', /\p{sc=Devanagari}/u],
  ['thai', /\p{sc=Thai}/u],
] as const;

/**
 * Very common English words. In a text with few of them, other words are split more often. The list was fitted with
 * the weights, so it differs from other lists.
 */
const COMMON =
  /^(?:the|of|and|to|in|is|that|for|it|as|was|with|be|by|on|not|this|are|or|from|at|which|but|have|an|had|they|you|were|there|been|their|has|will|its|a|we|can)$/i;
/**
 * Endless letters and digits: hashes, keys, embedded pictures. The limit prevents a stack overflow for millions of
 * them.
 */
const UNBROKEN = /[A-Za-z0-9+/=_-]{20,20000}/g;
const SAME = /([^\w\s])\1{3,20000}/gu;
const PIECES =
  /(?<letters>\p{Lu}?[\p{Ll}\p{M}]{1,20000}|\p{Lu}{1,20000}|[\p{L}\p{M}]{1,20000})|(?<digits> ?\p{N}{1,3})|(?<signs>[^\s\p{L}\p{N}\p{M}]{1,20000})|\s{0,20000}\n\s{0,20000}|\s{2,20000}/gu;

/**
 * Estimates the number of tokens of a text for an unknown vocabulary. Rarely below the count of today's models, and
 * some percent above it.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [name, count] of Object.entries(countPieces(text)) as [keyof TokenCounts, number][])
    tokens += TOKEN_WEIGHTS[name] * count;
  return Math.ceil(tokens);
}

/** Counts everything in a text that makes tokens. */
export function countPieces(text: string): TokenCounts {
  const counts = Object.fromEntries(Object.keys(TOKEN_WEIGHTS).map((name) => [name, 0])) as TokenCounts;
  const rest = text
    .replace(UNBROKEN, (run) => {
      if (!/\d/.test(run) || !/[A-Za-z]/.test(run)) return run;
      counts.mixedCharacter += run.length;
      return '';
    })
    .replace(SAME, () => {
      counts.sameSigns++;
      return '';
    });
  for (const { 0: piece, index, groups } of rest.matchAll(PIECES)) {
    if (groups?.['letters'] !== undefined) countLetters(piece, counts);
    else if (groups?.['digits'] !== undefined) {
      counts.digits++;
      if (piece.startsWith(' ')) counts.spaceBeforeDigits++;
    } else if (groups?.['signs'] !== undefined)
      countSigns(piece, /\p{L}/u.test(rest.charAt(index + piece.length)), counts);
    else counts.spaces++;
  }
  return counts;
}

function countLetters(letters: string, counts: TokenCounts): void {
  if (!/\p{sc=Latin}/u.test(letters))
    for (const letter of letters)
      counts[SCRIPTS.find(([, characters]) => characters.test(letter))?.[0] ?? 'otherLetter']++;
  else if (/^\p{Lu}{2,}$/u.test(letters)) counts.capital += letters.length;
  else if (COMMON.test(letters)) counts.commonWord++;
  else {
    counts.word++;
    counts.furtherLetter += Math.max(0, letters.length - LETTERS_OF_WORD);
    counts.accentedLetter += letters.match(/\P{ASCII}/gu)?.length ?? 0;
  }
}

/** Counts signs. A single sign before a letter belongs to the letter's token. */
function countSigns(signs: string, isBeforeLetter: boolean, counts: TokenCounts): void {
  const punctuation = signs.match(/(?!\p{ASCII})\p{P}/gu)?.length ?? 0;
  const plain = (signs.match(/\p{ASCII}/gu)?.length ?? 0) - (isBeforeLetter ? 1 : 0);
  counts.punctuation += punctuation;
  counts.symbol += (signs.match(/\P{ASCII}/gu)?.length ?? 0) - punctuation;
  if (plain <= 0) return;
  counts.signs++;
  counts.furtherSign += plain - 1;
}
