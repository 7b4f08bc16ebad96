import type { Span } from '../span.ts';
import { inverseDocumentFrequency } from './bm25.ts';
import { guessLanguage, words } from './known-words.ts';
import { comparedTerms, ENGLISH, foldedWord, identifierParts } from './word-terms.ts';

/** A word of a text: its place, its letters as they stand there, and as they are compared. */
export interface Word extends Span {
  readonly raw: string;
  /** Lower-cased, without accents, ligatures and soft hyphens; a word broken at a line's end is whole again. */
  readonly folded: string;
  /**
   * What it is compared by: its stem; an identifier whole and by its parts; a number without thousands marks; pairs of
   * characters in scripts that are written without spaces. Empty for stop words.
   */
  readonly terms: readonly string[];
}

const NO_TERMS: readonly string[] = [];
/** A longer text has more words by which its language is told, in UTF-16 code units. */
const LONG = 500;

/** The language that a text's stop words tell, as its place in the list of languages; else the usual one. */
export function languageOfText(text: string, usual = ENGLISH): number {
  words.makeRoom();
  return guessLanguage(words.wordNumbers(text), text.length > LONG ? 5 : 2, usual);
}

/**
 * The words of a text in their order, with their terms in a language. What is compared with a text of another language
 * is taken in that one, and the stop words of its `own` are left out, too. Languages go by their places in the list.
 */
export function splitWords(text: string, language = languageOfText(text), own = language): Word[] {
  words.makeRoom();
  const numbers = words.wordNumbers(text);
  const { starts } = words;
  const stops = (1 << language) | (1 << own);
  const found: Word[] = [];
  for (const [i, number] of numbers.entries()) {
    const known = words.word(number);
    const { raw, stopIn } = known;
    const start = starts[i] ?? 0;
    const terms = (stopIn & stops) === 0 ? comparedTerms(known, language) : NO_TERMS;
    found.push({ start, end: start + raw.length, raw, folded: foldedWord(known), terms });
  }
  return found;
}

/** The terms of a text in their order, with repetitions. What is compared with other texts is taken in one language with them. */
export function termsIn(text: string, language = languageOfText(text), own = language): string[] {
  return splitWords(text, language, own).flatMap(({ terms }) => terms);
}

/**
 * The language in which a text is compared with another, so that a word has one stem in both: what the text tells, else
 * the other, else English. Each on its own, "Was zeigt das Bild der Ernten?" is German and asks for "ernt", and its
 * caption "Ernten" tells no language and has, in English, "ernten".
 */
export function comparedLanguage(text: string, other: string): number {
  return languageOfText(text, languageOfText(other));
}

/** The terms of a text, each once, as it is compared in a language; without the stop words of its own, too. */
export function comparedTermSet(text: string, language: number): ReadonlySet<string> {
  return new Set(termsIn(text, language, languageOfText(text, language)));
}

/** Whether a word is an identifier of several parts, as `readFileSync` is. */
export function isOfParts({ raw }: Word): boolean {
  return identifierParts(raw).length > 1;
}

/** Whether a term is a number: how many, or which one in a row. */
export function isNumber(term: string): boolean {
  return /^\d+(?:[.,]\d+)*(?:st|nd|rd|th)?$/.test(term);
}

/** How much each term tells, estimated from the units of text that it does and does not stand in. */
export function weighTerms(units: readonly ReadonlySet<string>[]): (term: string) => number {
  const frequency = new Map<string, number>();
  for (const unit of units) for (const term of unit) frequency.set(term, (frequency.get(term) ?? 0) + 1);
  const count = units.length;
  return (term) => inverseDocumentFrequency(frequency.get(term) ?? 0, count);
}
