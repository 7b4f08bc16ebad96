import { lastAtMost } from './ascending.ts';
import type { OffsetMap } from './document.ts';
import { RunDirection } from './document.ts';
import type { Locator, PageRectangle } from './locator.ts';
import type { Span } from '../language/span.ts';

type PdfMap = Extract<OffsetMap, { kind: 'pdf' }>;

interface Part {
  readonly rectangle: PageRectangle;
  /** Its letters stand below each other, or are turned so that they run up or down. */
  readonly isSideways: boolean;
}

/** Where a span stands on the pages of a PDF: its first page, and a rectangle for each line. */
export function locateOnPages(map: PdfMap, span: Span): Locator {
  const parts: Part[] = [];
  for (let run = Math.max(0, lastAtMost(map.starts, span.start)); run < map.starts.length; run++) {
    const runStart = map.starts[run] ?? 0;
    if (runStart >= span.end) break;
    const length = (map.ends[run] ?? 0) - runStart;
    const from = Math.max(span.start - runStart, 0);
    const to = Math.min(span.end - runStart, length);
    if (from < to) parts.push(partOfRun(map, run, from / length, to / length));
  }
  const page = parts[0]?.rectangle.page ?? pageAt(map, span.start);
  return { kind: 'pdf', page, label: map.pages[page - 1]?.label, rectangles: mergeOnLines(parts) };
}

function pageAt(map: PdfMap, offset: number): number {
  let page = 1;
  for (const [index, { start }] of map.pages.entries()) if (start <= offset) page = index + 1;
  return page;
}

/** The part of a run's rectangle between two shares of its length, by equal advance of its characters. */
function partOfRun(map: PdfMap, run: number, from: number, to: number): Part {
  const [x = 0, y = 0, width = 0, height = 0] = map.boxes.subarray(4 * run, 4 * run + 4);
  const page = (map.pageOf[run] ?? 0) + 1;
  const across = (begin: number): Part => ({
    rectangle: { page, x: x + begin * width, y, width: (to - from) * width, height },
    isSideways: false,
  });
  const sideways = (begin: number): Part => ({
    rectangle: { page, x, y: y + begin * height, width, height: (to - from) * height },
    isSideways: true,
  });
  switch (map.directions[run]) {
    case RunDirection.rightToLeft:
      return across(1 - to);
    case RunDirection.topToBottom:
      return sideways(1 - to);
    case RunDirection.bottomToTop:
      return sideways(from);
    default:
      return across(from);
  }
}

/** Joins rectangles that follow each other on one line, so that a highlighted line has no gaps between its words. */
function mergeOnLines(parts: readonly Part[]): PageRectangle[] {
  const merged: Part[] = [];
  for (const next of parts) {
    const last = merged.at(-1);
    if (last !== undefined && areOnOneLine(last, next))
      merged[merged.length - 1] = { ...next, rectangle: around(last.rectangle, next.rectangle) };
    else merged.push(next);
  }
  return merged.map(({ rectangle }) => rectangle);
}

function areOnOneLine(a: Part, b: Part): boolean {
  if (a.isSideways !== b.isSideways || a.rectangle.page !== b.rectangle.page) return false;
  const [one, other] = [onLine(a), onLine(b)];
  const gap = Math.max(other.begin - one.end, one.begin - other.end);
  return (
    Math.abs(one.feet - other.feet) < 0.3 * Math.min(one.height, other.height) &&
    Math.abs(one.height - other.height) < 0.5 * Math.max(one.height, other.height) &&
    gap < other.height
  );
}

/** A rectangle as one sees it where its line runs across. */
function onLine({ rectangle: { x, y, width, height }, isSideways }: Part): {
  readonly begin: number;
  readonly end: number;
  readonly feet: number;
  readonly height: number;
} {
  return isSideways
    ? { begin: y, end: y + height, feet: x, height: width }
    : { begin: x, end: x + width, feet: y, height };
}

function around(a: PageRectangle, b: PageRectangle): PageRectangle {
  const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)];
  return {
    page: a.page,
    x,
    y,
    width: Math.max(a.x + a.width, b.x + b.width) - x,
    height: Math.max(a.y + a.height, b.y + b.height) - y,
  };
}
