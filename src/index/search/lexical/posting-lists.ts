import { BlockCells, wordOfCell } from './block-cells.ts';
import { highestLevel, type Norms } from './block-impacts.ts';
import {
  BLOCK_BITS,
  BLOCK_POSTINGS,
  FORMAT_BITS,
  numberSlot,
  packPosting,
  PostingReader,
  readCount,
  WIDE,
} from './posting-reader.ts';
import type { SnapshotReader, SnapshotWriter } from './snapshot-arrays.ts';
import { WordPool } from './word-pool.ts';

/** Size of the buffer in terms. A single passage with more terms enlarges it. */
const MAX_PENDING_TERMS = 2 ** 18;

/** Impacts are computed again if the average length has changed by this factor. */
const MAX_LOOSENESS = 1.05;

/** Returns the current length normalization. */
type CurrentNorms = () => Norms;

const NO_NORMS: Norms = { constant: 0, byLength: 0, lengths: new Uint16Array(0) };

/**
 * Postings of each term, ascending by slot. Full blocks of 128 postings are packed, with 16 bits for a posting wherever
 * its distance from the block before and its count fit, and never change. The others of a term, its tail, have 32 bits.
 *
 * New passages are first buffered, then sorted into the lists by term. Lists are far apart in memory, so this accesses
 * each only once instead of once per passage.
 */
export class PostingLists {
  readonly #norms: CurrentNorms;
  #cells = new BlockCells();
  /** Arrays for the postings of a block, which readers have released. Allocating one takes longer than filling it. */
  readonly #free: Uint32Array[] = [];
  /** Entries of blocks, and tails of more than one posting, in chunks of the next power of two. */
  #pool = new WordPool();
  /** Number of postings of each term, chunk with the entries of its blocks, and chunk of its tail or its only posting. */
  #lengths: Uint32Array = new Uint32Array(1024);
  #entries: Uint32Array = new Uint32Array(1024);
  #tails: Uint32Array = new Uint32Array(1024);
  /** For each term, the `byLength` of the norms with which the impacts of its blocks were computed; 0 if they must be computed. */
  #impactNorms: Float32Array = new Float32Array(1024);
  /** `constant` of these norms. */
  #constant = NaN;
  #waitingTerms = new Uint32Array(MAX_PENDING_TERMS);
  #waitingSlots = new Uint32Array(MAX_PENDING_TERMS);
  #waiting = 0;
  /** Target position of a term's buffered slots during sorting, otherwise 0. */
  #places = new Uint32Array(1024);
  #sorted = new Uint32Array(MAX_PENDING_TERMS);
  /** Distinct buffered terms. */
  #distinctTerms = new Uint32Array(MAX_PENDING_TERMS);

  /** `norms` returns the norms for the impacts of new blocks. */
  constructor(norms: CurrentNorms = () => NO_NORMS) {
    this.#norms = norms;
  }

  /** Adds a passage after all others, with the numbers of its terms, including repetitions. */
  add(slot: number, terms: Uint32Array): void {
    if (this.#waiting + terms.length > this.#waitingTerms.length) {
      this.#settle();
      if (terms.length > this.#waitingTerms.length) {
        this.#waitingTerms = new Uint32Array(terms.length);
        this.#waitingSlots = new Uint32Array(terms.length);
        this.#sorted = new Uint32Array(terms.length);
        this.#distinctTerms = new Uint32Array(terms.length);
      }
    }
    this.#waitingTerms.set(terms, this.#waiting);
    this.#waitingSlots.fill(slot, this.#waiting, this.#waiting + terms.length);
    this.#waiting += terms.length;
  }

  /** Returns a reader of a term's postings, which is valid until a passage is added. */
  of(number: number): PostingReader {
    this.#settle();
    const length = this.#lengths[number] ?? 0;
    const place = this.#tails[number] ?? 0;
    const tailLength = length % BLOCK_POSTINGS;
    return new PostingReader({
      length,
      words: this.#pool.words,
      entries: this.#entries[number] ?? 0,
      tail: tailLength === 1 ? Uint32Array.of(place) : this.#pool.words.subarray(place, place + tailLength),
      cells: this.#cells,
      free: this.#free,
    });
  }

