import type { Fragment } from './fragment.ts';
import { countWide } from './letters.ts';
import { ABOVE_FEET, BELOW_FEET, lineLength, sameLine } from './lines.ts';
import { greatest, least, median } from './numbers.ts';

/** Minimum width of a gutter, in font sizes. A word gap of justified text can be as wide, but not in every line. */
const MIN_WIDTH = 0.3;
/**
 * Width, in font sizes, from which a white strip is a gutter by itself. A narrower strip depends on the text beside it.
 */
export const WIDE = 1.3;
/** Step of the search for white strips, in font sizes. */
const STEP = 0.1;
const MAX_STEPS = 1_500;
/** Maximum number of strips to check as gutters, tallest first. */
const MAX_STRIPS = 24;
/** Distance, in font sizes, by which letters exceed their position in the file: the tail of an italic "f". */
const OVERHANG = 0.03;
/** Minimum height of a strip, in font sizes: two lines can leave a white gap by chance. */
const MIN_HEIGHT = 2;

/** Minimum number of rows of a column, and the minimum beside a narrow gutter. */
const MIN_ROWS = 3;
const MIN_NARROW_ROWS = 4;
/** Maximum number of column changes per row in text. Tables are written row by row: "Name 12", "Sum 40". */
const SWITCHES_BY_ROWS = 0.5;
/** Minimum share of rows that flow on in text, in any writing order. Hardly any cell fills its column. */
const MIN_FLOW_RATIO = 0.4;
/**
 * Share of rows with a capital or digit at their start above which they are cells: "Berlin", "12". Lines of text have
 * fewer.
 */
export const SHARE_OF_CELLS = 0.6;
/**
 * Share of rows, above which a narrow gutter that the text crosses may be a river: gaps that are below each other by
 * chance.
 */
const SWITCHES_OF_RIVER = 0.25;
/**
 * Minimum rows, flow, and aligned rows of columns beside a possible river. In a paragraph, words after gaps don't reach
 * them.
 */
const RIVER = { rows: 6, flow: 0.6, aligned: 0.7 };
/** Width of gaps, in font sizes, above which they separate cells if most rows have them. */
const CELL_GAP = 0.9;
/** Minimum share of a table's rows with a gap between cells: other rows have an empty cell. */
const ROWS_WITH_CELLS = 0.5;
/** Minimum flow of a column of text beside a table that fills the other column. */
const MIN_FLOW_BESIDE_TABLE = 0.6;
/** Share of a column's width that half of its rows must exceed. "Surname:" on a form fills less of the widest label. */
const MIN_FILLED_RATIO = 0.4;
/**
 * Minimum number of letters in half of a column's rows, and the minimum for wide letters: cells such as "12,345.00" and
 * "灯台の記録" have fewer.
 */
const MIN_LETTERS = 14;
const MIN_WIDE_LETTERS = 7;
/**
 * Minimum shared height of columns, as a share of the lower one: a box at the bottom of a page has no column beside it.
 */
const SHARED_HEIGHT = 0.3;
/**
 * Maximum free space at the end of a row of running text, in font sizes, beyond the width of the next row's first word.
 */
const SPARE_ROOM = 0.6;
/** Maximum difference between the starts of aligned rows, in font sizes. */
const ALIGNED_WITHIN = 0.1;

/** Fragments beside each other in one column. */
export interface FragmentRow {
  readonly left: number;
  readonly right: number;
  readonly baseline: number;
  readonly size: number;
  readonly letters: number;
  /** Width of its first word. */
  readonly first: number;
  /** Width of its widest gap. */
  readonly gap: number;
  readonly fragments: readonly Fragment[];
}

/** White space between two columns of text, in points. */
export interface Gutter {
  readonly middle: number;
  readonly width: number;
  /** Number of rows of the shorter column. */
  readonly rows: number;
}

/** Vertical white strip, in points from the upper edge. */
interface Strip {
  readonly x: number;
  readonly top: number;
  readonly bottom: number;
}

