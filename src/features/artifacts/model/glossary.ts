import { t } from '@vscode/l10n';
import { findDefinitions } from '../../../core/language/definitions.ts';
import { findDefinedNames, findShortForms } from '../../../core/language/short-forms.ts';
import type { Span } from '../../../core/language/span.ts';
import { cutUnits, type TextFormat } from '../../../core/language/units.ts';
import type { DocumentPlace } from '../../../core/domain/artifact.ts';
import { collator, generateInSlices, plainTerm, quoteCell, type SheetPiece } from './sheet.ts';
import { sliceDocument } from './slices.ts';
import { placeIn, type GeneratorDocument } from './generator-document.ts';

/** Term with its defining sentence. */
export interface DefinedTerm {
  readonly term: string;
  /** The term within `words`, as a UTF-16 code unit. */
  readonly at: number;
  readonly words: string;
  readonly format: TextFormat;
  readonly place: DocumentPlace;
}

/** Maximum number of terms in a glossary, and of definitions per term. */
const MAX_TERMS = 500;
const MAX_DEFINITIONS = 4;
/** Minimum number of terms of a glossary, because readers think that a shorter one is complete. */
export const MIN_TERMS = 5;
/** Maximum length of a definition, in UTF-16 code units. A longer sentence says more than the meaning of a name. */
const MAX_SENTENCE_LENGTH = 600;

/** Yields the terms that a document defines, in order, slice by slice. */
export function* definedTerms(document: GeneratorDocument): Generator<DefinedTerm[]> {
  const { format } = document;
  for (const { text, from, beginning } of sliceDocument(document)) {
    const toTerm = (term: Span, words: Span): DefinedTerm => ({
      term: plainTerm(text.slice(term.start, term.end)),
      at: term.start - words.start,
      words: text.slice(words.start, words.end),
      format,
      place: placeIn(document, { start: from + words.start, end: from + words.end }),
    });
    const definitions = findDefinitions(text, format, beginning);
    const shortForms = format === 'code' ? [] : findShortForms(text);
    const names = format === 'code' ? [] : sentencesWithNames(text, format);
    yield [
      ...definitions.map(({ term, sentence }) => toTerm(term, sentence)),
      ...shortForms.map(({ term, words }) => toTerm(term, words)),
      ...names.map(({ term, words }) => toTerm(term, words)),
    ].sort((a, b) => a.place.start - b.place.start);
  }
}

/** Finds names in brackets after their referents, each with its sentence. */
function sentencesWithNames(
  text: string,
  format: TextFormat,
): { readonly term: Span; readonly words: Span }[] {
  if (!/\([^()\n]{0,60}["“„«]/.test(text)) return [];
  return cutUnits(text, format, []).flatMap((unit) =>
    unit.kind === 'sentence' && unit.end - unit.start <= MAX_SENTENCE_LENGTH
      ? findDefinedNames(text, unit).map((term) => ({ term, words: { start: unit.start, end: unit.end } }))
      : [],
  );
}

/** Groups definitions by their term. */
export function byTerm(terms: readonly DefinedTerm[]): Map<string, DefinedTerm[]> {
  const definitionsByTerm = new Map<string, DefinedTerm[]>();
  for (const term of terms) {
    // "LLMs" is the plural of "LLM".
    const key = term.term.replace(/(?<=\p{Lu})s$/u, '').toLowerCase();
    const known = definitionsByTerm.get(key);
    if (known === undefined) definitionsByTerm.set(key, [term]);
    else if (known.every(({ words }) => words !== term.words)) known.push(term);
  }
  return definitionsByTerm;
}

/** Lists the definitions in the text, in the order of their terms. */
export const glossary = generateInSlices(definedTerms, (parts) => {
  const terms = [...byTerm(parts.flat()).values()];
  if (terms.length < MIN_TERMS) return { pieces: [], count: 0, omitted: 0 };
  const listedTerms = terms
    .slice(0, MAX_TERMS)
    .sort(([a], [b]) => collator.compare(a?.term ?? '', b?.term ?? ''));
  const pieces = listedTerms.flatMap((definitions): SheetPiece[] => [
    `**${quoteCell(definitions[0]?.term ?? '')}**\n\n`,
    ...definitions
      .slice(0, MAX_DEFINITIONS)
      .flatMap(({ words, place }): SheetPiece[] => [`- ${quoteCell(words)} `, place, '\n']),
    definitions.length > MAX_DEFINITIONS
      ? `- … ${t('{0} more', definitions.length - MAX_DEFINITIONS)}\n`
      : '',
    '\n',
  ]);
  return { pieces, count: listedTerms.length, omitted: terms.length - listedTerms.length };
});
