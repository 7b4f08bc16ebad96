import { isDotLeader } from './paragraphs.ts';
import { lineText, type Segment } from './lines.ts';
import type { Word } from './fragment.ts';
import type { ColumnLine } from './column-lines.ts';
import { least, median } from './numbers.ts';

/** Table in the lines `[from, to)` of a page. */
interface Table {
  readonly from: number;
  readonly to: number;
  readonly rows: readonly WordRow[];
}

/** Cells of a row, one per column, each with its lines of words. */
export type WordRow = readonly (readonly (readonly Word[])[])[];

interface Interval {
  readonly left: number;
  readonly right: number;
}

/** Maximum number of columns of a table. */
const MAX_COLUMNS = 200;

/** Maximum distance of rows, in font sizes: a row of three lines below a row of one. */
const MAX_DISTANCE = 3;
/** Maximum number of single-cell lines between rows, as for a wrapped name. */
const MAX_SINGLE_CELL_LINES = 4;
/** Minimum share of a table's lines with several cells; the others are wrapped names. */
const ROWS_WITH_CELLS = 0.4;
/** Minimum gap between cells of different columns, in font sizes. */
const COLUMN_GAP = 0.5;
/** Maximum line distance within a cell, as a multiple of the smallest line distance in the table. */
const NEAR_PITCH = 1.25;
/** Minimum share of larger distances at which rows are further apart than lines in a cell. */
const SHARE_OF_ROWS_APART = 0.2;
/** Share of a column's width. If a cell's last line leaves less free, the cell continues below. */
const LEFT_FREE = 0.35;
/**
 * Length, in UTF-16 code units, above which lines in both of two columns are text: a cell rarely has as many as "The
 * harbour was built in the summer of".
 */
const LINE_OF_PROSE = 40;

/** Matches a number as in statements, without its spaces: `$1,234`, `(56)`, `7.8%`, or a dash for no value. */
const VALUE = /^(?:[(+−-]?[$€£¥]?\(?[+−-]?\d[\d.,]*\)?%?\)?|[$€£¥]?[–—-])$/u;
const YEAR = /^(?:19|20)\d\d$/;
/** Matches signs that are separated from their numbers. */
const BEFORE_NUMBER = /^[$€£¥(]+$/;
const BEHIND_NUMBER = /^[)%]+$/;
/** Matches a row of dots between a name and its number. */
const LEADER = /^(?:\.{2,}|…+)$/;

/** Returns the tables among the lines of a page: rows of cells that form two columns or more. */
export function findTables(lines: readonly ColumnLine[]): Table[] {
  const tables: Table[] = [];
  for (let from = 0; from < lines.length;) {
    const to = endOfRun(lines, from);
    const table = to - from >= 2 ? readTable(lines, from, to) : undefined;
    if (table !== undefined) tables.push(table);
    from = table?.to ?? Math.max(to, from + 1);
  }
  return tables;
}

/** Returns the end of the consecutive lines that can be rows of one table. The first line must have several cells. */
function endOfRun(lines: readonly ColumnLine[], from: number): number {
  let end = from;
  // Most lines have one cell, so check that first.
  if ((lines[from]?.segments.length ?? 0) < 2) return from;
  for (let index = from; index < lines.length; index++) {
    const line = lines[index];
    const previous = lines[index - 1];
    if (line === undefined || line.monospaced || isEntry(line)) break;
    if (index > from && previous !== undefined) {
      const distance = line.baseline - previous.baseline;
      if (previous.column !== line.column || distance <= 0 || distance > MAX_DISTANCE * line.size) break;
    }
    if (line.segments.length > 1) end = index + 1;
    else if (index - end >= MAX_SINGLE_CELL_LINES) break;
  }
  return end;
}

/**
 * Reports whether a line is an entry of a table of contents: a name, dots, and a page number. A row of a statement has
 * more numbers.
 */
function isEntry(line: ColumnLine): boolean {
  return isDotLeader(line) && withoutLeaders(line).filter((cell) => VALUE.test(cellText(cell))).length < 2;
}

