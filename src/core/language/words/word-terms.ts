import { fold } from './folding.ts';
import { LANGUAGES } from './languages.ts';
import { numberTerms, versionTerms } from './number-terms.ts';
import { copyString } from './word-cache.ts';
import { NUMBER_WORDS, TALKING_WORDS } from './word-lists.ts';
import { partsOfPacks } from './pack-words.ts';
import { PAIRED } from './word-pattern.ts';

export const BROKEN = /[-‐]\r?\n[ \t]*/u;
const CONTRACTED = /'(?:s|re|ve|ll|d|m|t)$/;
/** Underscores of a private name, or of emphasis in Markdown. */
const UNDERSCORES = /^_+|(?<!_)_+$/g;
const PLAIN = /^[a-z]+$/;
/** A number after letters, as in `v1.2.3` or `python3.11`. */
const VERSION = /^(?<letters>[\p{L}_][\p{L}_]{0,30})(?<number>\d+(?:\.\d+)+)(?<rest>[\p{L}\p{N}_]{0,30})$/u;
/** A number with an exponent, the mark of a footnote, or a base. */
const RAISED_NUMBER = /^\d+(?:[⁰¹²³⁴-⁹]+|[₀-₉]+)$/;
/** `2nd` and `1er`, whose endings alone mean nothing. */
export const ORDINAL_NUMBER = new RegExp(
  String.raw`^(\d{1,4})(?:${partsOfPacks(({ dates }) => dates?.dayEndings)})$`,
  'iu',
);
/** Matches most words: those with one part and a usual length. */
const SIMPLE = /^[A-Z]?[a-z]{1,63}$/;

