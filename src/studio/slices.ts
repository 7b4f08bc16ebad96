import { markdownLines } from '../language/markdown-lines.ts';
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

/** A place where a slice may end that has so many UTF-16 code units already. */
interface Cut {
  readonly at: number;
  readonly least: number;
}

/** Stretches of a document one after another, cut where no sentence or block of code goes on, and no list or table that is not long itself. */
export function* sliceDocument(document: StudioDocument): Generator<Slice> {
  const { text } = document;
  // Letters one by one, as readers of PDF files find them in figures, are words of other languages: "e", "o", "y".
  const beginning = text
    .slice(0, TELLING_LANGUAGE)
    .replaceAll(/(?<![\p{L}\p{N}])\p{L} (?=\p{L}(?:\s|$))/gu, '');
  let from = 0;
  for (const { at, least } of findCuts(document)) {
    if (at - from < least) continue;
    yield { text: text.slice(from, at), from, beginning };
    from = at;
  }
  yield { text: text.slice(from), from, beginning };
}

function* findCuts({ text, format, headings }: StudioDocument): Generator<Cut> {
  switch (format) {
    case 'code':
      for (const { offset } of headings) yield { at: offset, least: SLICE };
      return;
    case 'markdown':
      yield* cutsOfMarkdown(text);
      return;
    case 'prose':
      // Where paragraphs begin that a blank line stands before.
      for (const { 0: blank, index } of text.matchAll(/\n[ \t]*\r?\n(?=\S)/g))
        yield { at: index + blank.length, least: SLICE };
  }
}

/** Headings and paragraphs, and of long lists and tables their items and rows. */
function* cutsOfMarkdown(text: string): Generator<Cut> {
  let isAfterBlank = true;
  for (const { kind, start } of markdownLines(text)) {
    if (/[^\s>]/.test(text.charAt(start))) {
      if (kind === 'heading' || (kind === 'text' && isAfterBlank)) yield { at: start, least: SLICE };
      else if (kind === 'item' || kind === 'row') yield { at: start, least: 2 * SLICE };
    }
    isAfterBlank = kind === 'blank';
  }
}
