import { ANY_WORD, LATIN_LETTERS, LATIN_NUMBERS, LATIN_TEXT, LATIN_WORD } from './word-pattern.ts';

/** What a Latin character may be in a word. */
const NO_WORD = 0;
const LETTER = 1;
const NUMBER = 2;
/** Only behind a word's first character, or where the pattern tells. */
const DOLLAR = 3;
const SOFT_HYPHEN = 4;
const LAST_LATIN = 0x24f;

const kinds = new Uint8Array(LAST_LATIN + 1);
for (let code = 0; code <= LAST_LATIN; code++) {
  const character = String.fromCharCode(code);
  if (new RegExp(`[${LATIN_LETTERS}_]`).test(character)) kinds[code] = LETTER;
  else if (new RegExp(`[${LATIN_NUMBERS}]`).test(character)) kinds[code] = NUMBER;
}
kinds[0x24] = DOLLAR;
kinds[0xad] = SOFT_HYPHEN;

/** Words kept, and the places for them, a power of two. */
const MOST_WORDS = 100_000;
const PLACES = 2 ** 18;
/** Longer words are data and not kept. */
const LONGEST_WORD = 64;

/**
 * The words of texts, each made once. Nearly all words of Latin texts are found by a hash of their characters as they
 * are read, which is several times as fast as cutting them out with the pattern; the pattern has the say wherever it
 * could find more than letters and digits.
 */
export class WordCache<Word extends { readonly raw: string }> {
  readonly #make: (raw: string) => Word;
  #words: Word[] = [];
  /** By hash: the number of a word, plus one. */
  readonly #places = new Int32Array(PLACES);

  /** `make` gets a string that keeps no other alive, and returns a word with this `raw`. */
  constructor(make: (raw: string) => Word) {
    this.#make = make;
  }

  wordsOf(text: string): Word[] {
    if (LATIN_TEXT.test(text)) return this.#latinWordsOf(text);
    return Array.from(text.match(ANY_WORD) ?? [], (raw) => this.#wordOf(raw, 0, raw.length, hashOf(raw)));
  }

  #latinWordsOf(text: string): Word[] {
    const words: Word[] = [];
    const { length } = text;
    for (let at = 0; at < length;) {
      const start = at;
      let code = text.charCodeAt(at);
      const kind = kinds[code] ?? NO_WORD;
      if (kind === NO_WORD || kind === SOFT_HYPHEN) {
        at++;
        continue;
      }
      let hash = 0;
      if (kind !== DOLLAR)
        do {
          hash = (Math.imul(hash, 31) + code) | 0;
          code = ++at < length ? text.charCodeAt(at) : 0;
        } while ((kinds[code] ?? NO_WORD) !== NO_WORD);
      if (kind === DOLLAR || mayGoOn(text, start, at, code)) {
        LATIN_WORD.lastIndex = start;
        const raw = LATIN_WORD.exec(text)?.[0];
        at = start + (raw?.length ?? 1);
        if (raw !== undefined) words.push(this.#wordOf(raw, 0, raw.length, hashOf(raw)));
      } else words.push(this.#wordOf(text, start, at, hash));
    }
    return words;
  }

  /** The word from `start` to `end` in a text. */
  #wordOf(text: string, start: number, end: number, hash: number): Word {
    let place = Math.imul(hash, 0x9e3779b1) >>> 14;
    for (let number; (number = this.#places[place] ?? 0) !== 0; place = (place + 1) & (PLACES - 1)) {
      const word = this.#words[number - 1];
      if (word !== undefined && isAt(word.raw, text, start, end)) return word;
    }
    const word = this.#make(detached(text.slice(start, end)));
    if (end - start > LONGEST_WORD) return word;
    if (this.#words.length >= MOST_WORDS) {
      this.#words = [];
      this.#places.fill(0);
      place = Math.imul(hash, 0x9e3779b1) >>> 14;
    }
    this.#places[place] = this.#words.push(word);
    return word;
  }
}

/** Whether the pattern may find more than the letters and digits from `start` to `end`, behind which `code` stands. */
function mayGoOn(text: string, start: number, end: number, code: number): boolean {
  switch (code) {
    case 0x27: // '
    case 0x2019: // ’
      return kindAt(text, end + 1) === LETTER;
    case 0x2c: // ,
    case 0x2e: // .
      return kindAt(text, start) === NUMBER && kindAt(text, end + 1) === NUMBER;
    case 0x23: // #
    case 0x2b: // +
      return end - start === 1;
    case 0x2d: // -
    case 0x2010: // ‐
      return /[\r\n]/.test(text.charAt(end + 1));
    default:
      return false;
  }
}

function kindAt(text: string, at: number): number {
  return kinds[text.charCodeAt(at)] ?? NO_WORD;
}

function isAt(word: string, text: string, start: number, end: number): boolean {
  if (word.length !== end - start) return false;
  for (let i = 0; i < word.length; i++) if (word.charCodeAt(i) !== text.charCodeAt(start + i)) return false;
  return true;
}

function hashOf(word: string): number {
  let hash = 0;
  for (let i = 0; i < word.length; i++) hash = (Math.imul(hash, 31) + word.charCodeAt(i)) | 0;
  return hash;
}

const ASCII = /^[\x20-\x7e]*$/;

/** A copy that does not keep the text alive that a word was cut from. */
export function detached(raw: string): string {
  return ASCII.test(raw)
    ? Buffer.from(raw, 'latin1').toString('latin1')
    : Buffer.from(raw, 'utf16le').toString('utf16le');
}
