import { markdownLines, rowCells } from '../../../../../core/language/markdown-lines.ts';
import type { Span } from '../../../../../core/language/span.ts';
import { findTables, type Table } from '../../../../../core/language/tables.ts';
import { columnValues, type Value } from './column-values.ts';
import { recordsIn, type Records } from './read-records.ts';

/**
 * Maximum number of tables of a document, of columns and rows of a table, and maximum length of a cell in UTF-16 code
 * units.
 */
const MAX_TABLES = 200;
const MAX_COLUMNS = 200;
const MAX_ROWS = 100_000;
const MAX_CELL_LENGTH = 2_000;
/** Maximum length of a title in a column name, and of a caption. */
const MAX_NAME_LENGTH = 40;
const MAX_CAPTION_LENGTH = 200;

export interface Column {
  /** Name in queries. */
  readonly name: string;
  /** Title in the table; '' if it has none. */
  readonly title: string;
  readonly type: 'INTEGER' | 'REAL' | 'TEXT';
  readonly unit: string;
}

/** Table of a document with the values of its cells. */
export interface LoadedTable extends Span {
  /** Name in queries: `t12_1` is the first table of document 12. */
  readonly name: string;
  /** Heading above the table and text directly above it. */
  readonly caption: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (Span & { readonly values: readonly Value[] })[];
  /** Number of omitted rows after these. */
  readonly left: number;
}

/** SQL keywords, which need a letter before them to be column names. */
const SQL_KEYWORDS = new Set(
  'all alter and any as asc attach begin between by case cast check collate column commit constraint create cross current default delete desc distinct drop each else end escape except exists explain fail filter following for foreign from full glob group having if ignore in index inner insert instead intersect into is isnull join key left like limit match natural no not notnull null of offset on or order outer over partition plan pragma preceding primary query range recursive references regexp release rename replace restrict right rollback row rowid rows select set table temp then to transaction trigger union unique update using vacuum values view virtual when where window with without'.split(
    ' ',
  ),
);

