/** Growing byte buffer. Numbers have seven bits per byte, lowest first. */
export class ByteWriter {
  #bytes = new Uint8Array(1 << 16);
  #length = 0;

  /** Writes an integer from 0 to 2^53 - 1. */
  varint(value: number): void {
    this.#reserve(8);
    let rest = value;
    for (; rest > 0x7fffffff; rest = Math.floor(rest / 128)) this.#bytes[this.#length++] = (rest % 128) | 128;
    for (; rest > 127; rest >>>= 7) this.#bytes[this.#length++] = (rest & 127) | 128;
    this.#bytes[this.#length++] = rest;
  }

  /** Writes well-formed strings without line breaks. */
  strings(strings: readonly string[]): void {
    const bytes = Buffer.from(strings.join('\n'));
    this.varint(strings.length);
    this.varint(bytes.length);
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Returns the written bytes, which share the writer's memory. */
  written(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const longer = new Uint8Array(Math.max(this.#length + more, this.#bytes.length * 2));
    longer.set(this.written());
    this.#bytes = longer;
  }
}

/** Reader for the bytes of a `ByteWriter`. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** @throws RangeError at the end of the bytes. */
  varint(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw new RangeError('The bytes end too early.');
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  }

  /** Reads a list of strings. */
  strings(): string[] {
    const count = this.varint();
    const length = this.varint();
    const bytes = this.#bytes.subarray(this.#at, this.#at + length);
    this.#at += length;
    return count === 0
      ? []
      : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString().split('\n');
  }
}
