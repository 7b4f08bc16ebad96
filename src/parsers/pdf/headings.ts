import type { PageIndex } from '../../core/domain/page-number.ts';
import { plainWords } from '../../core/language/words/folding.ts';
import { beginsCaption } from '../../core/language/figures.ts';
import type { Heading } from '../../core/domain/document.ts';
import type { OutlineEntry } from './outline.ts';
import type { ColumnLine } from './column-lines.ts';
import { greatest, least } from './numbers.ts';

/** Paragraph with its start, words, and typography; page numbers are zero-based. */
export interface Paragraph {
  readonly offset: number;
  readonly page: PageIndex;
  /** Text of the paragraph, cut if it is longer than any heading. */
  readonly text: string;
  readonly lines: number;
  readonly smallest: number;
  readonly largest: number;
  /** Font; undefined if it changes. */
  readonly font: string | undefined;
  readonly monospaced: boolean;
  /** Position of its first line, in points from the page's upper edge. */
  readonly top: number;
}

/** Returns the properties of a paragraph's lines to keep, so that the lines can be freed. */
export function asParagraph(
  offset: number,
  page: PageIndex,
  text: string,
  lines: readonly ColumnLine[],
): Paragraph {
  const sizes = lines.map(({ size }) => size);
  const font = lines[0]?.font;
  return {
    offset,
    page,
    text:
      text.length > 2 * MAX_HEADING_LENGTH
        ? Buffer.from(text.slice(0, 2 * MAX_HEADING_LENGTH)).toString()
        : text,
    lines: lines.length,
    smallest: least(sizes),
    largest: greatest(sizes),
    font: lines.every((line) => line.font === font) ? font : undefined,
    monospaced: lines.some(({ monospaced }) => monospaced),
    top: (lines[0]?.way === 'down' ? lines[0].left : lines[0]?.baseline) ?? 0,
  };
}

/** Minimum size of a heading relative to the body text, and maximum length of a heading. */
const HEADING_SIZE = 1.12;
const MAX_HEADING_LENGTH = 200;
/**
 * Maximum number of lines of a heading, and maximum lines and minimum relative size of one that differs only by font.
 */
const MAX_LINES = 4;
const MAX_LINES_IN_FONT = 2;
const MIN_FONT_RUN = 0.95;
/** Maximum length of a heading that differs from the body only by font. */
const MAX_FONT_RUN_LENGTH = 100;
/** Maximum number of consecutive headings that differ only by font, without text between them. */
const MAX_CONSECUTIVE = 2;
/** Share of a page above which a font belongs to the body text. */
const SHARE_OF_HEADINGS = 0.2;

/** Matches the end of text that isn't a heading: of a sentence, or of a part that continues. */
const PUNCTUATED = /[.,;:!?。！？、]$/;

/** Font size of most of a document, and the share of each font on each page. */
export interface Body {
  readonly size: number;
  readonly fonts: readonly ReadonlyMap<string, number>[];
}

interface HeadingCandidate {
  readonly offset: number;
  readonly title: string;
  /** Font size in half points; 0 for a heading that differs only by font. */
  readonly size: number;
}

/**
 * Returns the headings of a document: its outline, if any, and text in larger letters or in another font than the body,
 * at levels below the surrounding outline entry.
 */
export function findHeadings(
  paragraphs: readonly Paragraph[],
  body: Body,
  outline: readonly OutlineEntry[],
  /** Returns the offset of a page position at which no words of the outline were found. */
  offsetAt: (page: PageIndex, top: number | undefined) => number,
): Heading[] {
  const marked = outline.length < 2 ? [] : fromOutline(paragraphs, outline, offsetAt);
  const markedOffsets = new Set(marked.map(({ offset }) => offset));
  const candidates = paragraphs.map((paragraph) =>
    markedOffsets.has(paragraph.offset) ? undefined : asHeading(paragraph, body),
  );
  const headings = withoutLabels(candidates);
  const sizes = [...new Set(headings.map(({ size }) => size))].sort((a, b) => b - a);
  const inside = headings.map(({ offset, title, size }): Heading => {
    const around = marked.findLast((heading) => heading.offset < offset)?.level ?? 0;
    return { offset, title, level: Math.min(6, around + sizes.indexOf(size) + 1) };
  });
  return [...marked, ...inside].sort((a, b) => a.offset - b.offset);
}

