import type { RecordingChapter } from '../../core/domain/recordings.ts';
import type { ReadBytes } from './matroska-chapters.ts';

/** Maximum size of a box with a table that is read, in bytes. */
const MAX_TABLE_BYTES = 4 * 2 ** 20;
/** Maximum number of boxes in a box, and of chapters. */
const MAX_BOXES = 1_000;
const MAX_CHAPTERS = 1_000;
/** Maximum size of a title, in bytes. */
const MAX_TITLE_BYTES = 1_000;

/** Box of an MP4 or QuickTime file: its content, by offsets in the file. */
interface Box {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the chapters in the chapter track of an MP4 or QuickTime file: the text track to which another track refers.
 * Empty if there is none.
 * @throws RangeError if it's damaged
 */
export async function mp4TrackChapters(read: ReadBytes): Promise<RecordingChapter[]> {
  const movie = await boxAt(read, { type: '', start: 0, end: Infinity }, 'moov');
  if (movie === undefined) return [];
  const tracks: Box[] = [];
  for await (const box of boxesIn(read, movie)) if (box.type === 'trak') tracks.push(box);
  const referred = new Set<number>();
  for (const track of tracks) {
    const list = await tableAt(read, track, ['tref', 'chap']);
    for (let at = 0; list !== undefined && at + 4 <= list.length; at += 4)
      referred.add(list.readUInt32BE(at));
  }
  for (const track of tracks) {
    const header = await tableAt(read, track, ['tkhd']);
    const kind = await tableAt(read, track, ['mdia', 'hdlr']);
    if (header === undefined || kind === undefined) continue;
    const id = header.readUInt32BE(header.readUInt8(0) === 1 ? 20 : 12);
    // A chapter track of pictures has no titles.
    if (referred.has(id) && /^(?:text|sbtl)$/.test(kind.toString('latin1', 8, 12)))
      return await chaptersOf(read, track);
  }
  return [];
}

/** Returns the samples of a text track as chapters. */
async function chaptersOf(read: ReadBytes, track: Box): Promise<RecordingChapter[]> {
  const table = async (name: string): Promise<Buffer | undefined> =>
    await tableAt(read, track, ['mdia', 'minf', 'stbl', name]);
  const header = await tableAt(read, track, ['mdia', 'mdhd']);
  const [durations, sizes, groups] = [await table('stts'), await table('stsz'), await table('stsc')];
  const shortOffsets = await table('stco');
  const offsets = shortOffsets ?? (await table('co64'));
  if (header === undefined || durations === undefined || sizes === undefined) return [];
  if (groups === undefined || offsets === undefined) return [];
  const unitsPerSecond = header.readUInt32BE(header.readUInt8(0) === 1 ? 20 : 12);
  const starts = startsIn(durations);
  const chapters: RecordingChapter[] = [];
  let sample = 0;
  const chunks = Math.min(MAX_CHAPTERS, offsets.readUInt32BE(4));
  for (let chunk = 0; chunk < chunks; chunk++) {
    let at =
      shortOffsets === undefined
        ? Number(offsets.readBigUInt64BE(8 + 8 * chunk))
        : offsets.readUInt32BE(8 + 4 * chunk);
    for (let i = samplesIn(groups, chunk + 1); i > 0; i--, sample++) {
      const start = starts[sample];
      if (start === undefined || unitsPerSecond === 0) return chapters;
      const size = sizes.readUInt32BE(4) || sizes.readUInt32BE(12 + 4 * sample);
      chapters.push({
        title: titleIn(await read(at, Math.min(size, MAX_TITLE_BYTES))),
        from: start / unitsPerSecond,
      });
      at += size;
    }
  }
  return chapters;
}

/** Returns when the samples start, from the table of their durations (`stts`). */
function startsIn(durations: Buffer): number[] {
  const starts: number[] = [];
  let time = 0;
  for (let entry = 0; entry < durations.readUInt32BE(4); entry++) {
    const [count, duration] = [durations.readUInt32BE(8 + 8 * entry), durations.readUInt32BE(12 + 8 * entry)];
    for (let i = 0; i < count; i++) {
      if (starts.length === MAX_CHAPTERS) return starts;
      starts.push(time);
      time += duration;
    }
  }
  return starts;
}

/** Returns the number of samples in a chunk, from the table of groups of chunks (`stsc`). */
function samplesIn(groups: Buffer, chunk: number): number {
  let samples = 0;
  const entries = Math.min(MAX_CHAPTERS, groups.readUInt32BE(4));
  for (let entry = 0; entry < entries; entry++) {
    if (groups.readUInt32BE(8 + 12 * entry) > chunk) break;
    samples = groups.readUInt32BE(12 + 12 * entry);
  }
  return samples;
}

/** Returns the text of a sample: its length in two bytes, and UTF-8, or UTF-16 with a byte order mark. */
function titleIn(sample: Buffer): string {
  const text = sample.subarray(2, 2 + sample.readUInt16BE(0));
  const mark = text.length > 1 ? text.readUInt16BE(0) : 0;
  const encoding = mark === 0xfeff ? 'utf-16be' : mark === 0xfffe ? 'utf-16le' : 'utf-8';
  return new TextDecoder(encoding).decode(text);
}

/** Yields the boxes in a box. */
async function* boxesIn(read: ReadBytes, { start, end }: Box): AsyncGenerator<Box> {
  let at = start;
  for (let count = 0; count < MAX_BOXES && at + 8 <= end; count++) {
    const head = await read(at, 16);
    if (head.length < 8) return;
    const size = head.readUInt32BE(0);
    const [headSize, boxSize] = size === 1 ? [16, Number(head.readBigUInt64BE(8))] : [8, size];
    const next = size === 0 ? end : at + boxSize;
    // A box without room for its head would be read again and again.
    if (next < at + headSize) throw new RangeError('Not a box.');
    yield { type: head.toString('latin1', 4, 8), start: at + headSize, end: Math.min(next, end) };
    at = next;
  }
}

async function boxAt(read: ReadBytes, outer: Box, type: string): Promise<Box | undefined> {
  for await (const box of boxesIn(read, outer)) if (box.type === type) return box;
  return undefined;
}

/** Returns the content of a box inside others; undefined if there is none. */
async function tableAt(read: ReadBytes, outer: Box, path: readonly string[]): Promise<Buffer | undefined> {
  let box: Box | undefined = outer;
  for (const type of path) box = box && (await boxAt(read, box, type));
  return box && (await read(box.start, Math.min(box.end - box.start, MAX_TABLE_BYTES)));
}
