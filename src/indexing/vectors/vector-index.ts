import { NotebookError } from '../../notebook/errors.ts';
import { BestHits } from '../best-hits.ts';
import type { Hit } from '../passage-index.ts';
import { checkVectors, encode, encodeQuestion, excessOf, normalised } from './codes.ts';
import { PlainKernel } from './kernel.ts';
import type { Kernel } from './kernel.ts';

/** Rows that get memory together. */
const BLOCK = 512;
/** Rows whose rough scores are best are scored exactly: so many times the limit, and at least so many. */
const LOOKED_AT_PER_HIT = 4;
const LOOKED_AT = 100;
/** What WebAssembly can address. */
const MOST_BYTES = 2 ** 32 - 2 ** 16;

/**
 * Vectors of one dimension, each under the id of its passage (a positive whole number), searched by cosine: a rough
 * scan of all in 8 bits a number, then the best of them exactly.
 *
 * A vector takes 2 bytes a number and 12 more: 80 MB for 100,000 of 384, 308 MB for 100,000 of 1,536. The room of
 * removed ones is used again, and given back with the index as a whole.
 */
export class VectorIndex {
  readonly dimension: number;
  readonly #kernel: Kernel;
  readonly #ids: number[] = [];
  readonly #rows = new Map<number, number>();
  /** Bytes of a row's codes, of the question, and of a block: codes, rests, excesses, steps and scores. */
  readonly #stride: number;
  readonly #blockBytes: number;
  #blocks = 0;

  /** @throws NotebookError `unsupported` where the dimension is not a positive whole number. */
  constructor(dimension: number, kernel: Kernel = new PlainKernel()) {
    if (!Number.isSafeInteger(dimension) || dimension < 1)
      throw new NotebookError(
        'unsupported',
        `The embedding model gave vectors of ${String(dimension)} numbers. Choose another model.`,
      );
    this.dimension = dimension;
    this.#kernel = kernel;
    this.#stride = Math.ceil(dimension / 16) * 16;
    this.#blockBytes = BLOCK * (2 * this.#stride + 12);
  }

  get size(): number {
    return this.#ids.length;
  }

  /** The memory taken, in bytes, without the table of ids. */
  get bytes(): number {
    return this.#kernel.buffer.byteLength;
  }

  has(id: number): boolean {
    return this.#rows.has(id);
  }

  /**
   * Adds vectors, `dimension` numbers for each id in turn, of any length but zero. One with the id of another takes
   * its place. Nothing is added where something is wrong.
   * @throws NotebookError `unsupported` where the dimension is another, `damaged` where a vector is all zeros or
   * holds what is not a number, `too-large` where the memory is full.
   */
  add(ids: readonly number[], vectors: Float32Array): void {
    checkVectors(vectors, ids.length, this.dimension);
    this.#reserve(this.size + ids.length);
    for (const [i, id] of ids.entries()) {
      const row = this.#rows.get(id) ?? this.#ids.push(id) - 1;
      this.#rows.set(id, row);
      this.#write(row, vectors.subarray(i * this.dimension, (i + 1) * this.dimension));
    }
  }

  /** Removes the vectors with these ids; others are passed over. */
  remove(ids: readonly number[]): void {
    for (const id of ids) {
      const row = this.#rows.get(id);
      if (row === undefined) continue;
      this.#rows.delete(id);
      const moved = this.#ids.pop();
      if (moved === undefined || moved === id) continue;
      this.#copy(this.#ids.length, row);
      this.#ids[row] = moved;
      this.#rows.set(moved, row);
    }
  }

  /**
   * The vectors nearest to a question's, best first, equal ones by id, at most `limit`. Scores are cosines: 1 for the
   * same direction, 0 for unrelated. With `accepts` only ids that it takes.
   * @throws NotebookError as `add` does, for the question.
   */
  search(question: Float32Array, limit: number, accepts?: (id: number) => boolean): Hit[] {
    checkVectors(question, 1, this.dimension);
    if (this.size === 0 || limit < 1) return [];
    const rows = this.#roughlyBest(question, Math.max(LOOKED_AT, LOOKED_AT_PER_HIT * limit), accepts);
    const exact = normalised(question);
    return rows
      .map((row) => ({ id: this.#ids[row] ?? 0, score: this.#cosine(exact, row) }))
      .sort((a, b) => b.score - a.score || a.id - b.id)
      .slice(0, limit);
  }

  #roughlyBest(question: Float32Array, count: number, accepts?: (id: number) => boolean): number[] {
    const { buffer } = this.#kernel;
    encodeQuestion(question, new Uint8Array(buffer, 0, this.dimension));
    const best = new BestHits(count);
    for (let first = 0; first < this.size; first += BLOCK) {
      const block = this.#block(first);
      this.#kernel.scan({ question: 0, ...block, stride: this.#stride, rows: BLOCK });
      const scores = new Float32Array(buffer, block.scores, Math.min(BLOCK, this.size - first));
      for (let i = 0; i < scores.length; i++) {
        const row = first + i;
        if (accepts === undefined || accepts(this.#ids[row] ?? 0)) best.offer(row, scores[i] ?? 0);
      }
    }
    return best.sorted().map(([row]) => row);
  }

  #cosine(question: Float64Array, row: number): number {
    const { codes, rests, step } = this.#row(row);
    let product = 0;
    for (let i = 0; i < question.length; i++)
      product += (question[i] ?? 0) * ((codes[i] ?? 0) * 256 + (rests[i] ?? 0));
    return product * (step[0] ?? 0);
  }

  #write(row: number, vector: Float32Array): void {
    const { codes, rests, excess, step } = this.#row(row);
    step[0] = encode(vector, codes, rests);
    excess[0] = excessOf(codes);
  }

  #copy(from: number, to: number): void {
    const source = this.#row(from);
    const target = this.#row(to);
    target.codes.set(source.codes);
    target.rests.set(source.rests);
    target.excess.set(source.excess);
    target.step.set(source.step);
  }

  #row(row: number): { codes: Int8Array; rests: Int8Array; excess: Int32Array; step: Float32Array } {
    const { buffer } = this.#kernel;
    const { codes, rests, excesses, steps } = this.#block(row);
    const i = row % BLOCK;
    return {
      codes: new Int8Array(buffer, codes + i * this.#stride, this.dimension),
      rests: new Int8Array(buffer, rests + i * this.#stride, this.dimension),
      excess: new Int32Array(buffer, excesses + i * 4, 1),
      step: new Float32Array(buffer, steps + i * 4, 1),
    };
  }

  #block(row: number): { codes: number; rests: number; excesses: number; steps: number; scores: number } {
    const codes = this.#stride + Math.floor(row / BLOCK) * this.#blockBytes;
    const rests = codes + BLOCK * this.#stride;
    const excesses = rests + BLOCK * this.#stride;
    return { codes, rests, excesses, steps: excesses + BLOCK * 4, scores: excesses + BLOCK * 8 };
  }

  #reserve(rows: number): void {
    const blocks = Math.ceil(rows / BLOCK);
    if (blocks <= this.#blocks) return;
    const bytes = this.#stride + blocks * this.#blockBytes;
    try {
      if (bytes > MOST_BYTES) throw new RangeError('Past what can be addressed.');
      this.#kernel.grow(bytes);
    } catch (cause) {
      throw new NotebookError(
        'too-large',
        `There is no memory for ${String(rows)} vectors of ${String(this.dimension)} numbers. Choose an embedding model with fewer, or remove sources.`,
        { cause },
      );
    }
    this.#blocks = blocks;
  }
}
