import { t } from '@vscode/l10n';
import { NotebookError } from '../../../core/domain/errors.ts';
import { BestHits } from '../lexical/best-hits.ts';
import type { Hit } from '../lexical/passage-index.ts';
import { checkVectors, normalize } from './codes.ts';
import { GROUP_ROWS, type Kernel } from './kernel.ts';
import { Rotation } from './rotation.ts';
import { RowTable } from './row-table.ts';
import { createKernel } from './simd-kernel.ts';
import { ALL_GROUPS, BLOCK_ROWS, MAX_BYTES, paddedWidth, VectorBlocks } from './vector-blocks.ts';

/** Number of vectors with the best rough scores that are scored again: a multiple of the limit, and a minimum. */
const RESCORED_PER_HIT = 4;
const MIN_RESCORED = 256;
/** A block with fewer vectors is emptied, so that removed vectors use at most as much memory as the others. */
const MIN_BLOCK_VECTORS = BLOCK_ROWS / 2;
/** Owner of vectors for which none is set. */
const NO_OWNER = 0;

/** Work of a search. */
interface SearchWork {
  /** Number of vectors that were scored roughly, and of those that were scored again or at once exactly. */
  readonly scanned: number;
  readonly rescored: number;
  /** Number of bytes of vectors that were read. */
  readonly bytes: number;
}

/**
 * Index of vectors with one dimension, by passage ID (a positive integer). A search by cosine scans all vectors roughly
 * with 2 bits per number, then compares the best ones with 8. The last vectors, at most 512, are compared exactly.
 *
 * A vector needs 1.25 bytes per number plus 11 to 40: 500 MB for 1,000,000 vectors of 384 numbers, 195 MB for 100,000 of
 * 1,536. The maximum is 4 GB in total. The memory of removed vectors is reused, but only freed with the whole index.
 */
export class VectorIndex {
  readonly dimension: number;
  readonly #width: number;
  readonly #rotation: Rotation;
  readonly #blocks: VectorBlocks;
  readonly #rows = new RowTable();
  /** Number of vectors in each block; undefined if the block is free. */
  readonly #counts: (number | undefined)[] = [];
  readonly #freeBlocks: number[] = [];
  /** Block whose vectors are still numbers, and its vectors. */
  #openBlock: number | undefined;
  #open = new Float32Array(0);
  #usual: CosineStatistics | undefined;
  #isUsualKnown = false;
  #work: SearchWork = { scanned: 0, rescored: 0, bytes: 0 };

  /** @throws NotebookError `unsupported` if the dimension isn't a positive integer */
  constructor(dimension: number, kernel: Kernel = createKernel()) {
    if (!Number.isSafeInteger(dimension) || dimension < 1)
      throw new NotebookError(
        'unsupported',
        t(
          'The embedding model returned vectors with an invalid number of dimensions ({0}). Choose another model.',
          dimension,
        ),
      );
    this.dimension = dimension;
    this.#width = paddedWidth(dimension);
    this.#rotation = new Rotation(dimension);
    this.#blocks = new VectorBlocks(dimension, kernel);
  }

  /** Number of vectors. */
  get size(): number {
    return this.#rows.size;
  }

  /** Memory in bytes. */
  get bytes(): number {
    return this.#blocks.bytes + this.#open.byteLength + this.#rows.bytes;
  }

  /** Returns the work of the last search. */
  get work(): SearchWork {
    return this.#work;
  }

  /** Returns the similarity between the vectors, from a sample; undefined if there are too few or all are alike. */
  get cosineStatistics(): CosineStatistics | undefined {
    if (!this.#isUsualKnown) {
      this.#usual = cosineStatistics(this.#sample(MAX_SAMPLED_VECTORS));
      this.#isUsualKnown = true;
    }
    return this.#usual;
  }

  /** Reports whether the index contains the vector with this ID. */
  has(id: number): boolean {
    return this.#rows.find(id) !== undefined;
  }

