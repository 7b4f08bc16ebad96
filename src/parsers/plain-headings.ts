import { beginsCaption } from '../core/language/figures.ts';
import { linesIn } from '../core/language/markdown-lines.ts';
import { endsWithMark } from '../core/language/sentences.ts';
import type { Heading } from '../core/domain/document.ts';

/** Maximum length of a title, in UTF-16 code units, and minimum length and word count of the paragraph after it. */
const MAX_TITLE_LENGTH = 80;
const MIN_PARAGRAPH_LENGTH = 120;
const MIN_WORDS = 12;
/** Level below all marked headings. */
const UNMARKED_LEVEL = 6;

/**
 * Matches `== History ==` in wikis, some with spaces between the signs, and `== History` in AsciiDoc. More signs mean a
 * deeper level.
 */
const MARKED = /^((?:= ?){0,5}=)[ \t]*([^=\s](?:.*[^=\s])?)[ \t]*((?:= ?){0,6})$/u;
const TITLE = /^(?=.*\p{L}{3})[\p{Lu}\p{Lt}\p{Lo}\p{N}].*[^.,;:!?。，；：！？\s]$/u;
const WORDS = /\p{L}{2,}/gu;

/**
 * Returns the headings of a text without Markdown headings: lines between equals signs, and short lines before a
 * paragraph of sentences that aren't sentences themselves ("Materials and Methods"). Offsets are UTF-16 code units of
 * the line's start.
 */
export function headingsOfPlainText(text: string): Heading[] {
  const headings: Heading[] = [];
  /** Line that is a title if a paragraph follows. */
  let candidate: Heading | undefined;
  let mayBegin = true;
  for (const { start, end } of linesIn(text)) {
    const line = text.slice(start, end).trim();
    if (line === '') continue;
    if (line.length > MAX_TITLE_LENGTH) {
      if (candidate !== undefined && isParagraph(line)) headings.push(candidate);
      candidate = undefined;
      mayBegin = endsWithMark(line);
      continue;
    }
    const [, signs, title = '', closing] = MARKED.exec(line) ?? [];
    if (signs !== undefined && isClosed(line, signs, closing ?? '') && TITLE.test(title)) {
      headings.push({ offset: start, level: signCount(signs), title });
      candidate = undefined;
      mayBegin = true;
      continue;
    }
    const stands = mayBegin || isAfterBlankLine(text, start);
    const isTitle = stands && TITLE.test(line) && !beginsCaption(line);
    candidate = isTitle ? { offset: start, level: UNMARKED_LEVEL, title: line } : undefined;
    // The title of a part can have the title of its first section right below it.
    mayBegin = isTitle || endsWithMark(line);
  }
  return headings;
}

/** Reports whether a heading has as many signs after it as before, or none after it and a space before it. */
function isClosed(line: string, signs: string, closing: string): boolean {
  return closing === '' ? /^=+[ \t]/.test(line) : signCount(closing) === signCount(signs);
}

function signCount(signs: string): number {
  return signs.replaceAll(' ', '').length;
}

function isParagraph(line: string): boolean {
  return (
    line.length >= MIN_PARAGRAPH_LENGTH &&
    endsWithMark(line) &&
    (line.slice(0, 1_000).match(WORDS)?.length ?? 0) >= MIN_WORDS
  );
}

function isAfterBlankLine(text: string, offset: number): boolean {
  const before = text.slice(Math.max(0, offset - 200), offset);
  return /(?:\r\n|\n|\r)[^\S\r\n]*(?:\r\n|\n|\r)[^\S\r\n]*$/.test(before);
}
