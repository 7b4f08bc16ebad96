import { RunDirection } from '../../core/domain/document.ts';
import { countWide } from './letters.ts';
import type { Fragment, Word } from './fragment.ts';

/** Height of a wide letter's middle above its baseline, in font sizes. */
export const VERTICAL_MIDDLE = 0.38;
/** Height of its top above its baseline. */
const TOP = 0.88;

/**
 * Maximum width, in font sizes, and maximum length of text in place of one letter: "12" set horizontally, but not "Fig.
 * 3".
 */
const WIDEST_CELL = 1.3;
const MAX_CELL_LENGTH = 3;
/**
 * Maximum sideways shift of a letter's middle from the one above, in font sizes. Lines of a paragraph are shifted more.
 */
const OUT_OF_LINE = 0.25;
/**
 * Minimum and maximum distance of letters in a vertical column, in font sizes. Closer ones overlap; others are on other
 * lines.
 */
const MIN_STEP = 0.6;
const MAX_STEP = 1.6;
/** Maximum vertical and horizontal distance of consecutive fragments on a line, in font sizes. */
const SAME_HEIGHT = 0.3;
const NEXT_TO = 0.5;

/** Number of letters from which a column is vertical text on any page. */
const CERTAIN = 4;

/**
 * Returns the fragments of a page in the file's order, and joins vertical text that was written letter by letter: many
 * programs set each upright letter separately instead of using a vertical font.
 */
export function withVerticalText(fragments: readonly Fragment[], pageWidth: number): readonly Fragment[] {
  if (!fragments.some((fragment) => isCell(fragment) && countWideLetters(fragment) > 0)) return fragments;
  const columns = cutColumns(fragments);
  const inColumns = columns.filter(({ length }) => length > 1).flat();
  const down = fragments.filter(({ way }) => way === 'down');
  const wide = addUp(fragments, countWideLetters);
  const isVertical = 2 * (addUp(inColumns, countWideLetters) + addUp(down, countWideLetters)) >= wide;
  return columns.flatMap((column, index) => {
    const isColumn = column.length >= (isVertical ? 1 : CERTAIN) && column.every(isCell);
    if (!isColumn || addUp(column, countWideLetters) === 0) return column;
    const [before, after] = [columns[index - 1]?.at(-1), columns[index + 1]?.[0]];
    const isInLine =
      column.length === 1 &&
      column.some((fragment) => areBeside(before, fragment) || areBeside(fragment, after));
    return isInLine ? column : setDown(column, pageWidth);
  });
}

/** Reports whether a fragment follows another on a horizontal line. */
function areBeside(a: Fragment | undefined, b: Fragment | undefined): boolean {
  if (a?.way !== 'across' || b?.way !== 'across') return false;
  const size = Math.min(a.size, b.size);
  return (
    Math.abs(a.baseline - b.baseline) < SAME_HEIGHT * size && Math.abs(b.left - a.right) < NEXT_TO * size
  );
}

/** Groups fragments that are below each other. Each other fragment is a group of its own. */
function cutColumns(fragments: readonly Fragment[]): Fragment[][] {
  const columns: Fragment[][] = [];
  for (const fragment of fragments) {
    const last = columns.at(-1)?.at(-1);
    if (last !== undefined && isBelow(fragment, last)) columns.at(-1)?.push(fragment);
    else columns.push([fragment]);
  }
  return columns;
}

/**
 * Reports whether a fragment fills the space of one letter in a column: a wide letter, or a short number set
 * horizontally.
 */
function isCell({ words, way, left, right, size }: Fragment): boolean {
  return (
    way === 'across' &&
    words.length === 1 &&
    right - left <= WIDEST_CELL * size &&
    joinWords(words).length <= MAX_CELL_LENGTH
  );
}

function isBelow(fragment: Fragment, above: Fragment): boolean {
  if (!isCell(fragment) || !isCell(above)) return false;
  const size = Math.max(fragment.size, above.size);
  const distance = fragment.baseline - above.baseline;
  return (
    Math.abs(findMiddle(fragment) - findMiddle(above)) < OUT_OF_LINE * size &&
    distance > MIN_STEP * size &&
    distance < MAX_STEP * size
  );
}

/** Returns the letters of a column as vertical text. A short number set horizontally stays separate. */
function setDown(column: readonly Fragment[], pageWidth: number): Fragment[] {
  const set: Fragment[] = [];
  let isOpen = false;
  for (const cell of column) {
    const next = cellDown(cell, pageWidth);
    const isLetter = joinWords(cell.words).length === 1;
    const last = set.at(-1);
    if (isOpen && isLetter && last?.size === next.size) set[set.length - 1] = joinFragments(last, next);
    else set.push(next);
    isOpen = isLetter;
  }
  return set;
}

function cellDown(cell: Fragment, pageWidth: number): Fragment {
  const { baseline, size, words } = cell;
  return {
    ...cell,
    words: words.map((word) => ({ ...word, direction: RunDirection.topToBottom })),
    way: 'down',
    left: baseline - TOP * size,
    right: baseline + (1 - TOP) * size,
    baseline: pageWidth - (findMiddle(cell) - VERTICAL_MIDDLE * size),
    // pdf.js reports the distance to the next letter as a space.
    spaceAfter: false,
  };
}

function joinFragments(a: Fragment, b: Fragment): Fragment {
  const [first, second] = [a.words[0], b.words[0]];
  if (first === undefined || second === undefined) return a;
  return {
    ...a,
    words: [joinedWord(first, second)],
    right: b.right,
    font: a.font === b.font ? a.font : undefined,
  };
}

function joinedWord(a: Word, b: Word): Word {
  const [x, y] = [Math.min(a.box[0], b.box[0]), Math.min(a.box[1], b.box[1])];
  const right = Math.max(a.box[0] + a.box[2], b.box[0] + b.box[2]);
  const upper = Math.max(a.box[1] + a.box[3], b.box[1] + b.box[3]);
  return { ...a, text: a.text + b.text, box: [x, y, right - x, upper - y] };
}

function findMiddle({ left, right, size }: Fragment): number {
  // The width of a letter can include the distance to the next one.
  return left + Math.min(right - left, size) / 2;
}

function joinWords(words: readonly Word[]): string {
  return words.map(({ text }) => text).join('');
}

function countWideLetters({ words }: Fragment): number {
  return countWide(joinWords(words));
}

function addUp(fragments: readonly Fragment[], count: (fragment: Fragment) => number): number {
  return fragments.reduce((sum, fragment) => sum + count(fragment), 0);
}
