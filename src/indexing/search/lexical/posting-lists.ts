import type { ByteReader, ByteWriter } from './snapshot-bytes.ts';

/** A posting has 24 bits for the slot, and 8 for the term's count in the passage. */
const COUNT_BITS = 8;
const HIGHEST_COUNT = 255;
export const HIGHEST_SLOT = 2 ** 24 - 1;

/** Returns the slot in a posting. */
export function numberSlot(posting: number): number {
  return posting >>> COUNT_BITS;
}

/** Returns the term's count in the passage, at most 255. */
export function readCount(posting: number): number {
  return posting & HIGHEST_COUNT;
}

/** Returns the index of the first posting from `from` on whose slot is at least `slot`, or `to`, by galloping. */
export function seekSlot(postings: Uint32Array, from: number, to: number, slot: number): number {
  const target = slot * 2 ** COUNT_BITS;
  let low = from;
  if (low >= to || (postings[low] ?? 0) >= target) return low;
  let step = 1;
  while (low + step < to && (postings[low + step] ?? 0) < target) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step, to);
  // The posting at `low` is before the slot, the one at `high` isn't.
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((postings[middle] ?? 0) < target) low = middle;
    else high = middle;
  }
  return high;
}

function pack(slot: number, count: number): number {
  return slot * 2 ** COUNT_BITS + Math.min(count, HIGHEST_COUNT);
}

/** Size of the buffer in terms. A single passage with more terms enlarges it. */
const MAX_PENDING_TERMS = 2 ** 18;
/** Growth factors of a full list. Long lists grow less, as they use most of the memory. */
const GROWTH = { short: 1.5, long: 1.2 };
const LONG = 4_096;

/** Postings of a term, ascending: a single one as a number, several in a growing array. */
type List = number | Uint32Array;

/**
 * Postings of each term, ascending by slot. New passages are first buffered, then sorted into the lists by term. Lists
 * are far apart in memory, so this accesses each only once instead of once per passage.
 */
export class PostingLists {
  #lists: List[] = [];
  /** Number of used postings in each list. */
  #lengths = new Uint32Array(1024);
  #waitingTerms = new Uint32Array(MAX_PENDING_TERMS);
  #waitingSlots = new Uint32Array(MAX_PENDING_TERMS);
  #waiting = 0;
  /** Target position of a term's buffered slots during sorting, otherwise 0. */
  #places = new Uint32Array(1024);
  #sorted = new Uint32Array(MAX_PENDING_TERMS);
  /** Distinct buffered terms. */
  #found = new Uint32Array(MAX_PENDING_TERMS);

  /** Adds a passage after all others, with the numbers of its terms, including repetitions. */
  add(slot: number, terms: Uint32Array): void {
    if (this.#waiting + terms.length > this.#waitingTerms.length) {
      this.#settle();
      if (terms.length > this.#waitingTerms.length) {
        this.#waitingTerms = new Uint32Array(terms.length);
        this.#waitingSlots = new Uint32Array(terms.length);
        this.#sorted = new Uint32Array(terms.length);
        this.#found = new Uint32Array(terms.length);
      }
    }
    this.#waitingTerms.set(terms, this.#waiting);
    this.#waitingSlots.fill(slot, this.#waiting, this.#waiting + terms.length);
    this.#waiting += terms.length;
  }

