import { t } from '@vscode/l10n';
import { NotebookError } from '../../../core/domain/errors.ts';

/** Threshold between small and great numbers, relative to the root mean square; the best for normal distribution. */
const GREAT_NUMBER = 0.9957;
/** Values of the two bits: a great number counts three times a small one, so that bits weigh 2 and 1. */
const GREAT_VALUE = 3;
/** Weights of both bits together. */
const WEIGHTS = 3;
const MAX_CODE = 127;
/** Greatest sum of entries, and greatest sum of those of one table. */
const MAX_SUM = 2 ** 16 - 1;
const MAX_ENTRY = 2 ** 8 - 1;
const MAX_INT16 = 2 ** 15 - 1;
const MAX_INT32 = 2 ** 31 - 1;

/** Number of numbers that share a table of a question. */
export const NUMBERS_PER_TABLE = 4;

/** Vector as two bits and as eight bits per number. */
export interface EncodedVector {
  /**
   * Two bytes for each four numbers, with a bit per number from the lowest on: in the first byte for its sign, set if it
   * isn't negative, and in the second byte for its lower bit.
   */
  readonly coarse: Uint8Array;
  readonly fine: Int8Array;
  /** Factor that turns a product with the coarse values -3, -1, 1, and 3 into an estimate. */
  factor: number;
  /** Factor of the fine codes. */
  step: number;
}

/**
 * Encodes a vector, which may be all zeros, into `into`. A number's lower bit says whether the sum of its bits' weights,
 * 2 and 1, each with its sign, is nearer to the number.
 */
export function encode(vector: Float32Array, into: EncodedVector): void {
  const { coarse, fine } = into;
  let squares = 0;
  let greatest = 0;
  for (const value of vector) {
    squares += value * value;
    const size = value < 0 ? -value : value;
    if (size > greatest) greatest = size;
  }
  const threshold = GREAT_NUMBER * Math.sqrt(squares / vector.length);
  const scale = greatest === 0 ? 0 : MAX_CODE / greatest;
  let product = 0;
  for (let table = 0, i = 0; i < vector.length; table++) {
    let signs = 0;
    let lower = 0;
    for (let bit = 1; bit < 1 << NUMBERS_PER_TABLE; bit <<= 1, i++) {
      const value = vector[i] ?? 0;
      const isNegative = value < 0;
      const size = isNegative ? -value : value;
      const isGreat = size > threshold;
      product += isGreat ? GREAT_VALUE * size : size;
      // The values are 2 · sign + lower sign: 3, 1, -1, and -3.
      if (!isNegative) signs |= bit;
      if (isNegative !== isGreat) lower |= bit;
      // The array cuts off the fraction, which is faster than rounding.
      fine[i] = value * scale + (isNegative ? -0.5 : 0.5);
    }
    coarse[2 * table] = signs;
    coarse[2 * table + 1] = lower;
  }
  into.factor = product === 0 ? 0 : squares / product;
  into.step = greatest / MAX_CODE;
}

/** Tables of a question for a scan of coarse codes; see `Scan`. */
interface QuestionTables {
  readonly unit: number;
  readonly offset: number;
}

/**
 * Writes the tables of a question, whose length is a multiple of four: 16 entries for the upper bits of four numbers, and
 * half of each for the lower bits.
 */
export function encodeTables(question: Float32Array, into: Uint8Array): QuestionTables {
  const tableCount = question.length / NUMBERS_PER_TABLE;
  let sum = 0;
  let greatest = 0;
  for (let table = 0; table < tableCount; table++) {
    const size = tableSize(question, table);
    sum += size;
    greatest = Math.max(greatest, size);
  }
  const unit = Math.max(
    (2 * greatest) / Math.floor(MAX_ENTRY / WEIGHTS),
    (2 * WEIGHTS * sum) / (MAX_SUM - WEIGHTS * tableCount),
  );
  for (let table = 0; table < tableCount; table++)
    for (let signs = 0; signs < 16; signs++) {
      let entry = tableSize(question, table);
      for (let i = 0; i < NUMBERS_PER_TABLE; i++)
        entry += (question[NUMBERS_PER_TABLE * table + i] ?? 0) * ((signs >> i) & 1 ? 1 : -1);
      const lower = Math.round(entry / unit);
      into[32 * table + signs] = 2 * lower;
      into[32 * table + 16 + signs] = lower;
    }
  // The tables have no negative entries.
  return { unit, offset: WEIGHTS * sum };
}

function tableSize(question: Float32Array, table: number): number {
  let size = 0;
  for (let i = 0; i < NUMBERS_PER_TABLE; i++) size += Math.abs(question[NUMBERS_PER_TABLE * table + i] ?? 0);
  return size;
}

/** Writes a question as 16-bit integers whose product with fine codes fits into 32 bits. Returns the factor of it. */
export function encodeQuestion(question: Float32Array, into: Int16Array): number {
  let sum = 0;
  for (const value of question) sum += Math.abs(value);
  const scale = Math.min(MAX_INT16 / findGreatest(question), (MAX_INT32 / MAX_CODE - question.length) / sum);
  for (let i = 0; i < question.length; i++) into[i] = Math.round((question[i] ?? 0) * scale);
  return 1 / scale;
}

/** Writes a vector of nonzero length with length one. */
export function normalize(vector: Float32Array, into: Float32Array): void {
  let squares = 0;
  // Squares of small or great numbers wouldn't fit.
  const scale = 1 / findGreatest(vector);
  for (const value of vector) squares += (value * scale) ** 2;
  const factor = scale / Math.sqrt(squares);
  for (let i = 0; i < vector.length; i++) into[i] = (vector[i] ?? 0) * factor;
}

/**
 * Checks that `values` contains `count` vectors of this dimension, each with a direction.
 * @throws NotebookError `unsupported` if the dimension differs, `damaged` if a vector is all zeros or contains a number
 * that isn't finite
 */
export function checkVectors(values: Float32Array, count: number, dimension: number): void {
  if (values.length !== count * dimension)
    throw new NotebookError(
      'unsupported',
      t(
        'The embedding model returned vectors with {0} dimensions, but the notebook’s vectors have {1}. Choose the model that generated the notebook’s embeddings, or generate embeddings again.',
        values.length / count,
        dimension,
      ),
    );
  for (let row = 0; row < count; row++) {
    const greatest = findGreatest(values.subarray(row * dimension, (row + 1) * dimension));
    if (!(greatest > 0 && greatest < Infinity))
      throw new NotebookError(
        'damaged',
        t('The embedding model returned an invalid vector. Try again, or choose another model.'),
      );
  }
}

/** Returns the greatest absolute value; NaN if the vector contains one. */
function findGreatest(vector: Float32Array): number {
  let greatest = 0;
  for (const value of vector) {
    if (Number.isNaN(value)) return NaN;
    greatest = Math.max(greatest, Math.abs(value));
  }
  return greatest;
}
