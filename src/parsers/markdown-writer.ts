import { fenceText } from '../core/language/markdown-lines.ts';
import type { Heading, Places } from '../core/domain/document.ts';
import { headingsOfMarkdown } from './markdown.ts';

/** Maximum length of a text, in UTF-16 code units. Longer ones are cut. */
export const MAX_TEXT_LENGTH = 20 * 1024 * 1024;

/** Maximum length of a table chunk with its header, so that it fits a passage. A single row can exceed it. */
const PIECE_LENGTH = 1000;

/**
 * Maximum length of a header. A longer one would fill a passage by itself, so each cell gets its column name instead.
 */
const MAX_HEADER_LENGTH = 400;

/** Row of a table, and the words that describe its location. */
export interface TableRow {
  readonly cells: readonly string[];
  readonly place?: string | undefined;
  /** Called with the start of each cell's words in the text, and with these words as written. */
  readonly written?: (cells: readonly WrittenCell[]) => void;
}

interface WrittenCell {
  readonly start: number;
  readonly text: string;
}

/** Writer of canonical text as Markdown, block after block, with its headings and its places in the original. */
export class MarkdownWriter {
  readonly headings: Heading[] = [];
  readonly #parts: string[] = [];
  readonly #starts: number[] = [];
  readonly #labels: string[] = [];
  #length = 0;

  /** Start of the next block. */
  get offset(): number {
    return this.#length === 0 ? 0 : this.#length + 2;
  }

  /** `true` if the text has reached the maximum length. Leave out the rest. */
  get isFull(): boolean {
    return this.#length >= MAX_TEXT_LENGTH;
  }

  /** Text written so far. */
  get text(): string {
    return this.#parts.join('');
  }

  /** Starts of the labeled places of the original in the text; undefined if there are none. */
  get places(): Places | undefined {
    return this.#labels.length === 0
      ? undefined
      : { starts: Uint32Array.from(this.#starts), labels: this.#labels };
  }

  /** Labels the text written from now on with its place in the original. */
  place(label: string): void {
    this.#placeAt(this.offset, label);
  }

  /** Writes a heading. `title` is plain text. */
  heading(level: number, title: string): void {
    const words = title.replace(/\s+/g, ' ').trim();
    if (words === '') return;
    this.headings.push({ offset: this.offset, level, title: words });
    this.block(`${'#'.repeat(Math.min(6, level))} ${escapeInline(words)}`);
  }

  /** Writes a block of Markdown; returns its offset. */
  block(markdown: string): number {
    const text = markdown.trimEnd().replace(/^\n+/, '');
    if (text === '') return this.offset;
    if (this.#length > 0) this.#add('\n\n');
    const start = this.#length;
    this.#add(text);
    return start;
  }

  /** Writes text between fences that are longer than any in it; returns the offset of its first character. */
  writeFenced(text: string, language: string): number {
    const code = fenceText(text, language);
    return this.block(code) + code.indexOf('\n') + 1;
  }

  /** Writes Markdown with its own headings. */
  markdown(text: string): void {
    const start = this.block(text);
    const skipped = text.length - text.replace(/^\n+/, '').length;
    for (const { offset, level, title } of headingsOfMarkdown(text))
      this.headings.push({ offset: start + offset - skipped, level, title });
  }

  /** Writes a table in chunks that each start with its header. Cells are plain text. */
  table(header: readonly string[], rows: readonly TableRow[]): void {
    const titles = header.map(makeCell);
    const head = `${makeRow(titles)}\n|${' --- |'.repeat(Math.max(1, titles.length))}`;
    if (head.length > MAX_HEADER_LENGTH) this.#records(titles, rows);
    else if (rows.length === 0) this.block(head);
    for (let at = 0; at < rows.length && head.length <= MAX_HEADER_LENGTH && !this.isFull;) {
      const start = this.offset;
      let piece = head;
      do {
        const row = rows[at];
        if (row === undefined) break;
        // A header without a position of its own gets the position of the row below it.
        const isLed = piece === head && this.#starts.at(-1) !== start;
        const rowStart = start + piece.length + 1;
        if (row.place !== undefined) this.#placeAt(isLed ? start : rowStart, row.place);
        const cells = padCells(row.cells.map(makeCell), titles.length);
        row.written?.(placeCells(cells, rowStart + 2));
        piece += `\n${makeRow(cells)}`;
        at++;
      } while (piece.length + 1 + rowLength(rows[at]) <= PIECE_LENGTH);
      this.block(piece);
    }
  }

  /** Writes the rows of a very wide table: each cell after the name of its column, without empty cells. */
  #records(titles: readonly string[], rows: readonly TableRow[]): void {
    for (const { cells, place, written } of rows) {
      if (this.isFull) return;
      if (place !== undefined) this.place(place);
      const start = this.offset;
      let record = '';
      const starts = cells.map((cell, i): WrittenCell => {
        const text = makeCell(cell);
        if (text === '') return { start: start + record.length, text };
        const title = titles[i] ?? '';
        record += `${record === '' ? '' : '; '}${title === '' ? '' : `${title}: `}`;
        const written = { start: start + record.length, text };
        record += text;
        return written;
      });
      if (record !== '') written?.(starts);
      this.block(record);
    }
  }

  #add(text: string): void {
    this.#parts.push(text);
    this.#length += text.length;
  }

  #placeAt(offset: number, label: string): void {
    if (this.#starts.at(-1) === offset) {
      this.#labels[this.#labels.length - 1] = label;
    } else if (this.#labels.at(-1) !== label) {
      this.#starts.push(offset);
      this.#labels.push(label);
    }
  }
}

/** Escapes plain text for Markdown, but only characters that would be read as markup. */
export function escapeMarkdown(text: string): string {
  return escapeLineStarts(escapeInline(text));
}

/** Escapes plain text within a line for Markdown. */
export function escapeInline(text: string): string {
  return text
    .replace(/\\(?=[!-/:-@[-`{-~])/g, '\\\\')
    .replace(/[*`]/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/<(?=[A-Za-z/!?])/g, '\\<')
    .replace(/\](?=\()/g, '\\]');
}

/** Escapes characters that would make a line a heading, item, quote, rule, or row. */
export function escapeLineStarts(text: string): string {
  return text
    .replace(/^([ \t]*)(#{1,6}(?:\s|$)|>|[-+](?=\s)|={2,}[ \t]*$|-{3,}[ \t]*$|~{3,}|\|)/gm, '$1\\$2')
    .replace(/^([ \t]*\d{1,9})([.)](?:\s|$))/gm, '$1\\$2');
}

function makeCell(text: string): string {
  const words = text.replace(/\s+/g, ' ').trim();
  return words.replace(/\\(?=[!-/:-@[-`{-~])/g, '\\\\').replace(/[*`|]|<(?=[A-Za-z/!?])/g, '\\$&');
}

function makeRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function padCells(cells: readonly string[], width: number): readonly string[] {
  return cells.length >= width
    ? cells
    : [...cells, ...Array.from({ length: width - cells.length }, () => '')];
}

function rowLength(row: TableRow | undefined): number {
  return row === undefined ? 0 : row.cells.reduce((sum, cell) => sum + cell.length + 3, 2);
}

function placeCells(cells: readonly string[], first: number): WrittenCell[] {
  let start = first;
  return cells.map((text) => {
    const cell = { start, text };
    start += text.length + 3;
    return cell;
  });
}
