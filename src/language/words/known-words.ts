import { languages } from './languages.ts';
import { MAX_WORDS, WordCache } from './word-cache.ts';
import { ENGLISH, makeWord } from './word-terms.ts';

/** The words of all texts: what is known of them depends on no notebook. */
export const words = new WordCache(makeWord);

/** A bit above those of the languages. */
const FIGURE = 1 << 29;
const DEFINES = 1 << 30;
const KNOWN = 1 << 31;

/** By word number: the languages in which it is a stop word, and whether it is a number or a keyword of definitions. */
const traits = new Int32Array(MAX_WORDS);
let traitsEdition = words.edition;

/** The languages in which the word with this number is a stop word, as a set of bits; the language of its text was guessed before. */
export function stopsIn(number: number): number {
  return findTraits(number) & ~(FIGURE | DEFINES | KNOWN);
}

/** Reports whether the word with this number is written in digits. */
export function isFigure(number: number): boolean {
  return (findTraits(number) & FIGURE) !== 0;
}

/** Reports whether the word with this number is followed by the name of a definition. */
export function isDefinitionKeyword(number: number): boolean {
  return (findTraits(number) & DEFINES) !== 0;
}

/** Another language than the usual one has so many times its stop words: "die", "in" and "an" are German and English. */
const CLEARLY_MORE = 1.3;

/**
 * The language with most stop words among the words with these numbers, at least `least` of them and clearly more than
 * the usual one has; else that, or English where there are more words of it.
 */
export function guessLanguage(numbers: Uint32Array, least: number, usual = ENGLISH): number {
  if (traitsEdition !== words.edition) {
    traits.fill(0);
    traitsEdition = words.edition;
  }
  const counts = new Uint32Array(languages.length);
  for (const number of numbers)
    for (let rest = stopsIn(number); rest !== 0; rest &= rest - 1) {
      const language = 31 - Math.clz32(rest & -rest);
      counts[language] = (counts[language] ?? 0) + 1;
    }
  const usualCount = counts[usual] ?? 0;
  let best = usual;
  for (const [language, count] of counts.entries()) if (count > (counts[best] ?? 0)) best = language;
  const highestCount = counts[best] ?? 0;
  if (highestCount >= least && highestCount > CLEARLY_MORE * usualCount) return best;
  // A few English words, for example in code, don't make a page in another language English.
  return (counts[ENGLISH] ?? 0) > usualCount ? ENGLISH : usual;
}

function findTraits(number: number): number {
  const noted = traits[number] ?? 0;
  if (noted !== 0) return noted;
  const { raw, stopIn, defines } = words.word(number);
  const found = stopIn | (/^\d[\d.,]*$/.test(raw) ? FIGURE : 0) | (defines ? DEFINES : 0) | KNOWN;
  // Words that aren't cached have numbers beyond the array.
  traits[number] = found;
  return found;
}
