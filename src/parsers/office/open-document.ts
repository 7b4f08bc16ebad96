import { t } from '@vscode/l10n';
import type { ReadDocument } from '../../core/domain/document.ts';
import { NotebookError } from '../../core/domain/errors.ts';
import { escapeLineStarts, escapeMarkdown, MarkdownWriter } from '../markdown-writer.ts';
import { toDocument } from './written-document.ts';
import { OdfText } from './open-document-text.ts';
import {
  childAt,
  childElements,
  descendants,
  eachElement,
  elementsIn,
  textWithin,
  type XmlElement,
} from './xml.ts';
import { damagedError, openContainer, type Container } from './zip.ts';
import { MAX_COLUMNS, SheetWriter, type SheetCell } from './sheet-writer.ts';

export const ODT_TYPE = 'application/vnd.oasis.opendocument.text';
export const ODS_TYPE = 'application/vnd.oasis.opendocument.spreadsheet';
export const ODP_TYPE = 'application/vnd.oasis.opendocument.presentation';

/** Returns an OpenDocument text as a document: headings, paragraphs, lists, tables, and notes. */
export function readOdt(bytes: Uint8Array, name: string): ReadDocument {
  const { container, content } = openContent(bytes, name);
  const writer = new MarkdownWriter();
  const text = new OdfText(container, name);
  const indexes = ['table-of-content', 'illustration-index', 'table-index', 'alphabetical-index'];
  const blocks = new Set(['p', 'h', 'list', 'table', 'section', 'tracked-changes', 'forms', ...indexes]);
  let isBody = false;
  eachElement(
    content,
    blocks,
    (element) => {
      if (isBody && !writer.isFull) writeBlock(writer, text, element);
    },
    name,
    (entered) => {
      isBody ||= entered === 'body';
    },
  );
  text.writeNotes(writer);
  return toDocument(writer, ODT_TYPE, readTitle(container, name));
}

/**
 * Returns an OpenDocument spreadsheet as a document: each sheet under its name, its rows as tables with their header.
 */
export function readOds(bytes: Uint8Array, name: string): ReadDocument {
  const { container, content } = openContent(bytes, name);
  const writer = new MarkdownWriter();
  const warnings = writeSheets(writer, content, name, new OdfText(container, name));
  const hasCells = writer.places?.labels.some((label) => label.includes('!')) ?? false;
  const title = readTitle(container, name) ?? name.replace(/\.\w+$/, '');
  return toDocument(hasCells ? writer : new MarkdownWriter(), ODS_TYPE, title, warnings);
}

/**
 * Returns an OpenDocument presentation as a document: each slide under its number and title, with its tables and notes.
 */
export function readOdp(bytes: Uint8Array, name: string): ReadDocument {
  const { container, content } = openContent(bytes, name);
  const writer = new MarkdownWriter();
  const text = new OdfText(container, name);
  let number = 0;
  eachElement(
    content,
    new Set(['page']),
    (page) => {
      number++;
      if (!writer.isFull) writeSlide(writer, text, page, number);
    },
    name,
  );
  const first = writer.headings[0]?.title.replace(/^Slide 1(?:: )?/, '');
  return toDocument(writer, ODP_TYPE, readTitle(container, name) ?? (first === '' ? undefined : first));
}

function openContent(bytes: Uint8Array, name: string): { container: Container; content: Uint8Array } {
  const container = openContainer(bytes, name);
  const manifest = container.part('META-INF/manifest.xml');
  if (elementsIn(manifest, 'encryption-data', name).length > 0)
    throw new NotebookError(
      'encrypted',
      t('{0} is password-protected. Add a copy without a password.', name),
    );
  const content = container.part('content.xml');
  if (content === undefined) throw damagedError(name);
  return { container, content };
}

function readTitle(container: Container, name: string): string | undefined {
  const [title] = elementsIn(container.part('meta.xml'), 'title', name);
  const words = textWithin(title).replace(/\s+/g, ' ').trim();
  return words === '' ? undefined : words;
}

function writeBlock(writer: MarkdownWriter, text: OdfText, element: XmlElement): void {
  if (text.isHidden(element)) return;
  switch (element.name) {
    case 'h':
      writer.heading(Number(element.attributes['text:outline-level'] ?? 1) || 1, text.readPlain(element));
      return;
    case 'p':
      writer.block(escapeLineStarts(text.of(element).trim()));
      return;
    case 'list':
      writeList(writer, text, element);
      return;
    case 'table':
      writeTable(writer, text, element);
      return;
    case 'section':
    case 'hidden-paragraph':
      for (const block of childElements(element)) writeBlock(writer, text, block);
  }
}

/** Writes a list, or the heading in it: a list can number a heading. */
function writeList(writer: MarkdownWriter, text: OdfText, list: XmlElement): void {
  const [heading] = descendants(list, 'h');
  if (heading !== undefined) writeBlock(writer, text, heading);
  else writer.block(readItems(text, list, 0).join('\n'));
}

