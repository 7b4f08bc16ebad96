/** A page that is drawn. */
export interface DrawnPage {
  readonly page: number;
  /** What its pictures take. */
  readonly bytes: number;
}

/** Pages that stay drawn whatever they take, both counted from 1. */
export interface PageSpan {
  readonly first: number;
  readonly last: number;
}

/**
 * The pages to drop so that the drawn ones take no more than `most` bytes: the furthest from what is seen first, and
 * none of those to keep. A page beside what is seen is drawn ahead, so it has to be among these.
 */
export function pagesToDrop(drawn: readonly DrawnPage[], keep: PageSpan, most: number): number[] {
  const distance = (page: number): number => Math.max(keep.first - page, page - keep.last, 0);
  const furthestFirst = drawn.toSorted((a, b) => distance(b.page) - distance(a.page));
  let bytes = drawn.reduce((sum, one) => sum + one.bytes, 0);
  const dropped: number[] = [];
  for (const one of furthestFirst) {
    if (bytes <= most || distance(one.page) === 0) break;
    bytes -= one.bytes;
    dropped.push(one.page);
  }
  return dropped;
}
