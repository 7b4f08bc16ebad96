import { joinRuns, type Raise } from '../raised-text.ts';
import { areUnspaced } from './letters.ts';
import type { Fragment, TextDirection, Word } from './fragment.ts';
import { greatest, least, median } from './numbers.ts';

/** Position and typography of words on one line of a page. */
export interface Setting {
  readonly way: TextDirection;
  readonly left: number;
  readonly right: number;
  readonly baseline: number;
  readonly size: number;
  readonly monospaced: boolean;
  /** Font of nearly all letters; undefined if it changes. */
  readonly font: string | undefined;
}

/** Words beside each other on a page, with no gap wider than a word space. */
export interface Segment extends Setting {
  readonly words: readonly Word[];
  readonly rightToLeft: boolean;
}

/** Gap, in font sizes, above which it separates columns or cells, not words. */
const COLUMN_GAP = 1.3;
/** Gap, in font sizes, above which it separates words. */
const WORD_GAP = 0.15;
/** Gap between words in scripts without spaces, whose letters are spaced out to fill lines. */
const UNSPACED_GAP = 0.5;
/** Minimum share of letters for the main font of a line. */
const MAIN_SHARE = 0.85;

/**
 * Height of letters above and below the baseline, in font sizes: about that of "h" and "p", without the extra space
 * that fonts add above.
 */
export const ABOVE_FEET = 0.75;
export const BELOW_FEET = 0.2;
/**
 * Minimum overlap of fragments on one line, as a share of the smaller one's size: the "2" of "m²", but not the line
 * below.
 */
const MIN_OVERLAP = 0.5;
/** Maximum overlap of a fragment with the one before it, in font sizes: kerned "AV", an accent. */
const MAX_OVERLAP = 0.6;
/** Overlap, in font sizes, above which the digits of two fragments are of different numbers. */
const MIN_DIGIT_OVERLAP = 0.3;
/** Maximum distance of a second strike from the first, in font sizes. */
const STRIKE_APART = 0.2;

/** Maximum number of groups to search for the one that a fragment continues. Older groups have ended. */
const MAX_OPEN_GROUPS = 60;
/** Maximum number of fragments with the same text to search for a second strike. */
const MAX_SAME_TEXT = 500;

/** Joins fragments of a page with the same direction into segments of lines. */
export function cutSegments(fragments: readonly Fragment[]): Segment[] {
  const order = new Map(fragments.map((fragment, index) => [fragment, index]));
  const groups: Fragment[][] = [];
  const open = new OpenGroups(fragments);
  for (const fragment of fragments.toSorted((a, b) => a.left - b.left)) {
    const nearest = open.findNearest(fragment);
    const group = nearest ?? [];
    group.push(fragment);
    if (nearest === undefined) groups.push(group);
    open.put(group, fragment);
  }
  return groups.map((group) => makeSegment(group, order));
}

/** Groups of fragments by the height of each group's last fragment. */
class OpenGroups {
  readonly #bands = new Map<number, Fragment[][]>();
  readonly #height: number;

  constructor(fragments: readonly Fragment[]) {
    // Text on the same line as text of the usual size is in the same band or an adjacent one.
    this.#height = 2 * median(fragments.map(({ size }) => size)) || 1;
  }

