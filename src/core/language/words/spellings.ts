import { findMonth } from '../dates.ts';
import { fold } from './folding.ts';
import { partsOfPacks, wordsOfPacks } from './pack-words.ts';
import { isFigure, words } from './known-words.ts';
import { MAX_WORDS, type WordPositions } from './word-cache.ts';
import { calendarDay, dayOfYear, dayTerms, isbnTerms, phoneTerms, valueTerms } from './number-terms.ts';
import { makeWord, termsOfWord } from './word-terms.ts';

/** Maximum number of parts that are joined: `state-of-the-art`. Longer chains are data. */
const MAX_PARTS = 4;
const MIN_JOINED_LENGTH = 3;
const MAX_JOINED_LENGTH = 40;
/** Maximum number of groups of digits in a phone number or an ISBN. */
const MAX_FIGURES = 9;
/** Maximum length between two groups of digits of one number, in UTF-16 code units: `) `. */
const MAX_GAP = 2;

const HYPHEN = 0x2d;
const SPACE = 0x20;
const AMPERSAND = 0x26;
const PERIOD = 0x2e;
const CARET = 0x5e;
const RAISED_MINUS = 0x207b;
const PLUS = 0x2b;
/** Characters between groups of digits of one number. */
const GAP_SIGNS = new Set(
  Array.from(" \u00a0\u2007\u2009\u202f'’()./-\u2010\u2011\u2012\u2013", (sign) => sign.charCodeAt(0)),
);
const POWER = /^(?:\^[{(]?([-−]?)|(\u207b))$/;

const GROUPED =
  /(?<![\d.,])\d{1,3}(?:([ \u00a0\u2007\u2009\u202f'’])\d{3}(?:\1\d{3})*)(?:[.,]\d{1,2})?(?![\d.,]*\d)/g;
const PHONE = /^(?:0|\+|\(|\d{1,4}[-/]|\d{3} \d{3} \d{4}$|1 \d{3} \d{3} \d{4}$|97[89] )/;
const MIN_PHONE_DIGITS = 7;
const MAX_PHONE_DIGITS = 15;
/** The characters `-`, `.`, and `/`. */
const DATE_MARKS = [HYPHEN, PERIOD, 0x2f];
const YEAR_RANGE = /^\d{4}[-–/]\d{4}$/;

const ISO_DATE = /([12]\d{3})([-/.]) ?(\d{1,2})\2 ?(\d{1,2})(?!\d)/y;
const NUMERIC_DATE = /(\d{1,2})(\. ?|[-/])(\d{1,2})\2([12]\d{3}|\d{2})(?![\d/-]|\.\d)/y;
const MONTH = String.raw`(\p{L}[\p{L}\p{M}]{2,19})`;
const DAY = String.raw`(\d{1,2})(?:\.|${partsOfPacks(({ dates }) => dates?.dayEndings)})?`;
export const DAY_WORD = new RegExp(`^${DAY}$`, 'iu');
/** Year with all days, for dates without one. */
const LEAP_YEAR = '2024';
/** Words between a day and its month: `de`. */
const OF_WORDS = new Set(wordsOfPacks(({ dates }) => dates?.of));
const OF = String.raw`(?:(?:${wordsOfPacks(({ dates }) => dates?.of).join('|')}|d')\s{1,3})?`;
export const DATE_TO_YEAR = new RegExp(
  String.raw`(?<!\d)(?:${DAY}\s{1,3}${OF}${MONTH}\.?,?\s{1,3}${OF}|${MONTH}\.?\s{1,3}(\d{1,2})(?:st|nd|rd|th)?,?\s{1,3})$`,
  'u',
);
const DATE_AFTER_YEAR = new RegExp(String.raw`^\.?(?:\s?m\.)?\s{1,3}${MONTH}\s{1,3}(\d{1,2})(?!\d)`, 'u');
const CJK_DATE = /(?<!\d)([12]\d{3})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日号號일]/g;
/** Longest date before its year: `3 de septiembre de `. */
const MAX_DATE_LENGTH = 32;
const YEAR_LENGTH = 4;
/** Length of `21st`. */
const MAX_DAY_LENGTH = 4;
/** Number of words in the longest date: `3 de marzo de 2024`. */
const MAX_DATE_WORDS = 5;

/** Signs of dates in Chinese, Japanese, and Korean, the plane of emoji, and other signs that are shown as pictures. */
const MAY_HAVE_SIGNS =
  /[년年\u203c\u2049\u2122\u2139\u2194-\u21aa\u231a-\u23ff\u25aa-\u27bf\u2934-\u2b55\ud83c-\ud83e]/;
const MAY_BE_SPELLED_DIFFERENTLY = /[\d^&\u2010\u2011\u207b-]|\p{L}\.\p{L}/u;
const INITIAL = /^\p{L}$/u;
/** Parts of names such as "R&D"; longer words are found by themselves. */
const SHORT_NAME = /^\p{L}{1,4}$/u;
const EMOJI = /\p{Regional_Indicator}{2}|(?![\d#*©®™])\p{Extended_Pictographic}/gu;

/** Words joined by hyphens, cached because texts repeat them. Cleared at this number. */
const MAX_JOINED_WORDS = 20_000;
const joinedWords = new Map<string, ReturnType<typeof makeWord>>();

/**
 * Cache of the terms of two words joined by a hyphen: for each place, the numbers of the words, the language, and the
 * terms. A new pair replaces the one at its place.
 */
const PAIR_BITS = 15;
const pairFirsts = new Int32Array(2 ** PAIR_BITS);
const pairSeconds = new Int32Array(2 ** PAIR_BITS);
const pairLanguages = new Int8Array(2 ** PAIR_BITS).fill(-1);
const pairTerms: (readonly string[])[] = new Array<readonly string[]>(2 ** PAIR_BITS).fill([]);
let pairsEdition = words.edition;

function pairPlace(first: number, second: number, language: number): number {
  if (pairsEdition !== words.edition) {
    pairLanguages.fill(-1);
    pairsEdition = words.edition;
  }
  return (
    Math.imul(Math.imul(first, 31) + Math.imul(second, 0x10001) + language, 0x9e3779b1) >>> (32 - PAIR_BITS)
  );
}

/** The months whose names words end with, by the words' numbers: 1 to 12, or `NO_MONTH`. Valid for one edition. */
const monthWords = new Uint8Array(MAX_WORDS);
const NO_MONTH = 13;
let monthsEdition = words.edition;
/** Letters at the end of a word, at most as many as the name of a month has. */
const LAST_LETTERS = /[\p{L}\p{M}]{3,20}$/u;

/** Returns the month, 1 to 12, whose name a word ends with; undefined for other words. */
function monthOfWord(number: number): number | undefined {
  if (monthsEdition !== words.edition) {
    monthWords.fill(0);
    monthsEdition = words.edition;
  }
  const known = monthWords[number] ?? 0;
  if (known !== 0) return known === NO_MONTH ? undefined : known;
  const letters = isFigure(number) ? undefined : LAST_LETTERS.exec(words.word(number).raw)?.[0];
  const month = letters === undefined ? undefined : findMonth(letters);
  // Words that aren't cached have numbers beyond the array.
  monthWords[number] = month ?? NO_MONTH;
  return month;
}

/** Returns the terms of a joined word, such as `email` for `E-Mail`. */
export function joinedTerms(letters: string, language: number): readonly string[] {
  let word = joinedWords.get(letters);
  if (word === undefined) {
    if (joinedWords.size === MAX_JOINED_WORDS) joinedWords.clear();
    word = makeWord(letters);
    joinedWords.set(letters, word);
  }
  return termsOfWord(word, language);
}

/** Words of a text with their numbers. */
interface TextWords extends WordPositions {
  readonly text: string;
  readonly numbers: Uint32Array;
}

/** Reports whether a text may have other spellings. Most questions have none. */
export function mayHaveSpellings(text: string): boolean {
  return MAY_BE_SPELLED_DIFFERENTLY.test(text) || MAY_HAVE_SIGNS.test(text);
}

/**
 * Adds the terms by which a text is found if it is written differently: words joined by hyphens as one word, numbers in
 * groups of digits, phone numbers, ISBNs, powers, dates, initials, `&` between words, and emoji. Joined words get their terms in each of `languages`.
 */
export function addSpellings(
  words: TextWords,
  languages: readonly number[],
  add: (term: string) => void,
): void {
  new SpellingFinder(words, languages, add).addAll();
}

class SpellingFinder {
  readonly #text: string;
  readonly #numbers: Uint32Array;
  readonly #starts: Uint32Array;
  readonly #ends: Uint32Array;
  readonly #marked: Uint32Array;
  readonly #isPlain: boolean;
  readonly #languages: readonly number[];
  readonly #add: (term: string) => void;

  constructor(
    { text, numbers, starts, ends, marked, isPlain }: TextWords,
    languages: readonly number[],
    add: (term: string) => void,
  ) {
    this.#text = text;
    this.#numbers = numbers;
    this.#starts = starts;
    this.#ends = ends;
    this.#marked = marked;
    this.#isPlain = isPlain;
    this.#languages = languages;
    this.#add = add;
  }

  addAll(): void {
    const text = this.#text;
    const numbers = this.#numbers;
    const starts = this.#starts;
    const marked = this.#marked;
    let joinedTo = -1;
    let figuresTo = -1;
    let initialsTo = -1;
    for (let place = 0; place < marked.length; place++) {
      const index = marked[place] ?? 0;
      const after = (starts[index + 1] ?? 0) - 1;
      // Only one character is between words that are joined, and two or three are before an exponent.
      if (after > 0 && after <= this.#endOf(index) + 2) {
        const code = text.charCodeAt(this.#endOf(index));
        if (code === CARET || code === RAISED_MINUS) this.#addPower(index);
        else if (code === AMPERSAND && after === this.#endOf(index)) this.#addPair(index);
        else if (code === PERIOD && index >= initialsTo) initialsTo = this.#addInitials(index);
        if (index >= joinedTo && this.#isHyphened(index)) {
          joinedTo = index + 1;
          while (this.#isHyphened(joinedTo)) joinedTo++;
          this.#addJoined(index, joinedTo);
        }
      }
      if (this.#mayBeDay(index)) this.#addDayOfYear(index);
      if (!isFigure(numbers[index] ?? 0)) continue;
      if (
        this.#endOf(index) - (starts[index] ?? 0) === YEAR_LENGTH &&
        (this.#isNearDay(index, marked[place - 1]) || this.#isNearDay(index, marked[place + 1])) &&
        this.#isNearMonth(index)
      )
        this.#addNamedDate(index);
      if (index <= figuresTo) continue;
      figuresTo = index;
      while (figuresTo - index < MAX_FIGURES && this.#isFigureNext(figuresTo)) figuresTo++;
      const hasPlus = text.charCodeAt((starts[index] ?? 0) - 1) === PLUS;
      if (figuresTo > index || hasPlus) this.#addFigures(index, figuresTo, hasPlus);
    }
    if (this.#isPlain || !MAY_HAVE_SIGNS.test(text)) return;
    for (const [, year, month, day] of text.matchAll(CJK_DATE)) this.#addDate(calendarDay(year, month, day));
    for (const term of emojiIn(text)) this.#add(term);
  }

  /** Reports whether a word may be the number of a day in a date with this year: `3` or `3rd`. */
  #isNearDay(year: number, index: number | undefined): boolean {
    return index !== undefined && Math.abs(year - index) < MAX_DATE_WORDS && this.#mayBeDay(index);
  }

  /** Reports whether a word may be the number of a day by its length. */
  #mayBeDay(index: number): boolean {
    return this.#endOf(index) - (this.#starts[index] ?? 0) <= MAX_DAY_LENGTH;
  }

  /** Reports whether the name of a month is among the two words on either side of a year. */
  #isNearMonth(year: number): boolean {
    const numbers = this.#numbers;
    for (let index = Math.max(0, year - 2); index <= year + 2 && index < numbers.length; index++)
      if (index !== year && monthOfWord(numbers[index] ?? 0) !== undefined) return true;
    return false;
  }

  /** Reports whether there is only a hyphen between a word and the next one. */
  #isHyphened(index: number): boolean {
    const end = this.#endOf(index);
    if (this.#starts[index + 1] !== end + 1) return false;
    const code = this.#text.charCodeAt(end);
    return code === HYPHEN || code === 0x2010 || code === 0x2011;
  }

  #readSpelling(index: number): string {
    return words.word(this.#numbers[index] ?? 0).raw;
  }

  #endOf(index: number): number {
    return this.#ends[index] ?? 0;
  }

  #isFigureNext(index: number): boolean {
    const start = this.#starts[index + 1];
    const end = this.#endOf(index);
    if (start === undefined || start - end > MAX_GAP || !isFigure(this.#numbers[index + 1] ?? 0))
      return false;
    const text = this.#text;
    return isGap(text.charCodeAt(end)) && (start - end === 1 || isGap(text.charCodeAt(start - 1)));
  }

  #addJoined(first: number, last: number): void {
    if (last - first >= MAX_PARTS) return;
    for (const language of this.#languages)
      for (const term of this.#joinedTerms(first, last, language)) this.#add(term);
  }

  #joinedTerms(first: number, last: number, language: number): readonly string[] {
    const a = this.#numbers[first] ?? 0;
    const b = this.#numbers[last] ?? 0;
    if (last - first > 1 || a >= MAX_WORDS || b >= MAX_WORDS) return this.#joinTerms(first, last, language);
    const place = pairPlace(a, b, language);
    if (pairFirsts[place] === a && pairSeconds[place] === b && pairLanguages[place] === language)
      return pairTerms[place] ?? [];
    const terms = this.#joinTerms(first, last, language);
    pairFirsts[place] = a;
    pairSeconds[place] = b;
    pairLanguages[place] = language;
    pairTerms[place] = terms;
    return terms;
  }

  #joinTerms(first: number, last: number, language: number): readonly string[] {
    let letters = '';
    let hasLetter = false;
    for (let index = first; index <= last; index++) {
      hasLetter ||= !isFigure(this.#numbers[index] ?? 0);
      letters += this.#readSpelling(index);
    }
    if (!hasLetter || letters.length < MIN_JOINED_LENGTH || letters.length > MAX_JOINED_LENGTH) return [];
    return joinedTerms(letters.toLowerCase(), language);
  }

  /** Adds `r&d` for "R&D", because each of its letters alone says little. */
  #addPair(index: number): void {
    const pair = [this.#readSpelling(index), this.#readSpelling(index + 1)];
    if (pair.every((word) => SHORT_NAME.test(word))) this.#add(fold(pair.join('&').toLowerCase()));
  }

  /** Adds `usa` for "U.S.A.", and returns the index of the last initial. */
  #addInitials(first: number): number {
    let last = first;
    let letters = '';
    while (INITIAL.test(this.#readSpelling(last))) {
      letters += this.#readSpelling(last).toLowerCase();
      const end = this.#endOf(last);
      if (this.#text.charCodeAt(end) !== PERIOD || this.#starts[last + 1] !== end + 1) break;
      last++;
    }
    if (letters.length > 1 && letters.length <= MAX_JOINED_LENGTH)
      for (const language of this.#languages)
        for (const term of joinedTerms(letters, language)) this.#add(term);
    return last;
  }

  /** Adds `10^6` for a number, and `m2` for a unit. */
  #addPower(index: number): void {
    const [, minus, raisedMinus] =
      POWER.exec(this.#text.slice(this.#endOf(index), this.#starts[index + 1])) ?? [];
    if (minus === undefined && raisedMinus === undefined) return;
    const base = this.#readSpelling(index).toLowerCase();
    const sign = minus === '' ? '' : '-';
    const exponent = this.#readSpelling(index + 1).normalize('NFKC');
    this.#add(/\d$/.test(base) || sign !== '' ? `${base}^${sign}${exponent}` : base + exponent);
  }

  #addDate(date: string | undefined): void {
    for (const term of dayTerms(date)) this.#add(term);
  }

  /** Adds a date whose day and month are added by themselves. */
  #addDateWithYear(date: string | undefined): void {
    if (date !== undefined) this.#add(date);
  }

  /** Adds `--03-02` for "2 March", "March 2nd", and "2 de marzo". */
  #addDayOfYear(index: number): void {
    const month = this.#monthBeside(index);
    if (month === undefined) return;
    const day = DAY_WORD.exec(this.#readSpelling(index))?.[1];
    const date = calendarDay(LEAP_YEAR, month, day);
    if (date !== undefined) this.#add(dayOfYear(date));
  }

  /** Returns the month whose name precedes or follows a word, perhaps after a word such as "of". */
  #monthBeside(index: number): number | undefined {
    const numbers = this.#numbers;
    const before = this.#isNext(index - 1) ? monthOfWord(numbers[index - 1] ?? 0) : undefined;
    if (before !== undefined || !this.#isNext(index)) return before;
    const after = monthOfWord(numbers[index + 1] ?? 0);
    if (after !== undefined || !this.#isNext(index + 1)) return after;
    return OF_WORDS.has(this.#readSpelling(index + 1)) ? monthOfWord(numbers[index + 2] ?? 0) : undefined;
  }

  /** Reports whether a word is close before the next one. */
  #isNext(index: number): boolean {
    const start = this.#starts[index + 1];
    return index >= 0 && start !== undefined && start - this.#endOf(index) <= MAX_GAP;
  }

  #addNamedDate(index: number): void {
    const start = this.#starts[index] ?? 0;
    const year = this.#readSpelling(index);
    if (!/^[12]\d{3}$/.test(year)) return;
    const before = this.#text.slice(Math.max(0, start - MAX_DATE_LENGTH), start);
    const match = /\d/.test(before) ? DATE_TO_YEAR.exec(before) : null;
    if (match !== null) {
      const [, day, month, monthFirst, dayAfter] = match;
      this.#addDateWithYear(calendarDay(year, findMonth(month ?? monthFirst ?? ''), day ?? dayAfter));
      return;
    }
    const end = start + year.length;
    const [, month = '', day] = DATE_AFTER_YEAR.exec(this.#text.slice(end, end + MAX_DATE_LENGTH)) ?? [];
    if (day !== undefined) this.#addDateWithYear(calendarDay(year, findMonth(month), day));
  }

  #addFigures(first: number, last: number, hasPlus: boolean): void {
    const text = this.#text;
    const start = this.#starts[first] ?? 0;
    let characters = 0;
    let hasThousands = false;
    for (let index = first; index <= last; index++) {
      const length = this.#endOf(index) - (this.#starts[index] ?? 0);
      characters += length;
      hasThousands ||= index > first && length >= 3;
    }
    const afterFirst = text.charCodeAt(this.#endOf(first));
    if (DATE_MARKS.includes(afterFirst)) this.#addDate(numericDateAt(text, start));
    // Most rows of numbers are neither amounts nor phone numbers.
    if (!hasThousands && characters < MIN_PHONE_DIGITS) return;
    const figures = text.slice(start, this.#endOf(last));
    if (hasThousands)
      for (const [amount, separator = ' '] of figures.matchAll(GROUPED)) {
        const plain = amount.replaceAll(separator, '');
        for (const term of new Set([...valueTerms(plain), ...(/^\d+$/.test(plain) ? [plain] : [])]))
          this.#add(term);
      }
    if (characters < MIN_PHONE_DIGITS) return;
    const isOpened = text.charCodeAt(start - 1) === 0x28;
    const written = (hasPlus ? '+' : '') + (isOpened ? '(' : '') + figures;
    if (!PHONE.test(written) || YEAR_RANGE.test(figures)) return;
    const digits = figures.replace('(0)', '').replaceAll(/\D/g, '');
    if (digits.length < MIN_PHONE_DIGITS || digits.length > MAX_PHONE_DIGITS) return;
    for (const term of [...phoneTerms(digits, hasPlus), ...isbnTerms(digits)]) this.#add(term);
  }
}

function isGap(code: number): boolean {
  return code === SPACE || GAP_SIGNS.has(code);
}

/** Returns the day of a date in digits, if its order is certain. */
function numericDateAt(text: string, start: number): string | undefined {
  ISO_DATE.lastIndex = start;
  const iso = ISO_DATE.exec(text);
  if (iso !== null) return calendarDay(iso[1], iso[3], iso[4]);
  NUMERIC_DATE.lastIndex = start;
  const [, first = '', mark = '', second = '', year] = NUMERIC_DATE.exec(text) ?? [];
  if (year === undefined) return undefined;
  // With points, and in dates such as 25/12 and 3/3, the day is certain.
  if (mark.startsWith('.') || Number(first) > 12 || Number(first) === Number(second))
    return calendarDay(year, second, first);
  return Number(second) > 12 ? calendarDay(year, first, second) : undefined;
}

/** Returns the emoji of a text without skin tones and variants, those of a sequence one by one. */
function emojiIn(text: string): string[] {
  return (text.match(EMOJI) ?? []).filter((sign) => !/[\u{1f3fb}-\u{1f3ff}]/u.test(sign));
}
