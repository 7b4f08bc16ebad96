import { BestHits } from './best-hits.ts';
import type { Scored } from './best-hits.ts';
import { similarWords } from './misspelling.ts';
import type { ByteReader, ByteWriter } from './snapshot-bytes.ts';
import { STOP_MARK } from './tokenizer.ts';
import type { NeededTerm } from './tokenizer.ts';

/** The parameters of BM25: how soon repetition stops to count, and how much length does. */
export interface Ranking {
  readonly k: number;
  readonly b: number;
}

/** Slots take 24 bits of a posting, a term's count in the passage the other 8. */
const COUNT_BITS = 8;
const STOP_CODE = STOP_MARK.charCodeAt(0);
const HIGHEST_COUNT = 255;
const HIGHEST_SLOT = 2 ** 24 - 1;

/** Most hits that one search gives. */
export const MOST_HITS = 256;

/** Postings that one search goes through. */
const MOST_POSTINGS = 1_500_000;

/** Words of a phrase that passages are chosen by, the rarest. */
const MOST_NEEDED = 32;

/** A term's postings, ascending: one as a number, more in an array that grows. */
type List = number | Uint32Array;

/**
 * Which passage holds which term how often. Passages have slots, ascending from 1 and never used twice; a removed
 * one is a tombstone until `compact` closes the gaps.
 */
export class Postings {
  readonly #numbers = new Map<string, number>();
  #lists: List[] = [];
  /** How many postings of a list are in use. */
  #counts = new Uint32Array(1024);
  /** By slot: the terms that count, at most 65,535; and whether the passage is there. */
  #lengths = new Uint16Array(1024);
  #present = new Uint8Array(1024);
  #slots = 0;
  #live = 0;
  #totalLength = 0;
  #scores = new Float64Array(1024);
  /** Words that were looked for last, and those like them. */
  #similar: { readonly terms: readonly string[]; readonly words: readonly string[] } | undefined;
  /** While a passage is added: its terms, and by term how often it comes up. */
  readonly #added: number[] = [];
  #occurrences = new Uint32Array(1024);
  #touched = new Uint32Array(1024);

  /** The passages that are there. */
  get size(): number {
    return this.#live;
  }

  /** The highest slot in use. */
  get slots(): number {
    return this.#slots;
  }

  get terms(): number {
    return this.#numbers.size;
  }

  has(slot: number): boolean {
    return this.#present[slot] === 1;
  }

