import { markdownLines } from '../language/markdown-lines.ts';
import type { Citation } from './answer.ts';
import { sanitizeWords } from './sanitize-markdown.ts';
import { withoutVerdictMarks } from './verdict-marks.ts';

/** Folder beside the notes whose files represent citations. */
export const CITATION_FOLDER = 'citation';

/** Maximum length of a link's title, in UTF-16 code units. */
const MAX_PLACE_LENGTH = 300;

/**
 * Link of a citation in a note: `[1](citation/0f3a… "garden.md, L3")`. Offsets are UTF-16 code units of the note's
 * text.
 */
export interface CitationLink {
  readonly start: number;
  readonly end: number;
  /** End of its label, including the brackets. */
  readonly labelEnd: number;
  readonly id: string;
}

/** Returns the Markdown of a citation's link, with its location as the title. */
export function citationLink(label: string, id: string, citation: Pick<Citation, 'place' | 'title'>): string {
  const place = [citation.title, citation.place].filter((part) => part !== '').join(', ');
  // No character may end the title, or begin code or HTML that reaches beyond it.
  const title = sanitizeWords(place.replaceAll(/[\s`<>"\\$|]+/g, ' ').slice(0, MAX_PLACE_LENGTH));
  return `[${label}](${CITATION_FOLDER}/${id}${title === '' ? '' : ` "${title}"`})`;
}

/** Returns the links to citations in a note, in order, without those in fenced code. */
export function citationLinks(text: string): CitationLink[] {
  return Array.from(markdownLines(text)).flatMap(({ kind, start, end }) =>
    kind === 'opening' || kind === 'code' || kind === 'closing'
      ? []
      : linksOfLine(text.slice(start, end), start),
  );
}

/** Returns a note's text without the links to citations and the marks of the fact check. */
export function removeCitations(text: string): string {
  let words = '';
  let from = 0;
  for (const { start, end } of citationLinks(text)) {
    words += text.slice(from, start).trimEnd();
    from = end;
  }
  return withoutVerdictMarks(words + text.slice(from));
}

/** @param from offset of the line in the text */
function linksOfLine(line: string, from: number): CitationLink[] {
  const pattern = /(\[[^[\]]{0,200}\])\(citation\/([\da-f]{16})(?:[ \t]+"[^"]{0,500}")?\)/g;
  return Array.from(line.matchAll(pattern), ({ 0: whole, 1: label = '', 2: id = '', index }) => {
    const start = from + index;
    return { start, end: start + whole.length, labelEnd: start + label.length, id };
  });
}
