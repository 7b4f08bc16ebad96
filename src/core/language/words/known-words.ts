import { LANGUAGES } from './languages.ts';
import { MAX_WORDS, WordCache } from './word-cache.ts';
import { ENGLISH, makeWord } from './word-terms.ts';

/** Cache of words for all texts, independent of notebooks. */
export const words = new WordCache(makeWord);

/** Bits after those of the languages: the word is a Latin letter, a number, or a keyword of definitions. */
const LETTER = 1 << 28;
const FIGURE = 1 << 29;
/** Bit of a word that is followed by the name of a definition. */
export const DEFINES = 1 << 30;
const KNOWN = 1 << 31;
/** Bits of the languages in which a word is a stop word. */
const STOPS = ~(LETTER | FIGURE | DEFINES | KNOWN);

/**
 * For each word number: the languages in which it is a stop word, and whether it is a letter, a number, or a keyword of
 * definitions.
 */
const traits = new Int32Array(MAX_WORDS);
let traitsEdition = words.edition;

/** Returns the languages in which the word with this number is a stop word, as a bit set. */
export function stopsIn(number: number): number {
  return findTraits(number) & STOPS;
}

/** Reports whether the word with this number is written in digits. */
export function isFigure(number: number): boolean {
  return (findTraits(number) & FIGURE) !== 0;
}

/**
 * Minimum ratio of stop words of another language to those of the default one. "die", "in", and "an" are German and
 * English words.
 */
const CLEARLY_MORE = 1.3;

/**
 * Minimum share of stop words of another language among words other than letters and numbers. Texts have a fourth or
 * more, and lists and tables less. Code in English has some by chance, such as "var" and "end", and has letters, which
 * are stop words in Spanish. See test/support/fit-language-guess.ts: 0.075 and 0.1 have the fewest errors. With 0.1, 1.9
 * % of the parts of this project's dependencies have another language, with 0, 4.2 %.
 */
const MIN_SHARE = 0.1;

/** Number of stop words of each language; used for one text at a time. */
const stopCounts = new Uint32Array(LANGUAGES.length);

/**
 * Returns the language with the most stop words among words, at least `minHits` and clearly more than the default
 * language. Otherwise, returns the default language, or English if it has more stop words.
 */
export function guessLanguage(numbers: Uint32Array, minHits: number, usual = ENGLISH): number {
  if (traitsEdition !== words.edition) {
    traits.fill(0);
    traitsEdition = words.edition;
  }
  const counts = stopCounts.fill(0);
  let wordCount = 0;
  for (const number of numbers) {
    const wordTraits = findTraits(number);
    if ((wordTraits & (LETTER | FIGURE)) !== 0) continue;
    wordCount++;
    for (let rest = wordTraits & STOPS; rest !== 0; rest &= rest - 1) {
      const language = 31 - Math.clz32(rest & -rest);
      counts[language] = (counts[language] ?? 0) + 1;
    }
  }
  const usualCount = counts[usual] ?? 0;
  let best = usual;
  for (let language = 0; language < counts.length; language++)
    if ((counts[language] ?? 0) > (counts[best] ?? 0)) best = language;
  const highestCount = counts[best] ?? 0;
  if (highestCount >= Math.max(minHits, MIN_SHARE * wordCount) && highestCount > CLEARLY_MORE * usualCount)
    return best;
  // A few English words, for example in code, don't make a page in another language English.
  return (counts[ENGLISH] ?? 0) > usualCount ? ENGLISH : usual;
}

/** Returns what is known of a word as a set of bits: `DEFINES`, and those of the languages in which it is a stop word. */
export function findTraits(number: number): number {
  const noted = traits[number] ?? 0;
  if (noted !== 0) return noted;
  const { raw, stopIn, defines } = words.word(number);
  const kind = /^\d[\d.,]*$/.test(raw) ? FIGURE : /^[a-z]$/i.test(raw) ? LETTER : 0;
  const wordTraits = stopIn | kind | (defines ? DEFINES : 0) | KNOWN;
  // Words that aren't cached have numbers beyond the array.
  traits[number] = wordTraits;
  return wordTraits;
}
