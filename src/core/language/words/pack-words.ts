// Combines the words of all languages into lists and patterns.
import type { LanguageRules } from '../packs/pack.ts';
import { joinAlternatives } from './alternatives.ts';
import { ALL_LANGUAGES } from './languages.ts';

/** Returns the words or parts of a pattern of one language; undefined or '' if it has none. */
type Selector = (rules: LanguageRules) => string | undefined;

/** Returns the distinct words of lists with blanks between the words. */
export function wordsOfPacks(select: Selector): string[] {
  return [...new Set(listOf(select).flatMap((list) => list.split(' ')))];
}

/** Returns alternatives of a pattern: the parts of all languages. */
export function partsOfPacks(select: Selector): string {
  return joinAlternatives(listOf(select));
}

/** Returns a pattern of the parts of all languages, and letters must not follow those of scripts with blanks. */
export function wholeWordsOfPacks(select: Selector): string {
  const lists = listOf(select);
  const spaced = lists.filter((list) => !UNSPACED.test(list));
  const unspaced = lists.filter((list) => UNSPACED.test(list));
  return [`(?:${joinAlternatives(spaced)})(?!\\p{L})`, ...unspaced].join('|');
}

/** Scripts in which words are recognized inside other words. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u;

function listOf(select: Selector): string[] {
  return ALL_LANGUAGES.map(select).filter((list): list is string => list !== undefined && list !== '');
}
