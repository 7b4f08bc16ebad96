import { monthNames, plainMonth } from './months.ts';
import { languageOfText } from './words/words.ts';
import { isStopWord } from './words/word-terms.ts';
import { LANGUAGES } from './words/languages.ts';
import { partsOfPacks, wordsOfPacks } from './words/pack-words.ts';
import type { DateWords } from './packs/pack.ts';
import type { Span } from './span.ts';

/** Date in a text with its position and range, such as `1998-05-03`, `1998-05`, `1998`, or `-0044`. */
export interface FoundDate extends Span {
  readonly from: string;
  /** End of a range; undefined for a single date. */
  readonly to: string | undefined;
}

const parts = (kind: keyof DateWords): string => partsOfPacks(({ dates }) => dates?.[kind]);
const wordsOf = (kind: keyof DateWords): string[] => wordsOfPacks(({ dates }) => dates?.[kind]);

/** A word that may name a month. Longer words don't. */
const MONTH_WORD = String.raw`(\p{L}[\p{L}\p{M}]{2,19})`;
const YEAR = String.raw`([12]\d{3})(?![\d%])`;
const BLANK = String.raw`[^\S\n]{1,3}`;
const DAY = String.raw`(\d{1,2})(?:\.|${parts('dayEndings')})?`;
const OF = String.raw`(?:(?:${wordsOf('of').join('|')})${BLANK})?`;
const TO = String.raw`(?:${BLANK}(?:${wordsOf('to').join('|')})${BLANK}|[^\S\n]?[–—-][^\S\n]?)`;
/** Matches text that can precede a date: not a part of a longer number, an address, or a name. */
const BEFORE = String.raw`(?<![\p{L}\p{N}][.,/:-]?|[#$€£§])`;

const ISO = /(?<![\d.:/-])([12]\d{3})-(\d{2})-(\d{2})(?![\d-])/gu;
const DOTTED = /(?<![\d.:/-])(\d{1,2})\.[^\S\n]?(\d{1,2})\.[^\S\n]?([12]\d{3})(?![\d.])/gu;
const SLASHED = /(?<![\d.:/-])(\d{1,2})\/(\d{1,2})\/([12]\d{3})(?![\d/])/gu;
const CHARACTERS =
  /(?<!\d)(\d{3,4})[^\S\n]?[年년](?:[^\S\n]?(?:至|到|から|〜|～)[^\S\n]?(\d{3,4})[年년])?(?:[^\S\n]?(\d{1,2})[^\S\n]?[月월](?:[^\S\n]?(\d{1,2})[^\S\n]?[日일号])?)?/gu;
const DAY_FIRST = new RegExp(
  `${BEFORE}(?:${DAY}${TO})?${DAY}${BLANK}${OF}${MONTH_WORD}\\.?,?${BLANK}${OF}${YEAR}`,
  'giu',
);
const MONTH_FIRST = new RegExp(
  String.raw`(?<!\p{L})${MONTH_WORD}\.?${BLANK}(\d{1,2})(?:st|nd|rd|th)?,?${BLANK}${YEAR}`,
  'giu',
);
const MONTH_ALONE = new RegExp(String.raw`(?<!\p{L})${MONTH_WORD}\.?,?${BLANK}${OF}${YEAR}`, 'giu');
/** Hungarian and Lithuanian: "1848. március 15.", "1990 m. kovo 11 d." */
const YEAR_FIRST = new RegExp(
  String.raw`(?<!\d)([12]\d{3})\.?(?:${BLANK}m\.)?${BLANK}${MONTH_WORD}${BLANK}(\d{1,2})(?!\d)(?:\.|${BLANK}d\.)?`,
  'giu',
);
const CENTURY = /(?<![\p{L}\d])(\d{1,2})(?:st|nd|rd|th)[ -]century\b/giu;
const DECADE = /(?<![\p{L}\d.,])([12]\d{2}0)s\b/gu;
const ERA = /(?<![\p{L}\d.,])(\d{1,4})[^\S\n]?(BCE|BC|AD|CE)(?![\p{L}\d])/gu;
const ERA_BEFORE = /(?<!\p{L})AD[^\S\n](\d{1,4})(?!\d)/gu;
const YEARS = new RegExp(`${BEFORE}${YEAR}(?:${TO}([12]\\d{3})(?!\\d))?`, 'giu');

/** Words before a number of four digits that make it a year. Without one, it can as well be a quantity. */
const CUES: ReadonlySet<string> = new Set(wordsOf('beforeYear'));
/** Words that only precede years, such as parts of a year and "as late as". */
const PARTS = new RegExp(String.raw`(?<!\p{L})(?:${parts('partsOfYear')})[\s-]$`, 'iu');
/** Words before a year that names an event: "the 2016 election". */
const BEFORE_EVENTS = /(?<!\p{L})(?:the|a|its|their|his|her|next|last|of|for)\s$/iu;
const EVENTS =
  /^[^\S\n](?:[\p{L}-]+[^\S\n]){0,2}?(?:elections?|campaign|presidential|primar(?:y|ies)|playoffs?|qualifying|referendum|war|act|survey|study|analysis|report|budget|census|olympics|conference|revolution|summit|treaty|protests?|crisis|pandemic|season|tour|draft)(?!\p{L})/iu;
