import {
  ANY_WORD,
  LAST_LATIN_SIGN,
  LATIN_LETTERS,
  LATIN_NUMBERS,
  LATIN_SIGN,
  LATIN_TEXT,
  LATIN_WORD,
} from './word-pattern.ts';

/** Roles of a character: first those that end a word, then those within words. */
const NO_WORD = 0;
/** Between parts that may form one word, such as a hyphen, the mark of an exponent, or a period between initials. */
const JOINT = 1;
const PERIOD = 0x2e;
/** Shown as a picture. */
const PICTURE = 2;
/** Not a Latin character. A regular expression decides whether it is part of a word. */
const OTHER = 3;
const LETTER = 4;
const NUMBER = 5;
/** Part of a word after its first character, or if the pattern matches it. */
const DOLLAR = 6;
const SOFT_HYPHEN = 7;
const LAST_LATIN = 0x24f;

const kinds = new Uint8Array(2 ** 16).fill(OTHER);
const LATIN_LETTER = new RegExp(`[${LATIN_LETTERS}_]`);
const LATIN_NUMBER = new RegExp(`[${LATIN_NUMBERS}]`);
// Blocks the caller, so it tests only characters that can differ.
for (let code = 0; code <= LAST_LATIN_SIGN; code++) {
  const character = String.fromCharCode(code);
  if (code > LAST_LATIN) kinds[code] = LATIN_SIGN.test(character) ? NO_WORD : OTHER;
  else if (LATIN_LETTER.test(character)) kinds[code] = LETTER;
  else kinds[code] = LATIN_NUMBER.test(character) ? NUMBER : NO_WORD;
}
kinds[0x24] = DOLLAR;
kinds[0xad] = SOFT_HYPHEN;
for (let code = LAST_LATIN + 1; code <= LAST_LATIN_SIGN; code++)
  if (kinds[code] === NO_WORD && /\p{Emoji}/u.test(String.fromCharCode(code))) kinds[code] = PICTURE;
for (const joint of '-^&.\u2010\u2011\u207b') kinds[joint.charCodeAt(0)] = JOINT;

/** Maximum number of cached words; their numbers are below it. */
export const MAX_WORDS = 100_000;
const PLACE_BITS = 18;
const PLACES = 2 ** PLACE_BITS;
/** Maximum length of a cached word. Longer ones are data. */
const MAX_WORD_LENGTH = 64;

/** Maximum number of characters of a word in the hash table itself, and the last character that fits. */
const INLINE_LETTERS = 8;
const LAST_INLINE = 0xff;

/**
 * Starts and ends of the words of a text, in UTF-16 code units, and the indexes of the words that begin with a digit or
 * that a hyphen, the mark of an exponent, `&`, or the period of an initial follows, ascending.
 */
export interface WordPositions {
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  readonly marked: Uint32Array;
  /** `true` if the text has only Latin letters, digits, and punctuation marks. */
  readonly isPlain: boolean;
}

/**
 * Caches the words of texts, each identified by a number. A hash of the characters finds nearly all Latin words while
 * reading, several times faster than the pattern. The pattern decides wherever it could match more than letters and
 * digits. Lookup data are in a few arrays in the order of the numbers, so that common words, which get low numbers, are
 * close in memory.
 */
export class WordCache<Word> {
  readonly #make: (raw: string) => Word;
  #words: Word[] = [];
  /**
   * Hash table: the full hash of a word, its number plus one, and its characters in eight bytes. For a longer word, the
   * number is negative, and its start and length in the characters follow.
   */
  readonly #places = new Int32Array(4 * PLACES);
  /** Characters of all longer words, and their number. */
  #characters = new Uint16Array(1 << 12);
  #used = 0;
  /** Uncached words of the last text. Their numbers start at MAX_WORDS. */
  #passing: Word[] = [];
  /** The text being read, its characters, and the numbers and starts of its words so far. */
  #text = '';
  #codes = new Uint16Array(1 << 12);
  #numbers = new Uint32Array(1 << 10);
  #starts = new Uint32Array(1 << 10);
  #textEnds = new Uint32Array(1 << 10);
  #count = 0;
  /** Indexes of the words that may have another spelling. */
  #marked = new Uint32Array(1 << 10);
  #markedCount = 0;
  #mayHaveEmoji = false;
  #edition = 0;