const PAIRED_RUNS =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\u30fc]+|[^\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\u30fc]+/gu;
export const HAN = /\p{sc=Han}/u;
/** Scripts written without spaces that need a dictionary for splitting. */
export const UNSPACED = /[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/** Maximum length of a word. A longer one is data, so it is cut. */
const MAX_WORD_LENGTH = 64;
export const ENGLISH = 0;

/** Prefix of a stop word, which is indexed only for questions of stop words and doesn't count to the passage length. */
export const STOP_MARK = '~';

/** Greek stop words are listed without accents and with one sigma. */
const GREEK = /\p{sc=Greek}/u;
/** Created on first use, because few texts need it. */
let segmenter: Intl.Segmenter | undefined;

/** Languages in which each word is a stop word, as a bit set. */
const stopWords = new Map<string, number>();
for (const [language, { stopWords: words }] of LANGUAGES.entries())
  for (const word of words) stopWords.set(word, (stopWords.get(word) ?? 0) | (1 << language));

/** Reports whether a lower-case word is a stop word of the language with this index. */
export function isStopWord(word: string, language: number): boolean {
  return ((stopWords.get(word) ?? 0) & (1 << language)) !== 0;
}

/** Keywords before the name of a definition, in most programming languages. */
const DEFINERS: ReadonlySet<string> = new Set([
  'class',
  'def',
  'enum',
  'fn',
  'func',
  'function',
  'interface',
  'struct',
]);

/** Cached facts about a word: the languages in which it is a stop word, and its terms by language. */
export interface KnownWord {
  readonly raw: string;
  readonly stopIn: number;
  /** Term of a stop word; else empty. */
  readonly stopTerm: string;
  /** `true` if the next word is the name of a definition. */
  readonly defines: boolean;
  /** Terms by language, filled on first use; mostly one. */
  readonly terms: (string | readonly string[] | undefined)[];
  /** Terms for comparisons, and their letters. */
  compared: (readonly string[] | undefined)[] | undefined;
  folded: string | undefined;
}

/** Returns the facts about a word: its terms, and the languages in which it is a stop word. */
export function makeWord(raw: string): KnownWord {
  const lower = raw.toLowerCase().replaceAll('’', "'");
  const stopIn = stopsIn(lower) | (lower.includes("'") ? stopsIn(withoutContraction(lower)) : 0);
  return {
    raw,
    stopIn,
    stopTerm: stopIn === 0 ? '' : copyString(STOP_MARK + fold(lower)),
    defines: DEFINERS.has(raw),
    terms: [],
    compared: undefined,
    folded: undefined,
  };
}

function stopsIn(lower: string): number {
  return stopWords.get(GREEK.test(lower) ? fold(lower).replace(/ς$/, 'σ') : lower) ?? 0;
}

/** Returns the terms of a word in the language with this index. */
export function termsOfWord(word: KnownWord, language: number): readonly string[] {
  let terms = word.terms[language];
  if (terms === undefined) {
    const stems = makeTerms(word.raw, language).filter((term) => term !== '');
    terms = stems.length === 1 && stems[0] !== undefined ? stems[0] : stems;
    word.terms[language] = terms;
  }
  return typeof terms === 'string' ? [terms] : terms;
}

/** Returns the terms of a word in a text: one with a mark if it is a stop word there. */
export function usedTerms(word: KnownWord, isStop: boolean, language: number): readonly string[] {
  return isStop ? [word.stopTerm] : termsOfWord(word, language);
}

/**
 * Returns the terms of a word for comparing texts: without those that only help search, such as parts of numbers and
 * single Chinese characters, and with the value of an English number word.
 */
export function comparedTerms(word: KnownWord, language: number): readonly string[] {
  word.compared ??= [];
  let terms = word.compared[language];
  if (terms === undefined) {
    const english = language === ENGLISH ? foldedWord(word) : '';
    const number = NUMBER_WORDS.get(english);
    const stems = number === undefined ? makeTerms(word.raw, language, true) : [number];
    terms = TALKING_WORDS.has(english) ? [] : [...new Set(stems)].filter((term) => term !== '');
    word.compared[language] = terms;
  }
  return terms;
}

/** Returns a word's letters in compared form: lower case, folded, and without a hyphen at a line's end. */
export function foldedWord(word: KnownWord): string {
  return (word.folded ??= fold(word.raw.replace(BROKEN, '').toLowerCase().replaceAll('’', "'")));
}

function makeTerms(raw: string, language: number, isCompared = false): readonly string[] {
  if (SIMPLE.test(raw)) return [stem(raw, language)];
  if (/^[CcFf][+#]/.test(raw)) return [raw.toLowerCase()];
  if (/^[\d.,]+$/.test(raw)) return isCompared ? numberTerms(raw).slice(0, 1) : numberTerms(raw);
  const ordinal = ORDINAL_NUMBER.exec(raw);
  if (ordinal !== null) return ordinal.map((part) => part.toLowerCase());
  if (BROKEN.test(raw))
    return [
      stem(raw.replace(BROKEN, ''), language),
      ...raw.split(BROKEN).map((part) => stem(part, language)),
    ];
  const version = raw.includes('.') ? VERSION.exec(raw)?.groups : undefined;
  if (version !== undefined)
    return versionTerms(version, (part) => makeTerms(part, language, isCompared), isCompared);
  if (RAISED_NUMBER.test(raw)) return isCompared ? [fold(raw)] : [fold(raw), ...fold(raw).split(/[_^]/)];
  if (PAIRED.test(raw)) return pairTerms(raw, language, isCompared);
  if (UNSPACED.test(raw)) {
    segmenter ??= new Intl.Segmenter('th', { granularity: 'word' });
    return [...segmenter.segment(raw)]
      .filter(({ isWordLike }) => isWordLike)
      .map(({ segment }) => fold(segment));
  }
  const word = /['’]/.test(raw) ? withoutContraction(raw) : raw;
  const whole = stem(word.replace(UNDERSCORES, '').slice(0, MAX_WORD_LENGTH).toWellFormed(), language);
  if (whole === '') return [];
  const terms = [whole];
  if (word.length > MAX_WORD_LENGTH) return terms;
  for (const part of identifierParts(word)) {
    const term = part.includes(',') ? (numberTerms(part)[0] ?? '') : stem(part, language);
    if (
      (part.length > 1 || (isCompared && /\p{N}/u.test(part))) &&
      !isStopWord(part.toLowerCase(), language) &&
      term !== whole
    )
      terms.push(term);
  }
  return terms;
}

/**
 * Returns Chinese characters alone and in pairs, Japanese and Korean syllables in pairs, and other letters as words.
 */
export function pairTerms(raw: string, language: number, isCompared = false): string[] {
  const terms: string[] = [];
  for (const run of raw.normalize('NFKC').match(PAIRED_RUNS) ?? []) {
    if (!PAIRED.test(run)) {
      terms.push(...makeTerms(run, language, isCompared));
      continue;
    }
    const characters = Array.from(run);
    for (const [i, character] of characters.entries()) {
      if (characters.length === 1 || (HAN.test(character) && !isCompared)) terms.push(character);
      const next = characters[i + 1];
      if (next !== undefined) terms.push(character + next);
    }
  }
  return terms;
}

/** Returns a word without its contraction: `Ada` for `Ada's`, `homme` for `l'homme`. */
function withoutContraction(raw: string): string {
  const word = raw.replaceAll('’', "'").replace(CONTRACTED, '');
  return word.split("'").reduce((longest, part) => (part.length > longest.length ? part : longest), '');
}

/**
 * Returns the parts of an identifier: read, File, Sync for `readFileSync`; HTTP, port, 2 for `HTTP_port2`; 1.5, GB
 * for `1.5GB`.
 */
export function identifierParts(word: string): string[] {
  if (/^\p{Lu}?[\p{Ll}\p{M}]+$/u.test(word)) return [word];
  return word.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{M}]+|\p{N}+(?:[.,]\p{N}+)*/gu) ?? [];
}

/** Reports whether all terms of a word are its stems in different languages, and not its parts. */
export function isSingleWord(word: string): boolean {
  return !PAIRED.test(word) && !UNSPACED.test(word) && identifierParts(word).length === 1;
}

function stem(word: string, language: number): string {
  const lower = word.toLowerCase();
  if (PLAIN.test(lower)) {
    const stemmer = LANGUAGES[language]?.stem;
    return stemmer === undefined || lower.length < 4 ? lower : fold(stemmer(lower));
  }
  if (/[\p{N}_$]/u.test(lower)) return fold(lower);
  if (language !== ENGLISH) return fold(LANGUAGES[language]?.stem(lower.normalize('NFC')) ?? lower);
  const folded = fold(lower);
  return PLAIN.test(folded) && folded.length > 3 ? LANGUAGES[ENGLISH].stem(folded) : folded;
}
