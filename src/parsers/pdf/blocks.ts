import type { PageIndex } from '../../core/domain/page-number.ts';
import { endOfCode } from './code.ts';
import { OpenLists } from './lists.ts';
import { breakBetween, breakBetweenPages, type LineBreak } from './paragraphs.ts';
import type { ColumnLine } from './column-lines.ts';
import { findTables, type WordRow } from './tables.ts';

/** Block between blank lines: a paragraph, heading, or list, which can span pages; a table; or a block of code. */
export type Block =
  | { readonly kind: 'text'; readonly lines: PlacedLine[] }
  | { readonly kind: 'table'; readonly rows: PlacedRow[] }
  | { readonly kind: 'code'; readonly page: PageIndex; readonly lines: readonly ColumnLine[] };

export interface PlacedLine {
  readonly line: ColumnLine;
  readonly page: PageIndex;
  readonly before: LineBreak;
  /** Number of lists around a list item's own. */
  readonly level: number | undefined;
}

/** Row of a table, which can span pages. */
export interface PlacedRow {
  readonly cells: WordRow;
  readonly page: PageIndex;
}

type Paragraph = Extract<Block, { kind: 'text' }>;
type Table = Extract<Block, { kind: 'table' }>;

/** Maximum number of rows of a table. A longer one continues as another table. */
const MAX_ROWS = 2_000;

/**
 * Yields the blocks of a document from the lines of its pages in reading order. Each can be freed once it is written.
 */
export function* cutBlocks(pages: Iterable<readonly ColumnLine[]>): Generator<Block> {
  let open: Paragraph | Table | undefined;
  const lists = new OpenLists();
  let page = 0;
  for (const lines of pages) {
    for (const part of cutParts(lines)) {
      if (part.kind === 'table') {
        const rows = part.rows.map((cells): PlacedRow => ({ cells, page }));
        const headers = open?.kind === 'table' ? countSharedHeaders(open, rows) : 0;
        if (open?.kind === 'table' && headers > 0) open.rows.push(...rows.slice(headers));
        else {
          if (open !== undefined) yield open;
          open = { kind: 'table', rows };
        }
        continue;
      }
      if (part.kind === 'code') {
        if (open !== undefined) yield open;
        open = undefined;
        yield { ...part, page };
        continue;
      }
      const { line } = part;
      const before = open?.kind === 'text' ? breakBefore(open, line, page, lists) : 'paragraph';
      const level = before === 'paragraph' || before === 'line' ? lists.take(line) : undefined;
      if (open?.kind === 'text' && before !== 'paragraph') open.lines.push({ line, page, before, level });
      else {
        if (open !== undefined) yield open;
        open = { kind: 'text', lines: [{ line, page, before: 'join', level }] };
      }
    }
    page++;
  }
  if (open !== undefined) yield open;
}

type Part =
  | { readonly kind: 'line'; readonly line: ColumnLine }
  | { readonly kind: 'table'; readonly rows: readonly WordRow[] }
  | { readonly kind: 'code'; readonly lines: readonly ColumnLine[] };

/** Returns the tables and blocks of code of a page, and the lines between them. */
function cutParts(lines: readonly ColumnLine[]): Part[] {
  const tables = new Map(findTables(lines).map((table) => [table.from, table]));
  const parts: Part[] = [];
  for (let index = 0; index < lines.length;) {
    const table = tables.get(index);
    const line = lines[index];
    const endOfBlock = endOfCode(lines, index);
    if (table !== undefined) {
      parts.push({ kind: 'table', rows: table.rows });
      index = table.to;
    } else if (endOfBlock > index) {
      parts.push({ kind: 'code', lines: lines.slice(index, endOfBlock) });
      index = endOfBlock;
    } else {
      if (line !== undefined) parts.push({ kind: 'line', line });
      index++;
    }
  }
  return parts;
}

/**
 * Returns the number of rows at the start of a page that repeat the header of the table at the end of the last one; 0
 * if they aren't its continuation.
 */
function countSharedHeaders({ rows }: Table, next: readonly PlacedRow[]): number {
  if (rows.at(-1)?.page === next[0]?.page || rows.length + next.length > MAX_ROWS) return 0;
  const other = next.findIndex(({ cells }, index) => {
    const header = rows[index]?.cells;
    return header?.length !== cells.length || rowText(header) !== rowText(cells);
  });
  return other < 0 ? next.length : other;
}

function rowText(cells: WordRow): string {
  return cells
    .map((cell) =>
      cell
        .flat()
        .map(({ text }) => text)
        .join(' '),
    )
    .join('\t');
}

function breakBefore(
  { lines }: Paragraph,
  line: ColumnLine,
  page: PageIndex,
  openLists: OpenLists,
): LineBreak {
  const previous = lines.at(-1);
  if (previous === undefined) return 'paragraph';
  return previous.page === page
    ? breakBetween(previous.line, line, openLists)
    : breakBetweenPages(previous.line, line, openLists);
}
