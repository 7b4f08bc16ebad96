import { constants, inflateSync } from 'node:zlib';
import { asText } from '../file-objects.ts';
import { CutOff, Malformed, numberIn, ValueParser, type PdfDictionary, type PdfValue } from './values.ts';

/** Bytes of a file that is read in parts. */
export interface FileBytes {
  readonly length: number;
  /** Returns the bytes from `begin` up to but not including `end`; fewer at the end of the file. */
  read(begin: number, end: number): Uint8Array;
}

/** Number of bytes to read for an object at first, and at most. */
const FIRST_WINDOW = 4_096;
const MAX_OBJECT_SIZE = 32 * 2 ** 20;
/** Maximum size of a decompressed stream, in bytes. */
const MAX_STREAM_SIZE = 128 * 2 ** 20;
/** Maximum distance of a file's header from its first byte, and of its end marker from its last byte. */
const HEADER_WITHIN = 1_024;
const END_WITHIN = 2_048;
/** Maximum number of sections. Each save adds one; a file with more is malicious. */
const MAX_SECTIONS = 20_000;
/** Number of decompressed object streams to cache. */
const MAX_CACHED_STREAMS = 8;

type Entry =
  | { readonly kind: 'free' }
  | { readonly kind: 'plain'; readonly offset: number; readonly generation: number }
  | { readonly kind: 'packed'; readonly stream: number; readonly index: number };

/** Section of a file's object table. */
interface Section {
  readonly isStream: boolean;
  readonly trailer: PdfDictionary;
  /** Returns the entry of an object; undefined if the section has none. */
  readonly find: (number: number) => Entry | undefined;
}

/**
 * Object table of a PDF, which finds single objects without reading the rest of the file.
 * @throws Malformed if the table isn't valid
 */
export class FileIndex {
  readonly #bytes: FileBytes;
  /** Position of the header, from which all offsets in the file count. */
  readonly origin: number;
  /** Offset of the newest section of the table. */
  readonly start: number;
  readonly #sections: readonly Section[];
  readonly #packed = new Map<number, (index: number) => PdfValue | undefined>();

  constructor(bytes: FileBytes) {
    this.#bytes = bytes;
    const head = asText(bytes.read(0, HEADER_WITHIN)).indexOf('%PDF-');
    if (head < 0) throw new Malformed('There is no header.');
    this.origin = head;
    const end = asText(bytes.read(Math.max(0, bytes.length - END_WITHIN), bytes.length));
    const start = /startxref\s{1,20}(\d{1,15})/.exec(
      end.slice(Math.max(0, end.lastIndexOf('startxref'))),
    )?.[1];
    if (start === undefined) throw new Malformed('There is no end.');
    this.start = Number(start);
    this.#sections = this.#readSections();
  }

  /** Trailer of the newest section. */
  get trailer(): PdfDictionary {
    const [newest] = this.#sections;
    if (newest === undefined) throw new Malformed('There is no table of objects.');
    return newest.trailer;
  }

  /** `true` if the newest section is in a stream. Later sections must be, too. */
  get hasStreams(): boolean {
    return this.#sections[0]?.isStream === true;
  }

