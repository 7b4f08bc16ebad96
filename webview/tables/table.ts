import { isTableRow, isTableRule, rowCells } from '../../src/core/language/markdown-lines.ts';
import { statedNumbers } from '../../src/core/language/stated-numbers.ts';
import type { CellView, TableHead, RowView } from '../../src/features/tables/protocol.ts';
import {
  CHECK_TOKENS,
  cellKey,
  cellChange,
  MAX_COLUMNS,
  type CellPlace,
  type ExtractionColumn,
} from '../../src/features/tables/model/extraction-table.ts';
import { estimateCost, type TokenUsage } from '../../src/core/domain/usage.ts';
import { cutPieces } from '../cited/statement-pieces.ts';

/** Contents of a table, with its cells by their positions. */
export interface Table {
  readonly head: TableHead;
  readonly rows: readonly RowView[];
  readonly cells: ReadonlyMap<string, CellView>;
}

/** Row, which may belong to a source that is no longer in the notebook. */
export interface ShownRow extends RowView {
  readonly isGone: boolean;
}

/** State of a cell, as a word. */
export type CellStatus =
  | 'answered'
  | 'asking'
  | 'changed'
  | 'edited'
  | 'empty'
  | 'failed'
  | 'reworded'
  | 'waiting';

/** Cells that the rows are filtered by: a state, no answer in the source, or a mark of the fact check. */
export type RowFilter = CellStatus | 'marked' | 'notStated';

/** Sort order of the rows: a column, or their titles. */
export interface Sort {
  readonly by: string;
  readonly isDown: boolean;
}
/** Represents the titles of the rows among the columns. */
export const TITLES = '';

/** Returns the current rows, followed by removed rows that still have saved cells. */
function shownRows({ rows, cells, head }: Table): ShownRow[] {
  const known = new Set(rows.map(({ id }) => id));
  const columns = new Set(head.columns.map(({ id }) => id));
  const removedRows = new Map<string, ShownRow>();
  for (const { rowId, rowTitle, columnId, question, edited } of cells.values())
    if (!known.has(rowId) && columns.has(columnId) && (question !== undefined || edited !== undefined))
      removedRows.set(rowId, { id: rowId, title: rowTitle, version: '', input: 0, output: 0, isGone: true });
  return [...rows.map((row) => ({ ...row, isGone: false })), ...removedRows.values()];
}

/** Returns the state of a cell: pending, or its result. */
export function cellStatus(cell: CellView | undefined, row: ShownRow, column: ExtractionColumn): CellStatus {
  if (cell === undefined) return 'empty';
  if (cell.state !== 'resting') return cell.state;
  if (cell.edited !== undefined) return 'edited';
  if (cell.failure !== undefined) return 'failed';
  if (cell.question === undefined) return 'empty';
  const change = cellChange(cell, row.isGone ? undefined : row, column);
  if (change === 'source' || change === 'question') return 'changed';
  return cell.was === undefined ? 'answered' : 'reworded';
}

function matchesFilter(
  filter: RowFilter,
  cell: CellView | undefined,
  row: ShownRow,
  column: ExtractionColumn,
): boolean {
  if (filter !== 'marked' && filter !== 'notStated') return cellStatus(cell, row, column) === filter;
  if (cell === undefined || cell.edited !== undefined) return false;
  return filter === 'notStated' ? cell.isNothing : cell.pieces.some(({ verdict }) => isMarked(verdict));
}

/** Reports whether the grid marks text with this verdict. */
function isMarked(verdict: CellView['pieces'][number]['verdict']): boolean {
  return verdict === 'contradicted' || verdict === 'not-found' || verdict === 'partly';
}

/** Splits a piece of a cell into plain texts with their marks: of its verdict, or of the words that the row lacks. */
export function gridPieces({
  text,
  verdict,
  missing = [],
}: CellView['pieces'][number]): readonly { readonly text: string; readonly mark: string | undefined }[] {
  const mark = verdict === 'unchecked' ? 'unknown' : isMarked(verdict) ? verdict : undefined;
  if (missing.length === 0 || text.includes('|'))
    return [{ text: withoutMarkdown(text), mark: mark === 'unknown' ? undefined : mark }];
  const span = { start: 0, end: text.length, verdict, citations: [], missing };
  return cutPieces(span, text).map(({ start, end, isMarked: isOfMark }) => ({
    text: withoutMarkdown(text.slice(start, end)),
    mark: isOfMark ? mark : undefined,
  }));
}

/** Reports whether a cell has an answer that no model has checked. */
export function isUnchecked(cell: CellView | undefined): boolean {
  if (cell === undefined || cell.edited !== undefined || cell.state !== 'resting') return false;
  return cell.pieces.some(({ verdict }) => verdict === 'unchecked');
}

/** Counts the cells in existing rows and columns whose answers no model has checked. */
export function countUnchecked({ head, rows, cells }: Table): number {
  const rowIds = new Set(rows.map(({ id }) => id));
  const columnIds = new Set(head.columns.map(({ id }) => id));
  return [...cells.values()].filter(
    (cell) => rowIds.has(cell.rowId) && columnIds.has(cell.columnId) && isUnchecked(cell),
  ).length;
}

