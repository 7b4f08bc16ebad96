import { plainTitle } from '../../core/domain/plain-title.ts';
import type { RecordingChapter } from '../../core/domain/recordings.ts';
import { openRegularFile } from '../../core/domain/regular-file.ts';
import type { ReadRequest } from '../api.ts';
import { fileError } from '../read-file-bytes.ts';
import { matroskaChapters, type ReadBytes } from './matroska-chapters.ts';
import { mp4TrackChapters } from './mp4-chapters.ts';
import { withRecording } from './open-recording.ts';

type Content = ReadRequest['content'];

/** Maximum number of chapters, and of UTF-16 code units in a title. */
const MAX_CHAPTERS = 1_000;
const MAX_TITLE_LENGTH = 200;

/** Maximum size of a tag, which may contain pictures before the chapters, in bytes. */
const MAX_TAG_BYTES = 32 * 2 ** 20;

/**
 * Returns the chapters in the container of a recording, in order of time; empty if it has none or they are damaged. Reads
 * the ID3 tags of MP3, cue points of WAV, the chapter lists of MP4 and Matroska, the chapter tracks of MP4 and QuickTime,
 * and the comments of Ogg and FLAC.
 * @throws NotebookError as opening a file does
 */
export async function readChapters(content: Content, name: string): Promise<RecordingChapter[]> {
  const chapters = await withBytes(content, name, async (read) => {
    const start = (await read(0, 12)).toString('latin1');
    if (start.startsWith('ID3')) return await unlessDamaged(id3Chapters(read));
    if (start.startsWith('RIFF')) return await unlessDamaged(wavChapters(read));
    if (start.startsWith('\x1a\x45\xdf\xa3')) return await unlessDamaged(matroskaChapters(read));
    if (!/^(?:OggS|fLaC|....(?:ftyp|moov|mdat|wide))/s.test(start)) return [];
    const tagged = await withRecording(content, name, async (input) =>
      taggedChapters((await input.getMetadataTags()).raw),
    );
    return tagged.length > 0 || /^(?:OggS|fLaC)/.test(start)
      ? tagged
      : await unlessDamaged(mp4TrackChapters(read));
  });
  return normalizeChapters(chapters);
}

/** Returns chapters in order of time with short plain titles, without untitled ones. */
export function normalizeChapters(chapters: readonly RecordingChapter[]): RecordingChapter[] {
  return chapters
    .map(({ title, from }) => ({ title: plainTitle(title).slice(0, MAX_TITLE_LENGTH), from }))
    .filter(({ title, from }) => title !== '' && Number.isFinite(from) && from >= 0)
    .sort((a, b) => a.from - b.from)
    .slice(0, MAX_CHAPTERS);
}

/** Returns the chapters of a list; none if it's damaged. */
async function unlessDamaged(chapters: Promise<RecordingChapter[]>): Promise<RecordingChapter[]> {
  try {
    return await chapters;
  } catch (error) {
    if (error instanceof RangeError) return [];
    throw error;
  }
}

async function withBytes<T>(
  content: Content,
  name: string,
  use: (read: ReadBytes) => Promise<T>,
): Promise<T> {
  if (content.kind === 'bytes') {
    const bytes = Buffer.from(content.bytes.buffer, content.bytes.byteOffset, content.bytes.byteLength);
    return await use((from, length) => Promise.resolve(bytes.subarray(from, from + length)));
  }
  try {
    const file = await openRegularFile(content.path, { name });
    try {
      return await use(async (from, length) => {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from);
        return buffer.subarray(0, bytesRead);
      });
    } finally {
      await file.close();
    }
  } catch (error) {
    throw fileError(error, name);
  }
}

/** Returns a number of four bytes with seven bits each. */
function sevenBits(bytes: Buffer, at: number): number {
  return [0, 1, 2, 3].reduce((size, i) => size * 128 + (bytes.readUInt8(at + i) & 0x7f), 0);
}

async function id3Size(read: ReadBytes): Promise<number> {
  return Math.min(MAX_TAG_BYTES, 10 + sevenBits(await read(0, 10), 6));
}

