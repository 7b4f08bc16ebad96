/** A half-open range `[start, end)` of a document's text, in UTF-16 code units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Returns the number of characters that two spans share; 0 if they only touch. */
export function overlap(a: Span, b: Span): number {
  return Math.max(0, Math.min(a.end, b.end) - Math.max(a.start, b.start));
}
