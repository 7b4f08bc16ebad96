import type { Heading } from '../../notebook/document.ts';
import { levelOfUnderline, linesIn, markdownLines } from '../../language/markdown-lines.ts';
import type { Span } from '../../language/span.ts';
import type { TextFormat } from '../../language/units.ts';

/** A document's text and headings, as they are kept. */
interface WithHeadings {
  readonly format: TextFormat;
  readonly headings: readonly Heading[];
  readonly length: number;
  slice(start: number, end: number): string;
}

/** No line is a heading that is longer, with its marks and links, in UTF-16 code units. */
const LONGEST_HEADING = 4_000;
const LETTER = /[\p{L}\p{N}]/u;

/**
 * Where the headings are written that touch a span, with their marks, in the order of the document. None for those that
 * are not written where their section begins: declarations of code, and outlines in other words than their document's.
 */
export function headingSpansIn(document: WithHeadings, span: Span): Span[] {
  if (document.format === 'code') return [];
  return document.headings.flatMap((heading) => {
    const isNear = heading.offset < span.end && heading.offset + LONGEST_HEADING > span.start;
    const written = isNear ? headingSpan(document, heading) : undefined;
    return written !== undefined && written.end > span.start ? [written] : [];
  });
}

/** Where a heading of a document is written; undefined where it is not, as above. */
export function headingSpan(
  document: Omit<WithHeadings, 'headings'>,
  { offset, title }: Heading,
): Span | undefined {
  const { format, length } = document;
  if (format === 'code') return undefined;
  const text = document.slice(offset, Math.min(length, offset + LONGEST_HEADING));
  const end = offset + writtenLength(text, title, format);
  return end > offset ? { start: offset, end } : undefined;
}

/** How much of a text, from a heading's offset on, is that heading; 0 where it is not written there. */
function writtenLength(text: string, title: string, format: TextFormat): number {
  if (format === 'markdown') {
    const [line, below] = markdownLines(text);
    if (below !== undefined && levelOfUnderline(text.slice(below.start, below.end)) !== undefined)
      return below.end;
    if (line?.kind === 'heading') return line.end;
  }
  const end = endOfWords(text, title);
  if (end === 0) return 0;
  const [rest] = linesIn(text, { start: end, end: text.length });
  const behind = text.slice(end, rest?.end);
  return LETTER.test(behind) ? 0 : end + behind.trimEnd().length;
}

/** Where the words of a title end that a text begins with, whatever marks and blanks are between; 0 where it does not. */
function endOfWords(text: string, title: string): number {
  let at = 0;
  for (const [letter] of title.matchAll(/[\p{L}\p{N}]/gu)) {
    while (at < text.length && !LETTER.test(String.fromCodePoint(text.codePointAt(at) ?? 0))) at++;
    if (!text.startsWith(letter, at)) return 0;
    at += letter.length;
  }
  return at;
}
