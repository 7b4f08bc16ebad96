import { t } from '@vscode/l10n';
import { collator, generateInSlices, plainTerm, quoteCell, type SheetPiece } from './sheet.ts';
import { keyTerms, termsOfDocument, type Term } from './terms.ts';

/** Maximum number of entries, because nobody reads more. */
const MAX_TERMS = 120;
/** Locations of a term, at most one per section. */
const MAX_PLACES = 6;

/** A term with the longer terms that end in it, such as "agent" with "embodied agent". */
interface IndexEntry {
  readonly term: Term;
  readonly within: readonly Term[];
}

/**
 * Builds an index like at the end of a book: terms in order, each with its locations, and below it longer terms that
 * end in it.
 */
export const termIndex = generateInSlices(termsOfDocument, (documents) => {
  const parts = documents.flat();
  const { terms, omitted } = keyTerms(parts, MAX_TERMS);
  const pieces: SheetPiece[] = [];
  const add = (indent: string, { title, places }: Term): void => {
    pieces.push(
      `${indent}- ${indent === '' ? `**${quoteCell(plainTerm(title))}**` : quoteCell(plainTerm(title))} `,
    );
    const sections = new Set<string>();
    for (const { part, section, sentence } of places) {
      const place = parts[part]?.sentences[sentence];
      const where = `${String(part)} ${String(section)}`;
      if (place === undefined || sections.has(where)) continue;
      sections.add(where);
      if (sections.size <= MAX_PLACES) pieces.push(place);
    }
    pieces.push(sections.size > MAX_PLACES ? ` … ${t('{0} more', sections.size - MAX_PLACES)}\n` : '\n');
  };
  let letter = '';
  for (const { term, within } of groupByHead(terms)) {
    const initial = term.title.slice(0, 1).normalize('NFD').charAt(0).toUpperCase();
    if (initial !== letter && /\p{L}/u.test(initial)) {
      pieces.push(`${letter === '' ? '' : '\n'}## ${initial}\n\n`);
      letter = initial;
    }
    add('', term);
    for (const longer of within) add('  ', longer);
  }
  return { pieces, count: terms.length, omitted };
});

/** Sorts terms like a dictionary, with longer terms below the term that they end in. */
function groupByHead(terms: readonly Term[]): IndexEntry[] {
  const byStems = new Map(terms.map((term) => [term.stems.join(' '), term]));
  const within = new Map<Term, Term[]>();
  const main: Term[] = [];
  for (const term of terms) {
    const head = byStems.get(term.stems.at(-1) ?? '');
    if (head === undefined || head === term) main.push(term);
    else within.set(head, [...(within.get(head) ?? []), term]);
  }
  const inOrder = (groupTerms: readonly Term[]): Term[] =>
    groupTerms.toSorted((a, b) => collator.compare(a.title, b.title));
  return inOrder(main).map((term) => ({ term, within: inOrder(within.get(term) ?? []) }));
}
