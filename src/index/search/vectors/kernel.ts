/** Number of rows whose codes are interleaved. */
export const GROUP_ROWS = 32;

/**
 * Rows of coarse codes in a kernel's memory, in groups of 32, and the tables of a question. All offsets are in bytes.
 *
 * A table has 16 bytes for each of two planes, and a group has as many for each table. Of the latter, byte 2 i has the
 * indexes of rows i and i + 16 in its lower and upper four bits, and byte 2 i + 1 those of rows i + 8 and i + 24. A row's
 * score is `base` plus its factor times (`unit` times the sum of all entries that its indexes select - `offset`).
 */
export interface Scan {
  /**
   * Offset of the tables: 32 bytes each. Two entries of a table sum to less than 2^8, and the entries of a row to less
   * than 2^16.
   */
  readonly tables: number;
  /** Number of tables, at least one. */
  readonly tableCount: number;
  /** Offset of the first group. */
  readonly codes: number;
  /** Offset of a 32-bit float per row. */
  readonly factors: number;
  /** Bits of the groups to score, the first in the lowest bit; at least one. */
  readonly groups: number;
  readonly unit: number;
  readonly offset: number;
  readonly base: number;
  /** Minimum score. */
  readonly minScore: number;
  /** Offset of 64 bytes for sums. */
  readonly sums: number;
  /** Output offsets of the matching rows and their scores, 32 bits each, with room for all rows. */
  readonly rows: number;
  readonly scores: number;
}

/** Memory, and the loops that must be fast. */
export interface Kernel {
  /** Memory of the kernel, which `grow` replaces. */
  readonly buffer: ArrayBuffer;
  /**
   * Grows the buffer to at least this many bytes and keeps its content.
   * @throws RangeError if there isn't enough memory
   */
  grow(bytes: number): void;
  /** Returns the number of matching rows. */
  scan(scan: Scan): number;
  /**
   * Returns the product of 16-bit integers and 8-bit integers, `stride` of each, a multiple of 16. The product must fit
   * into 32 bits.
   */
  multiply(question: number, row: number, stride: number): number;
}

/** Buffer sizes are multiples of this number of bytes, as in WebAssembly. */
export const PAGE = 2 ** 16;

/** Portable kernel. Its results are bit-identical to those of WebAssembly. */
export class PlainKernel implements Kernel {
  buffer = new ArrayBuffer(0);

  grow(bytes: number): void {
    if (bytes <= this.buffer.byteLength) return;
    const newSize = Math.max(bytes, 1.5 * this.buffer.byteLength);
    const larger = new ArrayBuffer(Math.ceil(newSize / PAGE) * PAGE);
    new Uint8Array(larger).set(new Uint8Array(this.buffer));
    this.buffer = larger;
  }

  scan(scan: Scan): number {
    const { tableCount, codes, groups } = scan;
    const least = Math.fround(scan.minScore);
    const groupBytes = 32 * tableCount;
    let count = 0;
    for (let group = 0; groups >>> group !== 0; group++) {
      if (((groups >>> group) & 1) === 0) continue;
      const firstRow = group * GROUP_ROWS;
      const factors = new Float32Array(this.buffer, scan.factors + 4 * firstRow, GROUP_ROWS);
      const sums = this.#sums(scan, codes + group * groupBytes);
      const rows = new Int32Array(this.buffer, scan.rows);
      const scores = new Float32Array(this.buffer, scan.scores);
      for (let row = 0; row < GROUP_ROWS; row++) {
        const sum = sums[row] ?? 0;
        const product = Math.fround(Math.fround(sum * Math.fround(scan.unit)) - Math.fround(scan.offset));
        const score = Math.fround(Math.fround(scan.base) + Math.fround(product * (factors[row] ?? 0)));
        if (!(score >= least)) continue;
        rows[count] = firstRow + row;
        scores[count++] = score;
      }
    }
    return count;
  }

  multiply(question: number, row: number, stride: number): number {
    const numbers = new Int16Array(this.buffer, question, stride);
    const codes = new Int8Array(this.buffer, row, stride);
    let product = 0;
    for (let i = 0; i < stride; i++) product += (numbers[i] ?? 0) * (codes[i] ?? 0);
    return product;
  }

  #sums({ tables, tableCount }: Scan, group: number): Uint16Array {
    const bytes = new Uint8Array(this.buffer);
    const sums = new Uint16Array(GROUP_ROWS);
    // Each plane of a table has its entries at the same distance as its indexes.
    for (let plane = 0; plane < 2 * tableCount; plane++) {
      const entries = tables + 16 * plane;
      for (let i = 0; i < 16; i++) {
        const indexes = bytes[group + 16 * plane + i] ?? 0;
        const row = (i >> 1) + 8 * (i & 1);
        sums[row] = (sums[row] ?? 0) + (bytes[entries + (indexes & 15)] ?? 0);
        sums[row + 16] = (sums[row + 16] ?? 0) + (bytes[entries + (indexes >> 4)] ?? 0);
      }
    }
    return sums;
  }
}
