/** Block of rows in a kernel's memory. All offsets are in bytes. */
export interface Scan {
  /** Offset of the question: `stride` bytes from 0 to 127. */
  readonly question: number;
  /** Offset of the rows: `stride` signed bytes each. */
  readonly codes: number;
  /** Offset of a 32-bit integer per row, which is subtracted from its product with the question. */
  readonly excesses: number;
  /** Offset of a 32-bit float per row, which multiplies its product. */
  readonly steps: number;
  /** Number of bytes per row, a multiple of 64. */
  readonly stride: number;
  /** Number of rows, at least one. */
  readonly rows: number;
  /** Minimum score. */
  readonly least: number;
  /** Output offsets of the matching rows and their scores, 32 bits each, with room for all rows. */
  readonly found: number;
  readonly scores: number;
}

/** Memory, and the one loop that must be fast. */
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

  scan({ question, codes, excesses, steps, stride, rows, least, found, scores }: Scan): number {
    const queryVector = new Uint8Array(this.buffer, question, stride);
    const values = new Int8Array(this.buffer, codes, rows * stride);
    const taken = new Int32Array(this.buffer, excesses, rows);
    const factors = new Float32Array(this.buffer, steps, rows);
    const foundRows = new Int32Array(this.buffer, found, rows);
    const foundScores = new Float32Array(this.buffer, scores, rows);
    const needed = Math.fround(least);
    let count = 0;
    for (let row = 0, at = 0; row < rows; row++) {
      let product = -(taken[row] ?? 0);
      for (let i = 0; i < stride; i++, at++) product += (queryVector[i] ?? 0) * (values[at] ?? 0);
      const score = Math.fround(Math.fround(product) * (factors[row] ?? 0));
      if (score < needed) continue;
      foundRows[count] = row;
      foundScores[count++] = score;
    }
    return count;
  }
}
