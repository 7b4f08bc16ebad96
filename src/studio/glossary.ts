import { t } from '@vscode/l10n';
import { findDefinitions } from '../language/definitions.ts';
import type { TextFormat } from '../language/units.ts';
import type { DocumentPlace } from '../notebook/studio.ts';
import { collator, makingInPieces, plainTerm, quoted, type Piece } from './sheet.ts';
import { sliceDocument } from './slices.ts';
import { placeIn, type StudioDocument } from './studio-document.ts';

/** A term with a sentence that says what it is. */
export interface DefinedTerm {
  readonly term: string;
  /** The term within `words`, as a UTF-16 code unit. */
  readonly at: number;
  readonly words: string;
  readonly format: TextFormat;
  readonly place: DocumentPlace;
}

/** A glossary has at most so many terms, and a term so many definitions. */
const MOST_TERMS = 500;
const MOST_DEFINITIONS = 4;

/** The terms that a document defines, in its order, slice by slice. */
export function* definedTerms(document: StudioDocument): Generator<DefinedTerm[]> {
  const { format } = document;
  for (const { text, from, beginning } of sliceDocument(document))
    yield findDefinitions(text, format, beginning).map(({ term, sentence }) => ({
      term: plainTerm(text.slice(term.start, term.end)),
      at: term.start - sentence.start,
      words: text.slice(sentence.start, sentence.end),
      format,
      place: placeIn(document, { start: from + sentence.start, end: from + sentence.end }),
    }));
}

/** What is defined, by its term: the definitions of one term together. */
export function byTerm(terms: readonly DefinedTerm[]): Map<string, DefinedTerm[]> {
  const all = new Map<string, DefinedTerm[]>();
  for (const one of terms) {
    const key = one.term.toLowerCase();
    const known = all.get(key);
    if (known === undefined) all.set(key, [one]);
    else if (known.every(({ words }) => words !== one.words)) known.push(one);
  }
  return all;
}

/** The definitions that stand in the text, in the order of their terms. */
export const glossary = makingInPieces(definedTerms, (parts) => {
  const terms = [...byTerm(parts.flat()).values()];
  const kept = terms.slice(0, MOST_TERMS).sort(([a], [b]) => collator.compare(a?.term ?? '', b?.term ?? ''));
  const pieces = kept.flatMap((definitions): Piece[] => [
    `**${quoted(definitions[0]?.term ?? '')}**\n\n`,
    ...definitions
      .slice(0, MOST_DEFINITIONS)
      .flatMap(({ words, place }): Piece[] => [`- ${quoted(words)} `, place, '\n']),
    definitions.length > MOST_DEFINITIONS
      ? `- … ${t('{0} more', definitions.length - MOST_DEFINITIONS)}\n`
      : '',
    '\n',
  ]);
  return { pieces, count: kept.length, omitted: terms.length - kept.length };
});
