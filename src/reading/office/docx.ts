import { t } from '@vscode/l10n';
import type { ReadDocument } from '../../notebook/document.ts';
import { escapeLineStarts, escapeMarkdown, MarkdownWriter } from '../markdown-writer.ts';
import { toDocument } from './written-document.ts';
import { declaredTitle, mainPart, relatedPart, readRelations } from './open-xml.ts';
import { runsText, type TextContext } from './word-text.ts';
import {
  readItemMarks,
  listOfParagraph,
  outlineLevel,
  readStyles,
  type ItemMarks,
  type ParagraphStyle,
} from './word-styles.ts';
import { childAt, childElements, descendants, eachElement, elementsIn, type XmlElement } from './xml.ts';
import { damagedError, openContainer, type Container } from './zip.ts';

export const DOCX_TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

interface Reading {
  readonly writer: MarkdownWriter;
  readonly findStyle: (id: string) => ParagraphStyle;
  readonly itemMark: ItemMarks;
  readonly context: TextContext;
  title: string | undefined;
  /** Items of the current list, which form one block. */
  items: string[];
}

/**
 * Returns a Word file as a document: headings, paragraphs, lists, tables, footnotes, and the alternative text of its
 * pictures.
 * @throws NotebookError `damaged`, or an error of a container that can't be opened
 */
export function readDocx(bytes: Uint8Array, name: string): ReadDocument {
  const container = openContainer(bytes, name);
  const main = mainPart(container, name);
  const xml = container.part(main);
  if (xml === undefined) throw damagedError(name);
  const relations = readRelations(container, main, name);
  const findPart = (type: string): Uint8Array | undefined =>
    container.part(relatedPart(relations, type) ?? '');
  const reading: Reading = {
    writer: new MarkdownWriter(),
    findStyle: readStyles(findPart('styles'), name),
    itemMark: readItemMarks(findPart('numbering'), name),
    context: { relations, noteNumber: numbering() },
    title: undefined,
    items: [],
  };
  eachElement(
    xml,
    new Set(['p', 'tbl']),
    (element) => {
      if (reading.writer.isFull) return;
      if (element.name === 'p') writeParagraph(reading, element);
      else writeTable(reading, element);
    },
    name,
  );
  endItems(reading);
  for (const type of ['footnotes', 'endnotes']) writeNotes(reading, findPart(type), name);
  const title = declaredTitle(container, name) ?? reading.title;
  return toDocument(reading.writer, DOCX_TYPE, title, pictureWarnings(container, reading.writer));
}

function writeParagraph(reading: Reading, paragraph: XmlElement): void {
  const { writer, findStyle } = reading;
  const properties = childAt(paragraph, 'pPr');
  const style = findStyle(childAt(properties, 'pStyle')?.attributes['w:val'] ?? '');
  if (style.isContents) return;
  const text = runsText(paragraph, reading.context).trim();
  const level = outlineLevel(properties) ?? style.headingLevel;
  const list = listOfParagraph(properties) ?? style.list;
  if (level !== undefined && text !== '') {
    endItems(reading);
    if (level === 0) reading.title ??= plain(text);
    // In a document with a title, its sections are one level below.
    writer.heading(level + (reading.title === undefined || level === 0 ? 0 : 1) || 1, plain(text));
  } else if (list !== undefined && list.id !== '0') {
    if (text !== '') reading.items.push(reading.itemMark(list) + text.replaceAll('\n', ' '));
  } else if (text !== '') {
    endItems(reading);
    writer.block(escapeLineStarts(text));
  }
}

function writeTable(reading: Reading, table: XmlElement): void {
  endItems(reading);
  const rows = childElements(table, 'tr').map((row) => ({
    cells: [...descendants(row, 'tc')].flatMap((cell) => {
      const text = [...descendants(cell, 'p')].map((one) => plain(runsText(one, reading.context))).join(' ');
      const span = Number(childAt(cell, 'tcPr', 'gridSpan')?.attributes['w:val'] ?? 1) || 1;
      return [text, ...Array.from({ length: Math.min(100, span) - 1 }, () => '')];
    }),
  }));
  const [header, ...body] = rows;
  if (header === undefined) return;
  // A table of one column or row is used for layout.
  if (body.length === 0 || rows.every(({ cells }) => cells.length < 2))
    for (const { cells } of rows) reading.writer.block(cells.map(escapeMarkdown).join('\n\n'));
  else reading.writer.table(header.cells, body);
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
  if (reading.items.length > 0) reading.writer.block(reading.items.join('\n'));
  reading.items = [];
}

/** Returns a function that numbers names from 1, with the same number for the same name. */
function numbering(): (name: string) => number {
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
  return [t('This document consists mostly of images. Text in the images wasn’t read.')];
}
