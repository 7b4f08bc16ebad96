import type { TextFormat } from '../language/units.ts';
import { withGaps } from '../features/flashcards/model.ts';
import type { DocumentPlace } from '../notebook/studio.ts';
import { byTerm, definedTerms, MIN_TERMS, type DefinedTerm } from './glossary.ts';
import { generateInSlices, quoted, type Piece } from './sheet.ts';

/** Definition with gaps in place of its term, in Anki's notation: `{{c1::term}}`. */
export interface ClozeCard {
  readonly term: string;
  readonly front: string;
  readonly format: TextFormat;
  readonly place: DocumentPlace;
}

const MAX_CARDS = 500;

/** Creates one card per defined term, from its first definition. */
function clozeCards(terms: readonly DefinedTerm[]): ClozeCard[] {
  return [...byTerm(terms).values()].flatMap(([first]) => {
    if (first === undefined) return [];
    const { term, words, format, place } = first;
    const front = withGaps(words.replaceAll(/\s+/g, ' '), term);
    return front === undefined ? [] : [{ term, front, format, place }];
  });
}

/** The cards of a note. */
export const cloze = generateInSlices(definedTerms, (parts) => {
  const cards = clozeCards(parts.flat());
  if (cards.length < MIN_TERMS) return { pieces: [], count: 0, omitted: 0 };
  const limited = cards.slice(0, MAX_CARDS);
  const pieces = limited.flatMap(({ front, place }): Piece[] => [`- ${quoted(front)} `, place, '\n']);
  return { pieces, count: limited.length, omitted: cards.length - limited.length };
});

/** The cards of a deck. */
export const definitionCards = generateInSlices(definedTerms, (parts) => clozeCards(parts.flat()));
