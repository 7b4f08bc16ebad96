import type { Heading, OffsetMap, PdfPage } from '../../notebook/document.ts';
import type { Block } from './blocks.ts';
import { blocksOf } from './blocks.ts';
import { codeOf } from './code.ts';
import type { Paragraph } from './headings.ts';
import { bodyOf, headingsOf } from './headings.ts';
import type { OutlineEntry } from './outline.ts';
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

/**
 * Writes the lines of a document's pages as one text: paragraphs parted by blank lines, words joined over line ends,
 * tables and code in Markdown.
 */
export function writeText(
  pages: readonly (readonly Line[])[],
  frames: readonly PageFrame[],
  outline: readonly OutlineEntry[],
): PdfText {
  const writer = new TextWriter(hyphenatedWords(pages));
  const paragraphs: Paragraph[] = [];
  const starts: (number | undefined)[] = frames.map(() => undefined);
  const blocks = blocksOf(pages);
  for (const block of blocks) {
    const offset = writer.beginBlock();
    writeBlock(writer, block, starts);
    if (block.kind !== 'text') continue;
    const lines = block.lines.map(({ line }) => line);
    paragraphs.push({ offset, page: block.lines[0]?.page ?? 0, text: writer.block, lines });
  }
  const { text } = writer;
  const withStarts = pagesWith(frames, starts, text.length);
  const offsetAt = (page: number, top: number | undefined): number => {
    const { start = 0, height = 0 } = withStarts[page] ?? {};
    // Baselines count from the upper edge.
    const below = paragraphs.find(
      (paragraph) =>
        paragraph.page === page && (paragraph.lines[0]?.baseline ?? 0) >= height - (top ?? height),
    );
    return below?.offset ?? start;
  };
  return {
    text,
    map: writer.mapWith(withStarts),
    headings: headingsOf(paragraphs, bodyOf(pages), outline, offsetAt),
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

/** The words with a hyphen that stand within lines. */
function hyphenatedWords(pages: readonly (readonly Line[])[]): Set<string> {
  const found = new Set<string>();
  for (const line of pages.flat())
    for (const { text } of line.words) if (/\p{L}[-\u2010]\p{L}/u.test(text)) found.add(letters(text));
  return found;
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
