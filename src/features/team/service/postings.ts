import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { RANKING_WEIGHTS } from '../../../index/search/lexical/ranking-weights.ts';
import { isCorrectable } from '../../../core/language/words/spelling.ts';
import { languageByTag } from '../../../core/language/words/languages.ts';
import { WordTokenizer } from '../../../core/language/words/tokenizer.ts';
import { Vocabulary } from '../../../core/language/words/vocabulary.ts';

/**
 * Scores are stored as integers of 15 bits: the maximum, k + 1, times this scale. A change of the weights requires
 * new postings.
 */
const SCALE = 10_000;
const MAX_SCORE = (RANKING_WEIGHTS.k + 1) * SCALE;

/** Number of postings in a block. At about 1,500 bytes, PostgreSQL doesn't move the block out of its table. */
const BLOCK = 512;

/** Terms with fewer postings share blocks, because each row needs a hundred additional bytes. */
const ALONE = 256;
const SHARED = 1_300;

/** Maximum number of passages that are indexed at once. */
export const MAX_BATCH_PASSAGES = 32_768;

/** Maximum unpacked size of the words of a window, in bytes. */
const MAX_WORDS = 32 * 2 ** 20;

/** Maximum length of an indexed term, in bytes, because PostgreSQL's indexes have a limit. */
const MAX_TERM_LENGTH = 1_000;

/** Postings of a term in a window: the positions of its passages, ascending, and its score in each. */
interface PostingList {
  readonly term: string;
  readonly places: ArrayLike<number>;
  /** Whole numbers, 0 to 25,000. */
  readonly impacts: ArrayLike<number>;
}

/** Row of postings: some postings of one term, or all postings of several consecutive terms. */
export interface Block {
  /** The term, or the first one of several. */
  readonly term: string;
  /** Position of its first passage; 0 for several terms. */
  readonly place: number;
  /**
   * Number of passages in the window that contain the term, and its maximum score there; 0 for a block of several
   * terms.
   */
  readonly holding: number;
  readonly maxScore: number;
  readonly bytes: Uint8Array;
}

/** Postings of a window, ready to store. `words` are packed terms that misspelled words can be corrected to. */
export interface WrittenWindow {
  readonly blocks: readonly Block[];
  readonly words: Uint8Array;
  /** Number of passages, their terms, and a bit set of their languages. */
  readonly passages: number;
  readonly length: number;
  readonly languages: number;
}

/**
 * Builds the postings of passages for the terms of the index in memory, with the BM25 score of a term in each passage
 * without its rarity. `average` is the mean length of passages in terms, undefined if there are none yet.
 */
export function writePostings(
  passages: readonly { readonly terms: string; readonly language: string | undefined }[],
  average: number | undefined,
): WrittenWindow {
  const tokenizer = new WordTokenizer();
  const vocabulary = new Vocabulary();
  // For each posting: its term, and its position with the frequency of the term.
  const postings = new Numbers();
  const heldNumbers = new Numbers();
  let counts = new Uint16Array(1 << 12);
  let length = 0;
  const lengths = passages.map(({ terms, language }, place) => {
    const { numbers, length: own } = tokenizer.numbersOfPassage(terms, vocabulary, languageByTag(language));
    if (vocabulary.size > counts.length) counts = new Uint16Array(2 * vocabulary.size);
    for (const number of numbers) counts[number] = Math.min((counts[number] ?? 0) + 1, 65_535);
    for (const number of numbers) {
      const count = counts[number] ?? 0;
      if (count === 0) continue;
      postings.push(number);
      heldNumbers.push(place * 65_536 + count);
      counts[number] = 0;
    }
    length += own;
    return own;
  });
  const { k, b } = RANKING_WEIGHTS;
  const usual = Math.max(1, average ?? length / Math.max(1, passages.length));
  const holding = new Uint32Array(vocabulary.size);
  for (const number of postings.all()) holding[number] = (holding[number] ?? 0) + 1;
  const lists = [...vocabulary.terms()].map((term, number) => ({
    term,
    places: new Uint16Array(holding[number] ?? 0),
    impacts: new Uint16Array(holding[number] ?? 0),
  }));
  holding.fill(0);
  const [numbers, both] = [postings.all(), heldNumbers.all()];
  for (let posting = 0; posting < numbers.length; posting++) {
    const number = numbers[posting] ?? 0;
    const list = lists[number];
    if (list === undefined) continue;
    const [place, count] = [(both[posting] ?? 0) >>> 16, (both[posting] ?? 0) & 65_535];
    const next = holding[number] ?? 0;
    holding[number] = next + 1;
    list.places[next] = place;
    list.impacts[next] = Math.round(
      (MAX_SCORE * count) / (count + k * (1 - b + (b * (lengths[place] ?? 0)) / usual)),
    );
  }
  return { ...packLists(lists), passages: passages.length, length, languages: tokenizer.seen };
}