function readTable(lines: readonly ColumnLine[], from: number, to: number): Table | undefined {
  const run = lines
    .slice(from, to)
    .map((line) => (isDotLeader(line) ? { ...line, segments: withoutLeaders(line) } : line));
  const several = run.filter(({ segments }) => segments.length > 1);
  const firstOfNumbers = run.findIndex(({ segments }) =>
    segments.slice(1).some((cell) => isAmount(cellText(cell))),
  );
  const areNumbers = isOfNumbers(several);
  // Headers can span several columns or exceed their own: "Year ended December 31," over three years.
  const header = new Set(areNumbers ? run.slice(0, Math.max(0, firstOfNumbers)) : []);
  const defining = several.filter((line) => !header.has(line));
  const columns = withSigns(findColumns(defining.flatMap(({ segments }) => segments)), defining);
  if (columns.length < 2 || columns.length > MAX_COLUMNS || several.length < (columns.length === 2 ? 3 : 2))
    return undefined;
  if (several.length < ROWS_WITH_CELLS * run.length) return undefined;
  const rightToLeft = run.filter((line) => line.rightToLeft).length > run.length / 2;
  if (rightToLeft) columns.reverse();
  const placed: Segment[][][] = [];
  for (const line of run) {
    const cells = columns.map((): Segment[] => []);
    for (const segment of line.segments) {
      const touched = columnsAt(segment, columns);
      const isName = line.segments.length === 1 && touched[0] === 0;
      const at = touched.length === 1 || header.has(line) || (areNumbers && isName) ? touched[0] : undefined;
      if (at === undefined) return undefined;
      cells[at]?.push(segment);
    }
    placed.push(cells);
  }
  const rows = areNumbers ? rowsOfNumbers(run, placed) : joinLines(run, placed, columns);
  if (rows.length < 2 || isProse(rows) || !saysSomething(rows)) return undefined;
  return { from, to, rows };
}

function cellText(cell: { readonly words: readonly Word[] }): string {
  return lineText(cell).replaceAll(' ', '');
}

/** Reports whether a text is a number but not a year, which can be a column header. */
function isAmount(text: string): boolean {
  return VALUE.test(text) && !YEAR.test(text);
}

/** Reports whether most rows have a name and numbers. */
function isOfNumbers(several: readonly ColumnLine[]): boolean {
  const withNumbers = several.filter(({ segments }) => segments.some((cell) => isAmount(cellText(cell))));
  return withNumbers.length >= 2 && withNumbers.length > several.length / 2;
}

/** Returns the segments of a line without leader dots. */
function withoutLeaders(line: ColumnLine): Segment[] {
  return line.segments.flatMap((segment) => {
    const parts: Word[][] = [[]];
    for (const [index, word] of segment.words.entries()) {
      const isDot = word.text === '.' && segment.words[index + 1]?.text === '.';
      const ended = withoutDots(word.text);
      if (isDot || LEADER.test(word.text) || (word.text === '.' && parts.at(-1)?.length === 0))
        parts.push([]);
      else parts.at(-1)?.push(ended === word.text ? word : { ...word, text: ended });
    }
    const nonEmpty = parts.filter((words) => words.length > 0);
    const [first] = segment.words;
    if (nonEmpty.length === 1 && nonEmpty[0]?.length === segment.words.length) return [segment];
    return nonEmpty.map((words): Segment => {
      // Unless the page is turned, the distances between words on the page and in the line are equal.
      const [begin, end] = [words[0], words.at(-1)];
      const left = segment.left + (begin?.box[0] ?? 0) - (first?.box[0] ?? 0);
      const width = (end?.box[0] ?? 0) + (end?.box[2] ?? 0) - (begin?.box[0] ?? 0);
      return { ...segment, words, left, right: Math.min(segment.right, left + width) };
    });
  });
}

/** Removes the dots after a word if there are more than at the end of a sentence. */
function withoutDots(text: string): string {
  let end = text.length;
  while (text[end - 1] === '.') end--;
  return text.length - end > 3 ? text.slice(0, end) : text;
}

/** Merges columns that contain only signs with the numbers beside them. */
function withSigns(columns: readonly Interval[], several: readonly ColumnLine[]): Interval[] {
  if (columns.length > MAX_COLUMNS) return [...columns];
  const signs = columns.map(() => ({ all: 0, before: 0, behind: 0 }));
  for (const segment of several.flatMap(({ segments }) => segments)) {
    const [at, next] = columnsAt(segment, columns);
    const count = at === undefined || next !== undefined ? undefined : signs[at];
    if (count === undefined) continue;
    const text = cellText(segment);
    count.all++;
    if (BEFORE_NUMBER.test(text)) count.before++;
    if (BEHIND_NUMBER.test(text)) count.behind++;
  }
  const joined: Interval[] = [];
  let isBefore = false;
  for (const [index, column] of columns.entries()) {
    const { all = 0, before = 0, behind = 0 } = signs[index] ?? {};
    const last = joined.at(-1);
    if (last !== undefined && (isBefore || (all > 0 && behind === all)))
      joined[joined.length - 1] = { left: last.left, right: column.right };
    else joined.push(column);
    isBefore = all > 0 && before === all;
  }
  return joined;
}

