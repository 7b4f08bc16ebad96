import type { StudioDocument } from './studio-document.ts';

/** A slice has about so many UTF-16 code units: it takes less than what others may wait. */
const SLICE = 50_000;
/** What tells a text's language, in UTF-16 code units. */
const TELLING_LANGUAGE = 20_000;

/** A stretch of a document, which is read by itself. */
export interface Slice {
  readonly text: string;
  /** Where it begins in the document, as a UTF-16 code unit. */
  readonly from: number;
  /** The beginning of the document, which tells its language. */
  readonly beginning: string;
}

/** Stretches of a document one after another, cut where no sentence, list or block of code goes on. */
export function* slicesOf({ text, format, headings }: StudioDocument): Generator<Slice> {
  const beginning = text.slice(0, TELLING_LANGUAGE);
  const cuts = format === 'prose' ? paragraphsIn(text) : headings.map(({ offset }) => offset);
  let from = 0;
  for (const cut of cuts) {
    if (cut - from < SLICE) continue;
    yield { text: text.slice(from, cut), from, beginning };
    from = cut;
  }
  yield { text: text.slice(from), from, beginning };
}

/** Where paragraphs begin that a blank line stands before. */
function* paragraphsIn(text: string): Generator<number> {
  for (const { 0: blank, index } of text.matchAll(/\n[ \t]*\r?\n(?=\S)/g)) yield index + blank.length;
}
