import type { Span } from '../language/span.ts';
import type { TextFormat } from '../language/units.ts';
import type { Heading } from '../notebook/document.ts';
import type { DocumentPlace } from '../notebook/studio.ts';

/** A document that something is made of. */
export interface StudioDocument {
  readonly documentId: number;
  /** As it is cited. */
  readonly title: string;
  readonly text: string;
  readonly format: TextFormat;
  readonly headings: readonly Heading[];
}

/** So much of cited words is marked where they open, in UTF-16 code units. */
const LONGEST_CITED = 1_000;
const LONGEST_HEADING = 300;

/** The beginning of a stretch of a document, as words to cite. */
export function placeIn({ documentId, text }: StudioDocument, { start, end }: Span): DocumentPlace {
  let to = Math.min(end, start + LONGEST_CITED, text.length);
  // No pair of units is parted.
  const last = text.charCodeAt(to - 1);
  if (to < end && last >= 0xd800 && last < 0xdc00) to--;
  return { documentId, start, end: to };
}

/** The line that a section begins with, without the blanks around it; undefined where nothing stands there. */
export function headingPlace(
  document: StudioDocument,
  { offset }: Pick<Heading, 'offset'>,
): DocumentPlace | undefined {
  const text = document.text.slice(offset, offset + LONGEST_HEADING);
  const start = text.search(/\S/);
  if (start < 0) return undefined;
  const line =
    text
      .slice(start)
      .split(/[\r\n]/, 1)[0]
      ?.trimEnd() ?? '';
  return placeIn(document, { start: offset + start, end: offset + start + line.length });
}
