import { countWide } from './letters.ts';
import type { Segment, Setting } from './lines.ts';
import { lineLength, sameLine, usualSetting } from './lines.ts';
import type { Word } from './fragment.ts';

/** A line of text in its column. */
export interface Line extends Setting {
  readonly words: readonly Word[];
  /** Parts of it with wide gaps between, in reading order; one where there are none. */
  readonly segments: readonly Segment[];
  readonly rightToLeft: boolean;
  readonly column: Column;
}

/** Where the lines of a column begin and end; lines of one column refer to the same object. */
interface Column {
  readonly left: number;
  readonly right: number;
  /** The usual distance of its lines. */
  readonly pitch: number;
}

/**
 * The segments of a page as lines in reading order: column by column where text runs in columns, row by row where it
 * does not (a table's cells are too short to be columns). Segments that reach over a gutter part what is above from
 * what is below them.
 */
export function inReadingOrder(segments: readonly Segment[]): Line[] {
  if (segments.length === 0) return [];
  const gutter = gutterOf(segments);
  if (gutter === undefined) return rowsOf(segments);
  const lines: Line[] = [];
  for (const band of bandsOf(segments, gutter)) {
    if (band.spanning) {
      lines.push(...inReadingOrder(band.segments));
      continue;
    }
    const left = band.segments.filter((segment) => segment.right <= gutter + 1);
    const right = band.segments.filter((segment) => segment.right > gutter + 1);
    const rightFirst = right.filter(({ rightToLeft }) => rightToLeft).length > right.length / 2;
    for (const column of rightFirst ? [right, left] : [left, right]) lines.push(...inReadingOrder(column));
  }
  return lines;
}

/** Where the best gutter of some segments is, if their text runs in columns: x of the right column's left edge. */
function gutterOf(segments: readonly Segment[]): number | undefined {
  let best: number | undefined;
  let bestScore = 0;
  const edges = segments.map(({ left }) => left).sort((a, b) => a - b);
  for (const [index, edge] of edges.entries()) {
    if (index > 0 && edge - (edges[index - 1] ?? 0) < 2) continue;
    const gutter = edge - 1;
    const left = segments.filter((segment) => segment.right <= gutter + 1);
    const right = segments.filter((segment) => segment.left >= gutter);
    const crossing = segments.length - left.length - right.length;
    const score = Math.min(left.length, right.length) - crossing;
    if (score > bestScore && isColumn(left) && isColumn(right) && besideEachOther(left, right)) {
      best = gutter;
      bestScore = score;
    }
  }
  return best;
}

/** Columns of text have lines that mostly fill them; a table's cells and a form's labels do not. */
function isColumn(segments: readonly Segment[]): boolean {
  if (segments.length < 3) return false;
  const left = Math.min(...segments.map((segment) => segment.left));
  const right = Math.max(...segments.map((segment) => segment.right));
  const widths = segments.map((segment) => segment.right - segment.left);
  const lengths = segments.map(({ words }) => lineLength(words));
  return median(widths) > 0.4 * (right - left) && median(lengths) >= (isWide(segments) ? 7 : 14);
}

function isWide(segments: readonly Segment[]): boolean {
  const text = segments.flatMap(({ words }) => words.map((word) => word.text)).join('');
  return countWide(text) > text.length / 3;
}

function besideEachOther(a: readonly Segment[], b: readonly Segment[]): boolean {
  const range = (segments: readonly Segment[]): [number, number] => [
    Math.min(...segments.map(({ baseline }) => baseline)),
    Math.max(...segments.map(({ baseline }) => baseline)),
  ];
  const [topA, bottomA] = range(a);
  const [topB, bottomB] = range(b);
  const shared = Math.min(bottomA, bottomB) - Math.max(topA, topB);
  return shared > 0.3 * Math.min(bottomA - topA, bottomB - topB);
}

interface Band {
  readonly spanning: boolean;
  readonly segments: Segment[];
}

function bandsOf(segments: readonly Segment[], gutter: number): Band[] {
  const bands: Band[] = [];
  for (const segment of segments.toSorted((a, b) => a.baseline - b.baseline)) {
    const spanning = segment.left < gutter && segment.right > gutter + 1;
    const last = bands.at(-1);
    if (last?.spanning === spanning) last.segments.push(segment);
    else bands.push({ spanning, segments: [segment] });
  }
  return bands;
}

function rowsOf(segments: readonly Segment[]): Line[] {
  const rows: Segment[][] = [];
  for (const segment of segments.toSorted((a, b) => a.baseline - b.baseline)) {
    const row = rows.slice(-3).find((other) => other.every((member) => sameLine(member, segment)));
    if (row) row.push(segment);
    else rows.push([segment]);
  }
  const baselines = rows.map((row) => row[0]?.baseline ?? 0);
  const pitches = baselines.slice(1).map((baseline, index) => baseline - (baselines[index] ?? 0));
  const column: Column = {
    left: Math.min(...segments.map(({ left }) => left)),
    right: Math.max(...segments.map(({ right }) => right)),
    pitch: median(pitches.filter((pitch) => pitch > 0)),
  };
  return rows.map((row) => lineOf(row, column));
}

function lineOf(row: readonly Segment[], column: Column): Line {
  const rightToLeft = row.filter((segment) => segment.rightToLeft).length > row.length / 2;
  const ordered = row.toSorted((a, b) => (rightToLeft ? b.left - a.left : a.left - b.left));
  const words = ordered.flatMap((segment, index): Word[] => {
    const [first, ...rest] = segment.words;
    const previous = ordered[index - 1];
    if (!first || !previous) return [...segment.words];
    const gap = rightToLeft ? previous.left - segment.right : segment.left - previous.right;
    return [{ ...first, before: gap > 2 * segment.size ? '\t' : ' ' }, ...rest];
  });
  return { words, segments: ordered, rightToLeft, column, ...usualSetting(row) };
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}
