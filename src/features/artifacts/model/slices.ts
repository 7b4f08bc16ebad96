import { markdownLines } from '../../../core/language/markdown-lines.ts';
import type { GeneratorDocument } from './generator-document.ts';

/** Approximate length of a slice, in UTF-16 code units, so that processing it doesn't block others for long. */
const SLICE = 50_000;
/** Length of the text that determines the language, in UTF-16 code units. */
const TELLING_LANGUAGE = 20_000;

/** A stretch of a document, which is read by itself. */
export interface Slice {
  readonly text: string;
  /** Start in the document, in UTF-16 code units. */
  readonly from: number;
  /** Beginning of the document, which determines its language. */
  readonly beginning: string;
}

/** Possible end of a slice, with the minimum length of the slice in UTF-16 code units. */
interface Cut {
  readonly at: number;
  readonly minLength: number;
}

/**
 * Splits a document into consecutive slices, never within a sentence or code block, and within a list or table only if
 * it is long.
 */
export function* sliceDocument(document: GeneratorDocument): Generator<Slice> {
  const { text } = document;
  // PDF readers find single letters in figures. Some are words of other languages: "e", "o", "y".
  const beginning = text
    .slice(0, TELLING_LANGUAGE)
    .replaceAll(/(?<![\p{L}\p{N}])\p{L} (?=\p{L}(?:\s|$))/gu, '');
  let from = 0;
  for (const { at, minLength } of findCuts(document)) {
    if (at - from < minLength) continue;
    yield { text: text.slice(from, at), from, beginning };
    from = at;
  }
  yield { text: text.slice(from), from, beginning };
}

function* findCuts({ text, format, headings }: GeneratorDocument): Generator<Cut> {
  switch (format) {
    case 'code':
      for (const { offset } of headings) yield { at: offset, minLength: SLICE };
      return;
    case 'markdown':
      yield* cutsOfMarkdown(text);
      return;
    case 'prose':
      // Split at paragraphs after a blank line.
      for (const { 0: blank, index } of text.matchAll(/\n[ \t]*\r?\n(?=\S)/g))
        yield { at: index + blank.length, minLength: SLICE };
  }
}

/** Yields the starts of headings, of paragraphs, and of the items and rows of long lists and tables. */
function* cutsOfMarkdown(text: string): Generator<Cut> {
  let isAfterBlank = true;
  for (const { kind, start } of markdownLines(text)) {
    if (/[^\s>]/.test(text.charAt(start))) {
      if (kind === 'heading' || (kind === 'text' && isAfterBlank)) yield { at: start, minLength: SLICE };
      else if (kind === 'item' || kind === 'row') yield { at: start, minLength: 2 * SLICE };
    }
    isAfterBlank = kind === 'blank';
  }
}
