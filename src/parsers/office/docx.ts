import { t } from '@vscode/l10n';
import type { ReadDocument } from '../../core/domain/document.ts';
import { escapeInline, escapeLineStarts, escapeMarkdown, MarkdownWriter } from '../markdown-writer.ts';
import { toDocument } from './written-document.ts';
import { declaredTitle, mainPart, relatedPart, readRelations } from './open-xml.ts';
import { readChunk } from './alternative-chunk.ts';
import { writeChart } from './chart.ts';
import { formulaOf } from './omml.ts';
import { readNumbering, type ItemNumber, type Numbering } from './word-numbering.ts';
import { runsText, type TextContext } from './word-text.ts';
import { isOn, listOfParagraph, outlineLevel, readStyles, type ParagraphStyle } from './word-styles.ts';
import { childAt, childElements, descendants, eachElement, elementsIn, type XmlElement } from './xml.ts';
import { damagedError, openContainer, type Container } from './zip.ts';

export const DOCX_TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

interface Reading {
  readonly container: Container;
  readonly name: string;
  readonly writer: MarkdownWriter;
  readonly findStyle: (id: string) => ParagraphStyle;
  readonly numbering: Numbering;
  readonly context: TextContext;
  readonly warnings: string[];
  title: string | undefined;
  /** Items of the current list, which form one block. */
  items: { readonly number: ItemNumber; readonly text: string }[];
}

/** Maximum number of Word files inside each other. */
const MAX_CHUNK_DEPTH = 3;

/**
 * Returns a Word file as a document: headings, paragraphs, lists, tables, charts, formulas, footnotes, and the
 * alternative text of its pictures.
 * @throws NotebookError `damaged`, or an error of a container that can't be opened
 */
export function readDocx(bytes: Uint8Array, name: string): ReadDocument {
  return readNested(bytes, name, 0);
}

function readNested(bytes: Uint8Array, name: string, depth: number): ReadDocument {
  const container = openContainer(bytes, name);
  const main = mainPart(container, name);
  const xml = container.part(main);
  if (xml === undefined) throw damagedError(name);
  const relations = readRelations(container, main, name);
  const findPart = (type: string): Uint8Array | undefined =>
    container.part(relatedPart(relations, type) ?? '');
  const findStyle = readStyles(findPart('styles'), name);
  const reading: Reading = {
    container,
    name,
    writer: new MarkdownWriter(),
    findStyle,
    numbering: readNumbering(findPart('numbering'), name),
    context: { relations, noteNumber: countNames(), formatOfStyle: (id) => findStyle(id).format },
    warnings: [],
    title: undefined,
    items: [],
  };
  eachElement(
    xml,
    new Set(['p', 'tbl', 'altChunk', 'oMathPara']),
    (element) => {
      if (!reading.writer.isFull) writeBlock(reading, element, depth);
    },
    name,
  );
  endItems(reading);
  for (const type of ['footnotes', 'endnotes']) writeNotes(reading, findPart(type), name);
  const title = declaredTitle(container, name) ?? reading.title;
  return toDocument(reading.writer, DOCX_TYPE, title, [
    ...reading.warnings,
    ...pictureWarnings(container, reading.writer),
  ]);
}

function writeBlock(reading: Reading, element: XmlElement, depth: number): void {
  switch (element.name) {
    case 'p':
      writeParagraph(reading, element);
      return;
    case 'tbl':
      writeTable(reading, element);
      return;
    case 'oMathPara':
      endItems(reading);
      reading.writer.block(formulaOf(element));
      return;
    case 'altChunk':
      endItems(reading);
      writeChunk(reading, element, depth);
  }
}

/** Writes a file that a Word file contains in place of paragraphs. */
function writeChunk(reading: Reading, { attributes }: XmlElement, depth: number): void {
  const part = reading.container.part(reading.context.relations.get(attributes['r:id'] ?? '')?.target ?? '');
  const text =
    part && depth < MAX_CHUNK_DEPTH
      ? readChunk(part, reading.name, (bytes) => readNested(bytes, reading.name, depth + 1).text)
      : undefined;
  if (text === undefined)
    reading.warnings.push(t('Skipped an embedded file because its format isn’t supported.'));
  else reading.writer.markdown(text);
}

function writeParagraph(reading: Reading, paragraph: XmlElement): void {
  const { writer, context } = reading;
  const properties = childAt(paragraph, 'pPr');
  const style = reading.findStyle(childAt(properties, 'pStyle')?.attributes['w:val'] ?? '');
  if (style.isContents) return;
  const text = runsText(paragraph, context).trim();
  const level = outlineLevel(properties) ?? style.headingLevel;
  const number = numberParagraph(reading, properties, style, text);
  if (level !== undefined && text !== '') {
    endItems(reading);
    if (level === 0) reading.title ??= plain(text);
    // If the document has a title, its sections are one level below it.
    const depth = level + (reading.title === undefined || level === 0 ? 0 : 1) || 1;
    writer.heading(depth, withLabel(number, plain(text)));
  } else if (number !== undefined) {
    if (text !== '') reading.items.push({ number, text: text.replaceAll('\n', ' ') });
  } else if (text !== '') {
    endItems(reading);
    writer.block(escapeLineStarts(text));
  }
  for (const { attributes } of descendants(paragraph, 'chart')) {
    endItems(reading);
    writeChart(
      writer,
      reading.container.part(context.relations.get(attributes['r:id'] ?? '')?.target ?? ''),
      reading.name,
    );
  }
}

