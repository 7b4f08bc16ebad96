import type { Span } from './span.ts';

/** A sentence of a reply, a list item's sentence, a table row, a heading or a block of code, with the passages it cites. */
export interface MarkedSentence extends Span {
  readonly numbers: readonly number[];
}

/** What a character of a reply belongs to. */
type Part = 'code' | 'fence' | 'text';

export interface SentenceStream {
  append(text: string, part: Part): void;
  /** Notes the numbers of a citation mark that stood here. */
  mark(numbers: readonly number[]): void;
  /** The sentences completed since the last call; a sentence is complete once what follows it is known. */
  take(ended: boolean): MarkedSentence[];
}

const CLOSERS = /["'”’»)\]*_」』）]/;
const ABBREVIATION =
  /(?:^|[\s("'“])(?:e\.g|i\.e|vs|cf|Dr|Mr|Mrs|Ms|Prof|Fig|Sec|No|St|approx|resp|pp?|[A-Z])\.$/;
const LEADING = /^(?:\s*(?:>|[-*+•](?=\s)|\d{1,3}[.)](?=\s)))*\s*/;
/** So much before a stop tells whether it ends an abbreviation or the number of an item, in UTF-16 code units. */
const LONGEST_BEFORE = 200;
const LIST_NUMBER = /^\s*(?:(?:>|[-*+•])\s*)*\d{1,3}\.$/;
const NEW_BLOCK = /^[ \t]*(?:[#>|]|[-+•][ \t]|\*[ \t]|\d{1,3}[.)][ \t])/;
const MAY_BE_NEW_BLOCK = /^[ \t]*(?:[-+•*]|\d{1,3}[.)]?)?$/;
const UNDER_HEADER = /^[ \t]*\|[ \t]*:?-/;
const MAY_BE_UNDER_HEADER = /^[ \t]*(?:\|[ \t]*:?)?$/;

type Decision =
  | { readonly kind: 'boundary'; readonly end: number }
  /** What ends here is no sentence. */
  | { readonly kind: 'passOver'; readonly end: number }
  | { readonly kind: 'none' | 'unknown' };
const NONE: Decision = { kind: 'none' };
const UNKNOWN: Decision = { kind: 'unknown' };

/** Cuts a growing Markdown text into sentences; the same text gives the same sentences however it grew. */
export function streamedSentences(): SentenceStream {
  let text = '';
  /** One letter for every character of the text: what it belongs to. */
  let parts = '';
  let marks: { readonly at: number; readonly numbers: readonly number[] }[] = [];
  let start = 0;
  let scan = 0;

  const isFence = (offset: number): boolean => parts[offset] === 'f';

  const moveTo = (offset: number): void => {
    start = offset;
    scan = offset;
  };

  const finish = (end: number, completed: MarkedSentence[]): void => {
    const own = marks.filter(({ at }) => at <= end);
    const raw = text.slice(start, end);
    const from = start + (LEADING.exec(raw)?.[0].length ?? 0);
    const to = start + raw.trimEnd().length;
    if (/[\p{L}\p{N}]/u.test(text.slice(from, to))) {
      marks = marks.filter(({ at }) => at > end);
      completed.push({ start: from, end: to, numbers: [...new Set(own.flatMap(({ numbers }) => numbers))] });
    }
    moveTo(end);
  };

  const decide = (offset: number, ended: boolean): Decision => {
    if (parts[offset] === 'c') return NONE;
    const character = text[offset] ?? '';
    if (character === '\n') return decideAtLineEnd(text, start, offset, ended);
    if (/[。！？]/.test(character)) return decideAfter(offset, ended, false);
    if (/[.!?…]/.test(character)) return decideAfter(offset, ended, true);
    return NONE;
  };

  const decideAfter = (offset: number, ended: boolean, needsSpace: boolean): Decision => {
    let end = offset + 1;
    while (/[.!?…。！？]/.test(text[end] ?? '')) end++;
    while (CLOSERS.test(text[end] ?? '')) end++;
    if (end >= text.length) return ended ? { kind: 'boundary', end } : UNKNOWN;
    if (!needsSpace) return { kind: 'boundary', end };
    if (!/\s/.test(text[end] ?? '')) return NONE;
    const before = text.slice(Math.max(start, offset - LONGEST_BEFORE), offset + 1);
    const isAtStart = offset - LONGEST_BEFORE <= start;
    if (ABBREVIATION.test(before) || (isAtStart && LIST_NUMBER.test(before))) return NONE;
    let next = end;
    while (next < text.length && /[ \t]/.test(text[next] ?? '')) next++;
    if (next >= text.length) return ended ? { kind: 'boundary', end } : UNKNOWN;
    return /\p{Ll}/u.test(text[next] ?? '') ? NONE : { kind: 'boundary', end };
  };

  return {
    append(more, part) {
      text += more;
      parts += part.charAt(0).repeat(more.length);
    },
    mark(numbers) {
      if (numbers.length > 0) marks.push({ at: text.length, numbers });
    },
    take(ended) {
      const completed: MarkedSentence[] = [];
      while (scan < text.length) {
        if (isFence(scan) !== isFence(start)) {
          finish(scan, completed);
          continue;
        }
        if (isFence(scan)) {
          scan++;
          continue;
        }
        const decision = decide(scan, ended);
        if (decision.kind === 'unknown') break;
        if (decision.kind === 'boundary') finish(decision.end, completed);
        else if (decision.kind === 'passOver') moveTo(decision.end);
        else scan++;
      }
      if (ended) finish(text.length, completed);
      return completed;
    },
  };
}

/** Whether a line's end ends the sentence: it does before a blank line and a new block, and after headings and table rows. */
function decideAtLineEnd(text: string, start: number, offset: number, ended: boolean): Decision {
  const sentence = text.slice(start, offset);
  if (sentence.trim() === '') return { kind: 'boundary', end: offset + 1 };
  const boundary: Decision = { kind: 'boundary', end: offset };
  const rest = text.slice(offset + 1, offset + 80);
  const line = sentence.trimStart();
  if (line.startsWith('|')) {
    if (MAY_BE_UNDER_HEADER.test(rest) && !ended) return UNKNOWN;
    return UNDER_HEADER.test(rest) ? { kind: 'passOver', end: offset } : boundary;
  }
  if (line.startsWith('#') || line.endsWith(':') || line.endsWith(':**')) return boundary;
  if (/^[ \t]*\n/.test(rest) || NEW_BLOCK.test(rest)) return boundary;
  return MAY_BE_NEW_BLOCK.test(rest) && !ended ? UNKNOWN : NONE;
}
