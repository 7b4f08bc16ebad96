import { t } from '@vscode/l10n';
import { NotebookError } from '../../../core/domain/errors.ts';
import { BestHits } from '../lexical/best-hits.ts';
import type { Hit } from '../lexical/passage-index.ts';
import { checkVectors, normalised } from './codes.ts';
import type { Kernel } from './kernel.ts';
import { createKernel } from './simd-kernel.ts';
import { VectorRows } from './vector-rows.ts';

/** Number of vectors with the best rough scores that are scored exactly: a multiple of the limit, and a minimum. */
const LOOKED_AT_PER_HIT = 4;
const LOOKED_AT = 32;

/**
 * Index of vectors with one dimension, by passage ID (a positive integer). A search by cosine scans all vectors roughly
 * with 8 bits per number, then compares the best ones with 16.
 *
 * A vector needs 2 bytes per number plus 8, without the table of IDs: 78 MB for 100,000 vectors of 384 numbers, 308 MB
 * for 100,000 of 1,536. The maximum is 4 GB in total. The memory of removed vectors is reused, but only freed with the
 * whole index.
 */
export class VectorIndex {
  readonly dimension: number;
  readonly #vectors: VectorRows;
  readonly #ids: number[] = [];
  readonly #rows = new Map<number, number>();
  #usual: CosineStatistics | undefined;
  #isUsualKnown = false;

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
    this.#vectors = new VectorRows(dimension, kernel);
  }

  /** Number of vectors. */
  get size(): number {
    return this.#ids.length;
  }

  /** Memory in bytes, without the table of IDs. */
  get bytes(): number {
    return this.#vectors.bytes;
  }

  /** Returns the similarity between the vectors, from a sample; undefined if there are too few or all are alike. */
  get cosineStatistics(): CosineStatistics | undefined {
    if (!this.#isUsualKnown) {
      const read = new Map<number, Float64Array>();
      this.#usual = cosineStatistics(this.size, (row, other) => {
        const vector = read.get(row) ?? this.#vectors.read(row);
        read.set(row, vector);
        return this.#vectors.product(other, vector);
      });
      this.#isUsualKnown = true;
    }
    return this.#usual;
  }

  /** Reports whether the index contains the vector with this ID. */
  has(id: number): boolean {
    return this.#rows.has(id);
  }

  /**
   * Adds vectors: `dimension` numbers per ID, of any length except zero. Replaces those with the same ID. Adds nothing
   * if any is invalid.
   * @throws NotebookError `unsupported` if the dimension differs, `damaged` if a vector is all zeros or contains a
   * non-number, `too-large` if the memory is full
   */
  add(ids: readonly number[], vectors: Float32Array): void {
    checkVectors(vectors, ids.length, this.dimension);
    this.#reserve(this.size + ids.length);
    this.#isUsualKnown = false;
    for (const [i, id] of ids.entries()) {
      const row = this.#rows.get(id) ?? this.#ids.push(id) - 1;
      this.#rows.set(id, row);
      this.#vectors.write(row, vectors.subarray(i * this.dimension, (i + 1) * this.dimension));
    }
  }

  /** Removes the vectors with these IDs, and ignores unknown IDs. */
  remove(ids: readonly number[]): void {
    this.#isUsualKnown = false;
    for (const id of ids) {
      const row = this.#rows.get(id);
      if (row === undefined) continue;
      this.#rows.delete(id);
      const last = this.#ids.pop();
      if (last === undefined || last === id) continue;
      this.#vectors.copy(this.#ids.length, row);
      this.#ids[row] = last;
      this.#rows.set(last, row);
    }
  }

  /**
   * Returns the closest vectors to a question, best first, equal ones by ID, at most `limit`. Scores are cosines: 1 for
   * the same direction, 0 for unrelated. With `accepts`, returns only IDs that it accepts.
   * @throws NotebookError as `add` does, for the question
   */
  search(question: Float32Array, limit: number, accepts?: (id: number) => boolean): Hit[] {
    checkVectors(question, 1, this.dimension);
    if (this.size === 0 || limit < 1) return [];
    const exact = normalised(question);
    return this.#roughlyBest(question, Math.max(LOOKED_AT, LOOKED_AT_PER_HIT * limit), accepts)
      .map((row) => ({ id: this.#ids[row] ?? 0, score: this.#vectors.product(row, exact) }))
      .sort((a, b) => b.score - a.score || a.id - b.id)
      .slice(0, limit);
  }

  /** Returns the rows with the best rough scores. */
  #roughlyBest(question: Float32Array, count: number, accepts?: (id: number) => boolean): number[] {
    const ids = this.#ids;
    const best = new BestHits(count);
    this.#vectors.scan(question, this.size, (row, score) => {
      if (accepts === undefined || accepts(ids[row] ?? 0)) best.offer(row, score);
      return best.least;
    });
    return best.sorted().map(([row]) => row);
  }

  #reserve(rows: number): void {
    try {
      this.#vectors.reserve(rows);
    } catch (cause) {
      throw new NotebookError(
        'too-large',
        t(
          'There isn’t enough memory for {0} vectors with {1} dimensions. Choose an embedding model with fewer dimensions, or remove sources.',
          rows,
          this.dimension,
        ),
        { cause },
      );
    }
  }
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

/** Returns the similarity between the first `count` rows; undefined if there are too few or all are alike. */
function cosineStatistics(
  count: number,
  cosine: (row: number, other: number) => number,
): CosineStatistics | undefined {
  if (count < MIN_SAMPLED_VECTORS) return undefined;
  const compared = Math.min(count, MAX_SAMPLED_VECTORS);
  const rows = Array.from({ length: compared }, (_, i) => Math.floor((i * count) / compared));
  const cosines = rows.flatMap((row, i) => rows.slice(i + 1).map((other) => cosine(row, other)));
  const mean = cosines.reduce((sum, value) => sum + value, 0) / cosines.length;
  const variance = cosines.reduce((sum, value) => sum + (value - mean) ** 2, 0) / cosines.length;
  return variance === 0 ? undefined : { mean, deviation: Math.sqrt(variance) };
}
