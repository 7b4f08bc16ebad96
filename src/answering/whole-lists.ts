import type { Span } from '../notebook/span.ts';
import type { Unit } from './units.ts';

/** A list, table or section that answers a question for several things, as a whole. */
export interface WholeList extends Span {
  /** The line that leads up to it. */
  readonly lead: Span | undefined;
}

/** The longest list that is quoted whole, in UTF-16 code units; what is longer ends with a whole item, but not before the first. */
const LONGEST = 2500;

/** The line under the header of a table whose rows do not begin with a bar. */
const UNFRAMED = /\n[ \t]*:?-{3,}:?[ \t]*\|/;

/** Lists of several items and tables, each with the line that leads up to it. */
export function listsOf(text: string, units: readonly Unit[]): WholeList[] {
  const lists: WholeList[] = [];
  for (let from = 0; from < units.length;) {
    const kind = units[from]?.kind;
    let to = from;
    while (kind !== 'sentence' && kind !== undefined && units[to + 1]?.kind === kind) to++;
    const run = units.slice(from, to + 1);
    const isTable = run.some(({ start, end }) => UNFRAMED.test(text.slice(start, end)));
    if ((run.length > 1 && (kind === 'item' || kind === 'row')) || isTable) {
      const before = units[from - 1];
      const leads = before?.kind === 'sentence' && text.slice(before.end, run[0]?.start).trim() === '';
      lists.push({ ...shortened(leads ? [before, ...run] : run), lead: leads ? before : undefined });
    }
    from = to + 1;
  }
  return lists;
}

/** All that stands under a heading, to the next one of its level. */
export function wholeSection(units: readonly Unit[]): WholeList | undefined {
  return units.length < 2 ? undefined : { ...shortened(units), lead: undefined };
}

function shortened(units: readonly Unit[]): Span {
  const start = units[0]?.start ?? 0;
  const fitting = units.findLastIndex((unit) => unit.end - start <= LONGEST);
  const end = units[Math.max(fitting, Math.min(1, units.length - 1))]?.end ?? start;
  return { start, end };
}
