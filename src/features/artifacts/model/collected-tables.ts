import { t } from '@vscode/l10n';
import { isTableRule, rowCells } from '../../../core/language/markdown-lines.ts';
import { partsOfPacks } from '../../../core/language/words/pack-words.ts';
import { findTables, isAmount, type Table } from '../../../core/language/tables.ts';
import type { DocumentPlace } from '../../../core/domain/artifact.ts';
import { findLikelyHeadings } from './likely-headings.ts';
import { making, quoteCell, type SheetPiece } from './sheet.ts';
import { placeIn, type GeneratorDocument } from './generator-document.ts';
import { cleanCell, isColumnName, isContentsRow, joinSigns, nameColumns } from './table-cells.ts';

interface TableRow {
  readonly cells: readonly string[];
  readonly place: DocumentPlace;
}

/** Table of a document with its name. */
interface CollectedTable {
  readonly document: string;
  readonly name: string;
  /**
   * Key that is equal for the tables of a series: the same columns under the same headings, ignoring numbers and years.
   */
  readonly series: string;
  /** Location, with the numbers and years that distinguish it from other tables of its series. */
  readonly path: string;
  readonly columns: readonly string[];
  readonly rows: readonly TableRow[];
}

const MAX_TABLES = 200;
const MAX_ROWS = 2_000;
const MAX_COLUMNS = 40;
/** One row under names is as often a drawing or a heading that was laid out in columns. */
const MIN_ROWS = 2;
/** A table with a larger share of rows that lead to pages is a table of contents. */
const MAX_CONTENTS_RATIO = 0.3;
const MAX_CAPTION_LENGTH = 160;

const CAPTION = new RegExp(
  String.raw`^(?:${partsOfPacks(({ tables: words }) => words?.captions)})[ \u00a0]?(?:\p{L}{0,2}[-.]?\d|[IVX]+\b)`,
  'iu',
);
const CONTINUED = new RegExp(
  String.raw`\((?:${partsOfPacks(({ tables: words }) => words?.continued)})\)`,
  'g',
);
/** Patterns from words of packs, for tests. */
export const TABLE_PATTERNS: readonly RegExp[] = [CAPTION, CONTINUED];

/** Collects the tables of a document whose columns have names. */
function collectTables(document: GeneratorDocument): CollectedTable[] {
  const { text, format, headings } = document;
  if (format !== 'markdown') return [];
  return findTables(text, new Set(headings.map(({ offset }) => offset))).flatMap((table) => {
    const { columns, rows } = readTable(document, table);
    const named = columns.filter((column) => column !== '').length;
    if (named < 2 && named < columns.length) return [];
    if (columns.length < 2 || columns.length > MAX_COLUMNS || rows.length < MIN_ROWS) return [];
    if (!columns.every(isColumnName)) return [];
    // A column name that occurs below is a value, so the first row isn't a header.
    const isValue = (name: string, column: number): boolean =>
      column > 0 && name !== '' && rows.some(({ cells }) => cells[column] === name);
    if (columns.some(isValue)) return [];
    const ofContents = rows.filter(({ cells }) => isContentsRow(cells)).length;
    if (ofContents > MAX_CONTENTS_RATIO * rows.length) return [];
    const { name, path } = nameTable(document, table);
    const series = [...path, ...columns].map(withoutNumbers).join('\n');
    return [{ document: document.title, name, series, path: path.join('\n'), columns, rows }];
  });
}

/** Returns the column names of a table and its other rows, without empty columns. */
function readTable(
  document: GeneratorDocument,
  table: Table,
): { readonly columns: string[]; readonly rows: TableRow[] } {
  const cellsOf = ({ start, end }: { readonly start: number; readonly end: number }): string[] =>
    splitRow(document.text.slice(start, end)).map(cleanCell);
  const header = table.header.map(cellsOf);
  const rows = table.rows.map((row) => ({ cells: joinSigns(cellsOf(row)), place: placeIn(document, row) }));
  const [first] = rows;
  // A converter that found no header leaves its cells empty, so the names are in the first row.
  const isUnnamed = header.every((row) => row.every((cell) => cell === ''));
  const canName =
    first !== undefined && rows.length > 1 && !first.cells.some((cell) => cell === '' || isAmount(cell));
  const names = isUnnamed && canName ? first.cells : nameColumns(header);
  const body = isUnnamed && canName ? rows.slice(1) : rows;
  const usedColumns = names.flatMap((name, column) =>
    name !== '' || body.some(({ cells }) => (cells[column] ?? '') !== '') ? [column] : [],
  );
  return {
    columns: usedColumns.map((column) => names[column] ?? ''),
    rows: body.flatMap(({ cells, place }) =>
      cells.some((cell) => cell !== '')
        ? [{ cells: usedColumns.map((column) => cells[column] ?? ''), place }]
        : [],
    ),
  };
}