/**
 * Removes long rows of headings that differ only by font and have no text between them: these are labels of a picture.
 */
function withoutLabels(candidates: readonly (HeadingCandidate | undefined)[]): HeadingCandidate[] {
  const remaining: HeadingCandidate[] = [];
  let row: HeadingCandidate[] = [];
  for (const candidate of [...candidates, undefined]) {
    if (candidate?.size === 0) row.push(candidate);
    else {
      if (row.length <= MAX_CONSECUTIVE) remaining.push(...row);
      row = [];
      if (candidate !== undefined) remaining.push(candidate);
    }
  }
  return remaining;
}

function asHeading(paragraph: Paragraph, body: Body): HeadingCandidate | undefined {
  const { offset, page, lines, smallest, largest, font } = paragraph;
  if (lines > MAX_LINES) return undefined;
  const title = paragraph.text.replace(/\s+/g, ' ').trim();
  if (title.length > MAX_HEADING_LENGTH || !/\p{L}{2}/u.test(title)) return undefined;
  if (smallest >= HEADING_SIZE * body.size) return { offset, title, size: Math.round(2 * largest) };
  const share = font === undefined ? 1 : (body.fonts[page]?.get(font) ?? 1);
  const standsOut =
    share <= SHARE_OF_HEADINGS &&
    lines <= MAX_LINES_IN_FONT &&
    smallest >= MIN_FONT_RUN * body.size &&
    !paragraph.monospaced;
  if (!standsOut || title.length > MAX_FONT_RUN_LENGTH || PUNCTUATED.test(title)) return undefined;
  return /^[\p{Ps}\p{Pi}§]?[\p{Lu}\p{Lo}\d]/u.test(title) &&
    /\p{L}{3}|\p{Lo}{2}/u.test(title) &&
    !beginsCaption(title)
    ? { offset, title, size: 0 }
    : undefined;
}

function fromOutline(
  paragraphs: readonly Paragraph[],
  outline: readonly OutlineEntry[],
  offsetAt: (page: PageIndex, top: number | undefined) => number,
): Heading[] {
  const onPage = Map.groupBy(paragraphs, ({ page }) => page);
  // Several bookmarks can point to a page.
  const lettersByParagraph = new Map<Paragraph, string>();
  const lettersOf = (paragraph: Paragraph): string => {
    const known = lettersByParagraph.get(paragraph);
    if (known !== undefined) return known;
    const own = lettersOnly(paragraph.text);
    lettersByParagraph.set(paragraph, own);
    return own;
  };
  const headings = new Map<number, Heading>();
  for (const { title, level, page, top } of outline) {
    const words = lettersOnly(title);
    const same = (onPage.get(page) ?? []).find((paragraph) => isTitle(lettersOf(paragraph), words));
    const offset = same?.offset ?? offsetAt(page, top);
    if (!headings.has(offset)) headings.set(offset, { offset, level, title });
  }
  return [...headings.values()];
}

/** Reports whether a paragraph starts with a bookmark's words, or equals them without the number before. */
function isTitle(paragraph: string, bookmark: string): boolean {
  if (bookmark === '' || paragraph === '') return false;
  return paragraph.startsWith(bookmark) || (paragraph.length > 3 && bookmark.endsWith(paragraph));
}

function lettersOnly(text: string): string {
  return plainWords(text.slice(0, 2 * MAX_HEADING_LENGTH)).join('');
}
