import type { Span } from '../../core/language/span.ts';

/** Count of each of a question's terms in a text. */
export type TermCounts = ReadonlyMap<string, number>;

/** Returns the BM25 score of a text's terms; `length` is relative to the average length. */
export function bm25(
  counts: TermCounts,
  length: number,
  weights: ReadonlyMap<string, number>,
  { k, b }: { readonly k: number; readonly b: number },
): number {
  const norm = k * (1 - b + b * length);
  let score = 0;
  for (const [term, count] of counts) score += ((weights.get(term) ?? 0) * count * (k + 1)) / (count + norm);
  return score;
}

/** Sequence of spans in one text that touch or overlap. */
export interface Stretch<T extends Span> extends Span {
  readonly parts: readonly T[];
}

/** Maximum gap between passages of one stretch, in UTF-16 code units: a blank line, `\n\n`. */
const BLANK_LINE = 2;

/** Joins spans of one text that touch or overlap, or have only a blank line between them. */
export function stretches<T extends Span>(spans: readonly T[]): Stretch<T>[] {
  const joined: { start: number; end: number; parts: T[] }[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = joined.at(-1);
    if (last !== undefined && span.start <= last.end + BLANK_LINE) {
      last.end = Math.max(last.end, span.end);
      last.parts.push(span);
    } else joined.push({ start: span.start, end: span.end, parts: [span] });
  }
  return joined;
}