/** Ranges of plausible years without a word before them, and of years of events. */
const LIKELY = { first: 1_500, firstOfEvent: 1_800, last: 2_050 };
const SURE_CUES: ReadonlySet<string> = new Set(wordsOf('onlyBeforeYear'));
/** Words after a number that make it a year. */
const YEAR_WORDS = new RegExp(String.raw`^[^\S\n](?:${parts('afterYear')})(?!\p{L})`, 'iu');
const UNIT_SIGNS = 'ms km cm mm kg mb gb kb hz px pt m l g h s b';
/** Units and other nouns after a number that show that it isn't a year. */
const COUNTED: ReadonlySet<string> = new Set([...UNIT_SIGNS.split(' '), ...wordsOf('counted')]);
/** Words before page numbers, volumes, and the like. */
export const NUMBER_LABEL = new RegExp(String.raw`(?:${parts('beforeNumber')})\.?$`, 'iu');
/** Patterns from words of packs, for tests. */
export const DATE_PATTERNS: readonly RegExp[] = [
  DAY_FIRST,
  MONTH_ALONE,
  YEARS,
  PARTS,
  YEAR_WORDS,
  NUMBER_LABEL,
];

let englishMonths: ReadonlyMap<string, number> | undefined;
let knownMonths: ReadonlyMap<string, number> | undefined;

/**
 * Returns the number of a month, 1 to 12, by its full or abbreviated name in any supported language; undefined for
 * other words.
 */
export function findMonth(word: string): number | undefined {
  const name = plainMonth(word);
  // Listing the names of all languages takes tens of milliseconds.
  englishMonths ??= listMonths([LANGUAGES[0]]);
  const month = englishMonths.get(name);
  if (month !== undefined) return month;
  knownMonths ??= listMonths(LANGUAGES);
  // Not in the list of endings: Serbian "фебруара".
  return knownMonths.get(name) ?? (name.length > 5 ? knownMonths.get(name.slice(0, -1)) : undefined);
}

function listMonths(ofLanguages: readonly { readonly code: string }[]): Map<string, number> {
  const names = new Map<string, number>();
  for (const { code } of ofLanguages)
    for (const [name, month] of [...monthNames(code, 'long'), ...monthNames(code, 'short')])
      if (!names.has(name)) names.set(name, month);
  return names;
}

/**
 * Returns the dates of a prose or Markdown text, in order and without overlaps. A number of four digits counts as a
 * year only if the words around it show that. `beginning` determines the language.
 */
export function findDates(text: string, beginning = text.slice(0, 20_000)): FoundDate[] {
  const language = languageOfText(beginning);
  const words = withPlainDigits(text);
  const dates: FoundDate[] = [];
  const usedOffsets = new Set<number>();
  const take = (start: number, length: number, from: string | undefined, to?: string): void => {
    if (from === undefined || (to !== undefined && to <= from)) return;
    for (let at = start; at < start + length; at++) if (usedOffsets.has(at)) return;
    for (let at = start; at < start + length; at++) usedOffsets.add(at);
    dates.push({ start, end: start + length, from, to });
  };
  for (const { 0: all, 1: year, 2: month, 3: day, index } of words.matchAll(ISO))
    take(index, all.length, calendarDate(year, Number(month), day));
  for (const { 0: all, 1: year, 2: last, 3: month, 4: day, index } of words.matchAll(CHARACTERS))
    take(
      index,
      all.length,
      calendarDate(year, month === undefined ? undefined : Number(month), day),
      last && calendarDate(last),
    );
  // In English a number with two points is a version rather than a date.
  if (LANGUAGES[language]?.code !== 'en')
    for (const { 0: all, 1: day, 2: month, 3: year, index } of words.matchAll(DOTTED))
      take(index, all.length, calendarDate(year, Number(month), day));
  for (const { 0: all, 1: first, 2: second, 3: year, index } of words.matchAll(SLASHED)) {
    // In "03/04/2001" the month is unknown.
    const [day, month] = Number(first) > 12 ? [first, second] : [second, first];
    if (Number(day) > 12) take(index, all.length, calendarDate(year, Number(month), day));
  }
  for (const { 0: all, 1: from, 2: day, 3: month = '', 4: year, index } of words.matchAll(DAY_FIRST)) {
    const end = calendarDate(year, findMonth(month), day);
    if (end === undefined || findMonth(month) === undefined) continue;
    if (from === undefined) take(index, all.length, end);
    else take(index, all.length, calendarDate(year, findMonth(month), from), end);
  }
  for (const { 0: all, 1: month = '', 2: day, 3: year, index } of words.matchAll(MONTH_FIRST))
    if (findMonth(month) !== undefined) take(index, all.length, calendarDate(year, findMonth(month), day));
  for (const { 0: all, 1: year, 2: month = '', 3: day, index } of words.matchAll(YEAR_FIRST))
    if (findMonth(month) !== undefined) take(index, all.length, calendarDate(year, findMonth(month), day));
  for (const { 0: all, 1: month = '', 2: year, index } of words.matchAll(MONTH_ALONE))
    if (findMonth(month) !== undefined) take(index, all.length, calendarDate(year, findMonth(month)));
  for (const { 0: all, 1: century, index } of words.matchAll(CENTURY)) {
    const last = 100 * Number(century);
    if (last >= 100 && last <= 2100) take(index, all.length, padYear(last - 99), padYear(last));
  }
  for (const { 0: all, 1: year, index } of words.matchAll(DECADE))
    // "The 1300s" are a century; "the 1900s" and "the 2000s" may be either.
    take(index, all.length, year, padYear(Number(year) + (/^1[0-8]00$/.test(year ?? '') ? 99 : 9)));
  for (const { 0: all, 1: year, 2: era = '', index } of words.matchAll(ERA))
    take(index, all.length, (era.startsWith('B') ? '-' : '') + padYear(Number(year)));
  for (const { 0: all, 1: year, index } of words.matchAll(ERA_BEFORE))
    take(index, all.length, padYear(Number(year)));
  for (const { 0: all, 1: year = '', 2: last, index } of words.matchAll(YEARS)) {
    const isOwn = isYear(words, index, index + all.length, language);
    if (isOwn && Number(year) <= 2100) {
      const behind = YEAR_WORDS.exec(words.slice(index + all.length, index + all.length + 10));
      take(index, all.length + (behind?.[0].length ?? 0), year, last);
    }
  }
  return dates.sort((a, b) => a.start - b.start);
}

