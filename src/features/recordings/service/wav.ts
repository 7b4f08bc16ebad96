import { t } from '@vscode/l10n';
import { NotebookError } from '../../../core/domain/errors.ts';
import type { ChapterTime, SoundSpan } from './chapters.ts';

/** Uncompressed samples in a file of RIFF's. */
interface Samples {
  /** Content of its `fmt ` chunk. */
  readonly format: Uint8Array;
  readonly bytesPerSecond: number;
  /** Bytes of one sample across all channels. */
  readonly blockSize: number;
  /** Start and end of its samples in the file. */
  readonly start: number;
  readonly end: number;
}

/** Reports whether bytes are a WAV file. */
export function isWav(bytes: Uint8Array): boolean {
  return tagAt(bytes, 0) === 'RIFF' && tagAt(bytes, 8) === 'WAVE';
}

/**
 * Finds the samples in a WAV file. Servers that stream a file declare invalid lengths, so the file ends at its last
 * byte.
 * @throws NotebookError `damaged`
 */
export function readWav(bytes: Uint8Array): Samples {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let format: Uint8Array | undefined;
  for (let at = 12; at + 8 <= bytes.length;) {
    const tag = tagAt(bytes, at);
    const start = at + 8;
    const end = Math.min(bytes.length, start + view.getUint32(at + 4, true));
    if (tag === 'fmt ') format = new Uint8Array(bytes.subarray(start, end));
    if (tag === 'data' && format !== undefined && format.length >= 16) {
      const formatView = new DataView(format.buffer);
      const [bytesPerSecond, blockSize] = [formatView.getUint32(8, true), formatView.getUint16(12, true)];
      const whole = end - start - ((end - start) % Math.max(1, blockSize));
      if (bytesPerSecond > 0 && blockSize > 0 && whole > 0)
        return { format, bytesPerSecond, blockSize, start, end: start + whole };
    }
    // Chunks begin at even offsets.
    at = end + ((end - start) % 2);
  }
  throw new NotebookError('damaged', t('The WAV data from the endpoint contains no audio. Try again.'), {
    action: 'tryAgain',
  });
}

/**
 * Returns the bytes before and after the samples of all pieces in one WAV file, with chapters as labeled cue points.
 */
export function framesOfWav(
  pieces: readonly SoundSpan[],
  format: Uint8Array,
  blockSize: number,
  chapters: readonly ChapterTime[],
): { readonly head: Uint8Array; readonly tail: Uint8Array } {
  const length = pieces.reduce((sum, { start, end }) => sum + end - start, 0);
  const padding = new Uint8Array(length % 2);
  const cues = chapters.map(({ byte }, index) => {
    const sample = byte / blockSize;
    return joinBytes(uint32(index + 1, sample), ascii('data'), uint32(0, 0, sample));
  });
  const labels = chapters.map(({ title }, index) =>
    chunk('labl', joinBytes(uint32(index + 1), new TextEncoder().encode(`${title}\0`))),
  );
  const tail =
    chapters.length === 0
      ? padding
      : joinBytes(
          padding,
          chunk('cue ', joinBytes(uint32(cues.length), ...cues)),
          chunk('LIST', joinBytes(ascii('adtl'), ...labels)),
        );
  const formatChunk = chunk('fmt ', format);
  const size = 4 + formatChunk.length + 8 + length + tail.length;
  if (size > 0xff_ff_ff_ff)
    throw new NotebookError(
      'too-large',
      t('The audio is too long for a WAV file. Save it as MP3, or split the script into several notes.'),
    );
  return {
    head: joinBytes(ascii('RIFF'), uint32(size), ascii('WAVE'), formatChunk, ascii('data'), uint32(length)),
    tail,
  };
}

function chunk(tag: string, bytes: Uint8Array): Uint8Array {
  return joinBytes(ascii(tag), uint32(bytes.length), bytes, new Uint8Array(bytes.length % 2));
}

function uint32(...values: readonly number[]): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(4 * values.length));
  values.forEach((value, index) => bytes.setUint32(4 * index, value, true));
  return new Uint8Array(bytes.buffer);
}

function ascii(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function tagAt(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4));
}

function joinBytes(...parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}