/** Packs the lists of a window's terms: one row or more for a common term, and shared rows for the others. */
export function packLists(lists: readonly PostingList[]): Pick<WrittenWindow, 'blocks' | 'words'> {
  const sorted = lists
    .filter(({ places }) => places.length > 0)
    .map((list) => ({ list, name: Buffer.from(list.term) }))
    .filter(({ name }) => name.length > 0 && name.length <= MAX_TERM_LENGTH)
    .sort((a, b) => Buffer.compare(a.name, b.name));
  const blocks: Block[] = [];
  const bytes = new Bytes();
  let first: string | undefined;
  let before: Buffer = Buffer.alloc(0);
  const flush = (): void => {
    if (first !== undefined)
      blocks.push({ term: first, place: 0, holding: 0, maxScore: 0, bytes: bytes.take() });
    first = undefined;
    before = Buffer.alloc(0);
  };
  const own = new Bytes();
  for (const { list, name } of sorted) {
    const { term, places } = list;
    if (places.length >= ALONE) {
      flush();
      const holding = places.length;
      const maxImpact = Array.from(list.impacts).reduce((largest, other) => Math.max(largest, other), 0);
      for (let from = 0; from < holding; from += BLOCK) {
        writeList(own, list, from, Math.min(from + BLOCK, holding));
        blocks.push({ term, place: places[from] ?? 0, holding, maxScore: maxImpact, bytes: own.take() });
      }
      continue;
    }
    writeList(own, list, 0, places.length);
    const packed = own.take();
    if (bytes.length > 0 && bytes.length + packed.length > SHARED) flush();
    first ??= term;
    let same = 0;
    while (same < before.length && before[same] === name[same]) same++;
    bytes.varint(same);
    bytes.varint(name.length - same);
    bytes.append(name.subarray(same));
    bytes.varint(packed.length);
    bytes.append(packed);
    before = name;
  }
  flush();
  const words = sorted.map(({ list }) => list.term).filter(isCorrectable);
  return { blocks, words: deflateRawSync(words.join('\n'), { level: 9 }) };
}

/** Returns the words of a window in order; empty if a member stored invalid data. */
export function unpackWords(bytes: Uint8Array): string[] {
  try {
    return inflateRawSync(bytes, { maxOutputLength: MAX_WORDS }).toString('utf8').split('\n');
  } catch {
    // The data isn't compressed text, or is too large.
    return [];
  }
}

/** Calls `use` for each term of a block with its postings; stops when it returns false. */
export function eachTerm(
  bytes: Uint8Array,
  use: (term: string, postings: Uint8Array) => boolean | undefined,
): void {
  const name = Buffer.alloc(MAX_TERM_LENGTH);
  const reader = { bytes, next: 0 };
  while (reader.next < bytes.length) {
    const same = readVarint(reader);
    const rest = readVarint(reader);
    // Another member may have written invalid bytes.
    if (same + rest > MAX_TERM_LENGTH) return;
    name.set(bytes.subarray(reader.next, reader.next + rest), same);
    reader.next += rest;
    const size = readVarint(reader);
    const postings = bytes.subarray(reader.next, reader.next + size);
    reader.next += size;
    if (use(name.toString('utf8', 0, same + rest), postings) === false) return;
  }
}

