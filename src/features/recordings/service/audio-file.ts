import { t } from '@vscode/l10n';
import { NotebookError } from '../../../core/domain/errors.ts';
import { framesOfWav, isWav, readWav } from './wav.ts';
import { headOfMp3, isMp3, readMp3 } from './mp3.ts';
import type { ChapterTime, SoundSpan } from './chapters.ts';

/** Audio format of saved sound. */
export type AudioFormat = 'mp3' | 'wav';

/** Chapter with functions that load its segments; each is called twice. */
interface SpokenChapter {
  readonly title: string;
  readonly segments: readonly (() => Promise<Uint8Array>)[];
}

/** A sound file of several segments. */
export interface AudioFile {
  /** Bytes of the file, in order. */
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly seconds: number;
  readonly chapters: readonly ChapterTime[];
  /** Time at which each segment ends, in seconds. */
  readonly ends: readonly number[];
}

/** Detects the format of bytes; undefined if it is none of these. */
export function audioFormat(bytes: Uint8Array): AudioFormat | undefined {
  return isWav(bytes) ? 'wav' : isMp3(bytes) ? 'mp3' : undefined;
}

/** Makes sure that there is sound in a file. @throws NotebookError `damaged` */
export function checkAudio(format: AudioFormat, bytes: Uint8Array): void {
  if (format === 'wav') readWav(bytes);
  else readMp3(bytes);
}

/** Joins segments into one file with chapters, one segment at a time. @throws NotebookError `damaged`, `too-large`, `unsupported` */
export async function joinAudio(
  title: string,
  format: AudioFormat,
  chapters: readonly SpokenChapter[],
): Promise<AudioFile> {
  const pieces: SoundSpan[] = [];
  const times: ChapterTime[] = [];
  const ends: number[] = [];
  let [seconds, byte, count] = [0, 0, 0];
  let first: Uint8Array | undefined;
  let blockSize = 1;
  for (const chapter of chapters) {
    if (chapter.title !== '') times.push({ title: chapter.title, seconds, byte });
    for (const load of chapter.segments) {
      const bytes = await load();
      if (format === 'wav') {
        const samples = readWav(bytes);
        if (
          first !== undefined &&
          Buffer.compare(first.subarray(0, 16), samples.format.subarray(0, 16)) !== 0
        )
          throw new NotebookError(
            'unsupported',
            t(
              'The voices use different sample rates, which a WAV file can’t contain. Save the audio as MP3.',
            ),
          );
        first ??= samples.format;
        ({ blockSize } = samples);
        pieces.push(samples);
        seconds += (samples.end - samples.start) / samples.bytesPerSecond;
        byte += samples.end - samples.start;
      } else {
        const frames = readMp3(bytes);
        first ??= frames.first;
        pieces.push(frames);
        seconds += frames.seconds;
        count += frames.count;
        byte += frames.end - frames.start;
      }
      ends.push(seconds);
    }
  }
  if (first === undefined) throw new NotebookError('empty', t('There’s no audio to save.'));
  const { head, tail } =
    format === 'wav'
      ? framesOfWav(pieces, first, blockSize, times)
      : { head: headOfMp3(title, { first, count, bytes: byte, seconds }, times), tail: new Uint8Array() };
  const loads = chapters.flatMap(({ segments }) => segments);
  async function* streamBytes(): AsyncIterable<Uint8Array> {
    yield head;
    for (const [index, load] of loads.entries()) {
      const piece = pieces[index];
      if (piece !== undefined) yield (await load()).subarray(piece.start, piece.end);
    }
    yield tail;
  }
  return { bytes: streamBytes(), seconds, chapters: times, ends };
}

/** Returns the format for a file name; undefined if the extension is neither. */
export function audioFormatOfName(name: string): AudioFormat | undefined {
  return /\.mp3$/i.test(name) ? 'mp3' : /\.wav$/i.test(name) ? 'wav' : undefined;
}
