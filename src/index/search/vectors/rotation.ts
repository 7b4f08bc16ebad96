/** Number of rounds. Each mixes one end of the vector, so the second mixes the numbers that the first skipped. */
const ROUNDS = 2;

/**
 * Rotation that spreads each number of a vector over all, so that no dimension matters more than another. It keeps
 * lengths and angles, and is the same for every index with this dimension. Saved indexes depend on it.
 */
export class Rotation {
  readonly #signs: readonly Int8Array[];
  /** Greatest power of two that fits. */
  readonly #size: number;

  constructor(dimension: number) {
    let state = 42;
    const drawSign = (): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state < 2 ** 31 ? -1 : 1;
    };
    this.#signs = Array.from({ length: ROUNDS }, () => Int8Array.from({ length: dimension }, drawSign));
    this.#size = 2 ** Math.floor(Math.log2(dimension));
  }

  /** Rotates a vector in place: random signs, then a Walsh–Hadamard transform of one end, for each round. */
  apply(vector: Float32Array): void {
    for (const [round, signs] of this.#signs.entries()) {
      for (let i = 0; i < signs.length; i++) vector[i] = (vector[i] ?? 0) * (signs[i] ?? 0);
      transform(vector, round % 2 === 0 ? 0 : signs.length - this.#size, this.#size);
    }
  }
}

/** Applies a Walsh–Hadamard transform to `size` numbers, a power of two, and keeps their length. */
function transform(vector: Float32Array, start: number, size: number): void {
  const end = start + size;
  let firstHalf = 1;
  if (size >= 4) {
    // The first two steps at once, as their inner loops would be short.
    for (let i = start; i < end; i += 4) {
      const [a, b] = [vector[i] ?? 0, vector[i + 1] ?? 0];
      const [c, d] = [vector[i + 2] ?? 0, vector[i + 3] ?? 0];
      vector[i] = a + b + (c + d);
      vector[i + 1] = a - b + (c - d);
      vector[i + 2] = a + b - (c + d);
      vector[i + 3] = a - b - (c - d);
    }
    firstHalf = 4;
  }
  for (let half = firstHalf; half < size; half *= 2)
    for (let from = start; from < end; from += 2 * half)
      for (let i = from; i < from + half; i++) {
        const a = vector[i] ?? 0;
        const b = vector[i + half] ?? 0;
        vector[i] = a + b;
        vector[i + half] = a - b;
      }
  const scale = 1 / Math.sqrt(size);
  for (let i = start; i < end; i++) vector[i] = (vector[i] ?? 0) * scale;
}
