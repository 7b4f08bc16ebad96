import { isTableRule, markdownLines, rowCells, type MarkdownLine } from '../language/markdown-lines.ts';
import type { Span } from '../language/span.ts';
import type { Quote } from './answer.ts';
import { isAmount } from '../language/tables.ts';
import { cutUnits, type TextFormat } from '../language/units.ts';

/**
 * Approximate maximum number of lines of an excerpt at first, and maximum number of rows of its tables. With 16 lines
 * instead of 12, the first 500 unfolded characters of `bench everyday` contain 26 % of the answers instead of 23 %, and
 * those of `--mixed` 26 % instead of 19 %, because answers are often beside the sentences that match.
 */
const MAX_LINES = 16;
const MAX_ROWS = 8;
/** Number of shown rows of a long table without marks. */
const FIRST_ROWS = 5;
/** An excerpt that exceeds the maximum by at most this is shown whole, since folding it would save too little. */
const SPARED_LINES = 4;
/** Approximate length of a line in a side bar, in UTF-16 code units. */
const LINE_LENGTH = 40;

/** A row of a table in an excerpt. */
interface ExcerptRow extends Span {
  readonly isShown: boolean;
}

/** Table in an excerpt; spans refer to the excerpt's text. */
export interface ExcerptTable extends Span {
  readonly kind: 'table';
  /** Row with the column names and the rule below it; undefined if the excerpt has only other rows. */
  readonly header: Span | undefined;
  readonly rows: readonly ExcerptRow[];
  /** `true` for each column that holds numbers. */
  readonly isNumeric: readonly boolean[];
}

/** Part of an excerpt: text, a table, or text that is folded until the reader expands it. */
type ExcerptPart = (Span & { readonly kind: 'folded' | 'text' }) | ExcerptTable;

export interface Excerpt {
  readonly text: string;
  readonly format: TextFormat;
  /** Text that matches the question; spans ascend and don't overlap. */
  readonly marks: readonly Span[];
  /** Mark of the best match. */
  readonly best?: Span | undefined;
}

/** Returns the shown parts of a quote, below the header of its table; `quote` is its cited text. */
export function excerptOf({ format, header, around }: Quote, quote: string): Excerpt {
  const above = header === undefined ? '' : `${header}\n`;
  const text = above + (around?.text ?? quote);
  const marks = (around?.marks ?? []).map(({ start, end }) => ({
    start: above.length + start,
    end: above.length + end,
  }));
  const best = marks.find(({ start, end }) => text.slice(start, end) === quote) ?? marks[0];
  return { text, format, marks, best };
}

type Item =
  | (Span & { readonly kind: 'text'; readonly lines: number })
  | (ExcerptTable & { readonly lines: number });

/**
 * Splits an excerpt into parts, in order, which together are its whole text. A long excerpt shows the marked sentences
 * and rows with their neighbors; code is always whole. With `isOpen` no text is folded.
 */
export function splitExcerpt(excerpt: Excerpt, isOpen = false): ExcerptPart[] {
  const items = cutItems(excerpt);
  const shown = isOpen ? new Set(items.keys()) : chooseItems(items, excerpt);
  const parts: ExcerptPart[] = [];
  for (const [index, item] of items.entries()) {
    const last = parts.at(-1);
    const kind = shown.has(index) ? item.kind : 'folded';
    if (last?.kind === kind && kind !== 'table')
      parts[parts.length - 1] = { kind, start: last.start, end: item.end };
    else if (kind === 'table' && item.kind === 'table') {
      const { start, end, header, rows, isNumeric } = item;
      parts.push({ kind, start, end, header, rows, isNumeric });
    } else if (kind !== 'table') parts.push({ kind, start: item.start, end: item.end });
  }
  return parts;
}

/**
 * Returns the shown part of an excerpt for a copy, in Markdown, with `…` for folded text and rows. Returns an excerpt
 * that is shown whole unchanged.
 */
export function foldedMarkdown(excerpt: Excerpt): string {
  const { text } = excerpt;
  const parts = splitExcerpt(excerpt);
  if (parts.every((part) => part.kind === 'text' || (part.kind === 'table' && part.rows.every(isShown))))
    return text;
  return parts
    .map((part) => {
      if (part.kind !== 'table')
        return part.kind === 'folded' ? '…' : text.slice(part.start, part.end).trim();
      const lines =
        part.header === undefined ? [] : [text.slice(part.header.start, part.header.end).trimEnd()];
      for (const [index, row] of part.rows.entries())
        if (row.isShown) lines.push(text.slice(row.start, row.end).trimEnd());
        else if (index === 0 || part.rows[index - 1]?.isShown === true)
          lines.push(`| … |${'  |'.repeat(Math.max(0, part.isNumeric.length - 1))}`);
      return lines.join('\n');
    })
    .join('\n\n');
}

function isShown(row: ExcerptRow): boolean {
  return row.isShown;
}

