import type { PageIndex } from '../../core/domain/page-number.ts';
import type { Annotation } from '../../core/domain/annotation.ts';
import type { Heading, PdfPage } from '../../core/domain/document.ts';
import { cutBlocks, type Block } from './blocks.ts';
import { findCode } from './code.ts';
import type { GatheredLines } from './gathered-lines.ts';
import { findHeadings, asParagraph, type Paragraph } from './headings.ts';
import type { OutlineEntry } from './outline.ts';
import type { PdfMap } from './runs.ts';
import { TextWriter } from './text-writer.ts';
import { writeMarks } from './written-marks.ts';

export interface PdfText {
  readonly text: string;
  readonly map: PdfMap;
  readonly headings: readonly Heading[];
  /** `markdown` if there are tables or blocks of code, which need their markup. */
  readonly format: 'markdown' | 'prose';
}

/** Size and label of a page, in the order of the pages' lines. */
export type PageFrame = Omit<PdfPage, 'start'>;

/**
 * Writes the lines of a document's pages as one text: paragraphs between blank lines, words joined over line ends, and
 * tables and code in Markdown. Leaves out running headers and footers unless `withRunning`.
 */
export function writeText(
  gathered: GatheredLines,
  frames: readonly PageFrame[],
  outline: readonly OutlineEntry[],
  annotations: readonly Annotation[] = [],
  withRunning = false,
): PdfText & { /** One-based. */ readonly emptyPages: readonly number[] } {
  const writer = new TextWriter(gathered.spellings);
  const paragraphs: Paragraph[] = [];
  const starts: (number | undefined)[] = frames.map(() => undefined);
  let format: PdfText['format'] = 'prose';
  for (const block of cutBlocks(gathered.pages(withRunning))) {
    const offset = writer.beginBlock();
    writeBlock(writer, block, starts);
    if (block.kind !== 'text') format = 'markdown';
    else {
      const lines = block.lines.map(({ line }) => line);
      paragraphs.push(asParagraph(offset, block.lines[0]?.page ?? 0, writer.block, lines));
    }
  }
  const withStarts = pagesWith(frames, starts, writer.length);
  let onPages: ReadonlyMap<PageIndex, readonly Paragraph[]> | undefined;
  const offsetAt = (page: PageIndex, top: number | undefined): number => {
    const { start = 0, height = 0 } = withStarts[page] ?? {};
    onPages ??= Map.groupBy(paragraphs, (paragraph) => paragraph.page);
    // Baselines are measured from the upper edge.
    const below = onPages.get(page)?.find((paragraph) => paragraph.top >= height - (top ?? height));
    return below?.offset ?? start;
  };
  const headings = findHeadings(paragraphs, gathered.body, outline, offsetAt);
  const marked = writeMarks(writer, annotations, frames);
  return {
    text: writer.text,
    map: writer.mapWith(withStarts),
    headings: marked === undefined ? headings : [...headings, marked],
    format,
    emptyPages: starts.flatMap((start, index) => (start === undefined ? [index + 1] : [])),
  };
}

function writeBlock(writer: TextWriter, block: Block, starts: (number | undefined)[]): void {
  switch (block.kind) {
    case 'text':
      for (const line of block.lines) {
        const lineStart = writer.writeLine(line);
        starts[line.page] ??= lineStart;
      }
      return;
    case 'table':
      for (const [index, start] of writer.writeTable(block.rows).entries())
        starts[block.rows[index]?.page ?? 0] ??= start;
      return;
    case 'code': {
      const start = writer.writeCode(findCode(block.lines), block.page);
      starts[block.page] ??= start;
    }
  }
}

/** Returns the pages with their starts. A page without text starts where the next one does. */
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
