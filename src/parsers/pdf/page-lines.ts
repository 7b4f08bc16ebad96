import { countWide } from './letters.ts';
import { lineLength, cutSegments, lineText, dropFakeBold, type Segment } from './lines.ts';
import type { Fragment, TextDirection } from './fragment.ts';
import { makeLines, type ColumnLine } from './column-lines.ts';
import { inReadingOrder } from './reading-order.ts';

const KANA = /^[\u3041-\u30ff]+$/;
/** Maximum number of comparisons of reading aids with text. Real pages need fewer; hostile ones would need hours. */
const MAX_COMPARISONS = 4_000_000;
const IDEOGRAPH = /[\u3400-\u9fff\uf900-\ufaff]/;

/**
 * Maximum size of a reading aid, as a share of the text below it, and its height above that text's baseline, in sizes
 * of that text.
 */
const AID = { size: 0.65, lowest: 0.7, highest: 1.4 };

/**
 * Returns the lines of a page in reading order. On a page with mostly vertical or sideways text, the horizontal lines
 * come before or after it, depending on the half of the page they are in.
 */
export function linesOfPage(fragments: readonly Fragment[], pageHeight: number): ColumnLine[] {
  if (fragments.every(({ way }) => way === 'across')) return orderedLines(fragments);
  const byWay = Map.groupBy(fragments, ({ way }) => way);
  const of = (way: TextDirection): readonly Fragment[] => byWay.get(way) ?? [];
  const across = orderedLines(of('across'));
  const sideways = [...linesSideways(of('down'), fragments), ...linesSideways(of('up'), fragments)];
  const isSideways = 2 * countLetters(of('across')) < countLetters(fragments);
  const isAbove = ({ baseline }: ColumnLine): boolean => !isSideways || baseline < pageHeight / 2;
  return [
    ...across.filter(isAbove),
    ...sideways,
    ...across.filter((line) => !isAbove(line)),
    ...of('turned').flatMap(linesAlone),
  ];
}

/**
 * Returns lines that run up or down. Joins them if they are vertical writing or most of the page; else each is
 * separate.
 */
function linesSideways(fragments: readonly Fragment[], pageFragments: readonly Fragment[]): ColumnLine[] {
  const letters = countLetters(fragments);
  const wide = countWide(fragments.flatMap(({ words }) => words.map(({ text }) => text)).join(''));
  const areTogether = 2 * wide > letters || 2 * letters > countLetters(pageFragments);
  return areTogether ? orderedLines(fragments) : fragments.flatMap(linesAlone);
}

function orderedLines(fragments: readonly Fragment[]): ColumnLine[] {
  return inReadingOrder(dropFakeBold(fragments)).flatMap((region) =>
    makeLines(withoutReadingAids(cutSegments(region))),
  );
}

function linesAlone(fragment: Fragment): ColumnLine[] {
  return makeLines(cutSegments([fragment]));
}

function countLetters(fragments: readonly Fragment[]): number {
  return fragments.reduce((sum, { words }) => sum + lineLength(words), 0);
}

/** Removes the small kana above ideographs that show how to read them, because they would separate lines. */
function withoutReadingAids(segments: readonly Segment[]): readonly Segment[] {
  const isAid = (segment: Segment): boolean =>
    KANA.test(segment.words[0]?.text ?? '') && KANA.test(lineText(segment));
  const aids = new Set(segments.filter(isAid));
  if (aids.size === 0) return segments;
  const bases = segments.filter((segment) => IDEOGRAPH.test(lineText(segment)));
  if (aids.size * bases.length > MAX_COMPARISONS) return segments;
  return segments.filter(
    (segment) => !aids.has(segment) || !bases.some((base) => standsAbove(segment, base)),
  );
}

function standsAbove(aid: Segment, base: Segment): boolean {
  const rise = (base.baseline - aid.baseline) / base.size;
  return (
    aid.size <= AID.size * base.size &&
    rise > AID.lowest &&
    rise < AID.highest &&
    aid.left < base.right &&
    base.left < aid.right
  );
}
