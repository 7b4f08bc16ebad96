import type { Heading } from '../../core/domain/document.ts';
import { levelOfUnderline, linesIn, markdownLines } from '../../core/language/markdown-lines.ts';
import type { Span } from '../../core/language/span.ts';
import type { TextFormat } from '../../core/language/units.ts';

/** Text and headings of a stored document. */
interface WithHeadings {
  readonly format: TextFormat;
  readonly headings: readonly Heading[];
  readonly length: number;
  slice(start: number, end: number): string;
}

/** Maximum length of a heading with its marks and links, in UTF-16 code units. */
const MAX_HEADING_LENGTH = 4_000;
const LETTER = /[\p{L}\p{N}]/u;

/**
 * Returns the written headings that touch a span, with their marks, in document order. Leaves out headings that aren't
 * written at the start of their section: declarations in code, and outlines with other words than the document.
 */
export function headingSpansIn(document: WithHeadings, span: Span): Span[] {
  if (document.format === 'code') return [];
  return document.headings.flatMap((heading) => {
    const isNear = heading.offset < span.end && heading.offset + MAX_HEADING_LENGTH > span.start;
    const written = isNear ? headingSpan(document, heading) : undefined;
    return written !== undefined && written.end > span.start ? [written] : [];
  });
}

/** Returns the span of a written heading; undefined if it isn't written there. */
export function headingSpan(
  document: Omit<WithHeadings, 'headings'>,
  { offset, title }: Heading,
): Span | undefined {
  const { format, length } = document;
  if (format === 'code') return undefined;
  const text = document.slice(offset, Math.min(length, offset + MAX_HEADING_LENGTH));
  const end = offset + writtenLength(text, title, format);
  return end > offset ? { start: offset, end } : undefined;
}

/** Returns the length of the heading at the start of a text; 0 if it isn't written there. */
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

/**
 * Returns the end of a title's words at the start of a text, ignoring marks and blanks; 0 if the text starts
 * differently.
 */
function endOfWords(text: string, title: string): number {
  let at = 0;
  for (const [letter] of title.matchAll(/[\p{L}\p{N}]/gu)) {
    while (at < text.length && !LETTER.test(String.fromCodePoint(text.codePointAt(at) ?? 0))) at++;
    if (!text.startsWith(letter, at)) return 0;
    at += letter.length;
  }
  return at;
}
