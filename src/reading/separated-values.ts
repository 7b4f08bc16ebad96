import { t } from '@vscode/l10n';
import type { ReadDocument } from '../notebook/document.ts';
import { LineRuns } from './line-runs.ts';
import { MarkdownWriter } from './markdown-writer.ts';
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
  return readValues(text, findSeparator(text), 'text/csv');
}

/** Returns a file of tab-separated values as a document, like `readCsv`. */
export function readTsv(bytes: Uint8Array): ReadDocument {
  return readValues(decodeText(bytes), '\t', 'text/tab-separated-values');
}

function readValues(text: string, separator: string, mediaType: string): ReadDocument {
  const writer = new MarkdownWriter();
  const runs = new LineRuns(text);
  let header: readonly string[] | undefined;
  let waiting: (readonly Value[])[] = [];
  let hasManyColumns = false;
  const flush = (): void => {
    const rows = waiting.map((values) => ({
      cells: values.map((value) => value.text),
      written: (cells: readonly { readonly start: number; readonly text: string }[]): void => {
        for (const [i, { from, to }] of values.entries()) {
          const cell = cells[i];
          if (cell !== undefined) runs.addTaken(cell.start, cell.text, from, to);
        }
      },
    }));
    writer.table(header ?? [], rows);
    waiting = [];
  };
  let left = 0;
  for (const row of readRows(text, separator)) {
    const values = row.slice(0, MAX_COLUMNS);
    hasManyColumns ||= row.length > MAX_COLUMNS;
    if (values.every((value) => value.text.trim() === '')) continue;
    if (header === undefined && values.every((value) => !isNumber(value.text))) {
      header = values.map((value) => value.text);
      continue;
    }
    header ??= values.map((_, i) => `Column ${String(i + 1)}`);
    if (writer.isFull) left++;
    else waiting.push(values);
    if (waiting.length >= ROWS_AT_ONCE) flush();
  }
  if (header !== undefined && (waiting.length > 0 || writer.offset === 0)) flush();
  const warnings = [
    ...(hasManyColumns ? [t('Only the first {0} columns were read.', MAX_COLUMNS)] : []),
    ...(left > 0 ? [t('The file is too long. Rows skipped at the end: {0}.', left)] : []),
  ];
  return {
    title: undefined,
    mediaType,
    format: 'markdown',
    languageId: undefined,
    text: writer.text,
    map: runs.aligned(),
    headings: [],
    warnings,
  };
}

/** Yields the rows of a file. Quoted values can contain separators and line breaks. */
function* readRows(text: string, separator: string): Generator<Value[]> {
  let row: Value[] = [];
  for (let at = 0; at <= text.length;) {
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
    return { separator, least: Math.min(...counts), most: Math.max(0, ...counts) };
  });
  counted.sort((a, b) => b.least - a.least || b.most - a.most);
  return counted[0]?.separator ?? ',';
}

function isNumber(text: string): boolean {
  return /^\s{0,9}[-+]?[\d.,]{1,40}\s{0,9}%?$/.test(text);
}
