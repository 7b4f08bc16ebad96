import { firstIndex } from '../../src/core/language/first-index.ts';
import type { Span } from '../../src/core/language/span.ts';
import type { PlayerView } from '../../src/features/recordings/protocol.ts';

type Spoken = Pick<PlayerView, 'from' | 'starts' | 'text' | 'to'>;

/** Paragraph of a transcript: its text's span, its time in seconds, and the title of the chapter that it starts. */
interface Paragraph extends Span {
  readonly from: number;
  readonly title?: string;
}

/** Returns the paragraphs of a transcript, which blank lines and headings separate. */
export function paragraphsOf(spoken: Spoken & Pick<PlayerView, 'headings'>): Paragraph[] {
  const titles = new Map(spoken.headings.map(({ start, title }) => [start, title]));
  const paragraphs: Paragraph[] = [];
  for (let start = spoken.starts[0] ?? 0; start < spoken.text.length;) {
    const blank = spoken.text.indexOf('\n\n', start);
    const heading = spoken.headings.find((candidate) => candidate.start > start)?.start ?? Infinity;
    const end = Math.min(blank < 0 ? spoken.text.length : blank, heading);
    const words = spoken.text.slice(start, end).trimEnd();
    const title = titles.get(start);
    if (words !== '')
      paragraphs.push({
        start,
        end: start + words.length,
        from: timeAt(spoken, start),
        ...(title !== undefined && { title }),
      });
    start = end + (end === heading ? 0 : 2);
  }
  return paragraphs;
}

/** Returns the index of the chapter at a time; -1 before the first one. */
export function chapterAt(chapters: PlayerView['chapters'], seconds: number): number {
  // The player may stop a little before the requested time.
  return firstIndex(chapters.length, (i) => (chapters[i]?.from ?? 0) > seconds + 0.01) - 1;
}

/** Returns the time at which the part with an offset begins, in seconds. */
export function timeAt(spoken: Spoken, offset: number): number {
  return spoken.from[partAt(spoken, offset)] ?? 0;
}

/** Returns the last part that starts at or before an offset. */
function partAt({ starts }: Spoken, offset: number): number {
  return Math.max(0, firstIndex(starts.length, (i) => (starts[i] ?? 0) > offset) - 1);
}

/** Returns the span of the part that is spoken at a time; undefined in a pause, and before the first part. */
export function spokenAt(spoken: Spoken, seconds: number): Span | undefined {
  const { from, starts, text, to } = spoken;
  // The player may stop a little before the requested time.
  const part = firstIndex(from.length, (i) => (from[i] ?? 0) > seconds + 0.01) - 1;
  const start = starts[part];
  if (start === undefined || seconds >= (to[part] ?? 0)) return undefined;
  const end = starts[part + 1] ?? text.length;
  return { start, end: start + text.slice(start, end).trimEnd().length };
}

/** Maximum number of matches of a search. */
const MAX_MATCHES = 10_000;

/** Returns the spans of a text that match words, in any case. */
export function matchesOf(text: string, words: string): Span[] {
  const query = searchable(words.trim());
  if (query === '') return [];
  const searched = searchable(text);
  const matches: Span[] = [];
  for (let at = searched.indexOf(query); at >= 0; at = searched.indexOf(query, at + query.length)) {
    matches.push({ start: at, end: at + query.length });
    if (matches.length === MAX_MATCHES) break;
  }
  return matches;
}

/** Returns a text of the same length without differences of case and of line breaks. */
function searchable(text: string): string {
  const plain = text.replaceAll('\n', ' ');
  const lower = plain.toLowerCase();
  return lower.length === plain.length ? lower : plain;
}
