import type { Cited } from '../retrieving/cite.ts';

/** Joins quotes that overlap or follow each other in one passage; the joined quote stands where the better one stood. */
export function joinAdjacent(quotes: readonly Cited[]): Cited[] {
  const joined: Cited[] = [];
  for (const quote of quotes) {
    let grown = quote;
    let place = joined.length;
    // A grown quote may touch another that it did not touch before.
    for (;;) {
      const index = joined.findIndex((other) => other.passage === grown.passage && touches(other, grown));
      const [other] = index < 0 ? [] : joined.splice(index, 1);
      if (other === undefined) break;
      place = Math.min(place, index);
      const span = {
        start: Math.min(other.span.start, grown.span.start),
        end: Math.max(other.span.end, grown.span.end),
      };
      grown = { passage: quote.passage, span };
    }
    joined.splice(place, 0, grown);
  }
  return joined;
}

function touches(a: Cited, b: Cited): boolean {
  const [first, second] = a.span.start <= b.span.start ? [a.span, b.span] : [b.span, a.span];
  if (second.start <= first.end) return true;
  const { text, start } = a.passage;
  return /^[ \t]*(?:(?:\r\n?|\n)[ \t]*)?$/.test(text.slice(first.end - start, second.start - start));
}

/** Quotes of one document one after the other, documents in the order of their best. */
export function byDocument(quotes: readonly Cited[]): Cited[] {
  const groups = new Map<number, Cited[]>();
  for (const quote of quotes) {
    const { documentId } = quote.passage;
    groups.set(documentId, [...(groups.get(documentId) ?? []), quote]);
  }
  return [...groups.values()].flat();
}