/** Returns the postings of a term in a shared block; undefined if the term isn't in it. */
export function findTerm(bytes: Uint8Array, term: string): Uint8Array | undefined {
  let termPostings: Uint8Array | undefined;
  eachTerm(bytes, (storedTerm, postings) => {
    if (storedTerm === term) termPostings = postings;
    return termPostings === undefined;
  });
  return termPostings;
}

/** Calls `use` for each passage of a list, with its position in the window and its score, 0 to 25,000. */
export function eachPosting(bytes: Uint8Array, use: (place: number, impact: number) => void): void {
  const reader = { bytes, next: 0 };
  for (let place = 0; reader.next < bytes.length;) {
    place += readVarint(reader);
    const impact = readVarint(reader);
    if (place >= MAX_BATCH_PASSAGES || impact > MAX_SCORE) return;
    use(place, impact);
  }
}

/** Adds a term's scores to the passages of a window. */
export function addScores(bytes: Uint8Array, weight: number, scores: Float64Array): void {
  const factor = weight / SCALE;
  const { length } = scores;
  const size = bytes.length;
  for (let next = 0, place = 0; next < size;) {
    // Inlined, because it runs up to a million times per question.
    let byte = bytes[next++] ?? 0;
    let value = byte & 127;
    for (let shift = 7; byte > 127 && next < size && shift < 28; shift += 7) {
      byte = bytes[next++] ?? 0;
      value |= (byte & 127) << shift;
    }
    place += value;
    byte = bytes[next++] ?? 0;
    value = byte & 127;
    for (let shift = 7; byte > 127 && next < size && shift < 28; shift += 7) {
      byte = bytes[next++] ?? 0;
      value |= (byte & 127) << shift;
    }
    if (place >= length || value > MAX_SCORE) return;
    scores[place] = (scores[place] ?? 0) + factor * value;
  }
}

/** Converts a stored score to its actual value. */
export function toImpact(whole: number): number {
  return whole / SCALE;
}

function writeList(bytes: Bytes, { places, impacts }: PostingList, from: number, to: number): void {
  let before = 0;
  for (let posting = from; posting < to; posting++) {
    const place = places[posting] ?? 0;
    bytes.varint(place - before);
    bytes.varint(impacts[posting] ?? 0);
    before = place;
  }
}

function readVarint(reader: { readonly bytes: Uint8Array; next: number }): number {
  let value = 0;
  for (let factor = 1; reader.next < reader.bytes.length; factor *= 128) {
    const byte = reader.bytes[reader.next++] ?? 0;
    value += (byte & 127) * factor;
    if (byte < 128) break;
  }
  return value;
}

/** Growing array of 32-bit integers. */
class Numbers {
  #numbers = new Uint32Array(1 << 16);
  #length = 0;

  push(number: number): void {
    if (this.#length === this.#numbers.length) {
      const longer = new Uint32Array(2 * this.#length);
      longer.set(this.#numbers);
      this.#numbers = longer;
    }
    this.#numbers[this.#length++] = number;
  }

  all(): Uint32Array {
    return this.#numbers.subarray(0, this.#length);
  }
}

/** Growing array of bytes. */
class Bytes {
  #bytes = Buffer.alloc(1 << 12);
  length = 0;

  varint(value: number): void {
    this.#reserve(5);
    for (; value >= 128; value >>>= 7) this.#bytes[this.length++] = (value & 127) | 128;
    this.#bytes[this.length++] = value;
  }

  append(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** Returns the written bytes and starts a new buffer. */
  take(): Uint8Array {
    const bytes = Uint8Array.prototype.slice.call(this.#bytes, 0, this.length);
    this.length = 0;
    return bytes;
  }

  #reserve(more: number): void {
    if (this.length + more <= this.#bytes.length) return;
    const longer = Buffer.alloc(2 * (this.length + more));
    longer.set(this.#bytes);
    this.#bytes = longer;
  }
}
