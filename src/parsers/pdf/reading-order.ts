import type { Fragment } from './fragment.ts';
import {
  shareOfCells,
  measureFlow,
  findGutter,
  rightEdge,
  groupRows,
  hasCells,
  isOfCells,
  SHARE_OF_CELLS,
  WIDE,
  type Gutter,
  type FragmentRow,
} from './gutters.ts';
import { sameLine } from './lines.ts';
import { median } from './numbers.ts';

/** Minimum free share of a gutter. A line that leaves less crosses the gutter. */
const MIN_FREE_RATIO = 0.6;
/** Difference above which rows differ in size: 10.5 points beside 10 don't, 11 do. */
const OTHER_SIZE = 0.06;
/**
 * Minimum size of a heading across columns relative to its column, and number of lines that the other column leaves
 * free.
 */
const LARGER = 1.15;
const LINES_FREE = 1.7;
/** Maximum difference in height between adjacent cells of a table row, in font sizes. */
const SAME_HEIGHT = 0.2;
/** Minimum share of rows that flow on in text. Tables have fewer, and more rows with a capital at their start. */
const MIN_FLOW_RATIO = 0.5;
/** Maximum depth of nested columns. */
const MAX_DEPTH = 12;

/**
 * Splits the fragments of a page into columns in reading order; within a column they keep the file's order. Text across
 * a gutter separates the columns above it from those below it.
 */
