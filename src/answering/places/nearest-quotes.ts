import type { FoundPassage } from '../../notebook/passage.ts';
import type { Cited } from '../retrieving/cite.ts';
import { unitsOf } from '../../language/units.ts';

const MOST_QUOTES = 3;
/** A quote is kept while it is at least this share as near as the nearest: how near is near differs from model to model. */
const SHARE_OF_BEST = 0.75;
/** A quote ends with the sentence that reaches this many UTF-16 code units. */
const LONG_ENOUGH = 400;

/** What the passages say that are nearest to a question in their meaning, nearest first; none where none was found so. */
export function nearestQuotes(passages: readonly FoundPassage[]): Cited[] {
  const nearest = passages.reduce((best, { nearness = 0 }) => Math.max(best, nearness), 0);
  return passages
    .filter(({ nearness }) => nearness !== undefined && nearness >= SHARE_OF_BEST * nearest)
    .toSorted((a, b) => (b.nearness ?? 0) - (a.nearness ?? 0))
    .slice(0, MOST_QUOTES)
    .map(beginningOf);
}

/** The first sentences of a passage after its headings; code whole. */
function beginningOf(passage: FoundPassage): Cited {
  const { start, text, format } = passage;
  const units = format === 'code' ? [] : unitsOf(text, format);
  const first = units.find(({ kind }) => kind !== 'heading')?.start ?? 0;
  const end = units.find((unit) => unit.end - first >= LONG_ENOUGH)?.end ?? text.length;
  return { passage, span: { start: start + first, end: start + end } };
}