/** Reports whether the surrounding text makes a number of four digits a year. */
function isYear(text: string, start: number, end: number, language: number): boolean {
  const before = text.slice(Math.max(0, start - 40), start);
  const after = text.slice(end, end + 40);
  if (YEAR_WORDS.test(after)) return true;
  const next = /^[^\S\n]?([\p{L}\p{M}%°€$]+)/u.exec(after)?.[1]?.toLowerCase();
  if (next !== undefined && COUNTED.has(next)) return false;
  if (/^[-–/]|^[.,:]\d/.test(after) || NUMBER_LABEL.test(before.trimEnd())) return false;
  const year = end - start === 4 ? Number(text.slice(start, end)) : 0;
  if (year >= LIKELY.first && year <= LIKELY.last) {
    if (PARTS.test(before)) return true;
    if (year >= LIKELY.firstOfEvent && BEFORE_EVENTS.test(before) && EVENTS.test(after)) return true;
  }
  // "(1809–1882)", "(built 1883)", but not "(Smith 2003)" or "Smith (2003)".
  if (/\((?:\p{Ll}{2,15}\s)?$/u.test(before) && after.startsWith(')'))
    return end - start > 4 || /\p{Ll}\s$/u.test(before);
  const word = /(?:^|[\s("'«“„])([\p{L}\p{M}']{1,12})\s{1,2}$/u.exec(before)?.[1]?.toLowerCase();
  if (word === undefined || !CUES.has(word)) return false;
  if (next === undefined || isStopWord(next, language) || SURE_CUES.has(word)) return true;
  // A cue that begins a sentence is followed by what happened: "En 1936 comenzó …".
  const isFirst = /(?:^|[.!?]\s{1,5}|\n\s{0,9})\p{Lu}[\p{L}']{0,12}\s{1,2}$/u.test(before);
  return isFirst && !next.endsWith('s');
}

/** Returns an ISO date; undefined if it isn't in the calendar. */
function calendarDate(year: string | undefined, month?: number, day?: string): string | undefined {
  if (year === undefined) return undefined;
  if (month === undefined) return year.padStart(4, '0');
  if (month < 1 || month > 12) return undefined;
  const toMonth = `${year.padStart(4, '0')}-${String(month).padStart(2, '0')}`;
  if (day === undefined) return toMonth;
  const last = new Date(Date.UTC(Number(year), month, 0)).getUTCDate();
  return Number(day) >= 1 && Number(day) <= last ? `${toMonth}-${day.padStart(2, '0')}` : undefined;
}

function padYear(year: number): string {
  return String(year).padStart(4, '0');
}

/** Replaces Arabic and Devanagari digits with Latin ones, without changing offsets. */
function withPlainDigits(text: string): string {
  return text.replace(/[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f]/g, (digit) =>
    String((digit.charCodeAt(0) - (digit >= '\u0966' ? 0x966 : digit >= '\u06f0' ? 0x6f0 : 0x660)) % 10),
  );
}
