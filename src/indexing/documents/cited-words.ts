import type { Span } from '../../language/span.ts';

/** Where a quote stands in a text: at its old place, else at the occurrence nearest to it. */
export function nearestOccurrence(text: string, quote: string, span: Span): Span | undefined {
  if (text.startsWith(quote, span.start)) return { start: span.start, end: span.start + quote.length };
  const before = text.lastIndexOf(quote, span.start);
  const after = text.indexOf(quote, span.start);
  if (before < 0 && after < 0) return undefined;
  const beforeIsNearer = after < 0 || (before >= 0 && span.start - before < after - span.start);
  const start = beforeIsNearer ? before : after;
  return { start, end: start + quote.length };
}

/** Lines shown around cited words, and the most characters of them on each side. */
const LINES_AROUND = 2;
const CHARACTERS_AROUND = 300;

/** A span with two lines around it, each side cut at 300 characters. */
export function surroundingLines(text: string, span: Span): { text: string; mark: Span } {
  let start = span.start;
  for (let lines = 0; start > 0 && span.start - start < CHARACTERS_AROUND; start--)
    if (text[start - 1] === '\n' && lines++ === LINES_AROUND) break;
  let end = span.end;
  for (let lines = 0; end < text.length && end - span.end < CHARACTERS_AROUND; end++)
    if (text[end] === '\n' && lines++ === LINES_AROUND) break;
  return { text: text.slice(start, end), mark: { start: span.start - start, end: span.end - start } };
}
