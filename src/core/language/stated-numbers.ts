import type { Span } from './span.ts';
import { ALL_LANGUAGES } from './words/languages.ts';
import { partsOfPacks } from './words/pack-words.ts';

/** A number of a text, in digits or in words, with what it can mean: `1.500` is one and a half, or fifteen hundred. */
interface StatedNumber extends Span {
  readonly values: readonly number[];
  /** True if it's written in digits. */
  readonly isInDigits: boolean;
}

/** A part of a number in words: what it adds, or what it multiplies. */
type Part = { readonly adds: number } | { readonly times: number };

const LISTS = ALL_LANGUAGES.flatMap(({ numberWords }) => numberWords ?? []);
const SCALES = [1e2, 1e3, 1e6, 1e9, 1e12];
/** Parts of numbers in words. A number of one alone is mostly an article. */
const PARTS: ReadonlyMap<string, Part> = new Map(
  LISTS.flatMap(({ ones, tens, dozen, scales }): [string, Part][] => [
    ...valued(ones, (index) => ({ adds: index })),
    ...valued(tens, (index) => ({ adds: 10 * (index + 2) })),
    [dozen, { adds: 12 }],
    ...valued(scales, (index) => ({ times: SCALES[index] ?? 1 })),
  ]),
);
/** Words between the parts of a number: "two thousand and five". */
export const AND_WORDS: ReadonlySet<string> = new Set(LISTS.map(({ and }) => and));

/** Returns the words of a list with their values, which depend on their index. */
function valued<T>(words: string, toValue: (index: number) => T): [string, T][] {
  return words
    .split(' ')
    .flatMap((same, index) => same.split('|').map((word): [string, T] => [word, toValue(index)]));
}

/** Number that is still being read. */
interface OpenNumber {
  readonly start: number;
  end: number;
  /** End including a word that may join it to its next part. */
  reach: number;
  readonly values: readonly number[];
  readonly isInDigits: boolean;
  readonly parts: Part[];
}

const DENOMINATORS = [2, 3, 4, 5, 10];
const FRACTIONS: ReadonlyMap<string, number> = new Map(
  LISTS.flatMap(({ fractions }) => valued(fractions, (index) => 1 / (DENOMINATORS[index] ?? 1))),
);

