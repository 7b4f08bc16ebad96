import type { Heading, OffsetMap, PdfPage } from '../../notebook/document.ts';
import type { Block } from './blocks.ts';
import { blocksOf } from './blocks.ts';
import { codeOf } from './code.ts';
import { lengthOf } from './lines.ts';
import type { Line } from './reading-order.ts';
import { letters, TextWriter } from './text-writer.ts';

export type PdfMap = Extract<OffsetMap, { kind: 'pdf' }>;

export interface PdfText {
  readonly text: string;
  readonly map: PdfMap;
  readonly headings: readonly Heading[];
  /** Markdown where there are tables or blocks of code, which are nothing without their marks. */
  readonly format: 'markdown' | 'prose';
}

/** The size and label of a page, in the order of the pages' lines. */
export type PageFrame = Omit<PdfPage, 'start'>;

/** Text larger than the body's by this share is a heading, where it is no longer than a heading is. */
const headingSize = 1.12;
const longestHeading = 200;

/**
 * Writes the lines of a document's pages as one text: paragraphs parted by blank lines, words joined over line ends,
 * tables and code in Markdown.
 */
export function writeText(pages: readonly (readonly Line[])[], frames: readonly PageFrame[]): PdfText {
  const writer = new TextWriter(hyphenatedWords(pages));
  const bodySize = bodySizeOf(pages);
  const large: { offset: number; size: number; title: string }[] = [];
  const starts: (number | undefined)[] = frames.map(() => undefined);
  const blocks = blocksOf(pages);
  for (const block of blocks) {
    const offset = writer.beginBlock();
    writeBlock(writer, block, starts);
    if (block.kind !== 'text' || !isLarge(block, bodySize)) continue;
    const title = writer.block.replace(/\s+/g, ' ').trim();
    const size = Math.max(...block.lines.map(({ line }) => line.size));
    if (title.length <= longestHeading && /\p{L}{2}/u.test(title)) large.push({ offset, size, title });
  }
  const { text } = writer;
  return {
    text,
    map: writer.mapWith(pagesWith(frames, starts, text.length)),
    headings: headingsOf(large),
    format: blocks.some(({ kind }) => kind !== 'text') ? 'markdown' : 'prose',
  };
}

function writeBlock(writer: TextWriter, block: Block, starts: (number | undefined)[]): void {
  switch (block.kind) {
    case 'text':
      for (const { line, page, before } of block.lines) {
        const lineStart = writer.writeLine(line, page, before);
        starts[page] ??= lineStart;
      }
      return;
    case 'table': {
      const start = writer.writeTable(block.rows, block.page);
      starts[block.page] ??= start;
      return;
    }
    case 'code': {
      const start = writer.writeCode(codeOf(block.lines), block.page);
      starts[block.page] ??= start;
    }
  }
}

function isLarge({ lines }: Extract<Block, { kind: 'text' }>, bodySize: number): boolean {
  return lines.length <= 4 && lines.every(({ line }) => line.size >= headingSize * bodySize);
}

/** The words with a hyphen that stand within lines. */
function hyphenatedWords(pages: readonly (readonly Line[])[]): Set<string> {
  const found = new Set<string>();
  for (const line of pages.flat())
    for (const { text } of line.words) if (/\p{L}[-\u2010]\p{L}/u.test(text)) found.add(letters(text));
  return found;
}

/** The font size in which most of the text is set, in half points. */
function bodySizeOf(pages: readonly (readonly Line[])[]): number {
  const counts = new Map<number, number>();
  for (const line of pages.flat()) {
    const size = Math.round(2 * line.size) / 2;
    counts.set(size, (counts.get(size) ?? 0) + lengthOf(line.words));
  }
  return [...counts].reduce((best, next) => (next[1] > best[1] ? next : best), [0, 0])[0];
}

function headingsOf(large: readonly { offset: number; size: number; title: string }[]): Heading[] {
  const rounded = (size: number): number => Math.round(2 * size);
  const sizes = [...new Set(large.map(({ size }) => rounded(size)))].sort((a, b) => b - a);
  return large.map(({ offset, size, title }) => ({
    offset,
    level: Math.min(6, sizes.indexOf(rounded(size)) + 1),
    title,
  }));
}

/** A page without text begins where the next one does. */
function pagesWith(
  frames: readonly PageFrame[],
  starts: readonly (number | undefined)[],
  textLength: number,
): PdfPage[] {
  const pages: PdfPage[] = [];
  let next = textLength;
  for (let index = frames.length - 1; index >= 0; index--) {
    next = starts[index] ?? next;
    const frame = frames[index];
    if (frame) pages.unshift({ ...frame, start: next });
  }
  return pages;
}