function cutItems({ text, format, marks }: Excerpt): Item[] {
  if (format === 'code') return [{ kind: 'text', start: 0, end: text.length, lines: 1 }];
  const items: Item[] = [];
  let from = 0;
  let rows: MarkdownLine[] = [];
  const closeTable = (): void => {
    const [first] = rows;
    const last = rows.at(-1);
    if (first !== undefined && last !== undefined) {
      items.push(...textItems(text, format, { start: from, end: first.start }));
      items.push(readTable(text, rows, marks));
      from = last.next;
    }
    rows = [];
  };
  if (format === 'markdown')
    for (const line of markdownLines(text))
      if (line.kind === 'row' || line.kind === 'rule') rows.push(line);
      else closeTable();
  closeTable();
  items.push(...textItems(text, format, { start: from, end: text.length }));
  return items;
}

/** Returns the sentences and blocks of a span, each with the white space after it. */
function textItems(text: string, format: TextFormat, span: Span): Item[] {
  const words = text.slice(span.start, span.end);
  if (words.trim() === '') return [];
  const units = cutUnits(words, format, []);
  const starts = units.map(({ start }, index) => (index === 0 ? 0 : start));
  if (starts.length === 0) starts.push(0);
  return starts.map((start, index): Item => {
    const end = starts[index + 1] ?? words.length;
    const unit = words.slice(start, end);
    const isCode = units[index]?.kind === 'fence';
    const lines = isCode ? Math.min(MAX_LINES, unit.split('\n').length) : unit.length / LINE_LENGTH;
    return { kind: 'text', start: span.start + start, end: span.start + end, lines };
  });
}

function readTable(text: string, lines: readonly MarkdownLine[], marks: readonly Span[]): Item {
  const [first, second] = lines;
  const hasHeader = second !== undefined && isTableRule(text.slice(second.start, second.end));
  const body = lines.slice(hasHeader ? 2 : 0).filter(({ kind }) => kind === 'row');
  const isMarked = body.map((row) => marks.some((mark) => touches(row, mark)));
  const shown = chooseRows(isMarked);
  const rows = body.map(({ start, end }, index) => ({ start, end, isShown: shown.has(index) }));
  const cells = body.map(({ start, end }) => rowCells(text.slice(start, end)));
  const columns = Math.max(
    0,
    ...cells.map((row) => row.length),
    hasHeader && first !== undefined ? rowCells(text.slice(first.start, first.end)).length : 0,
  );
  return {
    kind: 'table',
    start: first?.start ?? 0,
    end: lines.at(-1)?.next ?? 0,
    header: hasHeader ? { start: first?.start ?? 0, end: second.end } : undefined,
    rows,
    isNumeric: Array.from({ length: columns }, (_, column) => holdsNumbers(cells.map((row) => row[column]))),
    lines: shown.size + 1,
  };
}

/** Returns the rows to show: all if there are few, or else the marked ones with their neighbors. */
function chooseRows(isMarked: readonly boolean[]): ReadonlySet<number> {
  const rowIndices = [...isMarked.keys()];
  if (rowIndices.length <= MAX_ROWS) return new Set(rowIndices);
  const marked = rowIndices.filter((index) => isMarked[index]);
  if (marked.length === 0) return new Set(rowIndices.slice(0, FIRST_ROWS));
  const shown = new Set(marked.slice(0, MAX_ROWS));
  for (const neighbor of marked.flatMap((index) => [index - 1, index + 1]))
    if (shown.size < MAX_ROWS && neighbor >= 0 && neighbor < rowIndices.length) shown.add(neighbor);
  return shown;
}

function holdsNumbers(cells: readonly (string | undefined)[]): boolean {
  const filled = cells.filter((cell) => cell !== undefined && /[\p{L}\p{N}]/u.test(cell));
  const numbers = filled.filter((cell) => cell !== undefined && isAmount(cell.replaceAll('*', '')));
  return numbers.length > 0 && 2 * numbers.length >= filled.length;
}

/** Returns the items to show: all of a short excerpt, or else the marked ones, then those nearest to them. */
function chooseItems(items: readonly Item[], { marks, best }: Excerpt): ReadonlySet<number> {
  const itemIndices = [...items.keys()];
  if (items.reduce((sum, { lines }) => sum + lines, 0) <= MAX_LINES + SPARED_LINES)
    return new Set(itemIndices);
  const touched = itemIndices.filter((index) => marks.some((mark) => touches(items[index], mark)));
  const marked = touched.length > 0 ? touched : itemIndices.slice(0, 1);
  const distance = (index: number): number =>
    Math.min(...marked.map((markedIndex) => Math.abs(markedIndex - index)));
  const isBest = (index: number): boolean => best !== undefined && touches(items[index], best);
  const order = itemIndices.toSorted(
    (a, b) => Number(isBest(b)) - Number(isBest(a)) || distance(a) - distance(b) || a - b,
  );
  const shown = new Set<number>();
  let remainingLines = MAX_LINES;
  for (const index of order) {
    const lines = items[index]?.lines ?? 0;
    if (shown.size > 0 && lines > remainingLines) {
      // A line further away would leave a gap.
      if (distance(index) > 0) break;
      continue;
    }
    shown.add(index);
    remainingLines -= lines;
  }
  return shown;
}

function touches(one: Span | undefined, other: Span): boolean {
  return one !== undefined && one.start < other.end && other.start < one.end;
}
