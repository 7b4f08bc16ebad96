import { markdownLines } from '../../../../../core/language/markdown-lines.ts';
import type { Span } from '../../../../../core/language/span.ts';

/*
 * Rows of tables that were too wide for a header above them: each is a paragraph of one line that names its columns again.
 *
 *     Name: Holt; Year: 1947; Figure: 305
 */

/** Rows of one table, with their cells by the names of the columns. */
export interface Records extends Span {
  readonly titles: readonly string[];
  readonly rows: readonly (Span & { readonly cells: ReadonlyMap<string, string> })[];
}

/** Maximum length of a header above its table, including bars and hyphens. */
const MAX_HEADER_LENGTH = 400;
const AROUND_TITLE = '|  | --- '.length;
/** Minimum number of cells that make a line a row of such a table, and minimum number of rows with a column name. */
const MIN_CELLS = 6;
const MIN_ROWS = 2;

const CELL = /(?:^|; )([^;:\n]{1,200}): /g;

/** Returns the tables of a text that are written row by row, in order. */
export function recordsIn(text: string): Records[] {
  const runs: Span[][] = [];
  let isOpen = false;
  for (const { kind, start, end } of markdownLines(text)) {
    if (kind === 'blank') continue;
    const isRow = kind === 'text' && [...text.slice(start, end).matchAll(CELL)].length >= MIN_CELLS;
    if (isRow && isOpen) runs.at(-1)?.push({ start, end });
    else if (isRow) runs.push([{ start, end }]);
    isOpen = isRow;
  }
  return runs.flatMap((lines) => readTable(text, lines) ?? []);
}

function readTable(text: string, lines: readonly Span[]): Records | undefined {
  const counts = new Map<string, { rows: number; places: number }>();
  for (const { start, end } of lines)
    for (const [place, [, title = '']] of [...text.slice(start, end).matchAll(CELL)].entries()) {
      const count = counts.get(title) ?? { rows: 0, places: 0 };
      counts.set(title, { rows: count.rows + 1, places: count.places + place });
    }
  // A name in only one row is part of a cell: "seen by: nobody".
  const known = [...counts].filter(([, { rows }]) => rows >= MIN_ROWS);
  const titles = known
    .toSorted(([, a], [, b]) => a.places / a.rows - b.places / b.rows)
    .map(([title]) => title);
  const length = titles.reduce((sum, title) => sum + title.length + AROUND_TITLE, 0);
  const [first] = lines;
  if (first === undefined || length <= MAX_HEADER_LENGTH) return undefined;
  const columns = new Set(titles);
  const rows = lines.map((line) => ({
    ...line,
    cells: readCells(text.slice(line.start, line.end), columns),
  }));
  return { start: first.start, end: lines.at(-1)?.end ?? first.end, titles, rows };
}

function readCells(line: string, columns: ReadonlySet<string>): ReadonlyMap<string, string> {
  const heads = [...line.matchAll(CELL)].filter(([, title = '']) => columns.has(title));
  return new Map(
    heads.map(({ 0: head, 1: title = '', index }, i): [string, string] => [
      title,
      line.slice(index + head.length, heads[i + 1]?.index ?? line.length),
    ]),
  );
}
