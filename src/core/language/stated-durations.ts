import type { Span } from './span.ts';
import { AND_WORDS, statedNumbers } from './stated-numbers.ts';
import { unitForms } from './unit-words.ts';
import { partsOfPacks, wordsOfPacks } from './words/pack-words.ts';

/** A duration of a text, from its number to its unit, with the values that it can mean, in minutes. */
interface StatedDuration extends Span {
  readonly minutes: readonly number[];
}

/** A time of the day, in minutes since midnight. */
interface ClockTime extends Span {
  readonly minutes: number;
}

export const MINUTES_PER_DAY = 1_440;
const UNITS = [
  ['second', 1 / 60],
  ['minute', 1],
  ['hour', 60],
  ['day', MINUTES_PER_DAY],
] as const;
/** Minutes of a unit by each of its words and signs. Of the letters, only `h` is mostly a unit of time. */
const UNIT_MINUTES = new Map(
  UNITS.flatMap(([unit, minutes]) =>
    [...(unitForms(unit) ?? [])]
      .filter((form) => form.length > 1 || form === 'h')
      .map((form) => [form, minutes] as const),
  ),
);
/** Durations in one word, such as "Viertelstunde", with their minutes. */
const DURATION_WORDS = new Map(
  wordsOfPacks(({ durationWords }) => durationWords).map((entry) => {
    const [word = '', minutes] = entry.split(':');
    return [word, Number(minutes)] as const;
  }),
);

/** Matches the unit after a number: "30 minutes", "half an hour", "demi-heure". */
const UNIT_AFTER = new RegExp(
  String.raw`^[\s\u00A0-]{0,2}(?:(?:${partsOfPacks(({ unitLinks }) => unitLinks)})\s?)?(\p{L}+)`,
  'iu',
);
/** Matches what joins a fraction to the number before it: "two and a half hours". */
const JOINED = new RegExp(String.raw`(?<!\p{L})(?:${[...AND_WORDS].join('|')})\s(?:\p{L}{1,4}\s)?$`, 'iu');
/** Matches one unit, unless more follows: "one day", "eine Stunde", but not "an hour and a half". */
const ONE_UNIT = new RegExp(
  String.raw`(?<!\p{L})(?:${partsOfPacks(({ oneUnit }) => oneUnit)})\s(\p{L}+)(?!\s(?:${[...AND_WORDS].join('|')})\s)`,
  'giu',
);
/** Patterns from words of packs, for tests. */
export const DURATION_PATTERNS: readonly RegExp[] = [UNIT_AFTER, JOINED, ONE_UNIT];
/** Length of text before and after a number that is read, in UTF-16 code units. */
const REACH = 30;

/** Finds the durations of a text in seconds, minutes, hours, and days. */
export function statedDurations(text: string): StatedDuration[] {
  const durations: StatedDuration[] = [];
  for (const { start, end, values, isInDigits } of statedNumbers(text)) {
    const after = UNIT_AFTER.exec(text.slice(end, end + REACH));
    const factor = UNIT_MINUTES.get(after?.[1]?.toLowerCase() ?? '');
    // Fractions also have their value in percent.
    const numbers = isInDigits ? values : values.slice(0, 1);
    const isPart = (numbers[0] ?? 0) < 1 && JOINED.test(text.slice(Math.max(0, start - REACH), start));
    if (after === null || factor === undefined || isPart) continue;
    durations.push({ start, end: end + after[0].length, minutes: numbers.map((number) => number * factor) });
  }
  for (const { 0: words, 1: unit = '', index } of text.matchAll(ONE_UNIT)) {
    const minutes = UNIT_MINUTES.get(unit.toLowerCase());
    if (minutes !== undefined)
      durations.push({ start: index, end: index + words.length, minutes: [minutes] });
  }
  for (const { 0: word, index } of text.matchAll(/\p{Lu}?\p{Ll}{11,}/gu)) {
    const minutes = DURATION_WORDS.get(word.toLowerCase());
    if (minutes !== undefined) durations.push({ start: index, end: index + word.length, minutes: [minutes] });
  }
  return durations;
}

const CLOCK = /(?<![\d:.,])([01]?\d|2[0-4])(?::|\s?h\s?)([0-5]\d)(?![\d:])(?:\s?([ap])\.?m\b)?/giu;

/** Finds the times of the day with minutes in a text: "9:45", "3:15 pm", "9 h 45". */
export function clockTimes(text: string): ClockTime[] {
  return Array.from(text.matchAll(CLOCK), ({ 0: words, 1: hour, 2: minute, 3: half, index }) => {
    const hours = (Number(hour) % 12) + (half?.toLowerCase() === 'p' ? 12 : 0);
    return {
      ...{ start: index, end: index + words.length },
      minutes: 60 * (half === undefined ? Number(hour) : hours) + Number(minute),
    };
  });
}
