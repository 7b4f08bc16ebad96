import type { DocumentPlace } from '../notebook/studio.ts';
import { byTerm, definedTerms } from './glossary.ts';
import { making, quoted, type Piece } from './sheet.ts';

/** A sentence with a gap, and what is to be filled in there. */
export interface ClozeCard {
  readonly before: string;
  readonly answer: string;
  readonly after: string;
  readonly place: DocumentPlace;
}

const MOST_CARDS = 500;

/** A card of each definition: the term is the gap. */
function clozeCards(terms: ReturnType<typeof definedTerms>): ClozeCard[] {
  return [...byTerm(terms).values()].flatMap(([first]) => {
    if (first === undefined) return [];
    const { at, words, place } = first;
    // The term as it is written, with marks in it.
    const answer = words.slice(at).startsWith(first.term) ? first.term : undefined;
    return answer === undefined
      ? []
      : [{ before: words.slice(0, at), answer, after: words.slice(at + answer.length), place }];
  });
}

/** Cards as Anki writes gaps: `{{c1::answer}}`. */
export const cloze = making(definedTerms, (parts) => {
  const cards = clozeCards(parts.flat());
  const kept = cards.slice(0, MOST_CARDS);
  const pieces = kept.flatMap(({ before, answer, after, place }): Piece[] => [
    `- ${quoted(`${before}{{c1::${answer}}}${after}`)} `,
    place,
    '\n',
  ]);
  return { pieces, count: kept.length, omitted: cards.length - kept.length };
});
