import { t } from '@vscode/l10n';
import type { ReadDocument } from '../core/domain/document.ts';
import { LineRuns } from './line-runs.ts';
import { escapeMarkdown, MarkdownWriter } from './markdown-writer.ts';
import { MAX_COLUMNS } from './office/sheet-writer.ts';
import { decodeText } from './text-decoding.ts';

/** Value of a row: its words, and their span in the file. */
interface Value {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** Maximum length of a quoted value. A longer one was never closed, so its quote is an ordinary character. */
const MAX_QUOTED_LENGTH = 100_000;

/** Number of rows to write at once. */
const ROWS_AT_ONCE = 1000;

/** Returns a file of comma-separated values as a document: tables of its rows, each chunk below the header. */
export function readCsv(bytes: Uint8Array): ReadDocument {
  const text = decodeText(bytes);
  // Excel writes the separator in a line above the rows.
  const named = /^"?sep=(.)"?(?:\r\n|\n|\r|$)/i.exec(text);
  return readValues(text, named?.[1] ?? findSeparator(text), 'text/csv', named?.[0].length ?? 0);
}

/** Returns a file of tab-separated values as a document, like `readCsv`. */
export function readTsv(bytes: Uint8Array): ReadDocument {
  return readValues(decodeText(bytes), '\t', 'text/tab-separated-values');
}

function readValues(text: string, separator: string, mediaType: string, start = 0): ReadDocument {
  const writer = new MarkdownWriter();
  const runs = new LineRuns(text);
  let header: readonly string[] | undefined;
  let rowNumber = 0;
  const titles = countTitles(text, separator, start);
  let waiting: (readonly Value[])[] = [];
  let hasManyColumns = false;
  const flush = (): void => {
    const rows = waiting.map((values) => ({
      cells: values.map((value) => value.text),
      written: (cells: readonly { readonly start: number; readonly text: string }[]): void => {
        for (const [i, { from, to }] of values.entries()) {
          const cell = cells[i];
          if (cell !== undefined) runs.addExtracted(cell.start, cell.text, from, to);
        }
      },
    }));
    writer.table(header ?? [], rows);
    waiting = [];
  };
  let omittedRows = 0;
  for (const row of readRows(text, separator, start)) {
    const values = row.slice(0, MAX_COLUMNS);
    hasManyColumns ||= row.length > MAX_COLUMNS;
    if (values.every((value) => value.text.trim() === '')) continue;
    rowNumber++;
    if (rowNumber <= titles) {
      writeTitle(writer, runs, values);
      continue;
    }
    if (header === undefined && isHeader(values, text, separator)) {
      header = values.map((value) => value.text);
      continue;
    }
    header ??= values.map((_, i) => `Column ${String(i + 1)}`);
    if (writer.isFull) omittedRows++;
    else waiting.push(values);
    if (waiting.length >= ROWS_AT_ONCE) flush();
  }
  if (header !== undefined && (waiting.length > 0 || writer.offset === 0)) flush();
  const warnings = [
    ...(hasManyColumns ? [t('Only the first {0} columns were read.', MAX_COLUMNS)] : []),
    ...(omittedRows > 0 ? [t('The file is too long. Rows skipped at the end: {0}.', omittedRows)] : []),
  ];
  return {
    mediaType,
    format: 'markdown',
    text: writer.text,
    map: runs.makeMap(),
    headings: [],
    warnings,
  };
}

/** Number of rows that show where the titles above a table end, and what its header is. */
const SAMPLE_ROWS = 30;

/** Returns the number of filled rows above the table that have a single value, such as its title and date. */
function countTitles(text: string, separator: string, start: number): number {
  const counts: number[] = [];
  for (const row of readRows(text, separator, start)) {
    const filled = row.filter((value) => value.text.trim() !== '').length;
    if (filled > 0) counts.push(filled);
    if (counts.length >= SAMPLE_ROWS) break;
  }
  const first = counts.findIndex((count) => count > 1);
  // Without a table of two rows below, the file is a list of texts.
  return first > 0 && counts.slice(first).filter((count) => count > 1).length > 1 ? first : 0;
}

function writeTitle(writer: MarkdownWriter, runs: LineRuns, values: readonly Value[]): void {
  for (const { text, from, to } of values.filter((value) => value.text.trim() !== '')) {
    const markdown = escapeMarkdown(text.replace(/\s+/g, ' ').trim());
    runs.addExtracted(writer.block(markdown), markdown, from, to);
  }
}

/**
 * Reports whether a row is the header of the rows below: it has no numbers, a series of years, or only years or a series
 * such as 1, 2, 3 beside a name, which the next row doesn't continue.
 */
function isHeader(values: readonly Value[], text: string, separator: string): boolean {
  const numbers = values.filter((value) => isNumber(value.text));
  if (numbers.length === 0) return true;
  const isOfYears = values.every((value) => isYear(value.text)) && isSeries(values);
  if (!isOfYears && values.every((value) => isNumber(value.text))) return false;
  const rest = readRows(text, separator, endOfLine(text, values.at(-1)?.to ?? text.length));
  const next = [...takeFilled(rest)];
  const below = next.filter((_, index) => isNumber(values[index]?.text ?? ''));
  const areYears = numbers.every(({ text: words }) => isYear(words));
  if (areYears) return !below.some((value) => isYear(value.text));
  return isSeries(numbers) && !isSeries(below);
}

/** Yields the values of the next row that isn't empty. */
function* takeFilled(rows: Generator<Value[]>): Generator<Value> {
  for (const row of rows)
    if (row.some((value) => value.text.trim() !== '')) {
      yield* row;
      return;
    }
}

function endOfLine(text: string, from: number): number {
  for (let at = from; at < text.length; at++) if (text[at] === '\n' || text[at] === '\r') return at + 1;
  return text.length;
}

function isYear(text: string): boolean {
  return /^\s{0,9}(?:1[5-9]|20|21)\d\d\s{0,9}$/.test(text);
}

/** Reports whether at least three numbers ascend in equal steps. */
function isSeries(values: readonly Value[]): boolean {
  const numbers = values.map((value) => Number(value.text));
  const step = (numbers[1] ?? 0) - (numbers[0] ?? 0);
  return (
    numbers.length > 2 &&
    step > 0 &&
    numbers.every((number, index) => index === 0 || number - (numbers[index - 1] ?? 0) === step)
  );
}

/** Yields the rows of a file. Quoted values can contain separators and line breaks. */
function* readRows(text: string, separator: string, start: number): Generator<Value[]> {
  let row: Value[] = [];
  for (let at = start; at <= text.length;) {
    const value = valueAt(text, at, separator);
    // A row of a million values would fill the memory, so the extra values are only counted.
    if (row.length <= MAX_COLUMNS) row.push(value);
    at = value.end;
    if (text[at] === separator) {
      at++;
      continue;
    }
    yield row;
    row = [];
    at += text[at] === '\r' && text[at + 1] === '\n' ? 2 : 1;
  }
}

function valueAt(text: string, at: number, separator: string): Value & { end: number } {
  const close = text[at] === '"' ? closingQuote(text, at + 1) : undefined;
  let end = close === undefined ? at : close + 1;
  while (end < text.length && text[end] !== separator && text[end] !== '\n' && text[end] !== '\r') end++;
  if (close === undefined) return { text: text.slice(at, end), from: at, to: end, end };
  const quoted = text.slice(at + 1, close).replaceAll('""', '"') + text.slice(close + 1, end);
  return { text: quoted, from: at + 1, to: end, end };
}

function closingQuote(text: string, from: number): number | undefined {
  let at = from;
  while (at - from <= MAX_QUOTED_LENGTH) {
    const quote = text.indexOf('"', at);
    if (quote < 0 || quote - from > MAX_QUOTED_LENGTH) return undefined;
    if (text[quote + 1] !== '"') return quote;
    at = quote + 2;
  }
  return undefined;
}

/** Returns the separator that the first lines use most. */
function findSeparator(text: string): string {
  const head = text.slice(0, 20_000).replace(/"[^"]{0,2000}"/g, '');
  const lines = head.split(/\r\n|\n|\r/, 20).filter((line) => line !== '');
  const counted = [',', ';', '\t', '|'].map((separator) => {
    const counts = lines.map((line) => line.split(separator).length - 1);
    // Titles above the table have no separators, or those of a sentence.
    const usual = Math.max(
      ...[...Map.groupBy(counts, (count) => count)].map(([count, alike]) => (count > 0 ? alike.length : 0)),
      0,
    );
    return { separator, minimum: Math.min(...counts), usual, maximum: Math.max(0, ...counts) };
  });
  counted.sort((a, b) => b.minimum - a.minimum || b.usual - a.usual || b.maximum - a.maximum);
  return counted[0]?.separator ?? ',';
}

function isNumber(text: string): boolean {
  return /^\s{0,9}[-+]?[\d.,]{1,40}\s{0,9}%?$/.test(text);
}
