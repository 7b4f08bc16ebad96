import { encode, encodeQuestion, encodeTables, NUMBERS_PER_TABLE, type EncodedVector } from './codes.ts';
import { GROUP_ROWS, type Kernel } from './kernel.ts';

/** Number of vectors in a block. */
export const BLOCK_ROWS = 512;
/** Row of a block's fine codes and steps that has its center. */
const CENTER = BLOCK_ROWS;
/** Number of steps, padded so that blocks start at multiples of 16 bytes. */
const STEPS = BLOCK_ROWS + 4;
/** Bits of all groups of a block. */
export const ALL_GROUPS = 2 ** (BLOCK_ROWS / GROUP_ROWS) - 1;
/** Vectors are padded with zeros to a multiple of this number of numbers. */
const PADDING = 16;
/** Growth factor of the memory. */
const GROWTH = 1.1;
/** Maximum memory that WebAssembly can address. */
export const MAX_BYTES = 2 ** 32 - 2 ** 16;

/** Returns the number of numbers that a vector has with its padding. */
export function paddedWidth(dimension: number): number {
  return Math.ceil(dimension / PADDING) * PADDING;
}

/**
 * Blocks of encoded vectors in a kernel's memory, each relative to the center of its block. The memory starts with a
 * question and the results of a scan. A block has its coarse codes, fine codes, factors, and steps. Vectors and
 * questions have `paddedWidth` numbers.
 */
export class VectorBlocks {
  readonly #kernel: Kernel;
  readonly #width: number;
  readonly #encoded: EncodedVector;
  readonly #residual: Float32Array;
  readonly #centerVector: Float32Array;
  readonly #firstBlock: number;
  readonly #fine: number;
  readonly #factors: number;
  readonly #steps: number;
  /** Size of a block in bytes. */
  readonly blockBytes: number;
  #count = 0;
  #bytes = new Uint8Array(0);
  #signed = new Int8Array(0);
  #floats = new Float32Array(0);
  /** Factor of the question's integers, scale of its tables, and its products with the centers. */
  #questionStep = 0;
  #unit = 0;
  #offset = 0;
  #bases = new Float64Array(0);

