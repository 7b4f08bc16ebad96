import type { RecordingChapter } from '../../core/domain/recordings.ts';

/** Returns bytes of a file from an offset; fewer at its end. */
export type ReadBytes = (from: number, length: number) => Promise<Buffer>;

/** IDs of Matroska's elements. */
const SEGMENT = 0x18538067;
const SEEK_HEAD = 0x114d9b74;
const SEEK = 0x4dbb;
const SEEK_ID = 0x53ab;
const SEEK_POSITION = 0x53ac;
const CLUSTER = 0x1f43b675;
const CHAPTERS = 0x1043a770;
const EDITION = 0x45b9;
const ATOM = 0xb6;
const TIME_START = 0x91;
const DISPLAY = 0x80;
const STRING = 0x85;

/** Maximum size of an element that is read, in bytes. */
const MAX_ELEMENT_BYTES = 4 * 2 ** 20;
/** Maximum size of an element's ID and size, in bytes. */
const HEAD_BYTES = 12;
/** Maximum number of elements before the first cluster. */
const MAX_ELEMENTS = 1_000;

interface Element {
  readonly id: number;
  /** Offset of the content, and of the next element; infinite if the size is unknown. */
  readonly start: number;
  readonly end: number;
}

/** Returns the chapters of a Matroska or WebM file, from its first edition. @throws RangeError if it's damaged */
export async function matroskaChapters(read: ReadBytes): Promise<RecordingChapter[]> {
  const elementAt = async (at: number): Promise<Element | undefined> => {
    const head = await read(at, HEAD_BYTES);
    return head.length < 2 ? undefined : elementIn(head, 0, at);
  };
  const content = async ({ start, end }: Element): Promise<Buffer> =>
    await read(start, Math.min(end - start, MAX_ELEMENT_BYTES));
  const header = await elementAt(0);
  const segment = header && (await elementAt(header.end));
  if (segment?.id !== SEGMENT) return [];
  let element = await elementAt(segment.start);
  for (let count = 0; element !== undefined && count < MAX_ELEMENTS; count++) {
    if (element.id === CHAPTERS) return chaptersIn(await content(element));
    if (element.id === SEEK_HEAD) {
      const position = positionOf(CHAPTERS, await content(element));
      const target = position === undefined ? undefined : await elementAt(segment.start + position);
      if (target?.id === CHAPTERS) return chaptersIn(await content(target));
    }
    if (element.id === CLUSTER || !Number.isFinite(element.end)) return [];
    element = await elementAt(element.end);
  }
  return [];
}

/** Returns the element at an offset of bytes that begin at `base` in the file. */
function elementIn(bytes: Buffer, at: number, base = 0): Element {
  const idLength = Math.clz32(bytes.readUInt8(at)) - 23;
  const sizeAt = at + idLength;
  const first = bytes.readUInt8(sizeAt);
  const sizeLength = Math.clz32(first) - 23;
  if (idLength > 4 || sizeLength > 8) throw new RangeError('Not an element.');
  let size = first & (0xff >> sizeLength);
  let isUnknown = size === 0xff >> sizeLength;
  for (let i = 1; i < sizeLength; i++) {
    const byte = bytes.readUInt8(sizeAt + i);
    size = size * 256 + byte;
    isUnknown &&= byte === 0xff;
  }
  const start = base + sizeAt + sizeLength;
  return { id: bytes.readUIntBE(at, idLength), start, end: isUnknown ? Infinity : start + size };
}

function* elementsIn(bytes: Buffer): Generator<{ readonly id: number; readonly content: Buffer }> {
  for (let at = 0; at < bytes.length;) {
    const { id, start, end } = elementIn(bytes, at);
    yield { id, content: bytes.subarray(start, end) };
    at = end;
  }
}

/** Returns the number in an element, of up to eight bytes. */
function numberIn(content: Buffer): number {
  return content.reduce((number, byte) => number * 256 + byte, 0);
}

/** Returns the position of an element in its segment, from the segment's list of positions. */
function positionOf(id: number, seekHead: Buffer): number | undefined {
  for (const seek of elementsIn(seekHead)) {
    if (seek.id !== SEEK) continue;
    const fields = new Map(
      [...elementsIn(seek.content)].map((element) => [element.id, numberIn(element.content)]),
    );
    if (fields.get(SEEK_ID) === id) return fields.get(SEEK_POSITION);
  }
  return undefined;
}

function chaptersIn(chapters: Buffer): RecordingChapter[] {
  const edition = [...elementsIn(chapters)].find(({ id }) => id === EDITION);
  if (edition === undefined) return [];
  return [...elementsIn(edition.content)].flatMap(({ id, content }) => {
    if (id !== ATOM) return [];
    let [title, nanoseconds] = ['', 0];
    for (const field of elementsIn(content)) {
      if (field.id === TIME_START) nanoseconds = numberIn(field.content);
      if (field.id !== DISPLAY || title !== '') continue;
      const text = [...elementsIn(field.content)].find((element) => element.id === STRING);
      title = text?.content.toString('utf8').replace(/\0.*$/s, '') ?? '';
    }
    return [{ title, from: nanoseconds / 1e9 }];
  });
}
