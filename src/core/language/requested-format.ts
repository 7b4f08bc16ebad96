import type { FormatWords } from './packs/pack.ts';
import { ALL_LANGUAGES } from './words/languages.ts';
import { partsOfPacks, wholeWordsOfPacks } from './words/pack-words.ts';
import { NUMBER_WORDS } from './words/word-lists.ts';

/*
 * Detects the format that a task requests, such as a table, a list, or a number, in several languages.
 */

const wordsFor = (kind: keyof FormatWords): string => wholeWordsOfPacks(({ formats }) => formats?.[kind]);

/**
 * Matches a request for a table, but not a reference to one: neither "the table on page 3" nor "aus der Tabelle" nor
 * "Table 2".
 */
export const TABLE = new RegExp(
  String.raw`(?<!(?<!\p{L})(?:${partsOfPacks(({ formats }) => formats?.beforeKnownTable)})\s)(?<!\p{L})(?!\p{L}+\s\d)${wordsFor('tables')}`,
  'iu',
);

export const LIST = new RegExp(String.raw`(?<!\p{L})${wordsFor('lists')}`, 'iu');

/** Reports whether a task asks for a table. */
export function wantsTable(task: string): boolean {
  return TABLE.test(task);
}

/** Reports whether a task asks for a list. */
export function wantsList(task: string): boolean {
  return LIST.test(task);
}

/**
 * Returns the number at the beginning of words, in digits or words: `3 rows`, `fünf`, `三`. NaN for an ambiguous one
 * such as `1,000`; undefined if there is none.
 */
export function numberIn(words: string): number | undefined {
  const [, digits, word] = /^\s{0,9}(?:([+-]?\d{1,15}(?:[.,]\d{1,9})?)|(\p{L}{1,20}))/u.exec(words) ?? [];
  if (digits !== undefined) return Number(digits);
  if (word === undefined) return undefined;
  const written = NUMBER_WORDS.get(word.toLowerCase()) ?? OTHER_NUMBERS.get(word.toLowerCase());
  return written === undefined ? undefined : Number(written);
}

/** One to ten in languages other than English. */
const OTHER_NUMBERS: ReadonlyMap<string, string> = new Map(
  ALL_LANGUAGES.flatMap(({ words }) =>
    (words?.numbers ?? '')
      .split(' ')
      .filter((word) => word !== '')
      .map((word, index): [string, string] => [word, String(index + 1)]),
  ),
);
