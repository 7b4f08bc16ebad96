/** Size classes of chunks: a chunk of class `n` has 2^n words. */
const CLASSES = 32;
/** Growth factor of a full pool. */
const GROWTH = 1.25;
const MIN_FREE = 1024;

/**
 * Pool of 32-bit words. Lists borrow chunks of it, and return those that they have outgrown. A chunk is a range of
 * `words`, which is replaced when the pool grows.
 */
export class WordPool {
  words: Uint32Array;
  /** Offset of the first free chunk of each class; 0 for none, as the first word isn't used. A free chunk's first word is the offset of the next one. */
  readonly #free: Uint32Array;
  #end: number;

  /** Continues a saved pool if there is one. */
  constructor(words: Uint32Array = new Uint32Array(1), free: Uint32Array = new Uint32Array(CLASSES)) {
    this.words = words;
    this.#free = free;
    this.#end = words.length;
  }

  /** Returns the used words, and the first free chunk of each class, for a snapshot. */
  arrays(): readonly [words: Uint32Array, free: Uint32Array] {
    return [this.words.subarray(0, this.#end), this.#free];
  }

  /** Returns the offset of a chunk of 2^`bits` words, with any content. */
  borrow(bits: number): number {
    const chunk = this.#free[bits] ?? 0;
    if (chunk !== 0) {
      this.#free[bits] = this.words[chunk] ?? 0;
      return chunk;
    }
    const offset = this.#end;
    this.#end += 1 << bits;
    if (this.#end > this.words.length) {
      const words = new Uint32Array(Math.ceil(this.#end * GROWTH) + MIN_FREE);
      words.set(this.words.subarray(0, offset));
      this.words = words;
    }
    return offset;
  }

  /** Takes a chunk of 2^`bits` words back. */
  release(offset: number, bits: number): void {
    this.words[offset] = this.#free[bits] ?? 0;
    this.#free[bits] = offset;
  }

  /** Returns the offset of a chunk that is twice as long, starts with the content of this one, and replaces it. */
  double(offset: number, bits: number): number {
    const longer = this.borrow(bits + 1);
    this.words.copyWithin(longer, offset, offset + (1 << bits));
    this.release(offset, bits);
    return longer;
  }
}