  /** Next unused object number. */
  get size(): number {
    const size = Math.max(...this.#sections.map(({ trailer }) => numberIn(trailer.entries.get('Size')) ?? 0));
    if (!(size > 0 && size < 2 ** 31)) throw new Malformed('There is no size.');
    return size;
  }

  /**
   * Returns the object behind a reference, or a value that isn't one; undefined if there is no such object.
   * @throws Malformed
   */
  resolve(value: PdfValue | undefined): PdfValue | undefined {
    let resolved = value;
    for (let steps = 0; resolved?.kind === 'ref'; steps++) {
      if (steps > 20) throw new Malformed('References go in a circle.');
      resolved = this.object(resolved.number);
    }
    return resolved;
  }

  /** Returns a dictionary, directly or through a reference; undefined for anything else. */
  dictionary(value: PdfValue | undefined): PdfDictionary | undefined {
    const resolved = this.resolve(value);
    return resolved?.kind === 'dictionary' ? resolved : undefined;
  }

  /** Returns the items of an array, directly or through a reference; undefined for anything else. */
  array(value: PdfValue | undefined): readonly PdfValue[] | undefined {
    const resolved = this.resolve(value);
    return resolved?.kind === 'array' ? resolved.items : undefined;
  }

  /** Returns a number, directly or through a reference; undefined for anything else. */
  number(value: PdfValue | undefined): number | undefined {
    return numberIn(this.resolve(value));
  }

  /** Returns a name, directly or through a reference; undefined for anything else. */
  name(value: PdfValue | undefined): string | undefined {
    const resolved = this.resolve(value);
    return resolved?.kind === 'name' ? resolved.name : undefined;
  }

  /** Returns an object by its number; undefined if there is none. @throws Malformed */
  object(number: number): PdfValue | undefined {
    for (const { find } of this.#sections) {
      const entry = find(number);
      if (entry === undefined) continue;
      switch (entry.kind) {
        case 'free':
          return undefined;
        case 'plain':
          return this.#readPlain(number, entry.offset).value;
        case 'packed':
          return this.#packedObjects(entry.stream)(entry.index);
      }
    }
    return undefined;
  }

  /** Returns the generation of an object. */
  generation(number: number): number {
    for (const { find } of this.#sections) {
      const entry = find(number);
      if (entry !== undefined) return entry.kind === 'plain' ? entry.generation : 0;
    }
    return 0;
  }

  /** Returns the object at a position of the file, and the position after it. */
  #readPlain(number: number, offset: number): { readonly value: PdfValue; readonly end: number } {
    return this.#parseAt(this.origin + offset, (parser) => {
      if (Number(parser.word()) !== number) throw new Malformed('Another object stands there.');
      parser.word();
      if (parser.word() !== 'obj') throw new Malformed('No object stands there.');
      return parser.value();
    });
  }

  /** Parses the file from a position, reading more until the value is complete. */
  #parseAt<T>(begin: number, parse: (parser: ValueParser) => T): { readonly value: T; readonly end: number } {
    for (let size = FIRST_WINDOW; ; size *= 8) {
      const window = asText(this.#bytes.read(begin, begin + size));
      const parser = new ValueParser(window);
      try {
        return { value: parse(parser), end: begin + parser.at };
      } catch (error) {
        if (!(error instanceof CutOff)) throw error;
        if (window.length < size || size > MAX_OBJECT_SIZE) throw new Malformed('An object has no end.');
      }
    }
  }

  #packedObjects(number: number): (index: number) => PdfValue | undefined {
    const cached = this.#packed.get(number);
    if (cached !== undefined) return cached;
    const entry = this.#sections.map(({ find }) => find(number)).find((candidate) => candidate !== undefined);
    if (entry?.kind !== 'plain')
      throw new Malformed('Packed objects have to stand in a stream of their own.');
    const { value, end } = this.#readPlain(number, entry.offset);
    if (value.kind !== 'dictionary') throw new Malformed('A stream has a dictionary.');
    const text = `${asText(this.#stream(value, end))} `;
    const first = this.number(value.entries.get('First')) ?? 0;
    const offsets = (text.slice(0, first).match(/\d+/g) ?? []).map(Number).filter((_, i) => i % 2 === 1);
    const objectAt = (index: number): PdfValue | undefined => {
      const offset = offsets[index];
      return offset === undefined ? undefined : new ValueParser(text, first + offset).value();
    };
    if (this.#packed.size >= MAX_CACHED_STREAMS) this.#packed.clear();
    this.#packed.set(number, objectAt);
    return objectAt;
  }

  /** Returns the bytes of a stream whose dictionary ends at a position of the file. */
  #stream({ entries }: PdfDictionary, end: number): Uint8Array {
    const length = this.number(entries.get('Length'));
    const begin = /^[\0\t\n\f\r ]{0,20}stream\r?\n/.exec(asText(this.#bytes.read(end, end + 40)))?.[0].length;
    if (length === undefined || length < 0 || length > MAX_STREAM_SIZE || begin === undefined)
      throw new Malformed('A stream has a length.');
    const packed = this.#bytes.read(end + begin, end + begin + length);
    const filters = this.#filters(entries.get('Filter'));
    if (filters.length === 0) return packed;
    if (filters.length > 1 || filters[0] !== 'FlateDecode') throw new Malformed('Its packing is not known.');
    const parms = this.resolve(entries.get('DecodeParms'));
    const settings = this.dictionary(parms?.kind === 'array' ? parms.items[0] : parms);
    return this.#undoPrediction(inflateStream(packed), settings);
  }

  #filters(value: PdfValue | undefined): string[] {
    const filter = this.resolve(value);
    const names = filter?.kind === 'array' ? filter.items : filter === undefined ? [] : [filter];
    return names.flatMap((name) => this.name(name) ?? []);
  }

  /** Decodes rows in which each byte is the difference from its neighbors. */
  #undoPrediction(data: Uint8Array, settings: PdfDictionary | undefined): Uint8Array {
    const setting = (key: string, usual: number): number => this.number(settings?.entries.get(key)) ?? usual;
    if (setting('Predictor', 1) === 1) return data;
    const width = Math.ceil(
      (setting('Columns', 1) * setting('Colors', 1) * setting('BitsPerComponent', 8)) / 8,
    );
    if (setting('Predictor', 1) < 10 || !(width > 0 && width < 2 ** 20) || setting('Colors', 1) !== 1)
      throw new Malformed('Its prediction is not known.');
    const rows = Math.ceil(data.length / (width + 1));
    const plain = new Uint8Array(rows * width);
    for (let row = 0; row < rows; row++) {
      const method = data[row * (width + 1)] ?? 0;
      for (let i = 0; i < width; i++) {
        const at = row * width + i;
        const left = i > 0 ? (plain[at - 1] ?? 0) : 0;
        const up = row > 0 ? (plain[at - width] ?? 0) : 0;
        const corner = row > 0 && i > 0 ? (plain[at - width - 1] ?? 0) : 0;
        plain[at] = (data[row * (width + 1) + 1 + i] ?? 0) + predictByte(method, left, up, corner);
      }
    }
    return plain;
  }

  #readSections(): Section[] {
    const sections: Section[] = [];
    const visitedOffsets = new Set<number>();
    const pendingOffsets = [this.start];
    for (let offset = pendingOffsets.pop(); offset !== undefined; offset = pendingOffsets.pop()) {
      if (visitedOffsets.has(offset)) continue;
      visitedOffsets.add(offset);
      if (visitedOffsets.size > MAX_SECTIONS) throw new Malformed('There are too many sections.');
      const section = this.#section(offset);
      sections.push(section);
      const older = numberIn(section.trailer.entries.get('Prev'));
      if (older !== undefined) pendingOffsets.push(older);
    }
    return sections;
  }

  #section(offset: number): Section {
    const begin = this.origin + offset;
    const isTable = /^\s{0,20}xref\b/.exec(asText(this.#bytes.read(begin, begin + 30)));
    if (!isTable) return this.#tableInStream(begin);
    const table = this.#table(begin + isTable[0].length);
    const hidden = numberIn(table.trailer.entries.get('XRefStm'));
    if (hidden === undefined) return table;
    // An object that the table marks as free for older readers can be in a stream beside it.
    const beside = this.#tableInStream(this.origin + hidden);
    return { ...table, find: (number) => beside.find(number) ?? table.find(number) };
  }

  #table(begin: number): Section {
    const parts: {
      readonly first: number;
      readonly count: number;
      readonly at: number;
      readonly width: number;
    }[] = [];
    for (let at = begin; ;) {
      const head = asText(this.#bytes.read(at, at + 120));
      const [all = '', first, count] = /^\s{0,20}(\d{1,10})\s{1,9}(\d{1,10})\s{1,20}/.exec(head) ?? [];
      if (first === undefined) {
        const { value } = this.#parseAt(at, (parser) => {
          if (parser.word() !== 'trailer') throw new Malformed('The table has no trailer.');
          return parser.value();
        });
        if (value.kind !== 'dictionary') throw new Malformed('The table has no trailer.');
        return { isStream: false, trailer: value, find: (number) => this.#entryIn(parts, number) };
      }
      if (parts.length > MAX_SECTIONS) throw new Malformed('The table has too many parts.');
      at += all.length;
      const entry = /^\d{10} \d{5} [nf](?: ?\r\n| [\r\n]|[\r\n])/.exec(head.slice(all.length))?.[0] ?? '';
      if (entry === '' && count !== '0') throw new Malformed('The table is not as it has to be.');
      // Some programs count from one, although the first object is always the free one.
      const isShifted = first === '1' && entry.startsWith('0000000000 65535 f');
      parts.push({ first: isShifted ? 0 : Number(first), count: Number(count), at, width: entry.length });
      at += Number(count) * entry.length;
      if (at > this.#bytes.length) throw new Malformed('The table is cut off.');
    }
  }

  #entryIn(
    parts: readonly {
      readonly first: number;
      readonly count: number;
      readonly at: number;
      readonly width: number;
    }[],
    number: number,
  ): Entry | undefined {
    const part = parts.find(({ first, count }) => number >= first && number < first + count);
    if (part === undefined) return undefined;
    const at = part.at + (number - part.first) * part.width;
    const match = /^(\d{10}) (\d{5}) ([nf])/.exec(asText(this.#bytes.read(at, at + 20)));
    if (match === null) throw new Malformed('The table is not as it has to be.');
    const [, offset, generation, state] = match;
    return state === 'f'
      ? { kind: 'free' }
      : { kind: 'plain', offset: Number(offset), generation: Number(generation) };
  }

  #tableInStream(begin: number): Section {
    const { value, end } = this.#parseAt(begin, (parser) => {
      parser.word();
      parser.word();
      if (parser.word() !== 'obj') throw new Malformed('There is no table of objects.');
      return parser.value();
    });
    if (value.kind !== 'dictionary') throw new Malformed('There is no table of objects.');
    const { entries } = value;
    const readNumbers = (key: string): number[] | undefined =>
      this.array(entries.get(key))?.map((item) => numberIn(item) ?? NaN);
    const [kinds = 0, seconds = 0, thirds = 0] = readNumbers('W') ?? [];
    const width = kinds + seconds + thirds;
    const size = numberIn(entries.get('Size')) ?? 0;
    const index = readNumbers('Index') ?? [0, size];
    if (!(width > 0 && width < 30)) throw new Malformed('There is no table of objects.');
    const data = this.#stream(value, end);
    const field = (at: number, length: number): number =>
      data.subarray(at, at + length).reduce((sum, byte) => sum * 256 + byte, 0);
    const find = (number: number): Entry | undefined => {
      for (let part = 0, row = 0; part + 1 < index.length; part += 2) {
        const [first = 0, count = 0] = index.slice(part, part + 2);
        if (number >= first && number < first + count) {
          const at = (row + number - first) * width;
          if (at + width > data.length) return undefined;
          const [second, third] = [field(at + kinds, seconds), field(at + kinds + seconds, thirds)];
          switch (kinds === 0 ? 1 : field(at, kinds)) {
            case 1:
              return { kind: 'plain', offset: second, generation: third };
            case 2:
              return { kind: 'packed', stream: second, index: third };
            default:
              return { kind: 'free' };
          }
        }
        row += count;
      }
      return undefined;
    };
    return { isStream: true, trailer: value, find };
  }
}

function inflateStream(packed: Uint8Array): Uint8Array {
  try {
    return inflateSync(packed, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: MAX_STREAM_SIZE });
  } catch (cause) {
    throw new Malformed('A stream cannot be unpacked.', { cause });
  }
}

function predictByte(method: number, left: number, up: number, corner: number): number {
  switch (method) {
    case 1:
      return left;
    case 2:
      return up;
    case 3:
      return (left + up) >> 1;
    case 4: {
      const guess = left + up - corner;
      const [l, u, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
      return l <= u && l <= c ? left : u <= c ? up : corner;
    }
    default:
      return 0;
  }
}
