import { constants, inflateSync } from 'node:zlib';

/** Object of a PDF as written between `obj` and `endobj`. */
export interface FoundObject {
  readonly number: number;
  readonly generation: number;
  /** Position in the file; undefined for an object in a stream. */
  readonly offset: number | undefined;
  /** Text of the object, without the bytes of its stream. */
  readonly words: string;
}

/** Maximum size of a decompressed object stream, in bytes. */
const MAX_STREAM_SIZE = 32 * 1024 * 1024;
/** Maximum number of objects; a file with more is malicious. */
const MAX_OBJECTS = 2_000_000;

/** Returns the bytes of a file as text with one character per byte. */
export function asText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

/** Returns all objects that can be found in a PDF by number, regardless of its own object table. */
export function scanObjects(file: string): ReadonlyMap<number, FoundObject> {
  const objects = new Map<number, FoundObject>();
  const starts = /\b(\d{1,9})[ \t\r\n]+(\d{1,5})[ \t\r\n]+obj\b/g;
  const streams: { words: string; data: number }[] = [];
  for (const match of file.matchAll(starts)) {
    if (objects.size > MAX_OBJECTS) break;
    const from = match.index + match[0].length;
    const words = wordsFrom(file, from);
    const number = Number(match[1]);
    objects.set(number, { number, generation: Number(match[2]), offset: match.index, words });
    if (/\/Type\s*\/ObjStm\b/.test(words)) streams.push({ words, data: from + words.length });
  }
  for (const { words, data } of streams)
    for (const object of packedObjects(file, words, data))
      if (!objects.has(object.number)) objects.set(object.number, object);
  return objects;
}

/** Returns the text of an object before its stream or its end. */
function wordsFrom(file: string, from: number): string {
  const window = file.slice(from, from + 100_000);
  const end = window.search(/\bstream\r?\n|\bendobj\b|\b\d{1,9}\s\d{1,5}\sobj\b/);
  return end < 0 ? window : window.slice(0, end);
}

/** Returns the objects in a stream, as far as it can be decompressed. */
function packedObjects(file: string, dictionary: string, data: number): FoundObject[] {
  const first = Number(/\/First\s+(\d+)/.exec(dictionary)?.[1]);
  const begin = /^stream\r?\n/.exec(file.slice(data, data + 10))?.[0].length;
  if (!Number.isInteger(first) || begin === undefined) return [];
  const end = file.indexOf('endstream', data);
  const packed = Buffer.from(file.slice(data + begin, end < 0 ? undefined : end), 'latin1');
  const text = dictionary.includes('/Filter') ? inflateStream(packed) : packed.toString('latin1');
  if (text === undefined) return [];
  const numbers = (text.slice(0, first).match(/\d+/g) ?? []).map(Number);
  const objects: FoundObject[] = [];
  for (let i = 0; i + 1 < numbers.length; i += 2) {
    const words = text.slice(first + (numbers[i + 1] ?? 0), first + (numbers[i + 3] ?? text.length));
    if (words !== '') objects.push({ number: numbers[i] ?? 0, generation: 0, offset: undefined, words });
  }
  return objects;
}

function inflateStream(packed: Buffer): string | undefined {
  try {
    // A truncated stream yields the part that is there.
    const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: MAX_STREAM_SIZE };
    return inflateSync(packed, options).toString('latin1');
  } catch {
    // The stream is damaged or too large.
    return undefined;
  }
}
