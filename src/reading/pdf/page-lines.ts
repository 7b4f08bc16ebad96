import { countWide } from './letters.ts';
import { lengthOf, segmentsOf } from './lines.ts';
import type { Fragment, Way } from './fragment.ts';
import { withoutReadingAids } from './reading-aids.ts';
import type { Line } from './reading-order.ts';
import { inReadingOrder } from './reading-order.ts';

/**
 * The lines of a page in reading order. Where most of it is vertical writing or stands sideways, what runs across is read
 * before and after that, by the half of the page it stands in.
 */
export function linesOfPage(fragments: readonly Fragment[], pageHeight: number): Line[] {
  const byWay = Map.groupBy(fragments, ({ way }) => way);
  const of = (way: Way): readonly Fragment[] => byWay.get(way) ?? [];
  const across = orderedLines(of('across'));
  const sideways = [...linesSideways(of('down'), fragments), ...linesSideways(of('up'), fragments)];
  const isSideways = 2 * lettersOf(of('across')) < lettersOf(fragments);
  const isAbove = ({ baseline }: Line): boolean => !isSideways || baseline < pageHeight / 2;
  return [
    ...across.filter(isAbove),
    ...sideways,
    ...across.filter((line) => !isAbove(line)),
    ...of('turned').flatMap(linesAlone),
  ];
}

/** Lines that run up or down: together where they are vertical writing or most of the page, else each by itself. */
function linesSideways(fragments: readonly Fragment[], all: readonly Fragment[]): Line[] {
  const letters = lettersOf(fragments);
  const wide = countWide(fragments.flatMap(({ words }) => words.map(({ text }) => text)).join(''));
  const areTogether = 2 * wide > letters || 2 * letters > lettersOf(all);
  return areTogether ? orderedLines(fragments) : fragments.flatMap(linesAlone);
}

function orderedLines(fragments: readonly Fragment[]): Line[] {
  return inReadingOrder(withoutReadingAids(segmentsOf(fragments)));
}

function linesAlone(fragment: Fragment): Line[] {
  return inReadingOrder(segmentsOf([fragment]));
}

function lettersOf(fragments: readonly Fragment[]): number {
  return fragments.reduce((sum, { words }) => sum + lengthOf(words), 0);
}
