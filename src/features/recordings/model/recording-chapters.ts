import { firstIndex } from '../../../core/language/first-index.ts';
import { cutSentences } from '../../../core/language/sentences.ts';
import type { Heading, SpokenTimes } from '../../../core/domain/document.ts';
import type { RecordingChapter } from '../../../core/domain/recordings.ts';

/** Returns the chapters of a transcript by its headings. */
export function chaptersOfHeadings(
  headings: readonly Heading[],
  { starts, from }: SpokenTimes,
): RecordingChapter[] {
  // A page has headings of its own before the transcript of its video.
  return headings
    .filter(({ offset }) => offset >= (starts[0] ?? 0))
    .map(({ title, offset }) => ({
      title,
      from: from[Math.max(0, firstIndex(starts.length, (i) => (starts[i] ?? 0) > offset) - 1)] ?? 0,
    }));
}

/** Minimum length of a chapter, in seconds, so that the list for an hour has at most 12. */
const MIN_CHAPTER = 5 * 60;

/** Maximum length of a title, in UTF-16 code units. */
const MAX_TITLE_LENGTH = 60;

/**
 * Returns chapters that start after the longest pauses of a transcript, titled by their first words; empty if it has room
 * for less than three. They divide a long transcript, and don't claim to be its topics.
 */
export function pauseChapters(text: string, { starts, from, to }: SpokenTimes): RecordingChapter[] {
  const [start, end] = [from[0] ?? 0, to.at(-1) ?? 0];
  const pauses = Array.from(from, (time, part) => ({ part, time, seconds: time - (to[part - 1] ?? time) }))
    .filter(({ seconds }) => seconds > 0)
    .sort((a, b) => b.seconds - a.seconds || a.time - b.time);
  const chosen = [{ part: 0, time: start }];
  for (const pause of pauses) {
    const { time } = pause;
    if (end - time >= MIN_CHAPTER && chosen.every((other) => Math.abs(other.time - time) >= MIN_CHAPTER))
      chosen.push(pause);
  }
  if (chosen.length < 3) return [];
  return chosen
    .sort((a, b) => a.time - b.time)
    .map(({ part, time }) => ({ title: firstWords(text.slice(starts[part])), from: time }));
}

/** Returns the first sentence of a text without the name of its speaker, cut at a space. */
function firstWords(text: string): string {
  const said = text.slice(0, 10 * MAX_TITLE_LENGTH).replace(/^[^:\n]{1,60}: /, '');
  const [first] = cutSentences(said);
  const sentence = said.slice(first?.start, first?.end).replaceAll(/\s+/g, ' ').trim();
  if (sentence.length <= MAX_TITLE_LENGTH) return sentence;
  const space = sentence.lastIndexOf(' ', MAX_TITLE_LENGTH);
  return `${sentence.slice(0, space > 0 ? space : MAX_TITLE_LENGTH)}…`;
}
