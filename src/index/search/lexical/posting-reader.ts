import { wordOfCell, type BlockCells } from './block-cells.ts';

/** A posting is a number with 24 bits for the slot, and 8 for the term's count in the passage. */
const COUNT_BITS = 8;
const HIGHEST_COUNT = 255;
export const HIGHEST_SLOT = 2 ** 24 - 1;

/** Number of postings in a block. */
export const BLOCK_POSTINGS = 128;
export const BLOCK_BITS = 7;

/** The format of a block is the number of low bits for the count minus one in postings of 16 bits, or this for 32 bits. */
export const WIDE = 15;
export const FORMAT_BITS = 4;
const FORMAT_MASK = 15;

const NO_HALVES: Uint16Array = new Uint16Array(0);
const NO_POSTINGS = new Uint32Array(0);

/** Returns the slot in a posting. */
export function numberSlot(posting: number): number {
  return posting >>> COUNT_BITS;
}

/** Returns the term's count in the passage, at most 255. */
export function readCount(posting: number): number {
  return posting & HIGHEST_COUNT;
}

/** Returns a posting, with at most 255 as its count. */
export function packPosting(slot: number, count: number): number {
  return ((slot << COUNT_BITS) | Math.min(count, HIGHEST_COUNT)) >>> 0;
}

/** Postings of a term that aren't in a block yet, and the entries of its blocks. */
interface List {
  readonly length: number;
  /** Array with two words for each block: its last slot with its impact level, and its first cell with its format. */
  readonly words: Uint32Array;
  /** Index of the first block's entry. */
  readonly entries: number;
  /** Postings after the last block. */
  readonly tail: Uint32Array;
  readonly cells: BlockCells;
  /** Free arrays for the postings of a block. */
  readonly free: Uint32Array[];
}

/** Reader of a term's postings, ascending by slot. It is valid until a passage is added. */
export class PostingReader {
  readonly length: number;
  /** Number of blocks. The last one may have fewer postings than the others. */
  readonly blocks: number;
  /** Postings of the loaded block; see `load`. */
  postings: Uint32Array = NO_POSTINGS;
  /** Impact level of the last block if it isn't full. */
  tailLevel = 0;
  readonly #words: Uint32Array;
  readonly #entries: number;
  readonly #tail: Uint32Array;
  readonly #cells: BlockCells;
  readonly #free: Uint32Array[];
  #loaded = -1;
  /** Last slot that `find` sought, the block that it is in, its last slot, its format, and the index of its next posting. */
  #sought = 0;
  #block = -1;
  #lastSlot = -1;
  #format = WIDE;
  #next = 0;
  /** If its postings have 16 bits: the array with them, the index of the first one, and the slot before them. */
  #halves = NO_HALVES;
  #first = 0;
  #before = 0;

  constructor({ length, words, entries, tail, cells, free }: List) {
    this.length = length;
    this.blocks = Math.ceil(length / BLOCK_POSTINGS);
    this.#words = words;
    this.#entries = entries;
    this.#tail = tail;
    this.#cells = cells;
    this.#free = free;
  }

  /** Returns the number of postings in a block. */
  size(block: number): number {
    return Math.min(BLOCK_POSTINGS, this.length - block * BLOCK_POSTINGS);
  }