  /** Adds a passage behind all others. */
  add(slot: number, terms: readonly string[]): void {
    if (slot <= this.#slots || slot > HIGHEST_SLOT)
      throw new RangeError(`Slot ${String(slot)} can't be added.`);
    this.#reserveSlots(slot);
    this.#similar = undefined;
    let length = 0;
    let distinct = 0;
    for (const term of terms) {
      const number = this.#termNumber(term);
      const count = this.#occurrences[number] ?? 0;
      if (count === 0) this.#added[distinct++] = number;
      this.#occurrences[number] = count + 1;
      if (term.charCodeAt(0) !== STOP_CODE) length++;
    }
    for (let i = 0; i < distinct; i++) {
      const number = this.#added[i] ?? 0;
      this.#append(number, pack(slot, this.#occurrences[number] ?? 0));
      this.#occurrences[number] = 0;
    }
    this.#slots = slot;
    this.#present[slot] = 1;
    this.#lengths[slot] = Math.min(length, 65_535);
    this.#totalLength += this.#lengths[slot] ?? 0;
    this.#live++;
  }

  /** Makes a passage a tombstone. Returns whether it was there. */
  remove(slot: number): boolean {
    if (!this.has(slot)) return false;
    this.#present[slot] = 0;
    this.#totalLength -= this.#lengths[slot] ?? 0;
    this.#live--;
    return true;
  }

  /** A term's inverse document frequency over the passages that are there. */
  weightOf(term: string): number {
    const number = this.#numbers.get(term);
    const holding = number === undefined ? 0 : this.#countLive(this.#listOf(number));
    return Math.log(1 + (this.#live - holding + 0.5) / (holding + 0.5));
  }

  /** Terms to search by: these, or similar ones where no passage has any of them. */
  foundTerms(terms: readonly string[]): readonly string[] {
    const isThere = terms.some((term) => {
      const number = this.#numbers.get(term);
      return number !== undefined && this.#listOf(number).some((posting) => this.has(posting >>> COUNT_BITS));
    });
    if (isThere) return terms;
    // A question is searched and then weighed.
    if (this.#similar?.terms.join('\n') !== terms.join('\n'))
      this.#similar = { terms, words: similarWords(terms, this.#numbers.keys()) };
    return this.#similar.words;
  }

  /** Tells of a slot whether its passage may hold all of these; with none of them, any may. */
  holding(needed: readonly NeededTerm[]): (slot: number) => boolean {
    const lists = needed
      .map(({ anyOf, times }) => {
        const found = anyOf
          .flatMap((term) => this.#numbers.get(term) ?? [])
          .map((number) => this.#listOf(number));
        return { found, times, postings: found.reduce((sum, { length }) => sum + length, 0) };
      })
      .sort((a, b) => a.postings - b.postings)
      .slice(0, MOST_NEEDED);
    const held = new Uint8Array(this.#slots + 1);
    for (const [step, { found, times }] of lists.entries())
      for (const postings of found)
        for (const posting of postings) {
          const slot = posting >>> COUNT_BITS;
          if (held[slot] === step && (posting & HIGHEST_COUNT) >= times) held[slot] = step + 1;
        }
    return (slot) => held[slot] === lists.length;
  }

  /** The best passages by BM25 over those that are there, best first, equal ones by slot; at most `MOST_HITS`. */
  search(terms: readonly string[], { k, b }: Ranking, accepts?: (slot: number) => boolean): Scored[] {
    const scores = this.#scores;
    const touched = this.#touched;
    const present = this.#present;
    const lengths = this.#lengths;
    const constant = k * (1 - b);
    const byLength = (k * b * this.#live) / Math.max(this.#totalLength, 1);
    const gaps = this.#live < this.#slots;
    let found = 0;
    for (const number of this.#affordable(terms)) {
      const postings = this.#listOf(number);
      const holding = this.#countLive(postings);
      const weight = (k + 1) * Math.log(1 + (this.#live - holding + 0.5) / (holding + 0.5));
      for (const posting of postings) {
        const slot = posting >>> COUNT_BITS;
        if ((gaps && present[slot] === 0) || (accepts !== undefined && !accepts(slot))) continue;
        const count = posting & HIGHEST_COUNT;
        const before = scores[slot] ?? 0;
        if (before === 0) touched[found++] = slot;
        scores[slot] = before + (weight * count) / (count + constant + byLength * (lengths[slot] ?? 0));
      }
    }
    const best = new BestHits(MOST_HITS);
    for (let i = 0; i < found; i++) {
      const slot = touched[i] ?? 0;
      best.offer(slot, scores[slot] ?? 0);
      scores[slot] = 0;
    }
    return best.sorted();
  }

  /**
   * Closes the gaps of removed passages and drops terms that nothing holds any more. Returns each old slot's new
   * one, 0 for those removed.
   */
  compact(): Uint32Array {
    this.#similar = undefined;
    const moved = new Uint32Array(this.#slots + 1);
    let slots = 0;
    for (let slot = 1; slot <= this.#slots; slot++) {
      if (!this.has(slot)) continue;
      slots++;
      moved[slot] = slots;
      this.#lengths[slots] = this.#lengths[slot] ?? 0;
    }
    const lists: List[] = [];
    const counts = new Uint32Array(this.#counts.length);
    for (const [term, number] of this.#numbers) {
      const kept = this.#listOf(number)
        .map((posting) => {
          const slot = moved[posting >>> COUNT_BITS] ?? 0;
          return slot === 0 ? 0 : pack(slot, posting & HIGHEST_COUNT);
        })
        .filter((posting) => posting !== 0);
      if (kept.length === 0) {
        this.#numbers.delete(term);
        continue;
      }
      this.#numbers.set(term, lists.length);
      counts[lists.length] = kept.length;
      lists.push(kept.length === 1 ? (kept[0] ?? 0) : kept);
    }
    this.#lists = lists;
    this.#counts = counts;
    this.#slots = slots;
    this.#present.fill(0).fill(1, 1, slots + 1);
    return moved;
  }

  /** Writes what is there; without gaps, so after `compact`. */
  write(writer: ByteWriter): void {
    if (this.#live !== this.#slots) throw new Error('Postings with gaps can not be written.');
    writer.varint(this.#slots);
    for (let slot = 1; slot <= this.#slots; slot++) writer.varint(this.#lengths[slot] ?? 0);
    writer.strings([...this.#numbers.keys()]);
    for (const number of this.#numbers.values()) {
      const postings = this.#listOf(number);
      writer.varint(postings.length);
      let previous = 0;
      for (const posting of postings) {
        const slot = posting >>> COUNT_BITS;
        const count = posting & HIGHEST_COUNT;
        writer.varint((slot - previous) * 2 + (count === 1 ? 0 : 1));
        if (count !== 1) writer.varint(count);
        previous = slot;
      }
    }
  }

  static read(reader: ByteReader): Postings {
    const postings = new Postings();
    const slots = reader.varint();
    postings.#reserveSlots(slots);
    for (let slot = 1; slot <= slots; slot++) {
      const length = reader.varint();
      postings.#lengths[slot] = length;
      postings.#totalLength += length;
    }
    postings.#present.fill(1, 1, slots + 1);
    postings.#slots = slots;
    postings.#live = slots;
    for (const term of reader.strings()) {
      const number = postings.#termNumber(term);
      const list = new Uint32Array(reader.varint());
      let slot = 0;
      for (let i = 0; i < list.length; i++) {
        const step = reader.varint();
        slot += step >>> 1;
        list[i] = pack(slot, (step & 1) === 0 ? 1 : reader.varint());
      }
      postings.#lists[number] = list.length === 1 ? (list[0] ?? 0) : list;
      postings.#counts[number] = list.length;
    }
    return postings;
  }

  #listOf(number: number): Uint32Array {
    const list = this.#lists[number] ?? 0;
    return typeof list === 'number' ? Uint32Array.of(list) : list.subarray(0, this.#counts[number]);
  }

  /** The terms' numbers; of very many or very common ones the rarest, so that no question takes long. */
  #affordable(terms: readonly string[]): number[] {
    const numbers = terms.flatMap((term) => this.#numbers.get(term) ?? []);
    const lengthOf = (number: number): number => this.#counts[number] ?? 0;
    let rest = MOST_POSTINGS;
    if (numbers.reduce((sum, number) => sum + lengthOf(number), 0) <= rest) return numbers;
    return numbers
      .sort((a, b) => lengthOf(a) - lengthOf(b))
      .filter((number, i) => (rest -= lengthOf(number)) >= 0 || i === 0);
  }

  #countLive(postings: Uint32Array): number {
    if (this.#live === this.#slots) return postings.length;
    let live = 0;
    for (const posting of postings) live += this.#present[posting >>> COUNT_BITS] ?? 0;
    return live;
  }

  #termNumber(term: string): number {
    const known = this.#numbers.get(term);
    if (known !== undefined) return known;
    const number = this.#lists.length;
    this.#numbers.set(term, number);
    this.#lists.push(0);
    if (number >= this.#counts.length) {
      this.#counts = grown(this.#counts, new Uint32Array(number * 2));
      this.#occurrences = grown(this.#occurrences, new Uint32Array(number * 2));
    }
    return number;
  }

  #append(number: number, posting: number): void {
    const count = this.#counts[number] ?? 0;
    const list = this.#lists[number] ?? 0;
    this.#counts[number] = count + 1;
    if (count === 0) this.#lists[number] = posting;
    else if (typeof list === 'number') this.#lists[number] = Uint32Array.of(list, posting);
    else if (count < list.length) list[count] = posting;
    else {
      const longer = grown(list, new Uint32Array(Math.ceil(count * 1.5)));
      longer[count] = posting;
      this.#lists[number] = longer;
    }
  }

  #reserveSlots(highest: number): void {
    if (highest < this.#present.length) return;
    const size = Math.max(highest + 1, Math.ceil(this.#present.length * 1.5));
    this.#lengths = grown(this.#lengths, new Uint16Array(size));
    this.#present = grown(this.#present, new Uint8Array(size));
    this.#touched = new Uint32Array(size);
    this.#scores = new Float64Array(size);
  }
}

function pack(slot: number, count: number): number {
  return slot * 2 ** COUNT_BITS + Math.min(count, HIGHEST_COUNT);
}

function grown<T extends Uint8Array | Uint16Array | Uint32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
