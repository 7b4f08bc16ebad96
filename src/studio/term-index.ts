import { t } from '@vscode/l10n';
import { collator, makingInPieces, plainTerm, quoted, type Piece } from './sheet.ts';
import { keyTerms, termsOfDocument } from './terms.ts';

const MOST_TERMS = 300;
/** Places of a term, one a section. */
const MOST_PLACES = 8;

/** An index as books have it at their end: terms in their order, each with the places where it is spoken of. */
export const termIndex = makingInPieces(termsOfDocument, (documents) => {
  const parts = documents.flat();
  const { terms: key, omitted } = keyTerms(parts, MOST_TERMS);
  const terms = key.toSorted((a, b) => collator.compare(a.title, b.title));
  const pieces: Piece[] = [];
  let letter = '';
  for (const { title, places } of terms) {
    const initial = title.slice(0, 1).normalize('NFD').charAt(0).toUpperCase();
    if (initial !== letter && /\p{L}/u.test(initial)) {
      pieces.push(`${letter === '' ? '' : '\n'}## ${initial}\n\n`);
      letter = initial;
    }
    pieces.push(`- **${quoted(plainTerm(title))}** `);
    const sections = new Set<string>();
    for (const { part, section, sentence } of places) {
      const place = parts[part]?.sentences[sentence];
      const where = `${String(part)} ${String(section)}`;
      if (place === undefined || sections.has(where)) continue;
      sections.add(where);
      if (sections.size <= MOST_PLACES) pieces.push(place);
    }
    pieces.push(sections.size > MOST_PLACES ? ` … ${t('{0} more', sections.size - MOST_PLACES)}\n` : '\n');
  }
  return { pieces, count: terms.length, omitted };
});
