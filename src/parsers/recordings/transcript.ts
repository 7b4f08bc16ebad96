import { firstIndex } from '../../core/language/first-index.ts';
import type { Heading, SpokenTimes } from '../../core/domain/document.ts';
import type { RecordingChapter } from '../../core/domain/recordings.ts';

/** Text of a recording with its times. */
export interface Transcript {
  readonly text: string;
  readonly spoken: SpokenTimes;
}

/** Part of a transcript: its start in the text, and when it is spoken, in seconds. */
interface SpokenPart {
  readonly start: number;
  readonly from: number;
  readonly to: number;
}

/**
 * Creates a transcript. If a part starts earlier than the previous part, as in some captions, it gets the start of the
 * previous part.
 */
export function transcript(text: string, parts: readonly SpokenPart[]): Transcript {
  let last = 0;
  const from = parts.map((part) => (last = Math.max(last, part.from)));
  return {
    text,
    spoken: {
      starts: Uint32Array.from(parts, ({ start }) => start),
      from: Float32Array.from(from),
      to: Float32Array.from(parts, ({ to }, i) => Math.max(to, from[i] ?? 0)),
    },
  };
}

/** Time before a chapter in which a caption that belongs to it may start, in seconds. */
const CHAPTER_TOLERANCE = 1;

/** Returns chapters, in order of time, as headings at the captions with which they start. A silent chapter has none. */
export function chapterHeadings(
  chapters: readonly RecordingChapter[],
  { starts, from }: SpokenTimes,
): Heading[] {
  const headings: Heading[] = [];
  for (const { title, from: time } of chapters) {
    const offset = starts[firstIndex(from.length, (i) => (from[i] ?? 0) >= time - CHAPTER_TOLERANCE)];
    if (offset === undefined) break;
    if (headings.at(-1)?.offset === offset) headings.pop();
    headings.push({ offset, level: 1, title });
  }
  return headings;
}