async function id3Chapters(read: ReadBytes): Promise<RecordingChapter[]> {
  const tag = await read(0, await id3Size(read));
  const [version, flags] = [tag.readUInt8(3), tag.readUInt8(5)];
  // Version 2.2 has no chapters. Tags that avoid the bytes of frames are rare.
  if (version < 3 || (flags & 0x80) !== 0) return [];
  const sizeAt = (bytes: Buffer, at: number): number =>
    version === 3 ? bytes.readUInt32BE(at) : sevenBits(bytes, at);
  const chapters: RecordingChapter[] = [];
  let at = 10;
  if ((flags & 0x40) !== 0) at += version === 3 ? 4 + tag.readUInt32BE(at) : sevenBits(tag, at);
  while (at + 10 <= tag.length && tag.readUInt8(at) !== 0) {
    const body = tag.subarray(at + 10, at + 10 + sizeAt(tag, at + 4));
    if (tag.toString('latin1', at, at + 4) === 'CHAP') {
      const times = body.indexOf(0) + 1;
      let title = '';
      for (let inner = times + 16; inner + 10 < body.length; inner += 10 + sizeAt(body, inner + 4))
        if (body.toString('latin1', inner, inner + 4) === 'TIT2')
          title = id3Text(body.subarray(inner + 10, inner + 10 + sizeAt(body, inner + 4)));
      chapters.push({ title, from: body.readUInt32BE(times) / 1000 });
    }
    at += 10 + body.length;
  }
  return chapters;
}

/** Encodings of ID3 texts by their first byte. */
const ID3_ENCODINGS = ['latin1', 'utf-16', 'utf-16be', 'utf-8'];

function id3Text(frame: Buffer): string {
  const encoding = ID3_ENCODINGS[frame.readUInt8(0)] ?? 'utf-8';
  const text = frame.subarray(1);
  const isBigEndian = encoding === 'utf-16' && text.length > 1 && text.readUInt16BE(0) === 0xfeff;
  return new TextDecoder(isBigEndian ? 'utf-16be' : encoding).decode(text).replace(/\0.*$/s, '');
}

/** Maximum size of a chunk with labels, in bytes. */
const MAX_CHUNK_BYTES = 2 ** 20;

async function wavChapters(read: ReadBytes): Promise<RecordingChapter[]> {
  let rate = 0;
  const samples = new Map<number, number>();
  const titles = new Map<number, string>();
  for (let at = 12; ;) {
    const head = await read(at, 8);
    if (head.length < 8) break;
    const [tag, size] = [head.toString('latin1', 0, 4), head.readUInt32LE(4)];
    const body = /^(?:fmt |cue |LIST)$/.test(tag)
      ? await read(at + 8, Math.min(size, MAX_CHUNK_BYTES))
      : Buffer.alloc(0);
    if (tag === 'fmt ') rate = body.readUInt32LE(4);
    if (tag === 'cue ')
      for (let point = 4; point + 24 <= body.length; point += 24)
        samples.set(body.readUInt32LE(point), body.readUInt32LE(point + 20));
    if (tag === 'LIST' && body.toString('latin1', 0, 4) === 'adtl')
      for (let label = 4; label + 12 <= body.length;) {
        const length = body.readUInt32LE(label + 4);
        if (body.toString('latin1', label, label + 4) === 'labl')
          titles.set(
            body.readUInt32LE(label + 8),
            body.toString('utf8', label + 12, label + 8 + length).replace(/\0.*$/s, ''),
          );
        label += 8 + length + (length % 2);
      }
    at += 8 + size + (size % 2);
  }
  return [...samples].flatMap(([id, sample]) => {
    const title = titles.get(id);
    return title === undefined || rate === 0 ? [] : [{ title, from: sample / rate }];
  });
}

/** Returns the chapters in the tags of MP4 (`chpl`), and of Ogg and FLAC (`CHAPTER001`). */
function taggedChapters(tags: Readonly<Record<string, unknown>> = {}): RecordingChapter[] {
  const list = tags['chpl'];
  if (list instanceof Uint8Array) return mp4Chapters(Buffer.from(list));
  return Object.entries(tags).flatMap(([key, time]) => {
    const title = tags[`${key}NAME`];
    const timeParts = /^(\d+):(\d+):(\d+(?:\.\d+)?)$/.exec(typeof time === 'string' ? time : '');
    if (!/^CHAPTER\d+$/.test(key) || typeof title !== 'string' || timeParts === null) return [];
    const [, hours, minutes, seconds] = timeParts;
    return [{ title, from: Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) }];
  });
}

/** Units of the times in an MP4 chapter list per second. */
const CHPL_RATE = 10_000_000;

function mp4Chapters(list: Buffer): RecordingChapter[] {
  const chapters: RecordingChapter[] = [];
  // The first version of the list has four more bytes before the number of chapters.
  const first = list.length > 0 && list.readUInt8(0) === 0 ? 5 : 9;
  for (let at = first; at + 9 <= list.length;) {
    const length = list.readUInt8(at + 8);
    const title = list.toString('utf8', at + 9, at + 9 + length);
    chapters.push({ title, from: Number(list.readBigUInt64BE(at)) / CHPL_RATE });
    at += 9 + length;
  }
  return chapters;
}