/** Returns the best gutter of the fragments if they form columns. */
export function findGutter(fragments: readonly Fragment[]): Gutter | undefined {
  if (fragments.length < 6) return undefined;
  const size = median(fragments.map((fragment) => fragment.size));
  const sorted = fragments.toSorted((a, b) => a.baseline - b.baseline);
  const checked = new Set<string>();
  let best: Gutter | undefined;
  for (const strip of tallStrips(sorted, size)) {
    const sides = splitAt(strip, sorted, size);
    // Neighboring strips often have the same text on both sides.
    const key = `${String(sides.from)} ${String(sides.to)} ${String(sides.left.length)}`;
    if (checked.has(key)) continue;
    checked.add(key);
    best = asGutter(sides, fragments, size, best?.rows ?? 0) ?? best;
  }
  return best;
}

/** Text beside a strip, from top to bottom. */
interface Sides {
  /** Indexes of the first fragment and behind the last one beside the strip, from top to bottom. */
  readonly from: number;
  readonly to: number;
  readonly top: number;
  readonly bottom: number;
  readonly middle: number;
  readonly left: readonly Fragment[];
  readonly right: readonly Fragment[];
}

/** Returns the text on both sides of a strip. `sorted` holds the fragments from top to bottom. */
function splitAt({ x, top, bottom }: Strip, sorted: readonly Fragment[], size: number): Sides {
  const middle = x + (MIN_WIDTH / 2) * size;
  const left: Fragment[] = [];
  const right: Fragment[] = [];
  let [from, to] = [sorted.length, 0];
  for (const [index, fragment] of sorted.entries()) {
    if (!(fragment.baseline > top && fragment.baseline < bottom)) continue;
    from = Math.min(from, index);
    to = index + 1;
    if (fragment.left < middle) left.push(fragment);
    else if (fragment.left >= middle) right.push(fragment);
  }
  return { from, to, top, bottom, middle, left, right };
}

/** Returns the tallest white strips with text on both sides somewhere on the page, tallest first. */
function tallStrips(sorted: readonly Fragment[], size: number): Strip[] {
  const strips: Strip[] = [];
  const isTaller = (a: Strip, b: Strip): number => b.bottom - b.top - (a.bottom - a.top);
  for (const strip of whiteStrips(sorted, size).sort(isTaller)) {
    if (strips.length >= MAX_STRIPS) break;
    const isPart = strips.some(
      ({ x, top, bottom }) =>
        Math.abs(x - strip.x) <= 2 * MIN_WIDTH * size && strip.top >= top && strip.bottom <= bottom,
    );
    if (!isPart) strips.push(strip);
  }
  return strips;
}

/**
 * Returns the tallest white strip of the minimum width at each step from the left to the right edge of the fragments,
 * which are sorted from top to bottom.
 */
function whiteStrips(fragments: readonly Fragment[], size: number): Strip[] {
  const from = least(fragments.map(({ left }) => left));
  const to = greatest(fragments.map(({ right }) => right));
  const step = Math.max(STEP * size, (to - from) / MAX_STEPS);
  const count = Math.ceil((to - from) / step);
  if (!(count > 0)) return [];
  const upper = least(fragments.map(topEdge));
  const lower = greatest(fragments.map(bottomEdge));
  /** Edges of the tallest white strip so far at each step. */
  const tops = new Float64Array(count).fill(upper);
  const bottoms = new Float64Array(count).fill(upper);
  /** Start of the current white strip at each step. */
  const begins = new Float64Array(count).fill(upper);
  const close = (at: number, bottom: number): void => {
    const top = begins[at] ?? 0;
    if (bottom - top > (bottoms[at] ?? 0) - (tops[at] ?? 0)) {
      tops[at] = top;
      bottoms[at] = bottom;
    }
  };
  /** Numbers of fragments that end before each step and that begin at it. */
  const ending = new Uint32Array(count + 1);
  const beginning = new Uint32Array(count + 1);
  const tolerance = OVERHANG * size;
  for (const fragment of fragments) {
    const first = Math.max(0, Math.ceil((fragment.left - MIN_WIDTH * size + tolerance - from) / step));
    const last = Math.min(count - 1, Math.floor((fragment.right - tolerance - from) / step));
    ending[last + 1] = (ending[last + 1] ?? 0) + 1;
    beginning[first] = (beginning[first] ?? 0) + 1;
    const [top, bottom] = [topEdge(fragment), bottomEdge(fragment)];
    for (let at = first; at <= last; at++) {
      close(at, top);
      if (bottom > (begins[at] ?? 0)) begins[at] = bottom;
    }
  }
  for (let at = 0; at < count; at++) close(at, lower);
  let [before, after] = [0, fragments.length];
  const strips: Strip[] = [];
  for (let at = 0; at < count; at++) {
    before += ending[at] ?? 0;
    const hasSides = before >= 2 && after >= 2;
    after -= beginning[at] ?? 0;
    const [top, bottom] = [tops[at] ?? 0, bottoms[at] ?? 0];
    if (hasSides && bottom - top > MIN_HEIGHT * size) strips.push({ x: from + at * step, top, bottom });
  }
  return strips;
}

