import { encode, encodeQuestion, type Encoded } from './codes.ts';
import type { Kernel } from './kernel.ts';

/** A row's codes are padded with zeros to a multiple of this number of bytes. */
const STRIDE = 64;
/** Rows are allocated in blocks: their codes, then their rests, excesses, and steps. */
const BLOCK = 512;
/** Maximum memory that WebAssembly can address. */
const MAX_BYTES = 2 ** 32 - 2 ** 16;

/**
 * Encoded vectors in a kernel's memory, by row. The memory starts with a question and the results of a scan, followed
 * by the blocks.
 */
export class VectorRows {
  readonly #kernel: Kernel;
  readonly #dimension: number;
  readonly #stride: number;
  readonly #blockBytes: number;
  readonly #encoded: Encoded;
  #bytes = new Int8Array(0);
  #wholes = new Int32Array(0);
  #floats = new Float32Array(0);

  constructor(dimension: number, kernel: Kernel) {
    this.#kernel = kernel;
    this.#dimension = dimension;
    this.#stride = Math.ceil(dimension / STRIDE) * STRIDE;
    this.#blockBytes = BLOCK * (2 * this.#stride + 8);
    this.#encoded = { codes: new Int8Array(dimension), rests: new Int8Array(dimension), step: 0, excess: 0 };
  }

  /** Memory of the rows, in bytes. */
  get bytes(): number {
    return this.#bytes.length;
  }

  /**
   * Reserves memory for this number of rows.
   * @throws RangeError if there isn't enough memory
   */
  reserve(rows: number): void {
    const bytes = this.#blockStart(0) + Math.ceil(rows / BLOCK) * this.#blockBytes;
    if (rows === 0 || bytes <= this.bytes) return;
    if (bytes > MAX_BYTES) throw new RangeError('That is more than WebAssembly can address.');
    this.#kernel.grow(bytes);
    const { buffer } = this.#kernel;
    this.#bytes = new Int8Array(buffer);
    this.#wholes = new Int32Array(buffer);
    this.#floats = new Float32Array(buffer);
  }

  /** Writes a vector into a row. */
  write(row: number, vector: Float32Array): void {
    const encoded = this.#encoded;
    encode(vector, encoded);
    const codes = this.#codesStart(row);
    this.#bytes.set(encoded.codes, codes);
    this.#bytes.set(encoded.rests, codes + BLOCK * this.#stride);
    const numbers = this.#numbersStart(row);
    this.#wholes[numbers] = encoded.excess;
    this.#floats[numbers + BLOCK] = encoded.step;
  }

  /** Copies a row over another. */
  copy(from: number, to: number): void {
    const [source, target] = [this.#codesStart(from), this.#codesStart(to)];
    for (const plane of [0, BLOCK * this.#stride])
      this.#bytes.copyWithin(target + plane, source + plane, source + plane + this.#stride);
    const [numbers, moved] = [this.#numbersStart(from), this.#numbersStart(to)];
    this.#wholes[moved] = this.#wholes[numbers] ?? 0;
    this.#floats[moved + BLOCK] = this.#floats[numbers + BLOCK] ?? 0;
  }

  /**
   * Calls `take` with rows among the first `rows`, in order, and their rough scores. It returns the minimum score for
   * further rows. Rough scores are only comparable for the same question.
   */
  scan(question: Float32Array, rows: number, take: (row: number, score: number) => number): void {
    encodeQuestion(question, new Uint8Array(this.#bytes.buffer, 0, this.#dimension));
    const found = this.#stride / 4;
    const scores = found + BLOCK;
    let least = -Infinity;
    for (let first = 0; first < rows; first += BLOCK) {
      const numbers = this.#numbersStart(first);
      const count = this.#kernel.scan({
        question: 0,
        codes: this.#codesStart(first),
        excesses: 4 * numbers,
        steps: 4 * (numbers + BLOCK),
        stride: this.#stride,
        rows: Math.min(BLOCK, rows - first),
        least,
        found: 4 * found,
        scores: 4 * scores,
      });
      for (let i = 0; i < count; i++) {
        const score = this.#floats[scores + i] ?? 0;
        if (score >= least) least = take(first + (this.#wholes[found + i] ?? 0), score);
      }
    }
  }

  /** Returns a row as a vector of length one. */
  read(row: number): Float64Array {
    const codes = this.#codesStart(row);
    const rests = codes + BLOCK * this.#stride;
    const step = this.#floats[this.#numbersStart(row) + BLOCK] ?? 0;
    return Float64Array.from(
      { length: this.#dimension },
      (_, i) => ((this.#bytes[codes + i] ?? 0) * 256 + (this.#bytes[rests + i] ?? 0)) * step,
    );
  }

  /** Returns the product of a row, as a vector of length one, with another vector. */
  product(row: number, vector: Float64Array): number {
    const codes = this.#codesStart(row);
    const rests = codes + BLOCK * this.#stride;
    const bytes = this.#bytes;
    let product = 0;
    for (let i = 0; i < vector.length; i++)
      product += (vector[i] ?? 0) * ((bytes[codes + i] ?? 0) * 256 + (bytes[rests + i] ?? 0));
    return product * (this.#floats[this.#numbersStart(row) + BLOCK] ?? 0);
  }

  /** Returns the offset of a row's codes, in bytes. */
  #codesStart(row: number): number {
    return this.#blockStart(row) + (row % BLOCK) * this.#stride;
  }

  /** Returns the offset of a row's excess, in units of four bytes. Its step follows one block length later. */
  #numbersStart(row: number): number {
    return (this.#blockStart(row) + 2 * BLOCK * this.#stride) / 4 + (row % BLOCK);
  }

  #blockStart(row: number): number {
    return this.#stride + 8 * BLOCK + Math.floor(row / BLOCK) * this.#blockBytes;
  }
}
