import { t } from '@vscode/l10n';
import { NotebookError } from '../../../core/domain/errors.ts';

/** Highest value whose upper eight of 16 bits stay within -127 to 127, so that a scan can use them alone. */
const MAX_CODE = 127 * 256 + 127;
/** The scan instruction needs seven unsigned bits for a question's numbers, so 64 represents zero. */
const QUESTION_HIGHEST = 63;
const QUESTION_ZERO = 64;

/** Vector with 16 bits per number: the upper eight in `codes`, the lower eight in `rests`. */
export interface Encoded {
  readonly codes: Int8Array;
  readonly rests: Int8Array;
  /** Factor that scales the numbers to a vector of length one. */
  step: number;
  /** Amount to subtract from a scan's product, as a question's zero is 64. */
  excess: number;
}

/** Encodes a vector of nonzero length into `into`, which has the same dimension. */
export function encode(vector: Float32Array, into: Encoded): void {
  const { codes, rests } = into;
  const scale = MAX_CODE / findGreatest(vector);
  let squares = 0;
  let sum = 0;
  for (let i = 0; i < vector.length; i++) {
    const value = Math.round((vector[i] ?? 0) * scale);
    const code = (value + 128) >> 8;
    codes[i] = code;
    rests[i] = value - code * 256;
    sum += code;
    squares += value * value;
  }
  into.step = 1 / Math.sqrt(squares);
  into.excess = QUESTION_ZERO * sum;
}

/** Writes a question's vector for a scan of codes, with numbers from 1 to 127. */
export function encodeQuestion(vector: Float32Array, into: Uint8Array): void {
  const scale = QUESTION_HIGHEST / findGreatest(vector);
  for (let i = 0; i < vector.length; i++) into[i] = QUESTION_ZERO + Math.round((vector[i] ?? 0) * scale);
}

/** Returns a copy of a vector with length one. */
export function normalised(vector: Float32Array): Float64Array {
  const values = Float64Array.from(vector);
  let squares = 0;
  for (const value of values) squares += value * value;
  const length = Math.sqrt(squares);
  return values.map((value) => value / length);
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