/**
 * Returns a strip as a gutter if it has columns of text on both sides, both with more than `rows` rows. `fragments` holds
 * all fragments in the file's order.
 */
function asGutter(
  sides: Sides,
  fragments: readonly Fragment[],
  size: number,
  rows: number,
): Gutter | undefined {
  const cells = [cutRows(sides.left), cutRows(sides.right)] as const;
  const count = Math.min(cells[0].length, cells[1].length);
  if (count < MIN_ROWS || count <= rows) return undefined;
  const [left, right] = [cells[0].map(measureRow), cells[1].map(measureRow)];
  if (!areBeside(left, right)) return undefined;
  const begin = rightEdge(left);
  const end = least(right.map((row) => row.left));
  const switches = countSwitches(sides, fragments);
  if (!isColumn(left) || !isColumn(right)) {
    // The file has a table and the text beside it one after the other, but a row of a table with its cells of text.
    const isTable = (table: readonly FragmentRow[], other: readonly FragmentRow[]): boolean =>
      hasCells(table) && isText(other);
    const isApart = end - begin >= WIDE * size && switches <= SWITCHES_OF_RIVER * count + 1;
    return isApart && (isTable(left, right) || isTable(right, left))
      ? { middle: (begin + end) / 2, width: end - begin, rows: count }
      : undefined;
  }
  const flow = Math.min(measureFlow(left), measureFlow(right));
  // A table is written row by row, and its cells neither fill their columns nor continue the ones above them.
  const isByRows = switches > SWITCHES_BY_ROWS * count;
  const areCells = (): boolean => Math.max(shareOfCells(left), shareOfCells(right)) > SHARE_OF_CELLS;
  if (isByRows && (flow < MIN_FLOW_RATIO || areCells())) return undefined;
  if (end - begin < WIDE * size) {
    if (count < MIN_NARROW_ROWS) return undefined;
    const isRiver = switches > SWITCHES_OF_RIVER * count + 1;
    if (isRiver && (count < RIVER.rows || flow < RIVER.flow || shareAligned(right) < RIVER.aligned))
      return undefined;
  }
  return { middle: (begin + end) / 2, width: end - begin, rows: count };
}

/** Groups fragments into the rows of a column. */
export function groupRows(fragments: readonly Fragment[]): FragmentRow[] {
  return cutRows(fragments.toSorted((a, b) => a.baseline - b.baseline)).map(measureRow);
}

/** Cuts fragments, which are sorted from top to bottom, into rows. */
function cutRows(sorted: readonly Fragment[]): Fragment[][] {
  const rows: Fragment[][] = [];
  let row: Fragment[] = [];
  for (const fragment of sorted) {
    const [first] = row;
    if (first !== undefined && sameLine(first, fragment)) row.push(fragment);
    else {
      row = [fragment];
      rows.push(row);
    }
  }
  return rows;
}

function measureRow(row: readonly Fragment[]): FragmentRow {
  const ordered = row.length === 1 ? row : row.toSorted((a, b) => a.left - b.left);
  const [first] = ordered;
  let [right, gap, letters, firstLetters] = [-Infinity, 0, 0, 0];
  for (const fragment of ordered) {
    const length = lineLength(fragment.words);
    if (fragment === first) firstLetters = length;
    else gap = Math.max(gap, fragment.left - right);
    right = Math.max(right, fragment.right);
    letters += length;
  }
  return {
    left: first?.left ?? 0,
    right,
    baseline: first?.baseline ?? 0,
    size: first?.size ?? 0,
    letters,
    first: first === undefined ? 0 : firstWidth(first, firstLetters),
    gap,
    fragments: ordered,
  };
}

/** Estimates the width of a fragment's first word. `letters` is the length of all its words. */
function firstWidth({ words, left, right }: Fragment, letters: number): number {
  return ((words[0]?.text.length ?? 0) / letters) * (right - left);
}

