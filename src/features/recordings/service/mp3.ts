import { t } from '@vscode/l10n';
import { NotebookError } from '../../../core/domain/errors.ts';
import type { ChapterTime } from './chapters.ts';

/** Bit rates in kilobits per second, by the index in a frame header, for MPEG 1 and for MPEG 2 and 2.5, layer III. */
const BIT_RATES = [
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
] as const;
/** Samples a second, of MPEG 1; of MPEG 2 half as many, of MPEG 2.5 a quarter. */
const SAMPLE_RATES = [44_100, 48_000, 32_000] as const;

/** The frames of an MP3 file. */
interface Frames {
  /** Start and end of the frames in the file. */
  readonly start: number;
  readonly end: number;
  readonly seconds: number;
  readonly count: number;
  /** First frame, the template for the frame that states the total length to players. */
  readonly first: Uint8Array;
}

interface Frame {
  readonly length: number;
  readonly samples: number;
  readonly sampleRate: number;
  /** Offset of the Xing header in the frame. */
  readonly tagOffset: number;
}

/** Reports whether bytes are an MP3 file. */
export function isMp3(bytes: Uint8Array): boolean {
  const at = endOfTag(bytes);
  return at > 0 || frameAt(bytes, 0) !== undefined;
}

/**
 * Finds the frames of an MP3 file, without its tags and the frame that states its length.
 * @throws NotebookError `damaged`
 */
export function readMp3(bytes: Uint8Array): Frames {
  let at = endOfTag(bytes);
  while (at < bytes.length && frameAt(bytes, at) === undefined) at++;
  const lead = frameAt(bytes, at);
  if (lead !== undefined && statesLength(bytes, at + lead.tagOffset, at + 36)) at += lead.length;
  const start = at;
  let [seconds, count] = [0, 0];
  for (let frame = frameAt(bytes, at); frame !== undefined; frame = frameAt(bytes, at)) {
    // The last frame may be truncated.
    if (at + frame.length > bytes.length) break;
    at += frame.length;
    seconds += frame.samples / frame.sampleRate;
    count++;
  }
  const first = frameAt(bytes, start);
  if (count === 0 || first === undefined)
    throw new NotebookError('damaged', t('The MP3 data from the endpoint contains no audio. Try again.'), {
      action: 'tryAgain',
    });
  return {
    start,
    end: at,
    seconds,
    count,
    first: new Uint8Array(bytes.subarray(start, start + first.length)),
  };
}

/** Returns the bytes before all frames: a tag with title and chapters, and a frame that states the total length. */
export function headOfMp3(
  title: string,
  { first, count, bytes, seconds }: Pick<Frames, 'count' | 'first' | 'seconds'> & { readonly bytes: number },
  chapters: readonly ChapterTime[],
): Uint8Array {
  const frames = [textFrame('TIT2', title)];
  if (chapters.length > 0) {
    const ids = chapters.map((_, index) => Buffer.from(`chapter${String(index + 1)}\0`));
    // Flags of the table of contents: the chapters are ordered, and the table is at the top level.
    frames.push(
      tagFrame('CTOC', Buffer.concat([Buffer.from('contents\0'), Buffer.from([3, ids.length]), ...ids])),
    );
    chapters.forEach((chapter, index) => {
      const times = Buffer.alloc(16, 0xff);
      times.writeUInt32BE(Math.round(1_000 * chapter.seconds), 0);
      times.writeUInt32BE(Math.round(1_000 * (chapters[index + 1]?.seconds ?? seconds)), 4);
      const id = ids[index] ?? Buffer.alloc(1);
      frames.push(tagFrame('CHAP', Buffer.concat([id, times, textFrame('TIT2', chapter.title)])));
    });
  }
  const body = Buffer.concat(frames);
  const head = Buffer.from([0x49, 0x44, 0x33, 4, 0, 0, ...sevenBits(body.length)]);
  return new Uint8Array(Buffer.concat([head, body, lengthFrame(first, count, bytes)]));
}

/**
 * Returns a silent frame like the others that states the total length to players, because the bit rate can vary between
 * frames.
 */
function lengthFrame(first: Uint8Array, count: number, bytes: number): Uint8Array {
  const frame = Buffer.alloc(first.length);
  frame.set(first.subarray(0, 4));
  // Set the bit that says that the frame has no checksum.
  frame.writeUInt8((first[1] ?? 0) | 1, 1);
  const tagOffset = frameAt(first, 0)?.tagOffset ?? 36;
  if (tagOffset + 16 > frame.length) return new Uint8Array();
  frame.write('Xing', tagOffset, 'latin1');
  frame.writeUInt32BE(3, tagOffset + 4);
  frame.writeUInt32BE(count, tagOffset + 8);
  frame.writeUInt32BE(bytes + frame.length, tagOffset + 12);
  return frame;
}

/** Parses the frame that begins at an offset; undefined if there is none. */
function frameAt(bytes: Uint8Array, at: number): Frame | undefined {
  const [sync = 0, kind = 0, rates = 0, mode = 0] = bytes.subarray(at, at + 4);
  // Layer III of MPEG 1, 2, or 2.5.
  if (sync !== 0xff || (kind & 0xe6) !== 0xe2 || (kind & 0x18) === 0x08) return undefined;
  const version = (kind >> 3) & 3;
  const isFirst = version === 3;
  const bitRate = BIT_RATES[isFirst ? 0 : 1][rates >> 4] ?? 0;
  const sampleRate = (SAMPLE_RATES[(rates >> 2) & 3] ?? 0) / (isFirst ? 1 : version === 2 ? 2 : 4);
  if (bitRate === 0 || sampleRate === 0) return undefined;
  const samples = isFirst ? 1_152 : 576;
  const length = Math.floor((samples * 125 * bitRate) / sampleRate) + ((rates >> 1) & 1);
  const isMono = mode >> 6 === 3;
  const tagOffset = 4 + (isFirst ? (isMono ? 17 : 32) : isMono ? 9 : 17);
  return { length, samples, sampleRate, tagOffset };
}

/** Returns the end of the tag at the beginning of the file, and thus the start of the sound. */
function endOfTag(bytes: Uint8Array): number {
  if (String.fromCharCode(...bytes.subarray(0, 3)) !== 'ID3') return 0;
  const [a = 0, b = 0, c = 0, d = 0] = bytes.subarray(6, 10);
  const hasFoot = ((bytes[5] ?? 0) & 0x10) !== 0;
  return Math.min(bytes.length, 10 + (a << 21) + (b << 14) + (c << 7) + d + (hasFoot ? 10 : 0));
}

/** Reports whether a frame only describes the others: `Xing` or `Info`, or at another offset `VBRI`. */
function statesLength(bytes: Uint8Array, xing: number, vbri: number): boolean {
  const wordAt = (at: number): string => String.fromCharCode(...bytes.subarray(at, at + 4));
  return /^(?:Xing|Info)$/.test(wordAt(xing)) || wordAt(vbri) === 'VBRI';
}

function textFrame(id: string, text: string): Buffer {
  // 3 means that the text is in UTF-8.
  return tagFrame(id, Buffer.concat([Buffer.from([3]), Buffer.from(text)]));
}

function tagFrame(id: string, body: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(id), Buffer.from(sevenBits(body.length)), Buffer.from([0, 0]), body]);
}

/** Encodes a number in four bytes of seven bits each. */
function sevenBits(value: number): number[] {
  return [21, 14, 7, 0].map((shift) => (value >> shift) & 0x7f);
}