function readItems(text: OdfText, list: XmlElement, level: number): string[] {
  return childElements(list).flatMap((item) => {
    const blocks = childElements(item);
    const words = blocks
      .filter(({ name }) => name === 'p')
      .map((paragraph) => text.of(paragraph).trim().replaceAll('\n', ' '))
      .join(' ');
    const nested = blocks
      .filter(({ name }) => name === 'list')
      .flatMap((sublist) => readItems(text, sublist, level + 1));
    return words === '' ? nested : [`${'  '.repeat(Math.min(8, level))}- ${words}`, ...nested];
  });
}

function writeTable(writer: MarkdownWriter, text: OdfText, table: XmlElement): void {
  const [header, ...rows] = [...descendants(table, 'table-row')].map((row) => ({
    cells: childElements(row).map((cell) =>
      [...descendants(cell, 'p')].map((paragraph) => text.readPlain(paragraph)).join(' '),
    ),
  }));
  if (header === undefined) return;
  if (rows.length === 0) writer.block(header.cells.map(escapeMarkdown).join('\n\n'));
  else writer.table(header.cells, rows);
}

function writeSlide(writer: MarkdownWriter, text: OdfText, page: XmlElement, number: number): void {
  const frames = [...descendants(page, 'frame')].filter(
    ({ attributes }) =>
      !/^(?:date-time|footer|page-number|header)$/.test(attributes['presentation:class'] ?? ''),
  );
  const notes = childAt(page, 'notes');
  const ofNotes = new Set(notes === undefined ? [] : descendants(notes, 'frame'));
  const titleFrame = frames.find(({ attributes }) => attributes['presentation:class'] === 'title');
  const title = text.readPlain(titleFrame);
  const label = t('slide {0}', number);
  writer.place(title === '' ? label : `${label}: ${title}`);
  writer.heading(1, title === '' ? `Slide ${String(number)}` : `Slide ${String(number)}: ${title}`);
  for (const frame of frames)
    if (frame !== titleFrame && !ofNotes.has(frame)) writeFrame(writer, text, frame);
  for (const shape of childElements(page))
    if (/^(?:custom-shape|rect|ellipse|g)$/.test(shape.name)) writeFrame(writer, text, shape);
  const notesText = [...ofNotes]
    .map((frame) => text.readPlain(frame))
    .join(' ')
    .trim();
  if (notesText !== '') writer.block(`Speaker notes: ${escapeMarkdown(notesText)}`);
}

function writeFrame(writer: MarkdownWriter, text: OdfText, frame: XmlElement): void {
  const table = childAt(frame, 'table');
  if (table !== undefined) {
    writeTable(writer, text, table);
    return;
  }
  const box = childAt(frame, 'text-box') ?? frame;
  for (const block of childElements(box)) writeBlock(writer, text, block);
  const description = text.readPlain(childAt(frame, 'desc') ?? childAt(frame, 'title'));
  if (description !== '') writer.block(escapeMarkdown(description));
}

/** Maximum repetitions of a row. With more, it was filled down to the end of its sheet. */
const MAX_REPEATS = 1000;

/** Writes every sheet of an OpenDocument spreadsheet; returns sentences about the omitted parts. */
function writeSheets(writer: MarkdownWriter, content: Uint8Array, fileName: string, text: OdfText): string[] {
  const warnings: string[] = [];
  let sheet: SheetWriter | undefined;
  let number = 0;
  const end = (): void => {
    sheet?.end();
    warnings.push(...(sheet?.warnings ?? []));
  };
  eachElement(
    content,
    new Set(['table-row']),
    (row) => {
      const repeats = Math.max(1, Number(row.attributes['table:number-rows-repeated'] ?? 1) || 1);
      const cells = readCells(row, text);
      if (cells.length > 0)
        for (let i = 1; i <= Math.min(repeats, MAX_REPEATS); i++) sheet?.row({ number: number + i, cells });
      number += repeats;
    },
    fileName,
    (name, attributes) => {
      if (name !== 'table') return;
      end();
      sheet = new SheetWriter(writer, attributes['table:name'] ?? '');
      number = 0;
    },
  );
  end();
  return warnings;
}

function readCells(row: XmlElement, words: OdfText): SheetCell[] {
  const cells: SheetCell[] = [];
  let column = 0;
  for (const cell of childElements(row)) {
    if (cell.name !== 'table-cell' && cell.name !== 'covered-table-cell') continue;
    const repeats = Math.max(1, Number(cell.attributes['table:number-columns-repeated'] ?? 1) || 1);
    const text = words.readPlain(cell) || formulaText(cell);
    const type = cell.attributes['office:value-type'] ?? 'string';
    if (text !== '')
      for (let i = 0; i < repeats && column + i <= MAX_COLUMNS; i++)
        cells.push({ column: column + i, text, isText: type === 'string' });
    column += repeats;
  }
  return cells;
}

/** Returns the formula of a cell without a saved result, as LibreOffice shows it. */
function formulaText({ attributes }: XmlElement): string {
  const formula = attributes['table:formula'];
  if (formula === undefined || attributes['office:value-type'] === 'string') return '';
  return (
    attributes['office:value'] ?? formula.replace(/^\w{1,10}:(?==)/, '').replace(/\[\.?|(?<=:)\.|\]/g, '')
  );
}
