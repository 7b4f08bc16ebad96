import { crc32 } from 'node:zlib';

/**
 * A snapshot is an index as it lies in memory, so that it's used as it is read, without copying or unpacking. Numbers
 * have the byte order of the machine. Everything begins at a multiple of eight bytes.
 *
 * - Header: `MAGIC`, `VERSION`, and the store's revision (Float64).
 * - Arrays, each after its number of elements (Float64):
 *   1. Passages (`passage-table.ts`): sizes, then by slot the row, source, document, and previous slot of the document,
 *      then the last slots of documents, the hash table of rows, and the IDs of sources.
 *   2. Words (`tokenizer.ts`, `vocabulary.ts`): languages, units, ends, hash table, shapes, and lists.
 *   3. Postings (`postings.ts`, `posting-lists.ts`): lengths of passages, then by term the length of its list, its
 *      entries, its tail, and its norms, then the constant of the norms, the pool of entries and tails with its free
 *      chunks, and the cells of blocks.
 * - Trailer: the CRC-32 of all bytes before (Float64).
 */
const MAGIC = 0x4f4e4958;
/** Increases when the layout changes, and when texts get other terms or lengths. */
const VERSION = 14;

const ALIGNMENT = 8;
const HEADER = 16;
const TRAILER = 8;

type NumberArray = Float32Array | Float64Array | Uint8Array | Uint16Array | Uint32Array;

interface ArrayType<T extends NumberArray> {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): T;
}

/** Error for a snapshot that is damaged, truncated, or from another version. The index has to be rebuilt. */
export class SnapshotError extends Error {
  override readonly name = 'SnapshotError';
}

/** Writer of a snapshot. It doesn't copy the arrays, which must not change before they are saved. */
export class SnapshotWriter {
  readonly #parts: Uint8Array[];
  #bytes = HEADER;

  constructor(revision: number) {
    const header = new ArrayBuffer(HEADER);
    new Uint32Array(header).set([MAGIC, VERSION]);
    new Float64Array(header).set([revision], 1);
    this.#parts = [new Uint8Array(header)];
  }

  /** Writes an array that consists of these parts. */
  array(...parts: readonly NumberArray[]): void {
    this.#push(Float64Array.of(parts.reduce((sum, { length }) => sum + length, 0)));
    for (const part of parts) this.#push(part);
    this.#push(new Uint8Array(-this.#bytes & (ALIGNMENT - 1)));
  }

  /** Writes strings without line breaks. */
  strings(strings: readonly string[]): void {
    this.array(Buffer.from(strings.join('\n')));
  }

  /** Returns the parts of the snapshot in order. */
  parts(): readonly Uint8Array[] {
    return this.#parts;
  }

  #push({ buffer, byteOffset, byteLength }: NumberArray): void {
    if (byteLength > 0) this.#parts.push(new Uint8Array(buffer, byteOffset, byteLength));
    this.#bytes += byteLength;
  }
}

/** Checksum of a snapshot, which its last bytes are. */
export class Checksum {
  #value = 0;

  /** Adds the next bytes of the snapshot. */
  add(bytes: Uint8Array): void {
    this.#value = crc32(bytes, this.#value);
  }

  /** Returns the last bytes of the snapshot. */
  trailer(): Uint8Array {
    return new Uint8Array(Float64Array.of(this.#value).buffer);
  }
}

/** Reader of a snapshot. Its arrays share the memory of the bytes. */
export class SnapshotReader {
  readonly #bytes: Uint8Array;
  readonly #end: number;
  #at = HEADER;
  readonly revision: number;

  /** @throws SnapshotError if the bytes are damaged, truncated, or from another version */
  constructor(bytes: Uint8Array) {
    // Views of numbers must be aligned, but a small file is anywhere in a shared buffer.
    this.#bytes = bytes.byteOffset % ALIGNMENT === 0 ? bytes : new Uint8Array(bytes);
    this.#end = bytes.length - TRAILER;
    if (this.#end < HEADER) throw new SnapshotError('The snapshot of the index is cut short.');
    const { buffer, byteOffset } = this.#bytes;
    const [magic, version] = new Uint32Array(buffer, byteOffset, 2);
    if (magic !== MAGIC) throw new SnapshotError('This is no snapshot of an index.');
    if (version !== VERSION) throw new SnapshotError('The snapshot of the index is of another version.');
    const checksum = new Checksum();
    checksum.add(bytes.subarray(0, this.#end));
    if (Buffer.compare(checksum.trailer(), bytes.subarray(this.#end)) !== 0)
      throw new SnapshotError('The snapshot of the index is damaged.');
    [, this.revision = 0] = new Float64Array(buffer, byteOffset, 2);
  }

  /** Returns the next array. @throws SnapshotError if the bytes end before */
  array<T extends NumberArray>(type: ArrayType<T>): T {
    const [length = 0] = this.#view(Float64Array, 1);
    const array = this.#view(type, length);
    this.#at = Math.ceil(this.#at / ALIGNMENT) * ALIGNMENT;
    return array;
  }

  /** Returns the next strings. */
  strings(): string[] {
    const { buffer, byteOffset, length } = this.array(Uint8Array);
    return length === 0 ? [] : Buffer.from(buffer, byteOffset, length).toString().split('\n');
  }

  #view<T extends NumberArray>(type: ArrayType<T>, length: number): T {
    const start = this.#at;
    this.#at += length * type.BYTES_PER_ELEMENT;
    if (!(this.#at <= this.#end)) throw new SnapshotError('The snapshot of the index is cut short.');
    return new type(this.#bytes.buffer, this.#bytes.byteOffset + start, length);
  }
}
