import type { PageNumber } from '../../src/core/domain/page-number.ts';

/** Drawn page. */
export interface DrawnPage {
  readonly page: PageNumber;
  /** Size of its pictures, in bytes. */
  readonly bytes: number;
}

/** Pages that stay drawn regardless of their size, both counted from 1. */
export interface PageSpan {
  readonly first: number;
  readonly last: number;
}

/**
 * Returns the pages to drop so that the drawn ones need no more than `limit` bytes. Drops the furthest from the visible
 * pages first, and none of those to keep. A page next to the visible ones is drawn ahead, so it has to be among the
 * pages to keep.
 */
export function pagesToDrop(drawn: readonly DrawnPage[], keep: PageSpan, limit: number): number[] {
  const distance = (page: PageNumber): number => Math.max(keep.first - page, page - keep.last, 0);
  const furthestFirst = drawn.toSorted((a, b) => distance(b.page) - distance(a.page));
  let bytes = drawn.reduce((sum, page) => sum + page.bytes, 0);
  const dropped: number[] = [];
  for (const page of furthestFirst) {
    if (bytes <= limit || distance(page.page) === 0) break;
    bytes -= page.bytes;
    dropped.push(page.page);
  }
  return dropped;
}
