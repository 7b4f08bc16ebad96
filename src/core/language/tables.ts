import {
  cellSpans,
  isTableRow,
  isTableRule,
  markdownLines,
  rowCells,
  type MarkdownLine,
} from './markdown-lines.ts';
import type { Span } from './span.ts';

/** Table in Markdown, with its caption and header. */
export interface Table extends Span {
  /** Short paragraphs directly above it: caption, unit, column groups. */
  readonly caption: readonly Span[];
  /** Rows with the column names. A table that continues an earlier one has the header of that one. */
  readonly header: readonly Span[];
  readonly rows: readonly TableRow[];
  /** `true` if it has neither caption nor header, like a table that was split. */
  readonly isCut: boolean;
}

/** Row of a table below its header, and the last row above it that consists only of a name: "Current assets:". */
export interface TableRow extends Span {
  readonly under: Span | undefined;
}

/** Maximum length of a caption. */
const MAX_CAPTION_LENGTH = 200;
/** Maximum number of short paragraphs in a caption. */
const MAX_CAPTIONS = 3;
/** Maximum number of header rows. */
const MAX_HEADER_ROWS = 4;

const AMOUNT = /^[^\p{L}\d]{0,4}\d[\d.,\s]{0,40}[^\p{L}\d]{0,4}$/u;
const YEAR = /^(?:19|20)\d\d$/;

/** Paragraph or list line above a possible table. */
interface Above extends Span {
  readonly isShort: boolean;
}

interface Row extends Span {
  readonly cells: readonly string[];
}

/** Returns the tables of a text in order. `headings` are the starts of headings, which aren't captions. */
export function findTables(text: string, headings: ReadonlySet<number> = new Set()): Table[] {
  const tables: Table[] = [];
  let above: Above[] = [];
  let rows: MarkdownLine[] = [];
  let open: { start: number; end: number } | undefined;
  const closeParagraph = (): void => {
    if (open !== undefined) above.push({ ...open, isShort: open.end - open.start <= MAX_CAPTION_LENGTH });
    open = undefined;
  };
  const closeTable = (): void => {
    if (rows.length === 0) return;
    tables.push(readTable(text, rows, above, tables.at(-1)));
    rows = [];
    above = [];
  };
  for (const line of markdownLines(text)) {
    if (line.kind === 'row' || line.kind === 'rule') {
      closeParagraph();
      rows.push(line);
      continue;
    }
    closeTable();
    if (line.kind === 'text') {
      if (headings.has(line.start)) {
        closeParagraph();
        above = [];
      } else if (open === undefined) open = { start: line.start, end: line.end };
      else open.end = line.end;
      continue;
    }
    closeParagraph();
    if (line.kind !== 'blank') above.push({ start: line.start, end: line.end, isShort: false });
  }
  closeTable();
  return tables;
}

/** Maximum distance between a row and its header, in UTF-16 code units: rows of wide tables are far from it. */
export const MAX_HEADER_DISTANCE = 300_000;

/**
 * Returns the first line and the rule of the Markdown table that a row after some text continues; only the first line
 * if the row is the rule. `header` is undefined if the table has none. Returns undefined if the text has only rows,
 * because the table may begin earlier.
 *
 * @param before ends with a line break and optional blanks
 * @param row the first line after it
 */
export function headerAbove(
  before: string,
  row: string,
): { readonly header: string | undefined } | undefined {
  const lines = before.replace(/(?<=\n)[ \t]+$/, '').split(/(?<=\n)/);
  const above = lines.findLastIndex((line) => !isTableRow(line.trimEnd()));
  const [header, rule] = lines.slice(above + 1);
  if (header !== undefined && isTableRule((rule ?? row).trimEnd()))
    return { header: `${header}${rule ?? ''}` };
  return above < 0 ? undefined : { header: undefined };
}

/**
 * Returns the text around a table's cell that makes the cell understandable: before it the table's header, the rule, and
 * the row without its other cells except the first, behind it the rest of that row. Both are empty for any other text.
 */
export function cellContext(
  text: string,
  { start, end }: Span,
): { readonly before: string; readonly after: string } {
  const nothing = { before: '', after: '' };
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const next = text.indexOf('\n', end);
  const row = text.slice(from, next < 0 ? text.length : next);
  if (start - from < 1 || !isTableRow(row) || isTableRow(text.slice(start, end))) return nothing;
  const cells = cellSpans(row);
  const place = cells.findIndex((cell) => start - from >= cell.start && end - from <= cell.end);
  if (place < 0) return nothing;
  const shown = (at: number): string =>
    at === 0 && place > 0 ? row.slice(cells[0]?.start, cells[0]?.end) : ' ';
  const header = headerAbove(text.slice(0, from), row)?.header;
  const cellsBefore = Array.from({ length: place }, (_, at) => shown(at));
  return {
    before: `${header === undefined ? '' : `${header.trimEnd()}\n`}${['', ...cellsBefore, ' '].join('|')}`,
    after: ' |'.repeat(cells.length - place),
  };
}

function readTable(
  text: string,
  lines: readonly MarkdownLine[],
  above: readonly Above[],
  before: Table | undefined,
): Table {
  const rows = lines
    .filter(({ kind }) => kind === 'row')
    .map(({ start, end }): Row => ({ start, end, cells: rowCells(text.slice(start, end)) }));
  const header = rows.slice(0, headerRows(rows));
  const caption = above.slice(above.findLastIndex(({ isShort }) => !isShort) + 1).slice(-MAX_CAPTIONS);
  const isCut = header.length === 0;
  // The continuation on the next page follows directly, or after its repeated caption.
  const isContinuation =
    isCut && before !== undefined && above.every(({ isShort }) => isShort) && above.length <= MAX_CAPTIONS;
  let under: Span | undefined;
  if (isContinuation) under = before.rows.at(-1)?.under;
  return {
    start: lines[0]?.start ?? 0,
    end: lines.at(-1)?.end ?? 0,
    caption: caption.length > 0 || !isContinuation ? caption : before.caption,
    header: isContinuation ? before.header : header,
    rows: rows.slice(header.length).map(({ start, end, cells }): TableRow => {
      const row = { start, end, under };
      if (cells.length > 1 && cells[0] !== '' && cells.slice(1).every((cell) => cell === ''))
        under = { start, end };
      return row;
    }),
    isCut: isCut && !isContinuation,
  };
}

/** Counts the header rows of a table: none if the first row has numbers. */
function headerRows(rows: readonly Row[]): number {
  const [first, ...others] = rows;
  if (first === undefined || rows.length < 2 || first.cells.slice(1).some(isAmount)) return 0;
  const further = others.slice(0, MAX_HEADER_ROWS - 1).findIndex(({ cells: [name, ...cells] }) => {
    const isOfHeads = name === '' || cells.some((cell) => YEAR.test(cell));
    return !isOfHeads || cells.some(isAmount) || cells.every((cell) => cell === '');
  });
  return further < 0 ? 1 : 1 + further;
}

/** Reports whether a cell contains an amount, such as `$1,234`, but not a year. */
export function isAmount(cell: string): boolean {
  return AMOUNT.test(cell) && !YEAR.test(cell);
}