/** Estimates the tokens of the fact check of some cells; undefined without cells. */
export function estimateChecks(cells: number): Pick<TokenUsage, 'input' | 'output'> | undefined {
  return cells === 0 ? undefined : { input: cells * CHECK_TOKENS.input, output: cells * CHECK_TOKENS.output };
}

/** Returns the text of a cell in plain words. */
export function cellWords(cell: CellView | undefined): string {
  return (
    cell?.edited ??
    (cell?.pieces ?? [])
      .map(({ text }) => text)
      .join('')
      .trim()
  );
}

/** Returns a cell's text in one line without the marks of Markdown, for the grid, which shows plain text. */
export function withoutMarkdown(text: string): string {
  const unmarked = text.replaceAll('**', '');
  if (!unmarked.includes('|')) return unmarked;
  return unmarked
    .split('\n')
    .filter((line) => !isTableRule(line))
    .map((line) => (isTableRow(line) ? rowCells(line).filter(Boolean).join(' · ') : line))
    .join('\n');
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** Returns the sorted rows that contain all words of a search and a cell of a filter. Empty cells come last. */
export function arrange(
  table: Table,
  {
    words,
    filter,
    sort,
  }: { readonly words: string; readonly filter: RowFilter | undefined; readonly sort: Sort | undefined },
): ShownRow[] {
  const { head, cells } = table;
  const queryWords = words.toLowerCase().split(/\s+/).filter(Boolean);
  const findCell = (row: ShownRow, columnId: string): CellView | undefined =>
    cells.get(cellKey({ columnId, rowId: row.id }));
  const rows = shownRows(table).filter((row) => {
    if (
      filter !== undefined &&
      !head.columns.some((column) => matchesFilter(filter, findCell(row, column.id), row, column))
    )
      return false;
    if (queryWords.length === 0) return true;
    const rowText = [row.title, ...head.columns.map(({ id }) => cellWords(findCell(row, id)))]
      .join('\n')
      .toLowerCase();
    return queryWords.every((word) => rowText.includes(word));
  });
  if (sort === undefined) return rows;
  const sign = sort.isDown ? -1 : 1;
  const keys = rows.map((row) => {
    const cellText = sort.by === TITLES ? row.title : cellWords(findCell(row, sort.by));
    return { row, words: cellText, amount: sort.by === TITLES ? undefined : leadingAmount(cellText) };
  });
  const filled = keys.filter((key) => key.words !== '').length;
  // Other columns have cells that begin with a year or a count.
  const holdsAmounts = 2 * keys.filter(({ amount }) => amount !== undefined).length > filled;
  return keys
    .toSorted((a, b) => {
      if (a.words === '' || b.words === '') return Number(a.words === '') - Number(b.words === '');
      if (holdsAmounts && (a.amount === undefined) !== (b.amount === undefined))
        return a.amount === undefined ? 1 : -1;
      const difference = holdsAmounts ? (a.amount ?? 0) - (b.amount ?? 0) : 0;
      return sign * (difference === 0 ? collator.compare(a.words, b.words) : difference);
    })
    .map(({ row }) => row);
}

/** Mark, currency, or both before an amount: `€`, `(`, `-US$`, `EUR `. */
const BEFORE_AMOUNT = /^[^\p{L}\p{N}]{0,4}(?:[A-Z]{2,3}[^\p{L}\p{N}]{0,2})?(?=\d)/u;

/** Returns the amount at the start of a cell: -1,200,000 for `(1.2 million)`; undefined if it starts with other words. */
function leadingAmount(cellText: string): number | undefined {
  const [before] = BEFORE_AMOUNT.exec(cellText) ?? [];
  if (before === undefined) return undefined;
  const amount = statedNumbers(cellText.slice(0, MAX_AMOUNT_LENGTH))[0]?.values[0];
  return amount !== undefined && /[-−–(]/.test(before) ? -amount : amount;
}

/** Maximum length of a mark and an amount, in UTF-16 code units. */
const MAX_AMOUNT_LENGTH = 60;

/** Returns the cells in the given states, in rows that still exist. */
export function filterCells(table: Table, ...standings: readonly CellStatus[]): CellPlace[] {
  const { head, rows, cells } = table;
  return rows.flatMap((row) =>
    head.columns.flatMap((column) => {
      const place = { columnId: column.id, rowId: row.id };
      const standing = cellStatus(cells.get(cellKey(place)), { ...row, isGone: false }, column);
      return standings.includes(standing) ? [place] : [];
    }),
  );
}

/** Estimates the cost of filling cells: tokens, and US dollars if prices are known. */
export function estimateCells(
  { head: { model }, rows }: Table,
  places: readonly Pick<CellPlace, 'rowId'>[],
): { readonly tokens: number; readonly cost: number | undefined } {
  const byId = new Map(rows.map((row) => [row.id, row]));
  let [input, output] = [0, 0];
  for (const { rowId } of places) {
    input += byId.get(rowId)?.input ?? 0;
    output += byId.get(rowId)?.output ?? 0;
  }
  const cost = model?.prices && estimateCost({ input, output }, model.prices);
  return { tokens: input + output, cost };
}

/** Reports whether a table has room for another column. */
export function takesColumns({ columns }: TableHead): boolean {
  return columns.length < MAX_COLUMNS;
}
