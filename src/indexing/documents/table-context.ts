import { firstIndex } from '../../language/first-index.ts';
import type { Span } from '../../language/span.ts';
import type { Table } from '../../language/tables.ts';

/** No more than so many UTF-16 code units are indexed with a passage that do not stand in it. */
const LONGEST_CONTEXT = 800;

/**
 * What a passage is understood by that stands elsewhere: of the tables that reach into it what stands above them and the
 * rows that name their columns, as far as these are not in it, in the text's order.
 */
export function findContext(tables: readonly Table[], passage: Span): Span[] {
  const spans = new Map<number, Span>();
  let left = LONGEST_CONTEXT;
  const first = firstIndex(tables.length, (index) => (tables[index]?.end ?? Infinity) > passage.start);
  for (let at = first; at < tables.length; at++) {
    const table = tables[at];
    if (table === undefined || table.start >= passage.end) break;
    const under = table.rows.find(({ end }) => end > passage.start)?.under;
    for (const span of [...table.header, ...table.caption, ...(under === undefined ? [] : [under])]) {
      const isInside = span.start >= passage.start && span.end <= passage.end;
      if (isInside || spans.has(span.start) || span.end - span.start > left) continue;
      left -= span.end - span.start;
      spans.set(span.start, span);
    }
  }
  return [...spans.values()].sort((a, b) => a.start - b.start);
}
