import type { Span } from '../../../core/language/span.ts';
import type { TextFormat } from '../../../core/language/units.ts';
import type { Heading } from '../../../core/domain/document.ts';
import type { DocumentPlace } from '../../../core/domain/artifact.ts';

/** Document for generating artifacts. */
export interface GeneratorDocument {
  readonly documentId: number;
  /** Title in citations. */
  readonly title: string;
  readonly text: string;
  readonly format: TextFormat;
  readonly headings: readonly Heading[];
}

/**
 * Maximum length of cited text that is highlighted when opened, in UTF-16 code units, and maximum length of a heading.
 */
const MAX_CITED_LENGTH = 1_000;
const MAX_HEADING_LENGTH = 300;

/** Returns the beginning of a span of a document, for a citation. */
export function placeIn({ documentId, text }: GeneratorDocument, { start, end }: Span): DocumentPlace {
  let to = Math.min(end, start + MAX_CITED_LENGTH, text.length);
  // Don't split a surrogate pair.
  const last = text.charCodeAt(to - 1);
  if (to < end && last >= 0xd800 && last < 0xdc00) to--;
  return { documentId, start, end: to };
}

/** Returns the first line of a section, trimmed; undefined if it is empty. */
export function headingPlace(
  document: GeneratorDocument,
  { offset }: Pick<Heading, 'offset'>,
): DocumentPlace | undefined {
  const text = document.text.slice(offset, offset + MAX_HEADING_LENGTH);
  const start = text.search(/\S/);
  if (start < 0) return undefined;
  const line =
    text
      .slice(start)
      .split(/[\r\n]/, 1)[0]
      ?.trimEnd() ?? '';
  return placeIn(document, { start: offset + start, end: offset + start + line.length });
}