/** Returns the number of a paragraph in its list. Counts empty paragraphs as Word does, unless they are deleted or hidden. */
function numberParagraph(
  { numbering }: Reading,
  properties: XmlElement | undefined,
  style: ParagraphStyle,
  text: string,
): ItemNumber | undefined {
  const list = listOfParagraph(properties, style);
  const mark = childAt(properties, 'rPr');
  const isGone = childAt(mark, 'del') !== undefined || isOn(mark, 'vanish') === true;
  return list === undefined || (text === '' && isGone) ? undefined : numbering(list);
}

function withLabel(number: ItemNumber | undefined, text: string): string {
  return number?.label === undefined ? text : `${number.label} ${text}`;
}

function writeTable(reading: Reading, table: XmlElement): void {
  endItems(reading);
  // Content controls and custom XML can surround rows and cells.
  const rows = [...descendants(table, 'tr')].filter(isShown).map((row) => ({
    cells: [
      ...blanks(childAt(row, 'trPr', 'gridBefore')),
      ...[...descendants(row, 'tc')].flatMap((cell) => [
        cellText(reading, cell),
        ...blanks(childAt(cell, 'tcPr', 'gridSpan')).slice(1),
      ]),
    ],
  }));
  const [header, ...body] = rows;
  if (header === undefined) return;
  // A table of one column or row is used for layout.
  if (body.length === 0 || rows.every(({ cells }) => cells.length < 2))
    for (const { cells } of rows) reading.writer.block(cells.map(escapeMarkdown).join('\n\n'));
  else reading.writer.table(header.cells, body);
}

/** Reports whether a row of a table is visible and not deleted in tracked changes. */
function isShown(row: XmlElement): boolean {
  const properties = childAt(row, 'trPr');
  return childAt(properties, 'del') === undefined && isOn(properties, 'hidden') !== true;
}

/** Returns empty cells for the number of columns in a property. */
function blanks(property: XmlElement | undefined): string[] {
  const count = Number(property?.attributes['w:val'] ?? 0);
  return Array.from({ length: count >= 1 ? Math.min(100, Math.floor(count)) : 0 }, () => '');
}

function cellText(reading: Reading, cell: XmlElement): string {
  return [...descendants(cell, 'p')]
    .map((paragraph) => {
      const properties = childAt(paragraph, 'pPr');
      const style = reading.findStyle(childAt(properties, 'pStyle')?.attributes['w:val'] ?? '');
      const text = plain(runsText(paragraph, reading.context));
      return withLabel(numberParagraph(reading, properties, style, text), text);
    })
    .join(' ');
}

/** Writes the notes at the end, each with its number in the text. */
function writeNotes({ writer, context }: Reading, part: Uint8Array | undefined, name: string): void {
  for (const kind of ['footnote', 'endnote'])
    for (const note of elementsIn(part, kind, name)) {
      // Notes with a type are separator lines.
      if (note.attributes['w:type'] !== undefined) continue;
      const text = childElements(note, 'p').map((paragraph) => runsText(paragraph, context).trim());
      if (writer.headings.at(-1)?.title !== 'Notes') writer.heading(1, 'Notes');
      const number = context.noteNumber(`${kind} ${note.attributes['w:id'] ?? ''}`);
      writer.block(`[${String(number)}] ${text.join(' ')}`);
    }
}

function endItems(reading: Reading): void {
  const { items } = reading;
  if (items.length === 0) return;
  // Markdown would read an item that is indented by four or more spaces, without a parent item, as code.
  const outermost = Math.min(...items.map(({ number }) => number.level));
  reading.writer.block(
    items
      .map(({ number, text }) => '   '.repeat(number.level - outermost) + itemMark(number) + text)
      .join('\n'),
  );
  reading.items = [];
}

/** Returns the marker of a list item. Markdown has only numbers such as `1.`, so other labels follow a dash. */
function itemMark({ label }: ItemNumber): string {
  if (label === undefined) return '- ';
  return /^\d{1,9}[.)]$/.test(label) ? `${label} ` : `- ${escapeInline(label)} `;
}

/** Returns a function that numbers names from 1, with the same number for the same name. */
function countNames(): (name: string) => number {
  const numbers = new Map<string, number>();
  return (name) => {
    const number = numbers.get(name) ?? numbers.size + 1;
    numbers.set(name, number);
    return number;
  };
}

function plain(markdown: string): string {
  return markdown
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
}

function pictureWarnings(container: Container, writer: MarkdownWriter): string[] {
  const pictures = container.names.filter((part) => part.startsWith('word/media/')).length;
  if (pictures === 0 || writer.offset > 200) return [];
  return [
    t(
      'This document consists mostly of images. Text in the images wasn’t read. To recognize the text, save the document as a PDF, then add the PDF.',
    ),
  ];
}
