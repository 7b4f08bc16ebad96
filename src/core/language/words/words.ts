import type { Span } from '../span.ts';
import { inverseDocumentFrequency } from './bm25.ts';
import { guessLanguage, words } from './known-words.ts';
import { comparedTerms, ENGLISH, foldedWord, identifierParts } from './word-terms.ts';

/** Word of a text with its position, its spelling, and its form for comparison. */
export interface Word extends Span {
  readonly raw: string;
  /** Lower case without accents, ligatures, and soft hyphens. A word hyphenated at a line's end is whole. */
  readonly folded: string;
  /**
   * Forms for comparison: the stem; an identifier as a whole and in parts; a number without thousands separators;
   * character pairs in scripts without spaces. Empty for stop words.
   */
  readonly terms: readonly string[];
}

const NO_TERMS: readonly string[] = [];
/** Text length, in UTF-16 code units, above which a part is enough to detect the language. */
const LONG = 500;

/** Returns the index of the language that a text's stop words show; else `usual`. */
export function languageOfText(text: string, usual = ENGLISH): number {
  words.makeRoom();
  return guessLanguage(words.wordNumbers(text), stopWordsNeeded(text), usual);
}

/** Returns the number of stop words that show the language of a text. */
function stopWordsNeeded(text: string): number {
  return text.length > LONG ? 5 : 2;
}

/** Returns the language of a sentence: a single stop word shows it if the sentence has none of `usual`. */
export function languageOfSentence(sentence: string, usual = ENGLISH): number {
  words.makeRoom();
  return guessLanguage(words.wordNumbers(sentence), 1, usual);
}

/**
 * Returns the words of a text in order, with their terms in a language. To compare texts in two languages, use the
 * language of one for both. Stop words of the text's `own` language are then also omitted. Languages are indexes into
 * the list.
 */
export function splitWords(text: string, language = languageOfText(text), own = language): Word[] {
  words.makeRoom();
  const numbers = words.wordNumbers(text);
  const { starts, ends } = words.lastWords();
  const stops = (1 << language) | (1 << own);
  const result: Word[] = [];
  for (const [i, number] of numbers.entries()) {
    const known = words.word(number);
    const { raw, stopIn } = known;
    const terms = (stopIn & stops) === 0 ? comparedTerms(known, language) : NO_TERMS;
    result.push({ start: starts[i] ?? 0, end: ends[i] ?? 0, raw, folded: foldedWord(known), terms });
  }
  return result;
}

/** Returns the terms of a text in order, with repetitions. To compare texts, use the same language for both. */
export function termsIn(text: string, language = languageOfText(text), own = language): string[] {
  return splitWords(text, language, own).flatMap(({ terms }) => terms);
}

/**
 * Returns the language of a text's stop words, else `usual`, and those of some terms in this language that the text
 * contains. Reads the words of the text once, as this runs for each passage of an answer.
 */
export function findTerms(
  text: string,
  usual: number,
  termsIn: (language: number) => ReadonlySet<string>,
): { readonly language: number; readonly terms: ReadonlySet<string> } {
  words.makeRoom();
  // A copy, because `termsIn` may read other words.
  const numbers = words.wordNumbers(text).slice();
  const language = guessLanguage(numbers, stopWordsNeeded(text), usual);
  const searched = termsIn(language);
  const stops = 1 << language;
  const terms = new Set<string>();
  for (const number of numbers) {
    const known = words.word(number);
    if ((known.stopIn & stops) !== 0) continue;
    for (const term of comparedTerms(known, language)) if (searched.has(term)) terms.add(term);
  }
  return { language, terms };
}

/**
 * Returns the language for comparing two texts, so that a word has one stem in both: that of the first, else the other,
 * else English. Separately, "Was zeigt das Bild der Ernten?" is German and has "ernt", but its caption "Ernten" shows
 * no language and would get "ernten" in English.
 */
export function comparedLanguage(text: string, other: string): number {
  return languageOfText(text, languageOfText(other));
}

/** Returns the distinct terms of a text in the language of a comparison, without stop words of its own language. */
export function comparedTermSet(text: string, language: number): ReadonlySet<string> {
  return new Set(termsIn(text, language, languageOfText(text, language)));
}

/** Reports whether a word is an identifier of several parts, such as `readFileSync`. */
export function isOfParts({ raw }: Word): boolean {
  return identifierParts(raw).length > 1;
}

/** Reports whether a term is a cardinal or ordinal number. */
export function isNumber(term: string): boolean {
  return /^\d+(?:[.,]\d+)*(?:st|nd|rd|th)?$/.test(term);
}

/** Returns the weight of a term, estimated from the share of units that contain it. */
export function weighTerms(units: readonly ReadonlySet<string>[]): (term: string) => number {
  const frequency = new Map<string, number>();
  for (const unit of units) for (const term of unit) frequency.set(term, (frequency.get(term) ?? 0) + 1);
  const count = units.length;
  return (term) => inverseDocumentFrequency(frequency.get(term) ?? 0, count);
}

/** Minimum number of letters of a term's word, except in scripts whose characters are as meaningful as words. */
const MIN_TERM_LETTERS = 3;

/** Reports whether a word has enough letters for a term and isn't a number. */
export function hasTermLetters(raw: string): boolean {
  const letters = raw.match(/\p{L}/gu)?.length ?? 0;
  const digits = raw.match(/\p{N}/gu)?.length ?? 0;
  const isShortName = letters >= 2 && /^\p{Lu}[\p{Lu}\p{N}]/u.test(raw);
  return (
    (letters >= MIN_TERM_LETTERS || isShortName || (letters >= 2 && /\p{sc=Han}|\p{sc=Hangul}/u.test(raw))) &&
    digits <= letters
  );
}
