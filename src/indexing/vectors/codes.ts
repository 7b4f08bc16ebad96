import { NotebookError } from '../../notebook/errors.ts';

/** Of 16 bits the higher eight stay within -127 to 127, so that they can be scanned alone. */
const HIGHEST = 127 * 256 + 127;
/** A question's numbers are seven bits without a sign, as the instruction for them wants: 64 stands for zero. */
const QUESTION_HIGHEST = 63;
const QUESTION_ZERO = 64;

/**
 * Writes a vector of any length but zero as one of length one, in 16 bits a number: the higher eight into `codes`,
 * the lower eight into `rests`. Returns the step: what a number is to be multiplied with.
 */
export function encode(vector: Float32Array, codes: Int8Array, rests: Int8Array): number {
  const greatest = greatestOf(vector);
  let squares = 0;
  for (let i = 0; i < vector.length; i++) {
    const value = Math.round(((vector[i] ?? 0) / greatest) * HIGHEST);
    const code = (value + 128) >> 8;
    codes[i] = code;
    rests[i] = value - code * 256;
    squares += value * value;
  }
  return 1 / Math.sqrt(squares);
}

/** Writes a question's vector for a scan of codes, each number as 1 to 127. */
export function encodeQuestion(vector: Float32Array, into: Uint8Array): void {
  const greatest = greatestOf(vector);
  for (let i = 0; i < vector.length; i++)
    into[i] = QUESTION_ZERO + Math.round(((vector[i] ?? 0) / greatest) * QUESTION_HIGHEST);
}

/** What a scan finds too much, because a question's zero is 64. */
export function excessOf(codes: Int8Array): number {
  let sum = 0;
  for (const code of codes) sum += code;
  return QUESTION_ZERO * sum;
}

/** A vector made one of length one, in its own array. */
export function normalised(vector: Float32Array): Float64Array {
  const values = Float64Array.from(vector);
  let squares = 0;
  for (const value of values) squares += value * value;
  const length = Math.sqrt(squares);
  return values.map((value) => value / length);
}

/**
 * Checks that `values` is so many vectors of this dimension, each with a direction.
 * @throws NotebookError `unsupported` where the dimension is another, `damaged` where a vector is all zeros or holds
 * what is not a finite number.
 */
export function checkVectors(values: Float32Array, count: number, dimension: number): void {
  if (values.length !== count * dimension)
    throw new NotebookError(
      'unsupported',
      `The embedding model gave vectors of ${String(values.length / count)} numbers, but the notebook's have ${String(dimension)}. Choose the model that the notebook was indexed with, or index it anew.`,
    );
  for (let row = 0; row < count; row++) {
    const greatest = greatestOf(values.subarray(row * dimension, (row + 1) * dimension));
    if (!(greatest > 0 && greatest < Infinity))
      throw new NotebookError(
        'damaged',
        'The embedding model gave a vector that is all zeros or holds what is not a number. Try again, or choose another model.',
      );
  }
}

/** The greatest absolute value; NaN where there is one. */
function greatestOf(vector: Float32Array): number {
  let greatest = 0;
  for (const value of vector) {
    const absolute = Math.abs(value);
    if (!(absolute <= greatest)) {
      greatest = absolute;
      if (Number.isNaN(absolute)) break;
    }
  }
  return greatest;
}