/** Returns the tables of a document's text that have rows. Joins the pieces of a split table. */
export function readTables(documentId: number, text: string): readonly LoadedTable[] {
  const headings: { readonly start: number; readonly title: string }[] = [];
  for (const { kind, start, end } of markdownLines(text))
    if (kind === 'heading')
      headings.push({ start, title: plainCell(text.slice(start, end).replace(/^[\s#]+/, '')) });
  const pieces = findTables(text, new Set(headings.map(({ start }) => start)));
  const tableName = (i: number): string => `t${String(documentId)}_${String(i + 1)}`;
  const tableCaption = (at: number, above: readonly string[]): string =>
    [headings.findLast(({ start }) => start < at)?.title, ...above]
      .filter((words) => words !== undefined && words !== '')
      .join(': ')
      .slice(0, MAX_CAPTION_LENGTH);
  const tables = joinPieces(text, pieces)
    .slice(0, MAX_TABLES)
    .map((parts, i) => {
      const [first] = parts;
      const above = first.caption.map(({ start, end }) => plainCell(text.slice(start, end)));
      return loadTable(text, parts, tableName(i), tableCaption(first.start, above));
    });
  const wide = recordsIn(text)
    .slice(0, MAX_TABLES - tables.length)
    .map((records, i) => ofRecords(records, tableName(tables.length + i), tableCaption(records.start, [])));
  return [...tables, ...wide];
}

/** Converts a table that is written row by row, each with its column names. */
function ofRecords({ titles, rows, start, end }: Records, name: string, caption: string): LoadedTable {
  const read = rows.slice(0, MAX_ROWS);
  const shown = titles.slice(0, MAX_COLUMNS);
  const cells = read.map((row) => shown.map((title) => plainCell(row.cells.get(title) ?? '')));
  const { columns, values } = toColumns(shown.map(plainCell), cells);
  return {
    ...{ name, caption, start, end, columns, left: rows.length - read.length },
    rows: read.map((row, place) => ({
      start: row.start,
      end: row.end,
      values: values.map((column) => column[place] ?? null),
    })),
  };
}

/** Returns the columns by their titles, with the values of their cells. */
function toColumns(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
): { readonly columns: readonly Column[]; readonly values: readonly (readonly Value[])[] } {
  const usedNames = new Set<string>();
  const values: (readonly Value[])[] = [];
  const columns = titles.map((title, i): Column => {
    const read = columnValues(rows.map((cells) => cells[i] ?? ''));
    values.push(read.values);
    return { name: columnName(title, i, usedNames), title, type: read.type, unit: read.unit };
  });
  return { columns, values };
}

type Pieces = readonly [Table, ...Table[]];

/** Joins the pieces of a table that was split, each with its own header or continuing the previous piece. */
function joinPieces(text: string, tables: readonly Table[]): Pieces[] {
  const joinedTables: [Table, ...Table[]][] = [];
  for (const table of tables) {
    if (table.rows.length === 0) continue;
    const before = joinedTables.at(-1);
    const last = before?.at(-1);
    if (before !== undefined && last !== undefined && isContinuation(text, last, table)) before.push(table);
    else joinedTables.push([table]);
  }
  return joinedTables;
}

function isContinuation(text: string, last: Table, next: Table): boolean {
  if (next.header.length === 0) return false;
  if (next.header[0]?.start === last.header[0]?.start) return true;
  const headerText = ({ header }: Table): string =>
    header.map(({ start, end }) => text.slice(start, end)).join('\n');
  return text.slice(last.end, next.start).trim() === '' && headerText(last) === headerText(next);
}

function loadTable(text: string, pieces: Pieces, name: string, caption: string): LoadedTable {
  const [first] = pieces;
  const allRows = pieces.flatMap(({ rows }) => rows);
  const cells = allRows
    .slice(0, MAX_ROWS)
    .map(({ start, end }) => ({ start, end, cells: rowCells(text.slice(start, end)).map(plainCell) }));
  const heads = first.header.map(({ start, end }) => rowCells(text.slice(start, end)).map(plainCell));
  const width = Math.min(
    MAX_COLUMNS,
    [...heads, ...cells.map((row) => row.cells)].reduce(
      (maximum, { length }) => Math.max(maximum, length),
      0,
    ),
  );
  const titles = Array.from({ length: width }, (_, i) =>
    heads
      .map((head) => head[i] ?? '')
      .filter((words) => words !== '')
      .join(' '),
  );
  const { columns, values } = toColumns(
    titles,
    cells.map((row) => row.cells),
  );
  return {
    name,
    caption,
    start: first.start,
    end: (pieces.at(-1) ?? first).end,
    columns,
    rows: cells.map(({ start, end }, row) => ({
      start,
      end,
      values: values.map((column) => column[row] ?? null),
    })),
    left: allRows.length - cells.length,
  };
}

/** Removes formatting from a cell. */
function plainCell(cell: string): string {
  return cell
    .slice(0, MAX_CELL_LENGTH)
    .replaceAll(/<br\s?\/?>/gi, ' ')
    .replaceAll(/\[([^\][]{1,200})\]\([^()\s]{1,500}\)/g, '$1')
    .replaceAll(/(?<!\\)(?:\*{1,3}|`+)/g, '')
    .replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Converts a title to a unique column name that needs no quotes in SQL. */
function columnName(title: string, index: number, usedNames: Set<string>): string {
  const words = title
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('%', ' percent ')
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '_')
    .slice(0, MAX_NAME_LENGTH)
    .replaceAll(/^_+|_+$/g, '');
  const plain = words === '' ? `column_${String(index + 1)}` : words;
  const safe = /^\p{N}/u.test(plain) || SQL_KEYWORDS.has(plain) ? `c_${plain}` : plain;
  let free = safe;
  for (let n = 2; usedNames.has(free); n++) free = `${safe}_${String(n)}`;
  usedNames.add(free);
  return free;
}
