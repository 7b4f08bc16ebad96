import { endOfCode } from './code.ts';
import type { LineBreak } from './paragraphs.ts';
import { breakBetween, breakBetweenPages } from './paragraphs.ts';
import type { Line } from './reading-order.ts';
import type { Row } from './tables.ts';
import { tablesOf } from './tables.ts';

/** What stands between blank lines: a paragraph, heading or list, which may go on over pages; a table; a block of code. */
export type Block =
  | { readonly kind: 'text'; readonly lines: PlacedLine[] }
  | { readonly kind: 'table'; readonly page: number; readonly rows: readonly Row[] }
  | { readonly kind: 'code'; readonly page: number; readonly lines: readonly Line[] };

export interface PlacedLine {
  readonly line: Line;
  /** Zero-based. */
  readonly page: number;
  readonly before: LineBreak;
}

/** The blocks of a document, of the lines of its pages in reading order. */
export function blocksOf(pages: readonly (readonly Line[])[]): Block[] {
  const blocks: Block[] = [];
  for (const [page, lines] of pages.entries()) {
    const tables = new Map(tablesOf(lines).map((table) => [table.from, table]));
    for (let index = 0; index < lines.length;) {
      const table = tables.get(index);
      const endOfBlock = endOfCode(lines, index);
      if (table !== undefined) {
        blocks.push({ kind: 'table', page, rows: table.rows });
        index = table.to;
      } else if (endOfBlock > index) {
        blocks.push({ kind: 'code', page, lines: lines.slice(index, endOfBlock) });
        index = endOfBlock;
      } else {
        const line = lines[index];
        if (line !== undefined) addLine(blocks, line, page);
        index++;
      }
    }
  }
  return blocks;
}

function addLine(blocks: Block[], line: Line, page: number): void {
  const last = blocks.at(-1);
  const previous = last?.kind === 'text' ? last.lines.at(-1) : undefined;
  if (last?.kind !== 'text' || previous === undefined) {
    blocks.push({ kind: 'text', lines: [{ line, page, before: 'join' }] });
    return;
  }
  const before =
    previous.page === page ? breakBetween(previous.line, line) : breakBetweenPages(previous.line, line);
  if (before === 'paragraph') blocks.push({ kind: 'text', lines: [{ line, page, before: 'join' }] });
  else last.lines.push({ line, page, before });
}
