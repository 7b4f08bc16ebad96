import type { FoundPassage } from '../notebook/passage.ts';
import { sentencesOf } from '../notebook/sentences.ts';
import type { Cited } from './citations.ts';

const MOST_QUOTES = 3;
/** A quote ends with the sentence that reaches this many UTF-16 code units. */
const LONG_ENOUGH = 400;

/** What the passages say that are nearest to a question in their meaning, nearest first; none where none was found so. */
export function nearestQuotes(passages: readonly FoundPassage[]): Cited[] {
  return passages
    .filter(({ nearness }) => nearness !== undefined)
    .toSorted((a, b) => (b.nearness ?? 0) - (a.nearness ?? 0))
    .slice(0, MOST_QUOTES)
    .map((passage) => {
      const { start, text, format } = passage;
      const sentences = format === 'code' ? [] : sentencesOf(text);
      const end = sentences.find((sentence) => sentence.end >= LONG_ENOUGH)?.end ?? text.length;
      return { passage, span: { start, end: start + end } };
    });
}