/** Joins the lines of wrapped names and of headers over several lines. */
function rowsOfNumbers(run: readonly ColumnLine[], placed: readonly Segment[][][]): WordRow[] {
  const pitch = least(run.slice(1).map(({ baseline }, index) => baseline - (run[index]?.baseline ?? 0)));
  const rows: Word[][][][] = [];
  let before: { readonly cells: readonly Segment[][]; readonly numbers: boolean } | undefined;
  let isInHeader = true;
  for (const [index, cells] of placed.entries()) {
    const numbers = cells.slice(1).some((cell) => cell.some((segment) => isAmount(cellText(segment))));
    const [name = []] = cells;
    isInHeader &&= !numbers && name.length === 0;
    const isNear =
      (run[index]?.baseline ?? 0) - (run[index - 1]?.baseline ?? -Infinity) <= NEAR_PITCH * pitch;
    const last = rows.at(-1);
    const isHead =
      isInHeader && cells.every((cell, at) => (cell.length === 0) === (before?.cells[at]?.length === 0));
    const isRestOfName =
      !(numbers && before?.numbers === true) &&
      before?.cells[0]?.length !== 0 &&
      /^\p{Ll}/u.test(name[0]?.words[0]?.text ?? '');
    const words = cells.map((cell) => cell.map((segment) => [...segment.words]));
    if (last !== undefined && isNear && (isHead || isRestOfName)) {
      for (const [at, cell] of last.entries()) cell.push(...(words[at] ?? []));
      before = {
        cells: before?.cells.map((cell, at) => [...cell, ...(cells[at] ?? [])]) ?? cells,
        numbers: numbers || before?.numbers === true,
      };
    } else {
      rows.push(words);
      before = { cells, numbers };
    }
  }
  return rows;
}

/** Returns the columns, which gaps between the cells of all rows separate. */
function findColumns(segments: readonly Segment[]): Interval[] {
  const cells = segments.toSorted((a, b) => a.left - b.left);
  const columns: Interval[] = [];
  for (const { left, right, size } of cells) {
    const last = columns.at(-1);
    if (last !== undefined && left - last.right < COLUMN_GAP * size)
      columns[columns.length - 1] = { left: last.left, right: Math.max(last.right, right) };
    else columns.push({ left, right });
  }
  return columns;
}

/** Returns the indexes of the columns that a cell overlaps, or of the nearest column. */
function columnsAt(segment: Interval, columns: readonly Interval[]): number[] {
  const touched = columns.flatMap(({ left, right }, index) =>
    segment.left < right && segment.right > left ? [index] : [],
  );
  if (touched.length > 0) return touched;
  const gaps = columns.map(({ left, right }) => Math.max(left - segment.right, segment.left - right));
  return [gaps.indexOf(Math.min(...gaps))];
}

/** Joins the lines of wrapped cells: rows are further apart than lines, or the first cell is empty. */
function joinLines(
  run: readonly ColumnLine[],
  placed: readonly Segment[][][],
  columns: readonly Interval[],
): WordRow[] {
  const distances = run.slice(1).map(({ baseline }, index) => baseline - (run[index]?.baseline ?? 0));
  const pitch = least(distances);
  const areRowsApart =
    distances.filter((distance) => distance > NEAR_PITCH * pitch).length >=
    SHARE_OF_ROWS_APART * distances.length;
  const rows: Word[][][][] = [];
  for (const [index, cells] of placed.entries()) {
    const last = rows.at(-1);
    const isNear = (distances[index - 1] ?? Infinity) <= NEAR_PITCH * pitch;
    const isPart = cells.some((cell) => cell.length === 0);
    const isContinuation =
      isNear &&
      isPart &&
      (areRowsApart || (cells[0]?.length === 0 && continueFrom(placed[index - 1] ?? [], cells, columns)));
    const words = cells.map((cell) => cell.map((segment) => [...segment.words]));
    if (last !== undefined && isContinuation)
      for (const [at, cell] of last.entries()) cell.push(...(words[at] ?? []));
    else rows.push(words);
  }
  return rows;
}

/** Reports whether each cell continues one above it that fills its column. */
function continueFrom(
  above: readonly Segment[][],
  cells: readonly Segment[][],
  columns: readonly Interval[],
): boolean {
  return cells.every((cell, index) => {
    if (cell.length === 0) return true;
    const column = columns[index];
    const end = above[index]?.at(-1)?.right;
    return (
      column !== undefined &&
      end !== undefined &&
      column.right - end < LEFT_FREE * (column.right - column.left)
    );
  });
}

/** Reports whether the first column has content, unlike a margin with ornaments. */
function saysSomething(rows: readonly WordRow[]): boolean {
  const first = rows.flatMap((row) => (row[0]?.length ? [row[0].flat()] : []));
  const saying = first.filter((words) => words.some(({ text }) => /[\p{L}\p{N}]/u.test(text)));
  return saying.length > first.length / 2;
}

/** Reports whether rows are text in two columns, which has long lines in both. */
function isProse(rows: readonly WordRow[]): boolean {
  const lengths = (column: number): number =>
    median(rows.map((row) => (row[column] ?? []).flat().reduce((sum, { text }) => sum + text.length + 1, 0)));
  const columns = rows[0]?.length ?? 0;
  return columns === 2 && lengths(0) > LINE_OF_PROSE && lengths(1) > LINE_OF_PROSE;
}
