import { t } from '@vscode/l10n';
import { escapeMarkdown, type MarkdownWriter, type TableRow } from '../markdown-writer.ts';

/** Row of a sheet: its one-based number, and the words of its cells by zero-based column. */
interface SheetRow {
  readonly number: number;
  readonly cells: readonly SheetCell[];
}

export interface SheetCell {
  readonly column: number;
  readonly text: string;
  /** `true` if it contains words, as headers do, not a number or date. */
  readonly isText: boolean;
}

/** Maximum number of columns; wider tables aren't readable. */
export const MAX_COLUMNS = 500;

interface Table {
  readonly first: number;
  readonly last: number;
  readonly header: readonly string[];
  readonly rows: TableRow[];
}

/**
 * Writer of one sheet's rows as tables. A table's header is its first row with several cells; a single cell above it
 * becomes a separate line. After an empty row, a row of words only is the header of another table.
 */
export class SheetWriter {
  readonly #writer: MarkdownWriter;
  readonly #sheet: string;
  #table: Table | undefined;
  #previous = 0;
  #hasManyColumns = false;
  #cutAt: number | undefined;

  constructor(writer: MarkdownWriter, sheet: string) {
    this.#writer = writer;
    this.#sheet = sheet;
    writer.place(sheet);
    writer.heading(1, sheet);
  }

  /** Sentences about the omitted parts of the sheet. */
  get warnings(): string[] {
    return [
      ...(this.#hasManyColumns
        ? [t('{0}: Only the first {1} columns were read.', this.#sheet, MAX_COLUMNS)]
        : []),
      ...(this.#cutAt === undefined
        ? []
        : [
            t(
              '{0}: The file is too long, so the rows from row {1} on were skipped.',
              this.#sheet,
              this.#cutAt,
            ),
          ]),
    ];
  }

  /** Adds a row. Rows must be in ascending order; empty ones can be left out. */
  row({ number, cells }: SheetRow): void {
    if (this.#writer.isFull) {
      this.#cutAt ??= number;
      return;
    }
    const filled = cells.filter(({ text, column }) => text.trim() !== '' && column < MAX_COLUMNS);
    this.#hasManyColumns ||= cells.some(({ text, column }) => text.trim() !== '' && column >= MAX_COLUMNS);
    const [first] = filled;
    const last = filled.at(-1);
    if (first === undefined || last === undefined) return;
    const isAfterGap = number > this.#previous + 1;
    this.#previous = number;
    const isHeader = filled.length > 1 && filled.every(({ isText }) => isText);
    if (this.#table !== undefined && isAfterGap && isHeader) this.end();
    const range = `${this.#sheet}!${rangeName(first.column, last.column, number)}`;
    const table = this.#table;
    if (table !== undefined) {
      const firstColumn = Math.min(table.first, first.column);
      const words = wordsByColumn(filled, firstColumn, Math.max(table.last, last.column));
      table.rows.push({ cells: firstColumn < table.first ? [words.join(' ')] : words, place: range });
      if (table.rows.length >= 1000) this.#flush(table);
    } else if (filled.length === 1) {
      this.#writer.place(range);
      this.#writer.block(escapeMarkdown(first.text));
    } else {
      const header = wordsByColumn(filled, first.column, last.column);
      this.#writer.place(range);
      this.#table = { first: first.column, last: last.column, header, rows: [] };
    }
  }

  /** Ends the sheet's last table. */
  end(): void {
    if (this.#table !== undefined) this.#flush(this.#table);
    this.#table = undefined;
  }

  #flush(table: Table): void {
    this.#writer.table(table.header, table.rows);
    table.rows.length = 0;
  }
}

/** Returns the name of a range: `B4:D4`, or `B4` for one cell. */
function rangeName(first: number, last: number, row: number): string {
  const start = `${columnName(first)}${String(row)}`;
  return first === last ? start : `${start}:${columnName(last)}${String(row)}`;
}

/** Returns the name of a column: `A` for 0, `AA` for 26. */
export function columnName(index: number): string {
  const rest = Math.floor(index / 26);
  return (rest === 0 ? '' : columnName(rest - 1)) + String.fromCharCode(65 + (index % 26));
}

/** Returns the index of a column: 0 for `A`, 26 for `AA`; undefined for other names. */
export function columnIndex(name: string): number | undefined {
  if (!/^[A-Z]{1,3}$/.test(name)) return undefined;
  let index = 0;
  for (const letter of name) index = index * 26 + letter.charCodeAt(0) - 64;
  return index - 1;
}

function wordsByColumn(cells: readonly SheetCell[], from: number, to: number): string[] {
  const words = Array.from({ length: to - from + 1 }, () => '');
  for (const { column, text } of cells) words[column - from] = text;
  return words;
}