export function inReadingOrder(fragments: readonly Fragment[], depth = 0): (readonly Fragment[])[] {
  const gutter = depth < MAX_DEPTH ? findGutter(fragments) : undefined;
  if (gutter === undefined) return [fragments];
  const bands = cutBands(fragments, gutter);
  if (bands.every(({ columns }) => columns === undefined)) return [fragments];
  const order = new Map(fragments.map((fragment, index) => [fragment, index]));
  const inFileOrder = (some: readonly Fragment[]): Fragment[] =>
    some.toSorted((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
  return bands.flatMap(({ columns, fragments: across }) =>
    (columns ?? [across]).flatMap((part) => inReadingOrder(inFileOrder(part), depth + 1)),
  );
}

interface Band {
  readonly fragments: readonly Fragment[];
  /** Columns; undefined if the text crosses the gutter. */
  readonly columns: readonly (readonly Fragment[])[] | undefined;
}

function cutBands(fragments: readonly Fragment[], gutter: Gutter): Band[] {
  const sides = {
    left: groupRows(fragments.filter(({ right }) => right <= gutter.middle)),
    right: groupRows(fragments.filter(({ left }) => left >= gutter.middle)),
  };
  const across = new Set(linesAcross(groupRows(fragments), gutter));
  for (const row of [
    ...headingsAcross(sides.left, sides.right),
    ...headingsAcross(sides.right, sides.left),
    ...tablesAcross(sides.left, sides.right),
  ])
    for (const fragment of row.fragments) across.add(fragment);
  const bands: { isAcross: boolean; fragments: Fragment[] }[] = [];
  for (const fragment of fragments.toSorted((a, b) => a.baseline - b.baseline)) {
    const isAcross = across.has(fragment);
    const last = bands.at(-1);
    if (last?.isAcross === isAcross) last.fragments.push(fragment);
    else bands.push({ isAcross, fragments: [fragment] });
  }
  const mergedBands: Band[] = [];
  let open: Fragment[] = [];
  for (const band of bands) {
    const columns = band.isAcross ? undefined : cutColumns(band.fragments, gutter);
    if (columns === undefined && mergedBands.at(-1)?.columns === undefined && mergedBands.length > 0)
      for (const fragment of band.fragments) open.push(fragment);
    else {
      open = band.fragments;
      mergedBands.push({ fragments: open, columns });
    }
  }
  return mergedBands;
}

/** Returns the fragments on lines that cross the gutter, or that leave less of it free than columns do. */
function linesAcross(rows: readonly FragmentRow[], { middle, width }: Gutter): Fragment[] {
  return rows.flatMap(({ fragments, size }) => {
    const isOpen = (index: number): boolean => {
      const [before, after] = [fragments[index - 1], fragments[index]];
      return before !== undefined && after !== undefined && after.left - before.right < WIDE * size;
    };
    const next = fragments.findIndex(({ right }) => right > middle);
    const [before, after] = [fragments[next - 1], fragments[next]];
    if (after === undefined) return [];
    const isCrossed = after.left < middle;
    if (!isCrossed && !(before !== undefined && after.left - before.right < MIN_FREE_RATIO * width))
      return [];
    let [from, to] = [next, next + 1];
    while (isOpen(from)) from--;
    while (isOpen(to)) to++;
    return fragments.slice(from, to);
  });
}

/**
 * Returns the columns of a band in reading order; undefined if there are none, because a line or two can have a gap by
 * chance.
 */
function cutColumns(fragments: readonly Fragment[], gutter: Gutter): (readonly Fragment[])[] | undefined {
  const left = fragments.filter((fragment) => fragment.left < gutter.middle);
  const right = fragments.filter((fragment) => fragment.left >= gutter.middle);
  const rows = [groupRows(left), groupRows(right)];
  if (rows.some(({ length }) => length < 2)) return undefined;
  const rightFirst = right.filter(({ rightToLeft }) => rightToLeft).length > right.length / 2;
  return rightFirst ? [right, left] : [left, right];
}

/**
 * Returns the rows of one column that are headings of both: rows in larger type with text of the other column above and
 * below but not beside them, and rows of another size above or below the whole other column.
 */
function headingsAcross(rows: readonly FragmentRow[], others: readonly FragmentRow[]): FragmentRow[] {
  const size = median(rows.map((row) => row.size));
  const isOther = (row: FragmentRow): boolean => Math.abs(row.size - size) > OTHER_SIZE * size;
  const [top, bottom] = [others[0]?.baseline ?? 0, others.at(-1)?.baseline ?? 0];
  const above = rows.findIndex((row) => !isOther(row) || row.baseline > top - row.size);
  const below = rows.findLastIndex((row) => !isOther(row) || row.baseline < bottom + row.size);
  const pitch = median(
    others.slice(1).map(({ baseline }, index) => baseline - (others[index]?.baseline ?? 0)),
  );
  let next = 0;
  const inside = rows.slice(Math.max(0, above), below + 1).filter((row) => {
    if (row.size < LARGER * size) return false;
    while (next < others.length && (others[next]?.baseline ?? 0) <= row.baseline) next++;
    const [upper, lower] = [others[next - 1], others[next]];
    return (
      upper !== undefined &&
      lower !== undefined &&
      lower.baseline - upper.baseline > LINES_FREE * pitch &&
      !sameLine(upper, row) &&
      !sameLine(lower, row)
    );
  });
  const apart = (some: readonly FragmentRow[], other: FragmentRow | undefined): readonly FragmentRow[] =>
    some.filter((row) => other === undefined || Math.abs(row.size - other.size) > OTHER_SIZE * other.size);
  return [
    ...apart(rows.slice(0, Math.max(0, above)), others[0]),
    ...inside,
    ...apart(below < 0 ? [] : rows.slice(below + 1), others.at(-1)),
  ];
}

/** Returns the rows of a table across both columns in which no cell happens to cross the gutter. */
function tablesAcross(left: readonly FragmentRow[], right: readonly FragmentRow[]): FragmentRow[] {
  const tables: FragmentRow[][] = [];
  const ends = [rightEdge(left), rightEdge(right)] as const;
  let block: [FragmentRow, FragmentRow][] = [];
  const close = (): void => {
    const [ours, theirs] = [block.map(([row]) => row), block.map(([, row]) => row)];
    const areCells = block.length >= 2 && (hasCells(ours) || hasCells(theirs));
    if (areCells && !isText(ours, ends[0]) && !isText(theirs, ends[1])) tables.push(ours, theirs);
    block = [];
  };
  let at = 0;
  for (const row of left) {
    while (at < right.length && (right[at]?.baseline ?? 0) < row.baseline && !isBeside(right[at], row)) at++;
    const other = right[at];
    if (other !== undefined && isBeside(other, row) && (isOfCells(row) || isOfCells(other)))
      block.push([row, other]);
    else close();
  }
  close();
  return tables.flat();
}

function isBeside(a: FragmentRow | undefined, b: FragmentRow): boolean {
  return a !== undefined && Math.abs(a.baseline - b.baseline) < SAME_HEIGHT * Math.min(a.size, b.size);
}

/** Reports whether rows are text that flows to the end of their column. */
function isText(rows: readonly FragmentRow[], end: number): boolean {
  return measureFlow(rows, end) >= MIN_FLOW_RATIO && shareOfCells(rows) < SHARE_OF_CELLS;
}