/** Digits with marks between them, or words. Spaces and apostrophes separate thousands in some languages. */
const TOKEN =
  /(?<![\d.,])\d{1,3}(?:[ \u00A0\u202F'’]\d{3})+(?!\d)(?:[.,]\d+)?|\d[\d.,]*\d|\d|[\p{L}\p{M}]+/gu;
/** Matches a percent sign or word after a number. */
export const PERCENT = new RegExp(
  String.raw`^\s*(?:%|(?:${partsOfPacks(({ numberWords }) => numberWords?.percent)})\b)`,
  'i',
);
/** Maximum length of a word that is split into number words. */
const MAX_WORD_LENGTH = 60;

/**
 * Finds the numbers of a text with the scale or the percent sign that follows: `11 thousand` and `elftausend` mean 11,000;
 * `12 %` means 12 or 0.12.
 */
export function statedNumbers(text: string): StatedNumber[] {
  const numbers: StatedNumber[] = [];
  let open: OpenNumber | undefined;
  const close = (): void => {
    if (open === undefined) return;
    const { start, end, isInDigits, parts } = open;
    const values = isInDigits ? open.values.map((value) => value * scaleOf(parts)) : [valueOf(parts)];
    const percent = PERCENT.test(text.slice(end, end + 12)) ? values.map((value) => value / 100) : [];
    if (isInDigits || !isArticle(parts))
      numbers.push({ start, end, values: [...values, ...percent], isInDigits });
    open = undefined;
  };
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const end = index + token.length;
    const isNext = open !== undefined && /^[\s\u00A0\u202F.-]{0,2}$/.test(text.slice(open.reach, index));
    if (/^\d/.test(token)) {
      close();
      const values = valuesOfDigits(token);
      if (values.length > 0) open = { start: index, end, reach: end, values, isInDigits: true, parts: [] };
      continue;
    }
    const word = plain(token);
    const fraction = FRACTIONS.get(word);
    if (fraction !== undefined) {
      const count = isNext && open !== undefined && !open.isInDigits ? valueOf(open.parts) : 1;
      const value = count * fraction;
      const start = count === 1 ? index : (open?.start ?? index);
      open = undefined;
      numbers.push({ start, end, values: [value, 100 * value], isInDigits: false });
      continue;
    }
    const parts = partsOf(word);
    if (parts === undefined) {
      if (open !== undefined && isNext && joins(word, open.parts.at(-1))) open.reach = end;
      else close();
      continue;
    }
    const isScale = parts.every((part) => 'times' in part && part.times >= 1_000);
    // "3 million" is one number, but "3 two" and the numbers around "3 pumps" aren't.
    if (!isNext || (open?.isInDigits === true && !isScale)) close();
    if (open === undefined) {
      // "Millions" or "k" alone isn't a number.
      if (isScale && !/tausend|thousand|mille/.test(word)) continue;
      open = { start: index, end, reach: end, values: [], isInDigits: false, parts: [...parts] };
    } else {
      open.end = open.reach = end;
      open.parts.push(...parts);
    }
  }
  close();
  return numbers;
}

/** Reports whether a word joins parts of a number: "two hundred and ten", "vingt et un", but not "three and four". */
function joins(word: string, last: Part | undefined): boolean {
  if (last === undefined) return false;
  return 'times' in last ? AND_WORDS.has(word) : word === 'et' && last.adds >= 20 && last.adds % 10 === 0;
}

function plain(word: string): string {
  return word.toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('ß', 'ss');
}

/** Returns the parts of a word that is a number, such as `zweiundzwanzigtausend`; undefined for other words. */
function partsOf(word: string): Part[] | undefined {
  const own = PARTS.get(word);
  if (own !== undefined) return [own];
  if (word.length > MAX_WORD_LENGTH || !/(?:zig|ssig|hundert|tausend)/.test(word)) return undefined;
  const parts: Part[] = [];
  let rest = word;
  while (rest !== '') {
    let length = rest.startsWith('und') ? 0 : Math.min(rest.length, 12);
    while (length > 0 && !PARTS.has(rest.slice(0, length))) length--;
    const part = PARTS.get(rest.slice(0, length));
    if (part !== undefined) parts.push(part);
    else if (!rest.startsWith('und')) return undefined;
    rest = rest.slice(part === undefined ? 3 : length);
  }
  return parts;
}

/** Reports whether a number word is an article: "a", "ein", "un". */
function isArticle(parts: readonly Part[]): boolean {
  const [part, ...others] = parts;
  return others.length === 0 && part !== undefined && 'adds' in part && part.adds === 1;
}

function valueOf(parts: readonly Part[]): number {
  let total = 0;
  let current = 0;
  let last = 0;
  for (const part of parts) {
    if ('adds' in part) {
      // "Quatre-vingts" means four times twenty.
      if (part.adds === 20 && last === 4) current += 80 - 4;
      else current += part.adds;
      last = part.adds;
      continue;
    }
    last = 0;
    if (part.times === 100) current = Math.max(1, current) * 100;
    else {
      total += Math.max(1, current) * part.times;
      current = 0;
    }
  }
  return total + current;
}

function scaleOf(parts: readonly Part[]): number {
  return parts.reduce((scale, part) => ('times' in part ? scale * part.times : scale), 1);
}

/** Returns the possible values of digits; empty if they aren't a plain number, such as a version or a date. */
function valuesOfDigits(token: string): number[] {
  const digits = token.replaceAll(/[ \u00A0\u202F'’]/g, '');
  if (/^\d+$/.test(digits)) return [Number(digits)];
  if (/^\d{1,3}(?:,\d{3})+\.\d+$/.test(digits)) return [Number(digits.replaceAll(',', ''))];
  if (/^\d{1,3}(?:\.\d{3})+,\d+$/.test(digits)) return [Number(digits.replaceAll('.', '').replace(',', '.'))];
  const isThousands = /^\d{1,3}(?:,\d{3})+$|^\d{1,3}(?:\.\d{3})+$/.test(digits);
  return [
    ...(isThousands ? [Number(digits.replaceAll(/[.,]/g, ''))] : []),
    ...(/^\d+[.,]\d+$/.test(digits) ? [Number(digits.replace(',', '.'))] : []),
  ];
}

/** Reports whether two numbers are equal except for rounding errors of the computer. */
export function isSameValue(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));
}
