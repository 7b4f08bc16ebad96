import { isDotLeader } from './paragraphs.ts';
import type { Segment } from './lines.ts';
import type { Word } from './fragment.ts';
import type { Line } from './column-lines.ts';
import { least, median } from './numbers.ts';

/** A table among the lines of a page: lines `[from, to)`. */
export interface Table {
  readonly from: number;
  readonly to: number;
  readonly rows: readonly Row[];
}

/** The cells of a row, one a column; each with its lines of words. */
export type Row = readonly (readonly (readonly Word[])[])[];

interface Interval {
  readonly left: number;
  readonly right: number;
}

/** What has more is no table. */
const MOST_COLUMNS = 200;

/** The tables among the lines of a page: rows of cells that stand below each other in two columns or more. */
export function findTables(lines: readonly Line[]): Table[] {
  const tables: Table[] = [];
  for (let from = 0; from < lines.length;) {
    const to = endOfRun(lines, from);
    const table = to - from >= 2 ? tableOf(lines, from, to) : undefined;
    if (table !== undefined) tables.push(table);
    from = table?.to ?? Math.max(to, from + 1);
  }
  return tables;
}

/** How far lines go on that may be rows of one table, the first of which has several cells. */
function endOfRun(lines: readonly Line[], from: number): number {
  let end = from;
  for (let index = from; index < lines.length; index++) {
    const line = lines[index];
    const previous = lines[index - 1];
    if (line === undefined || line.monospaced || isDotLeader(line)) break;
    if (index > from && previous !== undefined) {
      const distance = line.baseline - previous.baseline;
      if (previous.column !== line.column || distance <= 0 || distance > 3 * line.size) break;
    }
    if (line.segments.length > 1) end = index + 1;
    else if (index === from || index - end >= 4) break;
  }
  return end;
}

function tableOf(lines: readonly Line[], from: number, to: number): Table | undefined {
  const run = lines.slice(from, to);
  const several = run.filter(({ segments }) => segments.length > 1);
  const columns = columnsOf(several);
  if (columns.length < 2 || columns.length > MOST_COLUMNS || several.length < (columns.length === 2 ? 3 : 2))
    return undefined;
  if (several.length < 0.4 * run.length) return undefined;
  const rightToLeft = run.filter((line) => line.rightToLeft).length > run.length / 2;
  if (rightToLeft) columns.reverse();
  const placed: Segment[][][] = [];
  for (const line of run) {
    const cells = columns.map((): Segment[] => []);
    for (const segment of line.segments) {
      const at = columnOf(segment, columns);
      if (at === undefined) return undefined;
      cells[at]?.push(segment);
    }
    placed.push(cells);
  }
  const rows = rowsOf(run, placed, columns);
  if (rows.length < 2 || isProse(rows) || !saysSomething(rows)) return undefined;
  return { from, to, rows };
}

/** What the cells of the rows leave free between them parts the columns. */
function columnsOf(rows: readonly Line[]): Interval[] {
  const cells = rows.flatMap(({ segments }) => segments).toSorted((a, b) => a.left - b.left);
  const columns: Interval[] = [];
  for (const { left, right, size } of cells) {
    const last = columns.at(-1);
    if (last !== undefined && left - last.right < 0.5 * size)
      columns[columns.length - 1] = { left: last.left, right: Math.max(last.right, right) };
    else columns.push({ left, right });
  }
  return columns;
}

/** The column that a cell stands in; undefined where it reaches over several. */
function columnOf(segment: Segment, columns: readonly Interval[]): number | undefined {
  const touched = columns.flatMap(({ left, right }, index) =>
    segment.left < right && segment.right > left ? [index] : [],
  );
  if (touched.length === 1) return touched[0];
  if (touched.length > 1) return undefined;
  const gaps = columns.map(({ left, right }) => Math.max(left - segment.right, segment.left - right));
  return gaps.indexOf(Math.min(...gaps));
}

/** Joins the lines of cells that are wrapped: rows stand further apart than lines do, or the first cell is empty. */
function rowsOf(run: readonly Line[], placed: readonly Segment[][][], columns: readonly Interval[]): Row[] {
  const distances = run.slice(1).map(({ baseline }, index) => baseline - (run[index]?.baseline ?? 0));
  const pitch = least(distances);
  const areRowsApart =
    distances.filter((distance) => distance > 1.25 * pitch).length >= 0.2 * distances.length;
  const rows: Word[][][][] = [];
  for (const [index, cells] of placed.entries()) {
    const last = rows.at(-1);
    const isNear = (distances[index - 1] ?? Infinity) <= 1.25 * pitch;
    const isPart = cells.some((cell) => cell.length === 0);
    const goesOn =
      isNear &&
      isPart &&
      (areRowsApart || (cells[0]?.length === 0 && goOnFrom(placed[index - 1] ?? [], cells, columns)));
    const words = cells.map((cell) => cell.map((segment) => [...segment.words]));
    if (last !== undefined && goesOn)
      for (const [at, cell] of last.entries()) cell.push(...(words[at] ?? []));
    else rows.push(words);
  }
  return rows;
}

/** Whether each cell has one above it that fills its column, so that its words go on below. */
function goOnFrom(
  above: readonly Segment[][],
  cells: readonly Segment[][],
  columns: readonly Interval[],
): boolean {
  return cells.every((cell, index) => {
    if (cell.length === 0) return true;
    const column = columns[index];
    const end = above[index]?.at(-1)?.right;
    return (
      column !== undefined && end !== undefined && column.right - end < 0.35 * (column.right - column.left)
    );
  });
}

/** A margin with ornaments beside a text is no column. */
function saysSomething(rows: readonly Row[]): boolean {
  const first = rows.flatMap((row) => (row[0]?.length ? [row[0].flat()] : []));
  const saying = first.filter((words) => words.some(({ text }) => /[\p{L}\p{N}]/u.test(text)));
  return saying.length > first.length / 2;
}

/** Text in two columns side by side has long lines in both. */
function isProse(rows: readonly Row[]): boolean {
  const lengths = (column: number): number =>
    median(rows.map((row) => (row[column] ?? []).flat().reduce((sum, { text }) => sum + text.length + 1, 0)));
  const columns = rows[0]?.length ?? 0;
  return columns === 2 && lengths(0) > 40 && lengths(1) > 40;
}
