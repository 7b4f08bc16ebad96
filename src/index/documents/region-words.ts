import { pageNumberOf, type PageNumber } from '../../core/domain/page-number.ts';
import type { OffsetMap } from '../../core/domain/document.ts';
import type { PageRectangle } from '../../core/domain/locator.ts';
import type { Span } from '../../core/language/span.ts';
import { findWords } from '../../core/domain/selected-words.ts';

/** Maximum length of the text cited from a region, in UTF-16 code units. */
const MAX_LENGTH = 400;

/** Distance between pages, in points, greater than any distance within a page. */
const PAGE_AWAY = 100_000;

type PdfMap = Extract<OffsetMap, { kind: 'pdf' }>;

/**
 * Finds marked words near a region of a page in a PDF's text. If the page doesn't contain them, returns the words of
 * the region. Undefined if the text has no positions.
 */
export function wordsMarked(
  text: string,
  map: PdfMap,
  region: PageRectangle,
  words: string,
): Span | undefined {
  const inRegion = wordsInRegion(map, region);
  const page = spanOfPage(map, region.page);
  if (words === '' || page === undefined) return inRegion;
  const near = Math.max(0, (inRegion?.start ?? 0) - page.start);
  const matchingSpan = findWords(text.slice(page.start, page.end), words, near);
  return matchingSpan === undefined
    ? inRegion
    : { start: page.start + matchingSpan.start, end: page.start + matchingSpan.end };
}

/** Returns the span of the runs on a page, counted from one; undefined if it has no runs. */
function spanOfPage({ starts, ends, pageOf }: PdfMap, page: PageNumber): Span | undefined {
  let [start, end] = [Infinity, 0];
  for (const [run, on] of pageOf.entries()) {
    if (pageNumberOf(on) !== page) continue;
    start = Math.min(start, starts[run] ?? Infinity);
    end = Math.max(end, ends[run] ?? 0);
  }
  return start < end ? { start, end } : undefined;
}

/**
 * Returns the longest sequence of words in a region of a page. Without any, returns the nearest line, such as a
 * caption. Undefined if the text has no positions.
 */
function wordsInRegion(map: PdfMap, region: PageRectangle): Span | undefined {
  const { starts, ends } = map;
  let within: { start: number; run: number } | undefined;
  let longest: Span | undefined;
  let nearest: number | undefined;
  let least = Infinity;
  for (const [run, start] of starts.entries()) {
    const { page, x, y, width, height } = runPlace(map, run);
    const across = gap(x, x + width, region.x, region.x + region.width);
    const up = gap(y, y + height, region.y, region.y + region.height);
    const away = Math.abs(page - region.page) * PAGE_AWAY + Math.max(0, across, up);
    // A word counts as inside if at least half of it is.
    if (away === 0 && 2 * across * up >= width * height) {
      const end = ends[run] ?? start;
      const follows = within?.run === run - 1 && end - within.start <= MAX_LENGTH;
      within = { start: follows && within !== undefined ? within.start : start, run };
      if (longest === undefined || end - within.start > longest.end - longest.start)
        longest = { start: within.start, end };
    }
    if (away < least) [nearest, least] = [run, away];
  }
  return longest ?? (nearest === undefined ? undefined : findLine(map, nearest));
}

/** Returns the line that contains a run. */
function findLine(map: PdfMap, run: number): Span {
  const at = runPlace(map, run);
  const isInLine = (other: number): boolean => {
    if (other < 0 || other >= map.starts.length) return false;
    const { page, y, height } = runPlace(map, other);
    return page === at.page && 2 * gap(y, y + height, at.y, at.y + at.height) < -Math.min(height, at.height);
  };
  let [first, last] = [run, run];
  while (isInLine(first - 1)) first--;
  while (isInLine(last + 1)) last++;
  const start = map.starts[first] ?? 0;
  return { start, end: Math.min(map.ends[last] ?? start, start + MAX_LENGTH) };
}

function runPlace({ pageOf, boxes }: PdfMap, run: number): PageRectangle {
  const [x = 0, y = 0, width = 0, height = 0] = boxes.subarray(4 * run, 4 * run + 4);
  return { page: pageNumberOf(pageOf[run] ?? 0), x, y, width, height };
}

/** Returns the distance between two ranges; negative if they overlap. */
function gap(start: number, end: number, from: number, to: number): number {
  return Math.max(start, from) - Math.min(end, to);
}