  /**
   * Adds vectors: `dimension` numbers per ID, of any length except zero. Replaces those with the same ID. Adds nothing
   * if any is invalid. `owners` are small integers, one per ID, by which `search` filters.
   * @throws NotebookError `unsupported` if the dimension differs, `damaged` if a vector is all zeros or contains a
   * non-number, `too-large` if the memory is full
   */
  add(ids: readonly number[], vectors: Float32Array, owners: readonly number[] = []): void {
    checkVectors(vectors, ids.length, this.dimension);
    this.#reserve(ids.length);
    this.#isUsualKnown = false;
    const vector = new Float32Array(this.#width);
    for (const [i, id] of ids.entries()) {
      if (this.has(id)) this.remove([id]);
      const values = vectors.subarray(i * this.dimension, (i + 1) * this.dimension);
      this.#append(id, owners[i] ?? NO_OWNER, this.#rotate(values, vector));
    }
  }

  /** Removes the vectors with these IDs, and ignores unknown IDs. */
  remove(ids: readonly number[]): void {
    this.#isUsualKnown = false;
    const touched = new Set<number>();
    for (const id of ids) {
      const row = this.#rows.find(id);
      if (row === undefined) continue;
      const block = Math.floor(row / BLOCK_ROWS);
      const count = (this.#counts[block] ?? 0) - 1;
      this.#counts[block] = count;
      if (block === this.#openBlock) this.#removeOpen(row, block * BLOCK_ROWS + count);
      else {
        this.#rows.free(row);
        touched.add(block);
      }
    }
    // Now that all are removed, as few as possible must be moved.
    for (const block of touched) if ((this.#counts[block] ?? 0) < MIN_BLOCK_VECTORS) this.#empty(block);
  }

  /**
   * Returns the closest vectors to a question, best first, equal ones by ID, at most `limit`. Scores are cosines: 1 for
   * the same direction, 0 for unrelated. With `included`, returns only vectors of owners for which it has a 1.
   * @throws NotebookError as `add` does, for the question
   */
  search(question: Float32Array, limit: number, included?: Uint8Array): Hit[] {
    checkVectors(question, 1, this.dimension);
    if (this.size === 0 || limit < 1) return [];
    const rotated = this.#rotate(question, new Float32Array(this.#width));
    const hits: Hit[] = [];
    const best = new BestHits(Math.max(MIN_RESCORED, RESCORED_PER_HIT * limit));
    let scanned = 0;
    if (this.#blocks.bytes > 0) this.#blocks.ask(rotated);
    for (const [block, count] of this.#counts.entries()) {
      if (count === undefined) continue;
      if (block === this.#openBlock) {
        hits.push(...this.#scoreOpen(rotated, count, included));
        continue;
      }
      const groups = included === undefined ? ALL_GROUPS : this.#includedGroups(block, included);
      if (groups === 0) continue;
      scanned += GROUP_ROWS * countBits(groups);
      this.#blocks.scan(block, groups, best.least, (inBlock, score) => {
        const row = block * BLOCK_ROWS + inBlock;
        if (this.#isIncluded(row, included)) best.offer(row, score);
        return best.least;
      });
    }
    const rescored = best.sortHits();
    this.#work = {
      scanned,
      rescored: rescored.length + hits.length,
      bytes: scanned * (this.#width / 4 + 4) + rescored.length * this.#width + hits.length * 4 * this.#width,
    };
    for (const [row] of rescored) {
      const score = this.#blocks.product(Math.floor(row / BLOCK_ROWS), row % BLOCK_ROWS);
      hits.push({ id: this.#rows.id(row), score });
    }
    return hits.sort((a, b) => b.score - a.score || a.id - b.id).slice(0, limit);
  }

  #rotate(values: Float32Array, into: Float32Array): Float32Array {
    normalize(values, into);
    this.#rotation.apply(into);
    return into;
  }

  #isIncluded(row: number, included: Uint8Array | undefined): boolean {
    return this.#rows.id(row) !== 0 && (included === undefined || included[this.#rows.owner(row)] === 1);
  }

  /** Returns the bits of the groups of a block that have included vectors. */
  #includedGroups(block: number, included: Uint8Array): number {
    let groups = 0;
    const first = block * BLOCK_ROWS;
    for (let row = 0; row < BLOCK_ROWS; row++) {
      if (!this.#isIncluded(first + row, included)) continue;
      groups |= 1 << (row / GROUP_ROWS);
      // The rest of the group decides nothing.
      row |= GROUP_ROWS - 1;
    }
    return groups;
  }

  #scoreOpen(question: Float32Array, count: number, included: Uint8Array | undefined): Hit[] {
    const first = (this.#openBlock ?? 0) * BLOCK_ROWS;
    const hits: Hit[] = [];
    for (let i = 0; i < count; i++)
      if (this.#isIncluded(first + i, included))
        hits.push({ id: this.#rows.id(first + i), score: multiply(question, this.#open, i * this.#width) });
    return hits;
  }

  /** Appends a rotated vector to the open block, and encodes the block when it's full. */
  #append(id: number, owner: number, vector: Float32Array): void {
    const block = (this.#openBlock ??= this.#takeBlock());
    const count = this.#counts[block] ?? 0;
    const start = count * this.#width;
    if (start + this.#width > this.#open.length) {
      const larger = new Float32Array(Math.min(BLOCK_ROWS, 2 * count + GROUP_ROWS) * this.#width);
      larger.set(this.#open);
      this.#open = larger;
    }
    this.#open.set(vector, start);
    this.#rows.set(block * BLOCK_ROWS + count, id, owner);
    this.#counts[block] = count + 1;
    if (count + 1 < BLOCK_ROWS) return;
    this.#blocks.write(block, this.#open);
    this.#openBlock = undefined;
  }

  #takeBlock(): number {
    const block = this.#freeBlocks.pop() ?? this.#counts.length;
    this.#counts[block] = 0;
    return block;
  }

  /** Moves the last row of the open block to a removed one. */
  #removeOpen(row: number, last: number): void {
    const [id, owner] = [this.#rows.id(last), this.#rows.owner(last)];
    this.#rows.free(row);
    if (last === row) return;
    this.#rows.free(last);
    this.#rows.set(row, id, owner);
    const from = (last % BLOCK_ROWS) * this.#width;
    this.#open.copyWithin((row % BLOCK_ROWS) * this.#width, from, from + this.#width);
  }

  /** Moves the vectors of a block to the open one. */
  #empty(block: number): void {
    const moved: [id: number, owner: number, vector: Float32Array][] = [];
    for (let i = 0; i < BLOCK_ROWS; i++) {
      const row = block * BLOCK_ROWS + i;
      if (this.#rows.id(row) === 0) continue;
      moved.push([this.#rows.id(row), this.#rows.owner(row), this.#readRow(block, i)]);
      this.#rows.free(row);
    }
    // Free it first, so that no more blocks are needed than before.
    this.#counts[block] = undefined;
    this.#freeBlocks.push(block);
    for (const [id, owner, vector] of moved) this.#append(id, owner, vector);
  }

  /** Returns up to `limit` vectors of length one, spread over all. */
  #sample(limit: number): Float32Array[] {
    const used = Array.from(this.#counts.entries()).filter(([, count]) => (count ?? 0) > 0);
    const compared = Math.min(this.size, limit);
    const vectors: Float32Array[] = [];
    let [at, before, rowInBlock, passedRows] = [0, 0, -1, 0];
    for (let i = 0; i < compared; i++) {
      const targetRow = Math.floor((i * this.size) / compared);
      while (targetRow >= before + (used[at]?.[1] ?? Infinity)) {
        before += used[at++]?.[1] ?? 0;
        [rowInBlock, passedRows] = [-1, 0];
      }
      const [block] = used[at] ?? [0];
      while (passedRows <= targetRow - before)
        if (this.#rows.id(block * BLOCK_ROWS + ++rowInBlock) !== 0) passedRows++;
      vectors.push(this.#readRow(block, rowInBlock));
    }
    return vectors;
  }

  #readRow(block: number, row: number): Float32Array {
    if (block === this.#openBlock) return this.#open.slice(row * this.#width, (row + 1) * this.#width);
    const vector = new Float32Array(this.#width);
    this.#blocks.read(block, row, vector);
    return vector;
  }

  /** Reserves memory for more vectors. Removals need no more, as they free a block before they take one. */
  #reserve(added: number): void {
    const room = this.#openBlock === undefined ? 0 : BLOCK_ROWS - (this.#counts[this.#openBlock] ?? 0);
    const neededBlocks = Math.max(0, Math.ceil((added - room) / BLOCK_ROWS));
    const blocks = this.#counts.length + Math.max(0, neededBlocks - this.#freeBlocks.length);
    try {
      if (4 * BLOCK_ROWS * this.#width > MAX_BYTES) throw new RangeError('A block doesn’t fit into memory.');
      // A small index is never encoded.
      if (this.size + added >= BLOCK_ROWS) this.#blocks.reserve(blocks);
      if (added > 0) this.#rows.reserve(blocks * BLOCK_ROWS);
    } catch (cause) {
      throw new NotebookError(
        'too-large',
        t(
          'There isn’t enough memory for {0} vectors with {1} dimensions. Choose an embedding model with fewer dimensions, or remove sources.',
          this.size + added,
          this.dimension,
        ),
        { cause },
      );
    }
  }
}

function countBits(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}

/** Returns the product of a vector and the numbers from `start`. */
function multiply(vector: Float32Array, numbers: Float32Array, start: number): number {
  let product = 0;
  for (let i = 0; i < vector.length; i++) product += (vector[i] ?? 0) * (numbers[start + i] ?? 0);
  return product;
}

/** Mean and standard deviation of the cosines between vectors. */
interface CosineStatistics {
  readonly mean: number;
  readonly deviation: number;
}

/** Minimum number of vectors for the statistics. */
const MIN_SAMPLED_VECTORS = 4;
/** Maximum number of vectors that are compared, spread over all. */
const MAX_SAMPLED_VECTORS = 32;

/** Returns the similarity between vectors of length one; undefined if there are too few or all are alike. */
function cosineStatistics(vectors: readonly Float32Array[]): CosineStatistics | undefined {
  if (vectors.length < MIN_SAMPLED_VECTORS) return undefined;
  const cosines = vectors.flatMap((vector, i) =>
    vectors.slice(i + 1).map((other) => multiply(vector, other, 0)),
  );
  const mean = cosines.reduce((sum, value) => sum + value, 0) / cosines.length;
  const variance = cosines.reduce((sum, value) => sum + (value - mean) ** 2, 0) / cosines.length;
  return variance === 0 ? undefined : { mean, deviation: Math.sqrt(variance) };
}
