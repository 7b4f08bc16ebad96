import { sameLine, usualSetting, type Segment, type Setting } from './lines.ts';
import { greatest, least, median } from './numbers.ts';
import type { Word } from './fragment.ts';

/** Line of text in its column. */
export interface ColumnLine extends Setting {
  readonly words: readonly Word[];
  /** Parts of the line between wide gaps, in reading order; one part without such gaps. */
  readonly segments: readonly Segment[];
  readonly rightToLeft: boolean;
  readonly column: Column;
}

/** Left and right edge of a column. Lines of one column refer to the same object. */
interface Column {
  readonly left: number;
  readonly right: number;
  /** Usual distance of its lines. */
  readonly pitch: number;
}

/** Maximum number of a line's segments to compare with another segment. */
const MAX_COMPARED_SEGMENTS = 50;

/** Returns the segments of a column as lines, from top to bottom. */
export function makeLines(segments: readonly Segment[]): ColumnLine[] {
  if (segments.length === 0) return [];
  const rows: Segment[][] = [];
  for (const segment of segments.toSorted((a, b) => a.baseline - b.baseline)) {
    const row = findRow(rows, segment);
    if (row) row.push(segment);
    else rows.push([segment]);
  }
  const baselines = rows.map((row) => row[0]?.baseline ?? 0);
  const pitches = baselines.slice(1).map((baseline, index) => baseline - (baselines[index] ?? 0));
  const column: Column = {
    left: least(segments.map(({ left }) => left)),
    right: greatest(segments.map(({ right }) => right)),
    pitch: median(pitches.filter((pitch) => pitch > 0)),
  };
  return rows.map((row) => makeLine(row, column));
}

/** Returns the first of the last rows in which a segment is on the line of all others. */
function findRow(rows: readonly Segment[][], segment: Segment): Segment[] | undefined {
  for (let at = Math.max(0, rows.length - 3); at < rows.length; at++) {
    const row = rows[at] ?? [];
    let isOnLine = true;
    for (let index = 0; isOnLine && index < Math.min(row.length, MAX_COMPARED_SEGMENTS); index++) {
      const member = row[index];
      isOnLine = member === undefined || sameLine(member, segment);
    }
    if (isOnLine) return row;
  }
  return undefined;
}

function makeLine(row: readonly Segment[], column: Column): ColumnLine {
  const [only] = row;
  if (only !== undefined && row.length === 1) return { ...only, segments: row, column };
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
