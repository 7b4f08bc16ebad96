import { monthNames, plainMonth } from './months.ts';
import type { Span } from './span.ts';
import { joinAlternatives } from './words/alternatives.ts';
import { LANGUAGES } from './words/languages.ts';

/** Day in a text, in any form: `3 March 2024`, `3.3.`, `2024-03-03`. */
export interface StatedDay extends Span {
  /** Possible months and days, such as `3-4`: "03/04/2001" has two. */
  readonly days: readonly string[];
  /** Last two digits of its year; undefined if the text has none. */
  readonly year: string | undefined;
}

/** Languages of the names of months. */
export const LANGUAGES_OF_DAYS: readonly string[] = ['en', 'de', 'fr'];

const YEAR = String.raw`(\d{4}|\d\d)(?![\d.:,]?\d|[\p{L}%])`;
const ISO = /(?<![\d.:/-])(\d{4})-(\d\d)-(\d\d)(?!\d)/gu;
const DOTTED = new RegExp(
  String.raw`(?<![\d.:/-])(\d{1,2})\. ?(\d{1,2})\.(?: ?${YEAR}|(?![ \u00A0]?\d))`,
  'gu',
);
const SLASHED = new RegExp(String.raw`(?<![\d.:/-])(\d{1,2})\/(\d{1,2})\/${YEAR}`, 'gu');
const dates = LANGUAGES.flatMap((pack) => (LANGUAGES_OF_DAYS.includes(pack.code) ? (pack.dates ?? []) : []));
const words = (kind: 'of' | 'to'): string =>
  dates.flatMap((rules) => rules[kind]?.split(' ') ?? []).join('|');
const ENDING = String.raw`(?:\.|${joinAlternatives(dates.flatMap(({ dayEndings }) => dayEndings ?? []))})?`;
/** "9 March", "1er mars 2024", "9.–11. März", "the 9th and 10th of March". */
const DAY_FIRST = new RegExp(
  String.raw`(?<![\d.,:/-])((?:\d{1,2}${ENDING}(?: ?[,–-] ?| (?:${words('to')}) )){0,3}\d{1,2})${ENDING}[ \u00A0](?:(?:${words('of')}) )?(\p{L}{3,9})(?!\p{L})(?:[.,]? (\d{4})(?!\d))?`,
  'gu',
);
const MONTH_FIRST =
  /(?<!\p{L})(\p{L}{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?(?![\d:.]\d|\d)(?:,? (\d{4})(?!\d))?/gu;
/** Patterns from words of packs, for tests. */
export const DAY_PATTERNS: readonly RegExp[] = [DAY_FIRST];

let knownMonths: ReadonlyMap<string, number> | undefined;

/** Returns the number of a month, 1 to 12, by its English, German, or French name; undefined for other words. */
export function monthOf(word: string): number | undefined {
  // In lower case these are verbs.
  if (word === 'may' || word === 'march') return undefined;
  knownMonths ??= new Map(
    LANGUAGES_OF_DAYS.flatMap((code) => [...monthNames(code, 'short'), ...monthNames(code, 'long')]),
  );
  return knownMonths.get(plainMonth(word));
}

/** Finds the days of a text, with or without their year. */
export function statedDays(text: string): StatedDay[] {
  const stated: StatedDay[] = [];
  const add = (
    { 0: all, index }: RegExpExecArray,
    readings: readonly (readonly [month: number | string | undefined, day: string | undefined])[],
    year: string | undefined,
  ): void => {
    const end = index + all.length;
    const days = readings.flatMap(([month, day]) => {
      const [m, d] = [Number(month), Number(day)];
      return m >= 1 && m <= 12 && d >= 1 && d <= 31 ? [`${String(m)}-${String(d)}`] : [];
    });
    if (days.length > 0 && !stated.some((other) => other.start < end && index < other.end))
      stated.push({ start: index, end, days, year: year?.slice(-2) });
  };
  for (const match of text.matchAll(ISO)) add(match, [[match[2], match[3]]], match[1]);
  for (const match of text.matchAll(DOTTED)) add(match, [[match[2], match[1]]], match[3]);
  for (const match of text.matchAll(SLASHED))
    add(
      match,
      [
        [match[2], match[1]],
        [match[1], match[2]],
      ],
      match[3],
    );
  for (const match of text.matchAll(DAY_FIRST)) {
    const month = monthOf(match[2] ?? '');
    add(
      match,
      (match[1]?.match(/\d+/g) ?? []).map((day) => [month, day]),
      match[3],
    );
  }
  for (const match of text.matchAll(MONTH_FIRST)) add(match, [[monthOf(match[1] ?? ''), match[2]]], match[3]);
  return stated;
}