  /**
   * Updates the impact levels of a list's blocks for these norms, if they differ too much from those at hand. Returns the
   * factor by which an impact can be higher than its level says.
   */
  updateLevels(number: number, reader: PostingReader, norms: Norms): number {
    this.#useConstant(norms.constant);
    const { byLength } = norms;
    let known = this.#impactNorms[number] ?? 0;
    if (known > byLength * MAX_LOOSENESS || known * MAX_LOOSENESS < byLength) {
      known = Math.fround(byLength);
      this.#impactNorms[number] = known;
      const { words } = this.#pool;
      const entries = this.#entries[number] ?? 0;
      for (let block = 0; block < reader.length >>> BLOCK_BITS; block++) {
        const size = reader.load(block);
        const level = highestLevel(reader.postings, 0, size, { ...norms, byLength: known });
        const entry = entries + 2 * block;
        words[entry] = packPosting(numberSlot(words[entry] ?? 0), level);
      }
    }
    const size = reader.length % BLOCK_POSTINGS;
    if (size > 0) {
      reader.load(reader.blocks - 1);
      reader.tailLevel = highestLevel(reader.postings, 0, size, { ...norms, byLength: known });
    }
    // A shorter average length raises no impact; a longer one raises them at most by its ratio.
    return known > byLength ? known / byLength : 1;
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
    const isUsed = new Uint8Array(this.#lengths.length);
    const lists = new PostingLists(this.#norms);
    lists.#useConstant(this.#norms().constant);
    let next = 0;
    for (let number = 0; number < isUsed.length; number++) {
      if (this.#lengths[number] === 0) continue;
      const reader = this.of(number);
      lists.#reserveTerm(next);
      for (let block = 0; block < reader.blocks; block++) {
        const size = reader.load(block);
        for (let i = 0; i < size; i++) {
          const posting = reader.postings[i] ?? 0;
          const slot = moved[numberSlot(posting)] ?? 0;
          if (slot !== 0) lists.#append(next, slot, readCount(posting));
        }
      }
      reader.release();
      if (lists.#lengths[next] === 0) continue;
      isUsed[number] = 1;
      next++;
    }
    this.#cells = lists.#cells;
    this.#pool = lists.#pool;
    this.#lengths = lists.#lengths;
    this.#entries = lists.#entries;
    this.#tails = lists.#tails;
    this.#impactNorms = lists.#impactNorms;
    this.#places = lists.#places;
    return (number) => isUsed[number] === 1;
  }

  /** Writes the lists of the first `terms` terms. */
  write(writer: SnapshotWriter, terms: number): void {
    this.#settle();
    this.#reserveTerm(terms);
    for (const array of [this.#lengths, this.#entries, this.#tails, this.#impactNorms])
      writer.array(array.subarray(0, terms));
    writer.array(Float64Array.of(this.#constant));
    for (const array of this.#pool.arrays()) writer.array(array);
    writer.array(...this.#cells.parts());
  }

  /** Uses the lists in a snapshot. */
  static read(reader: SnapshotReader, norms: CurrentNorms): PostingLists {
    const lists = new PostingLists(norms);
    lists.#lengths = reader.array(Uint32Array);
    lists.#entries = reader.array(Uint32Array);
    lists.#tails = reader.array(Uint32Array);
    lists.#impactNorms = reader.array(Float32Array);
    lists.#places = new Uint32Array(lists.#lengths.length);
    [lists.#constant = NaN] = reader.array(Float64Array);
    lists.#pool = new WordPool(reader.array(Uint32Array), reader.array(Uint32Array));
    lists.#cells = BlockCells.from(reader.array(Uint32Array));
    return lists;
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
    const distinctTerms = this.#distinctTerms;
    let distinct = 0;
    for (let i = 0; i < count; i++) {
      const term = terms[i] ?? 0;
      const times = places[term] ?? 0;
      if (times === 0) distinctTerms[distinct++] = term;
      places[term] = times + 1;
    }
    let place = 0;
    for (let i = 0; i < distinct; i++) {
      const term = distinctTerms[i] ?? 0;
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
      const term = distinctTerms[i] ?? 0;
      const end = places[term] ?? 0;
      this.#appendSorted(term, start, end);
      places[term] = 0;
      start = end;
    }
  }

  /** Appends sorted slots to a term's list. A slot repeats for each occurrence of the term. */
  #appendSorted(number: number, start: number, end: number): void {
    const sorted = this.#sorted;
    for (let i = start; i < end;) {
      const slot = sorted[i] ?? 0;
      const from = i;
      while (i < end && sorted[i] === slot) i++;
      this.#append(number, slot, i - from);
    }
  }

  /** Appends a posting to a term's list. */
  #append(number: number, slot: number, count: number): void {
    const length = this.#lengths[number] ?? 0;
    const tailLength = length % BLOCK_POSTINGS;
    const posting = packPosting(slot, count);
    this.#lengths[number] = length + 1;
    if (tailLength === 0) {
      this.#tails[number] = posting;
      return;
    }
    let tail = this.#tails[number] ?? 0;
    if (tailLength === 1) {
      const only = tail;
      tail = this.#pool.borrow(1);
      this.#pool.words[tail] = only;
    } else if ((tailLength & (tailLength - 1)) === 0)
      tail = this.#pool.double(tail, 31 - Math.clz32(tailLength));
    this.#tails[number] = tail;
    this.#pool.words[tail + tailLength] = posting;
    if (tailLength + 1 < BLOCK_POSTINGS) return;
    this.#appendBlock(number, tail);
    this.#pool.release(tail, BLOCK_BITS);
  }

  /** Packs a full tail into a block, with its impact level. */
  #appendBlock(number: number, tail: number): void {
    const pool = this.#pool;
    const blocks = ((this.#lengths[number] ?? 0) >>> BLOCK_BITS) - 1;
    let entries = this.#entries[number] ?? 0;
    if (blocks === 0) entries = pool.borrow(1);
    else if ((blocks & (blocks - 1)) === 0) entries = pool.double(entries, 32 - Math.clz32(blocks));
    this.#entries[number] = entries;
    const { words } = pool;
    const before = blocks === 0 ? 0 : numberSlot(words[entries + 2 * blocks - 2] ?? 0);
    const last = numberSlot(words[tail + BLOCK_POSTINGS - 1] ?? 0);
    words[entries + 2 * blocks] = packPosting(last, this.#levelOfBlock(number, blocks, tail));
    words[entries + 2 * blocks + 1] = this.#packBlock(tail, before, last);
  }

  /** Returns the level of a new block, with the norms of the others of its list; 0 if these have none. */
  #levelOfBlock(number: number, blocks: number, tail: number): number {
    const { constant, byLength, lengths } = this.#norms();
    this.#useConstant(constant);
    if (blocks === 0) this.#impactNorms[number] = byLength;
    const known = this.#impactNorms[number] ?? 0;
    return known === 0
      ? 0
      : highestLevel(this.#pool.words, tail, tail + BLOCK_POSTINGS, { constant, byLength: known, lengths });
  }

  /** Packs the postings of a chunk into cells. Returns the first cell with its format. */
  #packBlock(tail: number, before: number, last: number): number {
    const { words } = this.#pool;
    let highest = 0;
    for (let i = tail; i < tail + BLOCK_POSTINGS; i++) highest = Math.max(highest, readCount(words[i] ?? 0));
    const format = 32 - Math.clz32(highest - 1);
    const isNarrow = 32 - Math.clz32(last - before) + format <= 16;
    const cell = this.#cells.append(isNarrow ? 1 : 2);
    const page = this.#cells.pageOf(cell);
    const first = wordOfCell(cell);
    if (isNarrow)
      for (let i = 0; i < BLOCK_POSTINGS; i++) {
        const posting = words[tail + i] ?? 0;
        page.halves[2 * first + i] = ((numberSlot(posting) - before) << format) | (readCount(posting) - 1);
      }
    else page.words.set(words.subarray(tail, tail + BLOCK_POSTINGS), first);
    return ((cell << FORMAT_BITS) | (isNarrow ? format : WIDE)) >>> 0;
  }

  /** Forgets the impacts of all blocks if they were computed with another constant. */
  #useConstant(constant: number): void {
    if (constant === this.#constant) return;
    this.#constant = constant;
    this.#impactNorms.fill(0);
  }

  #reserveTerm(number: number): void {
    if (number < this.#lengths.length) return;
    const size = Math.max(number + 1, this.#lengths.length * 2);
    this.#lengths = growArray(this.#lengths, new Uint32Array(size));
    this.#entries = growArray(this.#entries, new Uint32Array(size));
    this.#tails = growArray(this.#tails, new Uint32Array(size));
    this.#impactNorms = growArray(this.#impactNorms, new Float32Array(size));
    this.#places = growArray(this.#places, new Uint32Array(size));
  }
}

function growArray<T extends Float32Array | Uint32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