  /** Returns the nearest group whose line a fragment continues, the latest if several are equally near. */
  findNearest(fragment: Fragment): Fragment[] | undefined {
    let nearest: Fragment[] | undefined;
    let nearestGap = Infinity;
    const reach = Math.min(20, Math.ceil(fragment.size / this.#height));
    const band = this.#findBand(fragment.baseline);
    for (let at = band - reach; at <= band + reach; at++) {
      const groups = this.#bands.get(at);
      if (groups === undefined) continue;
      const oldest = Math.max(0, groups.length - MAX_OPEN_GROUPS);
      for (let index = groups.length - 1; index >= oldest; index--) {
        const group = groups[index];
        const last = group?.at(-1);
        if (group === undefined || last === undefined || !sameLine(last, fragment)) continue;
        const gap = fragment.left - rightEdge(group);
        const size = Math.max(last.size, fragment.size);
        if (gap < COLUMN_GAP * size && gap > -MAX_OVERLAP * size && Math.abs(gap) < nearestGap) {
          nearest = group;
          nearestGap = Math.abs(gap);
        }
      }
    }
    return nearest;
  }

  put(group: Fragment[], last: Fragment): void {
    const band = this.#findBand(last.baseline);
    const groups = this.#bands.get(band);
    if (groups === undefined) this.#bands.set(band, [group]);
    else if (groups.at(-1) !== group) groups.push(group);
  }

  #findBand(baseline: number): number {
    return Math.floor(baseline / this.#height);
  }
}

/** Returns the right edge of the last fragments of a group. */
function rightEdge(group: readonly Fragment[]): number {
  let edge = -Infinity;
  for (let index = Math.max(0, group.length - 3); index < group.length; index++)
    edge = Math.max(edge, group[index]?.right ?? edge);
  return edge;
}

/** Reports whether words are on the same line: at least half of the smaller one's height overlaps. */
export function sameLine(
  a: { readonly baseline: number; readonly size: number },
  b: { readonly baseline: number; readonly size: number },
): boolean {
  const top = Math.max(a.baseline - ABOVE_FEET * a.size, b.baseline - ABOVE_FEET * b.size);
  const bottom = Math.min(a.baseline + BELOW_FEET * a.size, b.baseline + BELOW_FEET * b.size);
  return bottom - top >= MIN_OVERLAP * Math.min(a.size, b.size);
}

/** Removes the second copies of texts that some programs write twice, slightly shifted, to make them look bold. */
export function dropFakeBold(fragments: readonly Fragment[]): Fragment[] {
  const printedByText = new Map<string, Fragment[]>();
  return fragments.filter((fragment) => {
    const text = lineText(fragment);
    const others = printedByText.get(text);
    const isSecond = others
      ?.slice(-MAX_SAME_TEXT)
      .some(
        ({ left, baseline, size }) =>
          Math.abs(left - fragment.left) < STRIKE_APART * size &&
          Math.abs(baseline - fragment.baseline) < STRIKE_APART * size,
      );
    if (others) others.push(fragment);
    else printedByText.set(text, [fragment]);
    return isSecond !== true;
  });
}

/** Returns the words of a line with a space between them. */
export function lineText({ words }: { readonly words: readonly Word[] }): string {
  return words.length === 1 ? (words[0]?.text ?? '') : words.map(({ text }) => text).join(' ');
}

function makeSegment(group: readonly Fragment[], order: ReadonlyMap<Fragment, number>): Segment {
  const [only] = group;
  if (only !== undefined && group.length === 1) return segmentOf(only);
  const rightToLeft = isMostlyRightToLeft(group);
  const words: Word[] = [];
  const fragments = inReadingOrder(group, rightToLeft);
  let previous: Fragment | undefined;
  /** Last fragment on the baseline. */
  let base: Fragment | undefined;
  for (const [at, fragment] of fragments.entries()) {
    const spaced = previous !== undefined && isSpaceBetween(previous, fragment, order);
    const raise = spaced || rightToLeft || base === undefined ? undefined : raiseOf(fragment, base);
    const [first, ...others] = fragment.words;
    if (raise === undefined) base = fragment;
    if (raise !== undefined && first !== undefined && others.length === 0) {
      const next = fragments[at + 1];
      const isGlued = next !== undefined && !isSpaceBetween(fragment, next, order);
      words.push(...markWord(words, first, raise, isGlued ? lineText(next) : ' '));
    } else if (first !== undefined) words.push({ ...first, before: spaced ? ' ' : '' }, ...others);
    previous = fragment;
  }
  return { words, rightToLeft, ...usualSetting(group) };
}

/** Returns a fragment without others beside it as a segment. */
function segmentOf(fragment: Fragment): Segment {
  const { way, left, right, baseline, size, monospaced, font } = fragment;
  const [first, ...others] = fragment.words;
  const words =
    first === undefined || first.before === ''
      ? fragment.words
      : [{ ...first, before: '' } as const, ...others];
  const rightToLeft = fragment.rightToLeft && lineLength(fragment.words) > 0;
  return { words, rightToLeft, way, left, right, baseline, size, monospaced, font };
}

function isMostlyRightToLeft(fragments: readonly Fragment[]): boolean {
  if (!fragments.some(({ rightToLeft }) => rightToLeft)) return false;
  let balance = 0;
  for (const { words, rightToLeft } of fragments) balance += (rightToLeft ? 1 : -1) * lineLength(words);
  return balance > 0;
}

/** Maximum size of a superscript or subscript, as a share of the text beside it. */
const MAX_RAISED_SIZE = 0.85;
/** Minimum distance of a superscript or subscript from the baseline, in sizes of the text beside it. */
const MIN_RISE = 0.1;
/** Number of words before a superscript that determine its meaning. */
const BASE_WORDS = 6;

/** Reports whether a fragment is a superscript or subscript beside another. */
function raiseOf(fragment: Fragment, base: Fragment): Raise | undefined {
  if (fragment.size > MAX_RAISED_SIZE * base.size) return undefined;
  const rise = (base.baseline - fragment.baseline) / base.size;
  return rise > MIN_RISE ? 'super' : rise < -MIN_RISE ? 'sub' : undefined;
}

/**
 * Returns a superscript or subscript as a word. One whose digits would become part of the number before it, or of its
 * decimals, is marked: `^6` for an exponent, `[12]` for a note. Others stay as they are.
 */
function markWord(words: readonly Word[], word: Word, raise: Raise, after: string): Word[] {
  const before = words
    .slice(-BASE_WORDS)
    .map((part) => (part.before === '' ? '' : ' ') + part.text)
    .join('');
  const plain = { ...word, before: '' } as const;
  if (!/^[-+−–]?\d/.test(word.text) || !(/\d[.,]?$/.test(before) || (raise === 'sub' && /^\d/.test(after))))
    return [plain];
  const marked = joinRuns([{ text: before }, { text: word.text, raise }, { text: after }]);
  const text = marked.slice(before.length, marked.length - after.length).trim();
  const space = marked.charAt(before.length) === ' ' ? ' ' : '';
  return [{ ...word, text, before: space }];
}

/** Returns the combined position and typography of a line's parts, with the baseline and size of the longest. */
export function usualSetting(parts: readonly (Setting & { readonly words: readonly Word[] })[]): Setting {
  const lengths = parts.map(({ words }) => lineLength(words));
  const longest = parts[lengths.indexOf(greatest(lengths))];
  return {
    way: longest?.way ?? 'across',
    left: least(parts.map(({ left }) => left)),
    right: greatest(parts.map(({ right }) => right)),
    baseline: longest?.baseline ?? 0,
    size: longest?.size ?? 0,
    monospaced: parts.every(({ monospaced }) => monospaced),
    font: findMainFont(parts, lengths),
  };
}

/** Returns the font of nearly all letters: footnote marks have another one. */
function findMainFont(
  parts: readonly Pick<Setting, 'font'>[],
  lengths: readonly number[],
): string | undefined {
  const first = parts[0]?.font;
  if (parts.every(({ font }) => font === first)) return first;
  const lengthByFont = new Map<string | undefined, number>();
  let totalLength = 0;
  for (const [index, { font }] of parts.entries()) {
    const length = lengths[index] ?? 0;
    lengthByFont.set(font, (lengthByFont.get(font) ?? 0) + length);
    totalLength += length;
  }
  for (const [font, length] of lengthByFont) if (length >= MAIN_SHARE * totalLength) return font;
  return undefined;
}

/**
 * Returns a group, which is sorted from left to right, in reading order: right-to-left text from right to left, with runs
 * in the other direction in their own order.
 */
function inReadingOrder(group: readonly Fragment[], rightToLeft: boolean): readonly Fragment[] {
  if (!rightToLeft) return group;
  const ordered: Fragment[] = [];
  let run: Fragment[] = [];
  for (const fragment of group.toSorted((a, b) => b.left - a.left)) {
    if (fragment.rightToLeft || !/\p{L}|\p{N}/u.test(lineText(fragment))) {
      ordered.push(...run, fragment);
      run = [];
    } else run.unshift(fragment);
  }
  return [...ordered, ...run];
}

function isSpaceBetween(a: Fragment, b: Fragment, order: ReadonlyMap<Fragment, number>): boolean {
  const gap = Math.max(a.left, b.left) - Math.min(a.right, b.right);
  const size = Math.min(a.size, b.size);
  if (areUnspaced(a.words.at(-1)?.text ?? '', b.words[0]?.text ?? '')) return gap > UNSPACED_GAP * size;
  if (gap > WORD_GAP * size) return true;
  if (gap < -MIN_DIGIT_OVERLAP * size && /\d$/.test(lineText(a)) && /^\d/.test(lineText(b))) return true;
  // If the direction changes, the space is often part of a run instead of a gap.
  if (a.rightToLeft !== b.rightToLeft && /\p{L}$/u.test(lineText(a)) && /^\p{L}/u.test(lineText(b)))
    return true;
  return a.spaceAfter && order.get(b) === (order.get(a) ?? 0) + 1;
}

/** Returns the length of words without their separators, in UTF-16 code units. */
export function lineLength(words: readonly Word[]): number {
  let length = 0;
  for (const { text } of words) length += text.length;
  return length;
}
