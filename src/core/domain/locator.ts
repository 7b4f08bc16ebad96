import { pageIndexOf, type PageNumber } from './page-number.ts';
import { firstIndex } from '../language/first-index.ts';
import { t } from '@vscode/l10n';
import {
  RunDirection,
  type AlignedRuns,
  type OffsetMap,
  type Places,
  type Position,
  type SpokenTimes,
} from './document.ts';
import { clockTime } from './recordings.ts';
import type { Span } from '../language/span.ts';

/** Rectangle on a PDF page, in PDF points of the unrotated page, origin at the lower left. */
export interface PageRectangle {
  readonly page: PageNumber;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Part of a recording, in seconds from its start. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** Location of a span in its original, precise enough to open and highlight it. */
export type Locator =
  | {
      readonly kind: 'lines';
      readonly start: Position;
      readonly end: Position;
      /** More informative label than the lines, such as the time of a subtitle. */
      readonly place?: string | undefined;
    }
  /** Lines and characters of a cell or of one of its outputs, both counted from zero. */
  | {
      readonly kind: 'cell';
      readonly cell: number;
      readonly output?: number | undefined;
      readonly start: Position;
      readonly end: Position;
    }
  | {
      readonly kind: 'pdf';
      readonly page: PageNumber;
      readonly label: string | undefined;
      readonly rectangles: readonly PageRectangle[];
    }
  | {
      readonly kind: 'saved';
      readonly span: Span;
      readonly place?: string | undefined;
      /** Time in a recording, in seconds. */
      readonly time?: TimeRange | undefined;
    };

/** Returns the line and character at an offset of a text that starts at `origin`. Line ends are LF, CRLF, and CR. */
function positionAt(text: string, offset: number, origin: Position): Position {
  let line = 0;
  let lineStart = 0;
  const before = text.slice(0, offset);
  const take = (at: number): void => {
    line++;
    lineStart = at + 1;
  };
  if (before.includes('\r'))
    for (let i = 0; i < offset; i++) {
      const unit = text.charCodeAt(i);
      if (unit === 10 || (unit === 13 && text.charCodeAt(i + 1) !== 10)) take(i);
    }
  else for (let i = before.indexOf('\n'); i >= 0; i = before.indexOf('\n', i + 1)) take(i);
  const character = offset - lineStart;
  return {
    line: origin.line + line,
    character: line === 0 ? origin.character + character : character,
  };
}

/** Returns the locator of a non-empty span of a document with this text and map. */
export function locate(text: string, map: OffsetMap, span: Span): Locator {
  switch (map.kind) {
    case 'text':
      return {
        kind: 'lines',
        start: positionAt(text, span.start, map.origin),
        end: positionAt(text, span.end, map.origin),
      };
    case 'aligned':
      return { kind: 'lines', ...locateAligned(map, span), ...spanPlaces(map.places, span) };
    case 'cells':
      return locateInCell(map, span);
    case 'pdf':
      return locateOnPages(map, span);
    case 'saved':
      return { kind: 'saved', span, ...spanPlaces(map.places, span), ...spanTimes(map.spoken, span) };
  }
}

function locateAligned(map: AlignedRuns, span: Span): { start: Position; end: Position } {
  const place = (run: number, within: number): Position => ({
    line: map.lines[run] ?? 0,
    character: (map.characters[run] ?? 0) + within,
  });
  const runOfStart = lastAtMost(map.starts, span.start);
  const startWithin = span.start - (map.starts[runOfStart] ?? 0);
  const startInRun = runOfStart >= 0 && startWithin < (map.lengths[runOfStart] ?? 0);
  const start = startInRun ? place(runOfStart, startWithin) : place(runOfStart + 1, 0);
  const runOfEnd = Math.max(0, lastAtMost(map.starts, span.end - 1));
  const endWithin = Math.min(span.end - (map.starts[runOfEnd] ?? 0), map.lengths[runOfEnd] ?? 0);
  const end = place(runOfEnd, Math.max(0, endWithin));
  const ordered = end.line > start.line || (end.line === start.line && end.character >= start.character);
  return { start, end: ordered ? end : start };
}

/** Returns the locator of a span, limited to its first cell or output. */
function locateInCell(map: Extract<OffsetMap, { kind: 'cells' }>, span: Span): Locator {
  let first = lastAtMost(map.starts, span.start);
  if (first < 0 || span.start >= (map.starts[first] ?? 0) + (map.lengths[first] ?? 0)) first++;
  const cell = map.cells[first] ?? map.cells.at(-1) ?? 0;
  const output = map.outputs?.[first] ?? 0;
  let last = first;
  while (map.cells[last + 1] === cell && (map.outputs?.[last + 1] ?? 0) === output) last++;
  const end = Math.min(span.end, (map.starts[last] ?? 0) + (map.lengths[last] ?? 0));
  return {
    kind: 'cell',
    cell,
    ...(output > 0 && { output: output - 1 }),
    ...locateAligned(map, { start: span.start, end: Math.max(end, span.start + 1) }),
  };
}

function spanPlaces(places: Places | undefined, span: Span): { place?: string } {
  if (places === undefined) return {};
  const first = places.labels[Math.max(0, lastAtMost(places.starts, span.start))];
  const last = places.labels[Math.max(0, lastAtMost(places.starts, span.end - 1))];
  return first === undefined || last === undefined ? {} : { place: joinPlaces(first, last) };
}

/** Returns the time in which a span of a transcript is spoken. */
function spanTimes(spoken: SpokenTimes | undefined, span: Span): { time?: TimeRange } {
  if (spoken === undefined || spoken.starts.length === 0) return {};
  // A page has text of its own before the transcript of its video.
  if (span.end <= (spoken.starts[0] ?? 0)) return {};
  const first = Math.max(0, lastAtMost(spoken.starts, span.start));
  const last = Math.max(first, lastAtMost(spoken.starts, span.end - 1));
  const from = spoken.from[first] ?? 0;
  return { time: { from, to: Math.max(from, spoken.to[last] ?? 0) } };
}

/**
 * Joins two labels, such as `slide 2 – slide 4`. Merges ranges of one sheet and times of one film: `Prices!A2:D9`,
 * `0:12–0:31`.
 */
function joinPlaces(first: string, last: string): string {
  if (first === last) return first;
  const range = /^(.*!)([A-Z]+)(\d+)(?::([A-Z]+)(\d+))?$/;
  const [, sheet, left = '', top = '', right = left] = range.exec(first) ?? [];
  const [, otherSheet, otherLeft = '', bottom = '', otherRight = otherLeft] = range.exec(last) ?? [];
  if (sheet !== undefined && sheet === otherSheet)
    return `${sheet}${outer(left, otherLeft, -1)}${top}:${outer(right, otherRight, 1)}${bottom}`;
  const [from, to] = [first.split('–'), last.split('–')];
  return from.length === 2 && to.length === 2 ? `${from[0] ?? ''}–${to[1] ?? ''}` : `${first} – ${last}`;
}

/** Returns the column further left (-1) or right (1). */
function outer(a: string, b: string, side: -1 | 1): string {
  const isAfter = a.length - b.length || (a < b ? -1 : 1);
  return isAfter * side > 0 ? a : b;
}

/** Formats a location in the few words of a source list: `L40–58`, `p. 12`, `12:34`, or the innermost heading. */
export function formatLocator(locator: Locator, headings: readonly string[]): string {
  switch (locator.kind) {
    case 'lines': {
      if (locator.place !== undefined) return locator.place;
      const first = locator.start.line + 1;
      // A span that ends at the start of a line shows nothing of that line.
      const last = Math.max(first, locator.end.character === 0 ? locator.end.line : locator.end.line + 1);
      return first === last ? `L${String(first)}` : `L${String(first)}–${String(last)}`;
    }
    case 'pdf':
      return t('p. {0}', locator.label ?? locator.page);
    case 'cell':
      return locator.output === undefined
        ? t('cell {0}', locator.cell + 1)
        : t('cell {0}, output', locator.cell + 1);
    case 'saved':
      return locator.time === undefined
        ? (locator.place ?? headings.at(-1) ?? '')
        : clockTime(locator.time.from);
  }
}

type PdfMap = Extract<OffsetMap, { kind: 'pdf' }>;

interface PagePart {
  readonly rectangle: PageRectangle;
  /** `true` if the letters are below each other, or rotated so that they run up or down. */
  readonly isSideways: boolean;
}

/** Returns the location of a span on the pages of a PDF: its first page, and a rectangle for each line. */
function locateOnPages(map: PdfMap, span: Span): Locator {
  const parts: PagePart[] = [];
  for (let run = Math.max(0, lastAtMost(map.starts, span.start)); run < map.starts.length; run++) {
    const runStart = map.starts[run] ?? 0;
    if (runStart >= span.end) break;
    const length = (map.ends[run] ?? 0) - runStart;
    const from = Math.max(span.start - runStart, 0);
    const to = Math.min(span.end - runStart, length);
    if (from < to) parts.push(partOfRun(map, run, from / length, to / length));
  }
  const page = parts[0]?.rectangle.page ?? pageAt(map, span.start);
  return { kind: 'pdf', page, label: map.pages[pageIndexOf(page)]?.label, rectangles: mergeOnLines(parts) };
}

function pageAt(map: PdfMap, offset: number): number {
  let page = 1;
  for (const [index, { start }] of map.pages.entries()) if (start <= offset) page = index + 1;
  return page;
}

/** Returns the part of a run's rectangle between two fractions of its length, assuming characters of equal width. */
function partOfRun(map: PdfMap, run: number, from: number, to: number): PagePart {
  const [x = 0, y = 0, width = 0, height = 0] = map.boxes.subarray(4 * run, 4 * run + 4);
  const page = (map.pageOf[run] ?? 0) + 1;
  const across = (begin: number): PagePart => ({
    rectangle: { page, x: x + begin * width, y, width: (to - from) * width, height },
    isSideways: false,
  });
  const sideways = (begin: number): PagePart => ({
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

/** Joins adjacent rectangles on one line, so that a highlighted line has no gaps between its words. */
function mergeOnLines(parts: readonly PagePart[]): PageRectangle[] {
  const merged: PagePart[] = [];
  for (const next of parts) {
    const last = merged.at(-1);
    if (last !== undefined && areOnOneLine(last, next))
      merged[merged.length - 1] = { ...next, rectangle: around(last.rectangle, next.rectangle) };
    else merged.push(next);
  }
  return merged.map(({ rectangle }) => rectangle);
}

/**
 * Maximum differences of baselines and heights on one line, as ratios: they join "m" and its raised "2", but not the
 * next line.
 */
const FEET_APART = 0.3;
const HEIGHTS_APART = 0.5;

function areOnOneLine(a: PagePart, b: PagePart): boolean {
  if (a.isSideways !== b.isSideways || a.rectangle.page !== b.rectangle.page) return false;
  const [one, other] = [onLine(a), onLine(b)];
  const gap = Math.max(other.begin - one.end, one.begin - other.end);
  return (
    Math.abs(one.feet - other.feet) < FEET_APART * Math.min(one.height, other.height) &&
    Math.abs(one.height - other.height) < HEIGHTS_APART * Math.max(one.height, other.height) &&
    gap < other.height
  );
}

/** Returns a rectangle as it looks with its line running across. */
function onLine({ rectangle: { x, y, width, height }, isSideways }: PagePart): {
  readonly begin: number;
  readonly end: number;
  readonly feet: number;
  readonly height: number;
} {
  return isSideways
    ? { begin: y, end: y + height, feet: x, height: width }
    : { begin: x, end: x + width, feet: y, height };
}

/** Returns the rectangle around two rectangles of one page. */
export function around(a: PageRectangle, b: PageRectangle): PageRectangle {
  const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)];
  return {
    page: a.page,
    x,
    y,
    width: Math.max(a.x + a.width, b.x + b.width) - x,
    height: Math.max(a.y + a.height, b.y + b.height) - y,
  };
}

/** Returns the index of the last element of an ascending array that is at most `value`, or -1. */
function lastAtMost(ascending: Uint32Array, value: number): number {
  return firstIndex(ascending.length, (index) => (ascending[index] ?? 0) > value) - 1;
}