/** Returns the name of a table, from its caption or section, and the headings above it. */
function nameTable(
  { text, title, headings }: GeneratorDocument,
  table: Table,
): { readonly name: string; readonly path: readonly string[] } {
  const open: { readonly level: number; readonly title: string }[] = [];
  for (const { level, offset, title: heading } of findLikelyHeadings(headings)) {
    if (offset > table.start) break;
    while ((open.at(-1)?.level ?? 0) >= level) open.pop();
    open.push({ level, title: cleanCell(heading) });
  }
  const above = table.caption.map(({ start, end }) => cleanCell(text.slice(start, end)));
  const caption = above.findLast((words) => CAPTION.test(words) && words.length <= MAX_CAPTION_LENGTH);
  const section = open.at(-1)?.title;
  return {
    name: caption ?? section ?? title,
    path: [title, ...open.map((heading) => heading.title), caption ?? ''],
  };
}

/** Removes the parts of a caption, heading, or column name that vary within a series. */
function withoutNumbers(words: string): string {
  return words
    .toLowerCase()
    .replaceAll(CONTINUED, '')
    .replaceAll(/\.\w{1,5}$/g, '')
    .replaceAll(/[\d\s.,:()–—_-]+/g, ' ')
    .trim();
}

/**
 * Collects the tables of all documents. The tables of a series become one table, whose first column shows the origin of
 * a row. Other tables with the same columns stay separate, because their rows are of different kinds.
 */
export const tables = making(collectTables, (parts) => {
  const groups = new Map<string, CollectedTable[]>();
  for (const table of parts.flat()) {
    const group = groups.get(table.series);
    // The tables of a series differ only in numbers, and columns of other years wouldn't fit under the first table's.
    // Tables under the same headings stay separate, because their rows may be of different kinds and nothing would
    // distinguish them.
    const fits =
      group !== undefined &&
      group[0]?.columns.join('\n') === table.columns.join('\n') &&
      group.every(({ path }) => path !== table.path);
    if (fits) group.push(table);
    else groups.set(group === undefined ? table.series : `${table.series}\n${String(groups.size)}`, [table]);
  }
  const areSeveral = parts.filter((part) => part.length > 0).length > 1;
  const pieces: SheetPiece[] = [];
  let rows = 0;
  let omitted = 0;
  let count = 0;
  for (const group of groups.values()) {
    const [first] = group;
    if (first === undefined) continue;
    if (count === MAX_TABLES || rows >= MAX_ROWS) {
      omitted += group.length;
      continue;
    }
    count++;
    const isSeries = group.length > 1;
    const labels = group.map(({ name, document }) =>
      areSeveral && name !== document ? `${name} – ${document}` : name,
    );
    const names = [...new Set(labels)];
    const further = names.length > 3 ? `, ${t('{0} more', names.length - 3)}` : '';
    pieces.push(`## ${quoteCell(names.slice(0, 3).join(', '), 200)}${further}\n\n`);
    const columns = isSeries ? [t('Table'), ...first.columns] : first.columns;
    pieces.push(`| ${columns.map(toCell).join(' | ')} | |\n|${' - |'.repeat(columns.length + 1)}\n`);
    for (const [index, table] of group.entries())
      for (const { cells, place } of table.rows) {
        if (rows >= MAX_ROWS) {
          omitted++;
          continue;
        }
        rows++;
        const row = isSeries ? [labels[index] ?? '', ...cells] : cells;
        pieces.push(
          `| ${columns.map((_, column) => toCell(row[column] ?? '')).join(' | ')} | `,
          place,
          ' |\n',
        );
      }
    pieces.push('\n');
  }
  return { pieces, count, omitted };
});

function toCell(words: string): string {
  return quoteCell(words, 300).replaceAll('|', '\\|');
}

function splitRow(row: string): string[] {
  return isTableRule(row) ? [] : rowCells(row).map((cell) => cell.replaceAll('\\|', '|').trim());
}