  /** Returns a term's postings, which share the list's memory. */
  of(number: number): Uint32Array {
    this.#settle();
    const list = this.#lists[number] ?? 0;
    return typeof list === 'number'
      ? Uint32Array.of(...(this.#lengths[number] === 1 ? [list] : []))
      : list.subarray(0, this.#lengths[number]);
  }

  /** Returns the number of postings in a list. */
  listLength(number: number): number {
    this.#settle();
    return this.#lengths[number] ?? 0;
  }

  /**
   * Replaces each slot with its new one, and drops postings whose new slot is 0. Returns a function that reports
   * whether a term still has postings; those terms move up.
   */
  compact(moved: Uint32Array): (number: number) => boolean {
    this.#settle();
    const kept = new Uint8Array(this.#lists.length);
    const lists = new PostingLists();
    for (let number = 0; number < kept.length; number++) {
      const postings = this.of(number)
        .map((posting) => {
          const slot = moved[numberSlot(posting)] ?? 0;
          return slot === 0 ? 0 : pack(slot, readCount(posting));
        })
        .filter((posting) => posting !== 0);
      if (postings.length === 0) continue;
      kept[number] = 1;
      lists.#push(postings);
    }
    this.#lists = lists.#lists;
    this.#lengths = lists.#lengths;
    this.#places = lists.#places;
    return (number) => kept[number] === 1;
  }

  /** Writes the lists of the first `terms` terms. */
  write(writer: ByteWriter, terms: number): void {
    for (let number = 0; number < terms; number++) {
      const postings = this.of(number);
      writer.varint(postings.length);
      let previous = 0;
      for (const posting of postings) {
        const slot = numberSlot(posting);
        const count = readCount(posting);
        writer.varint((slot - previous) * 2 + (count === 1 ? 0 : 1));
        if (count !== 1) writer.varint(count);
        previous = slot;
      }
    }
  }

  /** Reads the lists of `terms` terms from a snapshot. */
  static read(reader: ByteReader, terms: number): PostingLists {
    const lists = new PostingLists();
    for (let number = 0; number < terms; number++) {
      const postings = new Uint32Array(reader.varint());
      let slot = 0;
      for (let i = 0; i < postings.length; i++) {
        const step = reader.varint();
        slot += step >>> 1;
        postings[i] = pack(slot, (step & 1) === 0 ? 1 : reader.varint());
      }
      lists.#push(postings);
    }
    return lists;
  }

  #push(postings: Uint32Array): void {
    const number = this.#lists.push(postings.length === 1 ? (postings[0] ?? 0) : postings) - 1;
    this.#reserveTerm(number);
    this.#lengths[number] = postings.length;
  }

  /** Sorts the buffer into the lists: counts each term, assigns it a range, moves its slots there, and appends them. */
  #settle(): void {
    const count = this.#waiting;
    if (count === 0) return;
    this.#waiting = 0;
    const terms = this.#waitingTerms;
    const slots = this.#waitingSlots;
    const sorted = this.#sorted;
    let highest = 0;
    for (let i = 0; i < count; i++) highest = Math.max(highest, terms[i] ?? 0);
    this.#reserveTerm(highest);
    const places = this.#places;
    const found = this.#found;
    let distinct = 0;
    for (let i = 0; i < count; i++) {
      const term = terms[i] ?? 0;
      const times = places[term] ?? 0;
      if (times === 0) found[distinct++] = term;
      places[term] = times + 1;
    }
    let place = 0;
    for (let i = 0; i < distinct; i++) {
      const term = found[i] ?? 0;
      const times = places[term] ?? 0;
      places[term] = place;
      place += times;
    }
    for (let i = 0; i < count; i++) {
      const term = terms[i] ?? 0;
      const to = places[term] ?? 0;
      sorted[to] = slots[i] ?? 0;
      places[term] = to + 1;
    }
    let start = 0;
    for (let i = 0; i < distinct; i++) {
      const term = found[i] ?? 0;
      const end = places[term] ?? 0;
      this.#append(term, start, end);
      places[term] = 0;
      start = end;
    }
  }

  /** Appends sorted slots to a term's list. A slot repeats for each occurrence of the term. */
  #append(number: number, start: number, end: number): void {
    const sorted = this.#sorted;
    let length = this.#lengths[number] ?? 0;
    while (this.#lists.length <= number) this.#lists.push(0);
    let list = this.#lists[number] ?? 0;
    const first = sorted[start] ?? 0;
    if (length === 0 && first === sorted[end - 1]) {
      this.#lists[number] = pack(first, end - start);
      this.#lengths[number] = 1;
      return;
    }
    const maxSize = length + end - start;
    if (typeof list === 'number' || list.length < maxSize) {
      const longer = new Uint32Array(
        typeof list === 'number'
          ? maxSize
          : Math.max(maxSize, Math.ceil(list.length * (list.length < LONG ? GROWTH.short : GROWTH.long))),
      );
      if (typeof list === 'number') longer[0] = list;
      else longer.set(list.subarray(0, length));
      list = longer;
      this.#lists[number] = list;
    }
    for (let i = start; i < end;) {
      const slot = sorted[i] ?? 0;
      const from = i;
      while (i < end && sorted[i] === slot) i++;
      list[length++] = pack(slot, i - from);
    }
    this.#lengths[number] = length;
  }

  #reserveTerm(number: number): void {
    if (number < this.#lengths.length) return;
    const size = Math.max(number + 1, this.#lengths.length * 2);
    const lengths = new Uint32Array(size);
    lengths.set(this.#lengths);
    this.#lengths = lengths;
    const places = new Uint32Array(size);
    places.set(this.#places);
    this.#places = places;
  }
}