  constructor(dimension: number, kernel: Kernel) {
    const width = paddedWidth(dimension);
    this.#kernel = kernel;
    this.#width = width;
    this.#encoded = {
      coarse: new Uint8Array((2 * width) / NUMBERS_PER_TABLE),
      fine: new Int8Array(width),
      factor: 0,
      step: 0,
    };
    this.#residual = new Float32Array(width);
    this.#centerVector = new Float32Array(width);
    this.#firstBlock = this.#scores + 4 * BLOCK_ROWS;
    this.#fine = (BLOCK_ROWS * width) / NUMBERS_PER_TABLE;
    this.#factors = this.#fine + (BLOCK_ROWS + 1) * width;
    this.#steps = this.#factors + 4 * BLOCK_ROWS;
    this.blockBytes = this.#steps + 4 * STEPS;
  }

  /** Memory of the blocks, in bytes. */
  get bytes(): number {
    return this.#bytes.length;
  }

  /** Returns the bytes of a block, until `reserve` moves them. */
  block(block: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#kernel.buffer, this.#blockStart(block), this.blockBytes);
  }

  /**
   * Reserves memory for this number of blocks.
   * @throws RangeError if there isn't enough memory
   */
  reserve(blocks: number): void {
    if (blocks <= this.#count) return;
    if (this.#blockStart(blocks) > MAX_BYTES)
      throw new RangeError('That is more than WebAssembly can address.');
    // Growing may copy all memory, so grow by a share of it.
    const grownCount = Math.max(blocks, Math.ceil(GROWTH * this.#count));
    const count = Math.min(grownCount, Math.floor((MAX_BYTES - this.#firstBlock) / this.blockBytes));
    this.#kernel.grow(this.#blockStart(count));
    const { buffer } = this.#kernel;
    this.#bytes = new Uint8Array(buffer);
    this.#signed = new Int8Array(buffer);
    this.#floats = new Float32Array(buffer);
    this.#count = count;
  }

  /** Writes a full block of vectors of length one. */
  write(block: number, vectors: Float32Array): void {
    const start = this.#blockStart(block);
    this.#bytes.fill(0, start, start + this.#fine);
    const width = this.#width;
    const center = this.#centerVector;
    center.fill(0);
    for (let row = 0; row < BLOCK_ROWS; row++)
      for (let i = 0; i < width; i++)
        center[i] = (center[i] ?? 0) + (vectors[row * width + i] ?? 0) / BLOCK_ROWS;
    encode(center, this.#encoded);
    this.#writeFine(start, CENTER);
    // Vectors are relative to the center as it's stored.
    this.#readFine(start, CENTER, center);
    for (let row = 0; row < BLOCK_ROWS; row++) {
      for (let i = 0; i < width; i++) this.#residual[i] = (vectors[row * width + i] ?? 0) - (center[i] ?? 0);
      encode(this.#residual, this.#encoded);
      this.#writeCoarse(start, row);
      this.#writeFine(start, row);
      this.#floats[(start + this.#factors) / 4 + row] = this.#encoded.factor;
    }
  }

  /** Reads a vector of a block into `into`. */
  read(block: number, row: number, into: Float32Array): void {
    const start = this.#blockStart(block);
    this.#readFine(start, CENTER, this.#centerVector);
    this.#readFine(start, row, into);
    for (let i = 0; i < this.#width; i++) into[i] = (into[i] ?? 0) + (this.#centerVector[i] ?? 0);
  }

  /** Prepares a question of length one for `scan` and `product`. Blocks must be reserved. */
  ask(question: Float32Array): void {
    const { buffer } = this.#kernel;
    ({ unit: this.#unit, offset: this.#offset } = encodeTables(
      question,
      new Uint8Array(buffer, 0, this.#integers),
    ));
    this.#questionStep = encodeQuestion(question, new Int16Array(buffer, this.#integers, this.#width));
    if (this.#bases.length < this.#count) this.#bases = new Float64Array(this.#count);
  }

  /**
   * Scores rows of a block roughly, in the groups of 32 rows whose bits are set. Calls `take` with the rows that reach
   * the minimum score, and then with its last return value as the minimum.
   */
  scan(
    block: number,
    groups: number,
    minScore: number,
    take: (row: number, score: number) => number,
  ): number {
    const start = this.#blockStart(block);
    const base = this.#multiply(start, CENTER);
    this.#bases[block] = base;
    const scores = this.#scores;
    const count = this.#kernel.scan({
      tables: 0,
      tableCount: this.#width / NUMBERS_PER_TABLE,
      codes: start,
      factors: start + this.#factors,
      groups,
      unit: this.#unit,
      offset: this.#offset,
      base,
      minScore,
      sums: this.#sums,
      rows: this.#matchingRows,
      scores,
    });
    const rows = new Int32Array(this.#kernel.buffer, this.#matchingRows, count);
    let minimum = minScore;
    for (let i = 0; i < count; i++) {
      const score = this.#floats[scores / 4 + i] ?? 0;
      if (score >= minimum) minimum = take(rows[i] ?? 0, score);
    }
    return minimum;
  }

  /** Returns the product of the question and a row of a scanned block. */
  product(block: number, row: number): number {
    return (this.#bases[block] ?? 0) + this.#multiply(this.#blockStart(block), row);
  }

  #multiply(start: number, row: number): number {
    const step = this.#floats[(start + this.#steps) / 4 + row] ?? 0;
    const fine = start + this.#fine + row * this.#width;
    return this.#kernel.multiply(this.#integers, fine, this.#width) * step * this.#questionStep;
  }

  #readFine(start: number, row: number, into: Float32Array): void {
    const step = this.#floats[(start + this.#steps) / 4 + row] ?? 0;
    const fine = start + this.#fine + row * this.#width;
    for (let i = 0; i < this.#width; i++) into[i] = (this.#signed[fine + i] ?? 0) * step;
  }

  #writeFine(start: number, row: number): void {
    this.#signed.set(this.#encoded.fine, start + this.#fine + row * this.#width);
    this.#floats[(start + this.#steps) / 4 + row] = this.#encoded.step;
  }

  /** Sets the bits of an encoded vector; those of other vectors are in the same bytes. */
  #writeCoarse(start: number, row: number): void {
    const { coarse } = this.#encoded;
    const groupBytes = (32 * this.#width) / NUMBERS_PER_TABLE;
    const group = start + groupBytes * Math.floor(row / GROUP_ROWS);
    const column = 2 * (row % 8) + ((row >> 3) & 1);
    const shift = row % GROUP_ROWS < 16 ? 0 : 4;
    const bytes = this.#bytes;
    // A table has 16 bytes for each plane.
    for (let plane = 0; plane < coarse.length; plane++) {
      const at = group + 16 * plane + column;
      bytes[at] = (bytes[at] ?? 0) | ((coarse[plane] ?? 0) << shift);
    }
  }

  /** Offsets of the question as integers, of sums, and of the results of a scan. */
  get #integers(): number {
    return (32 * this.#width) / NUMBERS_PER_TABLE;
  }

  get #sums(): number {
    return this.#integers + 2 * this.#width;
  }

  get #matchingRows(): number {
    return this.#sums + 2 * GROUP_ROWS;
  }

  get #scores(): number {
    return this.#matchingRows + 4 * BLOCK_ROWS;
  }

  #blockStart(block: number): number {
    return this.#firstBlock + block * this.blockBytes;
  }
}
