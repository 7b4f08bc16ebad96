import type { Heading } from '../../notebook/document.ts';
import { lengthOf } from './lines.ts';
import type { OutlineEntry } from './outline.ts';
import type { Line } from './reading-order.ts';

/** A paragraph of the text: where it begins, its words, and its lines; page numbers are zero-based. */
export interface Paragraph {
  readonly offset: number;
  readonly page: number;
  readonly text: string;
  readonly lines: readonly Line[];
}

/** Text larger than the body's by this share is a heading, where it is no longer than a heading is. */
const headingSize = 1.12;
const longestHeading = 200;
/** The same for text that differs from the body by its font alone. */
const longestInFont = 100;
/** A font in which more of a page is set than this share is one of the body's. */
const shareOfHeadings = 0.2;

const caption =
  /^(?:fig(?:ure)?|table|tab|listing|example|equation|chart|abb(?:ildung)?|tabelle|tableau|figura|tabla)\b[. ]*\d/i;
const sentenceEnd = /[.,;:!?。！？、]$/;

/** The size in which most of a document is set, and of each page the font. */
export interface Body {
  readonly size: number;
  readonly fonts: readonly (ReadonlyMap<string, number> | undefined)[];
}

export function bodyOf(pages: readonly (readonly Line[])[]): Body {
  const sizes = new Map<number, number>();
  const fonts = pages.map((lines) => {
    const shares = new Map<string, number>();
    let all = 0;
    for (const line of lines) {
      const length = lengthOf(line.words);
      // In half points.
      const size = Math.round(2 * line.size) / 2;
      sizes.set(size, (sizes.get(size) ?? 0) + length);
      if (line.font !== undefined) shares.set(line.font, (shares.get(line.font) ?? 0) + length);
      all += length;
    }
    for (const [font, length] of shares) shares.set(font, length / all);
    return shares;
  });
  return { size: [...sizes].reduce((best, next) => (next[1] > best[1] ? next : best), [0, 0])[0], fonts };
}

interface Found {
  readonly offset: number;
  readonly title: string;
  /** In half points; 0 for those that a font alone makes headings. */
  readonly size: number;
}

/**
 * The headings of a document: its outline where it has one, and what larger letters or another font than the body's
 * show to be one, deeper than what the outline says of that place.
 */
export function headingsOf(
  paragraphs: readonly Paragraph[],
  body: Body,
  outline: readonly OutlineEntry[],
  /** Of a place on a page that no words of the outline were found on. */
  offsetAt: (page: number, top: number | undefined) => number,
): Heading[] {
  const marked = outline.length < 2 ? [] : fromOutline(paragraphs, outline, offsetAt);
  const taken = new Set(marked.map(({ offset }) => offset));
  const seen = paragraphs.flatMap((paragraph) => {
    const found = taken.has(paragraph.offset) ? undefined : asHeading(paragraph, body);
    return found === undefined ? [] : [found];
  });
  const sizes = [...new Set(seen.map(({ size }) => size))].sort((a, b) => b - a);
  const inside = seen.map(({ offset, title, size }): Heading => {
    const around = marked.findLast((heading) => heading.offset < offset)?.level ?? 0;
    return { offset, title, level: Math.min(6, around + sizes.indexOf(size) + 1) };
  });
  return [...marked, ...inside].sort((a, b) => a.offset - b.offset);
}

function asHeading({ offset, page, text, lines }: Paragraph, body: Body): Found | undefined {
  const title = text.replace(/\s+/g, ' ').trim();
  if (title.length > longestHeading || !/\p{L}{2}/u.test(title)) return undefined;
  const size = Math.max(...lines.map((line) => line.size));
  if (lines.length <= 4 && lines.every((line) => line.size >= headingSize * body.size))
    return { offset, title, size: Math.round(2 * size) };
  const font = lines[0]?.font;
  const share = font === undefined ? 1 : (body.fonts[page]?.get(font) ?? 1);
  const standsOut =
    share <= shareOfHeadings &&
    lines.length <= 2 &&
    lines.every((line) => line.font === font && line.size >= 0.95 * body.size && !line.monospaced);
  if (!standsOut || title.length > longestInFont || sentenceEnd.test(title)) return undefined;
  return /^[\p{Lu}\p{Lo}\d]/u.test(title) && /\p{L}{3}|\p{Lo}{2}/u.test(title) && !caption.test(title)
    ? { offset, title, size: 0 }
    : undefined;
}

function fromOutline(
  paragraphs: readonly Paragraph[],
  outline: readonly OutlineEntry[],
  offsetAt: (page: number, top: number | undefined) => number,
): Heading[] {
  const onPage = Map.groupBy(paragraphs, ({ page }) => page);
  const headings = new Map<number, Heading>();
  for (const { title, level, page, top } of outline) {
    const words = lettersOf(title);
    const same = (onPage.get(page) ?? []).find(({ text }) => isTitle(lettersOf(text), words));
    const offset = same?.offset ?? offsetAt(page, top);
    if (!headings.has(offset)) headings.set(offset, { offset, level, title });
  }
  return [...headings.values()];
}

/** A paragraph that begins with a bookmark's words, or is these without the number before them. */
function isTitle(paragraph: string, bookmark: string): boolean {
  if (bookmark === '' || paragraph === '') return false;
  return paragraph.startsWith(bookmark) || (paragraph.length > 3 && bookmark.endsWith(paragraph));
}

function lettersOf(text: string): string {
  return text
    .slice(0, 2 * longestHeading)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}