/** Reports whether rows form a column of text, which they mostly fill, unlike a table's cells and a form's labels. */
function isColumn(rows: readonly FragmentRow[]): boolean {
  const letters = median(rows.map((row) => row.letters));
  if (letters < MIN_WIDE_LETTERS || (letters < MIN_LETTERS && !areWide(rows))) return false;
  const [left, right] = [least(rows.map((row) => row.left)), rightEdge(rows)];
  return median(rows.map((row) => row.right - row.left)) > MIN_FILLED_RATIO * (right - left);
}

/** Reports whether more than a third of the letters in rows are wide. */
function areWide(rows: readonly FragmentRow[]): boolean {
  let [wide, all] = [0, 0];
  for (const { fragments, letters } of rows) {
    all += letters;
    for (const { words } of fragments) for (const { text } of words) wide += countWide(text);
  }
  return wide > all / 3;
}

/** Reports whether rows are running text. */
function isText(rows: readonly FragmentRow[]): boolean {
  return (
    isColumn(rows) &&
    !hasCells(rows) &&
    measureFlow(rows) >= MIN_FLOW_BESIDE_TABLE &&
    shareOfCells(rows) < SHARE_OF_CELLS
  );
}

/** Reports whether a gap in a row separates cells. */
export function isOfCells({ gap, size }: FragmentRow): boolean {
  return gap > CELL_GAP * size;
}

/** Reports whether rows are those of a table: most have a gap between cells. */
export function hasCells(rows: readonly FragmentRow[]): boolean {
  return rows.filter(isOfCells).length >= ROWS_WITH_CELLS * rows.length;
}

function areBeside(a: readonly FragmentRow[], b: readonly FragmentRow[]): boolean {
  const [topA, bottomA] = [a[0]?.baseline ?? 0, a.at(-1)?.baseline ?? 0];
  const [topB, bottomB] = [b[0]?.baseline ?? 0, b.at(-1)?.baseline ?? 0];
  const shared = Math.min(bottomA, bottomB) - Math.max(topA, topB);
  return shared > SHARED_HEIGHT * Math.min(bottomA - topA, bottomB - topB);
}

/** Counts how often the file order changes from one side of a strip to the other. */
function countSwitches({ top, bottom, middle }: Sides, fragments: readonly Fragment[]): number {
  let switches = 0;
  let wasLeft: boolean | undefined;
  for (const { baseline, left } of fragments) {
    if (!(baseline > top && baseline < bottom)) continue;
    const isLeft = left < middle;
    if (wasLeft !== undefined && wasLeft !== isLeft) switches++;
    wasLeft = isLeft;
  }
  return switches;
}

/**
 * Returns the share of rows that end where the next row's first word didn't fit, as in running text but not in items or
 * cells.
 */
export function measureFlow(rows: readonly FragmentRow[], end = rightEdge(rows)): number {
  let flowing = 0;
  for (let index = 1; index < rows.length; index++) {
    const [above, row] = [rows[index - 1], rows[index]];
    if (above !== undefined && row !== undefined && end - above.right <= row.first + SPARE_ROOM * row.size)
      flowing++;
  }
  return rows.length < 2 ? 0 : flowing / (rows.length - 1);
}

/** Returns the share of rows that start with a capital or digit, as cells do, unlike most lines of text. */
export function shareOfCells(rows: readonly FragmentRow[]): number {
  return (
    rows.filter(({ fragments }) => /^[\p{Lu}\p{N}]/u.test(fragments[0]?.words[0]?.text ?? '')).length /
    rows.length
  );
}

/** Returns the right edge of the longest row. */
export function rightEdge(rows: readonly FragmentRow[]): number {
  return greatest(rows.map(({ right }) => right));
}

/** Returns the share of rows that start at the usual position. */
function shareAligned(rows: readonly FragmentRow[]): number {
  const usual = median(rows.map(({ left }) => left));
  return rows.filter(({ left, size }) => Math.abs(left - usual) < ALIGNED_WITHIN * size).length / rows.length;
}

function topEdge({ baseline, size }: Fragment): number {
  return baseline - ABOVE_FEET * size;
}

function bottomEdge({ baseline, size }: Fragment): number {
  return baseline + BELOW_FEET * size;
}