  /** Returns the last slot of a block. */
  lastSlot(block: number): number {
    return this.#isTail(block)
      ? numberSlot(this.#tail[this.#tail.length - 1] ?? 0)
      : numberSlot(this.#words[this.#entries + 2 * block] ?? 0);
  }

  /** Returns the level of a block's highest impact; see `block-impacts.ts`. */
  level(block: number): number {
    return this.#isTail(block)
      ? this.tailLevel
      : (this.#words[this.#entries + 2 * block] ?? 0) & HIGHEST_COUNT;
  }

  /** Unpacks a block into `postings`. Returns their number. */
  load(block: number): number {
    const size = this.size(block);
    if (block === this.#loaded) return size;
    this.#loaded = block;
    if (this.postings.length === 0) this.postings = this.#free.pop() ?? new Uint32Array(BLOCK_POSTINGS);
    const { postings } = this;
    if (this.#isTail(block)) {
      postings.set(this.#tail);
      return size;
    }
    const place = this.#words[this.#entries + 2 * block + 1] ?? 0;
    const cell = place >>> FORMAT_BITS;
    const format = place & FORMAT_MASK;
    const page = this.#cells.pageOf(cell);
    const first = wordOfCell(cell);
    if (format === WIDE) {
      const { words } = page;
      for (let i = 0; i < BLOCK_POSTINGS; i++) postings[i] = words[first + i] ?? 0;
      return size;
    }
    const { halves } = page;
    const before = this.#slotBefore(block);
    const mask = (1 << format) - 1;
    for (let i = 0; i < BLOCK_POSTINGS; i++) {
      const half = halves[2 * first + i] ?? 0;
      postings[i] = ((before + (half >>> format)) << COUNT_BITS) | ((half & mask) + 1);
    }
    return size;
  }

  /** Lets other readers use the array of postings. */
  release(): void {
    if (this.postings.length > 0) this.#free.push(this.postings);
    this.postings = NO_POSTINGS;
    this.#loaded = -1;
  }

  /** Returns a posting by its index, without unpacking its block. */
  at(index: number): number {
    const block = index >>> BLOCK_BITS;
    const i = index & (BLOCK_POSTINGS - 1);
    if (block === this.#loaded) return this.postings[i] ?? 0;
    if (this.#isTail(block)) return this.#tail[i] ?? 0;
    const place = this.#words[this.#entries + 2 * block + 1] ?? 0;
    const cell = place >>> FORMAT_BITS;
    const format = place & FORMAT_MASK;
    const { words, halves } = this.#cells.pageOf(cell);
    const first = wordOfCell(cell);
    if (format === WIDE) return words[first + i] ?? 0;
    const half = halves[2 * first + i] ?? 0;
    const slot = this.#slotBefore(block) + (half >>> format);
    return packPosting(slot, (half & ((1 << format) - 1)) + 1);
  }

  /** Returns the index of the first posting from `from` on whose slot is at least `slot`, or the length, by galloping. */
  seek(from: number, slot: number): number {
    if (from >= this.length) return this.length;
    let block = from >>> BLOCK_BITS;
    let first = from & (BLOCK_POSTINGS - 1);
    if (this.lastSlot(block) < slot) {
      block = this.#seekBlock(block, slot);
      if (block === this.blocks) return this.length;
      first = 0;
    }
    const place = this.#placeOf(block);
    const format = place & FORMAT_MASK;
    const cell = place >>> FORMAT_BITS;
    const start = block * BLOCK_POSTINGS;
    if (format !== WIDE) {
      const target = (slot - this.#slotBefore(block)) << format;
      return start + seekHalf(this.#cells.pageOf(cell).halves, 2 * wordOfCell(cell), first, target);
    }
    const last = this.load(block) - 1;
    return start + seekPosting(this.postings, first, last, packPosting(slot, 0));
  }

  /** Returns the posting of a slot, or 0 if there is none. Ascending slots are fast. */
  find(slot: number): number {
    if (slot < this.#sought) {
      this.#block = -1;
      this.#lastSlot = -1;
    }
    this.#sought = slot;
    if (slot > this.#lastSlot) {
      const block = this.#seekBlock(this.#block, slot);
      if (block >= this.blocks) return 0;
      this.#enter(block);
    }
    if (this.#format === WIDE) {
      const last = this.load(this.#block) - 1;
      this.#next = seekPosting(this.postings, this.#next, last, packPosting(slot, 0));
      const posting = this.postings[this.#next] ?? 0;
      return numberSlot(posting) === slot ? posting : 0;
    }
    const target = (slot - this.#before) << this.#format;
    this.#next = seekHalf(this.#halves, this.#first, this.#next, target);
    const half = this.#halves[this.#first + this.#next] ?? 0;
    const count = half - target;
    return count < 1 << this.#format ? packPosting(slot, count + 1) : 0;
  }

  /** Returns the first block after `block` whose last slot is at least `slot`, or the number of blocks. */
  #seekBlock(block: number, slot: number): number {
    let low = block;
    let step = 1;
    while (low + step < this.blocks && this.lastSlot(low + step) < slot) {
      low += step;
      step *= 2;
    }
    let high = Math.min(low + step, this.blocks);
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (this.lastSlot(middle) < slot) low = middle;
      else high = middle;
    }
    return high;
  }

  /** Makes a block the one in which `find` continues. */
  #enter(block: number): void {
    this.#block = block;
    this.#next = 0;
    this.#lastSlot = this.lastSlot(block);
    const place = this.#placeOf(block);
    this.#format = place & FORMAT_MASK;
    if (this.#format === WIDE) return;
    const cell = place >>> FORMAT_BITS;
    this.#halves = this.#cells.pageOf(cell).halves;
    this.#first = 2 * wordOfCell(cell);
    this.#before = this.#slotBefore(block);
  }

  /** Returns the first cell of a block with its format. The tail has no cell, and the format of wide blocks. */
  #placeOf(block: number): number {
    return this.#isTail(block) ? WIDE : (this.#words[this.#entries + 2 * block + 1] ?? 0);
  }

  #slotBefore(block: number): number {
    return block === 0 ? 0 : this.lastSlot(block - 1);
  }

  #isTail(block: number): boolean {
    return (block + 1) * BLOCK_POSTINGS > this.length;
  }
}

/** Returns the first index from `from` to `last` whose posting is at least `target`, by galloping. There must be one. */
function seekPosting(postings: Uint32Array, from: number, last: number, target: number): number {
  let low = from;
  if ((postings[low] ?? 0) >= target) return low;
  let step = 1;
  while (low + step < last && (postings[low + step] ?? 0) < target) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step, last);
  // The posting at `low` is less than the target, the one at `high` isn't.
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((postings[middle] ?? 0) < target) low = middle;
    else high = middle;
  }
  return high;
}

/** Does the same with the postings of 16 bits that begin at `first`. */
function seekHalf(halves: Uint16Array, first: number, from: number, target: number): number {
  let low = from;
  if ((halves[first + low] ?? 0) >= target) return low;
  let step = 1;
  while (low + step < BLOCK_POSTINGS - 1 && (halves[first + low + step] ?? 0) < target) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step, BLOCK_POSTINGS - 1);
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((halves[first + middle] ?? 0) < target) low = middle;
    else high = middle;
  }
  return high;
}