  /** `make` gets a string that doesn't keep another one in memory. */
  constructor(make: (raw: string) => Word) {
    this.#make = make;
  }

  /** Changes whenever words get new numbers. */
  get edition(): number {
    return this.#edition;
  }

  /** Returns the words of a text, in order. */
  words(text: string): Word[] {
    return Array.from(this.wordNumbers(text), (number) => this.word(number));
  }

  /** Clears the cache if it is full. */
  makeRoom(): void {
    if (this.#words.length < MAX_WORDS) return;
    this.#words = [];
    this.#places.fill(0);
    this.#used = 0;
    this.#edition++;
  }

  /**
   * Returns the numbers of a text's words. Numbers are valid until the cache is cleared; those of uncached words, and
   * the array, until the next call.
   */
  wordNumbers(text: string): Uint32Array {
    this.#passing = [];
    this.#count = 0;
    this.#markedCount = 0;
    this.#text = text;
    if (text.length >= this.#codes.length) this.#codes = new Uint16Array(2 * text.length);
    Buffer.from(this.#codes.buffer).write(text, 'utf16le');
    this.#codes[text.length] = 0;
    const isLatin = LATIN_TEXT.test(text);
    // `ANY_WORD` skips signs without reporting them, so the text may contain emoji.
    this.#mayHaveEmoji = !isLatin;
    this.#find(isLatin ? LATIN_WORD : ANY_WORD);
    this.#text = '';
    return this.#numbers.subarray(0, this.#count);
  }

  /** Returns more about the words of the last text, valid as long as their numbers. */
  lastWords(): WordPositions {
    return {
      starts: this.#starts.subarray(0, this.#count),
      ends: this.#textEnds.subarray(0, this.#count),
      marked: this.#marked.subarray(0, this.#markedCount),
      isPlain: !this.#mayHaveEmoji,
    };
  }

  /** @throws RangeError if there is no such word */
  word(number: number): Word {
    const word = number < MAX_WORDS ? this.#words[number] : this.#passing[number - MAX_WORDS];
    if (word === undefined) throw new RangeError(`There is no word ${String(number)}.`);
    return word;
  }

  /** Records the numbers of all words of the text. */
  #find(pattern: RegExp): void {
    const codes = this.#codes;
    const { length } = this.#text;
    let end = 0;
    for (let at = 0; at < length;) {
      const start = at;
      let code = codes[at] ?? 0;
      let kind = kinds[code] ?? NO_WORD;
      if (kind < OTHER || kind === SOFT_HYPHEN) {
        if (kind === JOINT && at === end && at > 0 && (code !== PERIOD || this.#isInitial(at)))
          this.#mark(this.#count - 1);
        else if (kind === PICTURE) this.#mayHaveEmoji = true;
        at++;
        continue;
      }
      if (kind === NUMBER) this.#mark(this.#count);
      let hash = 0;
      // A 0 after the text ends the last word.
      while (kind > OTHER && (at > start || kind !== DOLLAR)) {
        hash = (Math.imul(hash, 31) + code) | 0;
        code = codes[++at] ?? 0;
        kind = kinds[code] ?? NO_WORD;
      }
      if (at > start && kind !== OTHER && !mayGoOn(codes, start, at)) {
        this.#take(start, at, hash);
        end = at;
        continue;
      }
      pattern.lastIndex = start;
      const match = pattern.exec(this.#text);
      if (match === null) return;
      at = match.index + match[0].length;
      this.#take(match.index, at, computeHash(codes, match.index, at));
      end = at;
    }
  }

  /** Reports whether the word before a period has one character, and another word follows. */
  #isInitial(period: number): boolean {
    return (
      this.#starts[this.#count - 1] === period - 1 &&
      (kinds[this.#codes[period + 1] ?? 0] ?? NO_WORD) >= OTHER
    );
  }

  #mark(index: number): void {
    if (this.#markedCount > 0 && this.#marked[this.#markedCount - 1] === index) return;
    if (this.#markedCount === this.#marked.length)
      this.#marked = growArray(this.#marked, this.#markedCount * 2);
    this.#marked[this.#markedCount++] = index;
  }

  /** Records the number of the word from `start` to `end` in the text. */
  #take(start: number, end: number, hash: number): void {
    if (this.#count === this.#numbers.length) {
      this.#numbers = growArray(this.#numbers, this.#count * 2);
      this.#starts = growArray(this.#starts, this.#count * 2);
      this.#textEnds = growArray(this.#textEnds, this.#count * 2);
    }
    this.#starts[this.#count] = start;
    this.#textEnds[this.#count] = end;
    this.#numbers[this.#count++] = this.#findNumber(start, end, hash);
  }

  #findNumber(start: number, end: number, hash: number): number {
    const places = this.#places;
    const codes = this.#codes;
    const length = end - start;
    let isShort = length <= INLINE_LETTERS;
    let [low, high] = [0, 0];
    for (let i = 0; isShort && i < length; i++) {
      const code = codes[start + i] ?? 0;
      isShort = code <= LAST_INLINE;
      if (i < INLINE_LETTERS / 2) low |= code << (8 * i);
      else high |= code << (8 * (i - INLINE_LETTERS / 2));
    }
    let place = Math.imul(hash, 0x9e3779b1) >>> (32 - PLACE_BITS);
    for (let next; (next = places[4 * place + 1] ?? 0) !== 0; place = (place + 1) & (PLACES - 1)) {
      if (places[4 * place] !== hash || next > 0 !== isShort) continue;
      const [first, second] = [places[4 * place + 2] ?? 0, places[4 * place + 3]];
      if (isShort ? first === low && second === high : second === length && this.#isAt(first, start, end))
        return Math.abs(next) - 1;
    }
    const word = this.#make(copyString(this.#text.slice(start, end)));
    const number = this.#words.length;
    if (length > MAX_WORD_LENGTH || number === MAX_WORDS) return MAX_WORDS + this.#passing.push(word) - 1;
    this.#words.push(word);
    places[4 * place] = hash;
    places[4 * place + 1] = isShort ? number + 1 : -number - 1;
    places[4 * place + 2] = isShort ? low : this.#used;
    places[4 * place + 3] = isShort ? high : length;
    if (!isShort) this.#keepCharacters(start, end);
    return number;
  }

  #keepCharacters(start: number, end: number): void {
    const from = this.#used;
    this.#used += end - start;
    if (this.#used > this.#characters.length) this.#characters = growArray(this.#characters, this.#used * 2);
    this.#characters.set(this.#codes.subarray(start, end), from);
  }

  #isAt(from: number, start: number, end: number): boolean {
    const characters = this.#characters;
    const codes = this.#codes;
    for (let at = start; at < end; at++) if (characters[from++] !== codes[at]) return false;
    return true;
  }
}

function growArray<T extends Uint16Array | Uint32Array>(from: T, length: number): T {
  const to = (from instanceof Uint16Array ? new Uint16Array(length) : new Uint32Array(length)) as T;
  to.set(from);
  return to;
}

/** Reports whether the pattern may match more than the letters and digits from `start` to `end`. */
function mayGoOn(codes: Uint16Array, start: number, end: number): boolean {
  switch (codes[end]) {
    case 0x27: // '
    case 0x2019: // ’
      return kindAt(codes, end + 1) === LETTER || kindAt(codes, end + 1) === OTHER;
    case 0x2c: // ,
      return kindAt(codes, start) === NUMBER && kindAt(codes, end + 1) === NUMBER;
    case 0x2e: // .
      return (
        (kindAt(codes, start) === NUMBER || kindAt(codes, end - 1) === NUMBER) &&
        kindAt(codes, end + 1) === NUMBER
      );
    case 0x23: // #
    case 0x2b: // +
      return end - start === 1;
    case 0x2d: // -
    case 0x2010: // ‐
      return codes[end + 1] === 0x0a || codes[end + 1] === 0x0d;
    default:
      return false;
  }
}

function kindAt(codes: Uint16Array, at: number): number {
  return kinds[codes[at] ?? 0] ?? NO_WORD;
}

function computeHash(codes: Uint16Array, start: number, end: number): number {
  let hash = 0;
  for (let i = start; i < end; i++) hash = (Math.imul(hash, 31) + (codes[i] ?? 0)) | 0;
  return hash;
}

const ASCII = /^[\x20-\x7e]*$/;

/** Returns a copy of a string that doesn't keep its original text in memory. */
export function copyString(raw: string): string {
  return ASCII.test(raw)
    ? Buffer.from(raw, 'latin1').toString('latin1')
    : Buffer.from(raw, 'utf16le').toString('utf16le');
}
