import { withGaps } from '../../../core/language/cloze.ts';
import type { TextFormat } from '../../../core/language/units.ts';
import type { DocumentPlace } from '../../../core/domain/artifact.ts';
import { byTerm, definedTerms, MIN_TERMS, type DefinedTerm } from './glossary.ts';
import { generateInSlices, quoteCell, type SheetPiece } from './sheet.ts';

/** Definition with gaps in place of its term: `{{c1::term}}`. */
export interface ClozeDefinition {
  readonly term: string;
  readonly front: string;
  readonly format: TextFormat;
  readonly place: DocumentPlace;
}

const MAX_CLOZES = 500;

/** Creates one cloze per defined term, from its first definition. */
function toClozes(terms: readonly DefinedTerm[]): ClozeDefinition[] {
  return [...byTerm(terms).values()].flatMap(([first]) => {
    if (first === undefined) return [];
    const { term, words, format, place } = first;
    const front = withGaps(words.replaceAll(/\s+/g, ' '), term);
    return front === undefined ? [] : [{ term, front, format, place }];
  });
}

/** Generates the note with cloze definitions. */
export const cloze = generateInSlices(definedTerms, (parts) => {
  const clozes = toClozes(parts.flat());
  if (clozes.length < MIN_TERMS) return { pieces: [], count: 0, omitted: 0 };
  const limited = clozes.slice(0, MAX_CLOZES);
  const pieces = limited.flatMap(({ front, place }): SheetPiece[] => [`- ${quoteCell(front)} `, place, '\n']);
  return { pieces, count: limited.length, omitted: clozes.length - limited.length };
});

/** Generates cloze definitions as data. */
export const clozeDefinitions = generateInSlices(definedTerms, (parts) => toClozes(parts.flat()));
