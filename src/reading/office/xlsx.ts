import { t } from '@vscode/l10n';
import type { ReadDocument } from '../../notebook/document.ts';
import { MarkdownWriter } from '../markdown-writer.ts';
import { toDocument } from './written-document.ts';
import { numberKind, numberText, type NumberKind } from './number-format.ts';
import { declaredTitle, mainPart, relatedPart, readRelations } from './open-xml.ts';
import { columnIndex, SheetWriter, type SheetCell } from './sheet-writer.ts';
import { childAt, childElements, eachElement, elementsIn, textWithin, type XmlElement } from './xml.ts';
import { damagedError, openContainer } from './zip.ts';

export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** Data that the cells of all sheets refer to. */
interface Workbook {
  readonly strings: readonly string[];
  readonly kinds: readonly NumberKind[];
  readonly is1904: boolean;
}

/**
 * Returns an Excel file as a document: each sheet under its name, its rows as tables with their header.
 * @throws NotebookError `damaged`, or an error of a container that can't be opened
 */
export function readXlsx(bytes: Uint8Array, name: string): ReadDocument {
  const container = openContainer(bytes, name);
  const main = mainPart(container, name);
  const relations = readRelations(container, main, name);
  const xml = container.part(main);
  if (xml === undefined) throw damagedError(name);
  const findPart = (type: string): Uint8Array | undefined =>
    container.part(relatedPart(relations, type) ?? '');
  const workbook: Workbook = {
    strings: readStrings(findPart('sharedStrings'), name),
    kinds: readKinds(findPart('styles'), name),
    is1904: /^(?:1|true)$/.test(elementsIn(xml, 'workbookPr', name)[0]?.attributes['date1904'] ?? ''),
  };
  const writer = new MarkdownWriter();
  const warnings: string[] = [];
  for (const { attributes } of elementsIn(xml, 'sheet', name)) {
    const title = attributes['name'] ?? '';
    const relation = relations.get(attributes['r:id'] ?? '');
    if (relation?.type === 'chartsheet') continue;
    const sheet = relation && container.part(relation.target);
    if (sheet === undefined) warnings.push(t('Skipped the sheet “{0}” because it’s damaged.', title));
    else warnings.push(...writeSheet(writer, title, sheet, workbook, name));
  }
  const hasCells = writer.places?.labels.some((label) => label.includes('!')) ?? false;
  return toDocument(
    hasCells ? writer : new MarkdownWriter(),
    XLSX_TYPE,
    declaredTitle(container, name) ?? name.replace(/\.\w+$/, ''),
    warnings,
  );
}

function writeSheet(
  writer: MarkdownWriter,
  title: string,
  xml: Uint8Array,
  workbook: Workbook,
  name: string,
): string[] {
  const sheet = new SheetWriter(writer, title);
  let previous = 0;
  eachElement(
    xml,
    new Set(['row']),
    (row) => {
      previous = Number(row.attributes['r'] ?? previous + 1) || previous + 1;
      sheet.row({ number: previous, cells: readCells(row, workbook) });
    },
    name,
  );
  sheet.end();
  return sheet.warnings;
}

function readCells(row: XmlElement, workbook: Workbook): SheetCell[] {
  let previous = -1;
  return childElements(row, 'c').flatMap((cell) => {
    const letters = /^[A-Z]+/.exec(cell.attributes['r'] ?? '')?.[0];
    const column = (letters === undefined ? undefined : columnIndex(letters)) ?? previous + 1;
    previous = column;
    const content = readContent(cell, workbook);
    return content === undefined ? [] : [{ column, ...content }];
  });
}

function readContent(cell: XmlElement, workbook: Workbook): Omit<SheetCell, 'column'> | undefined {
  const type = cell.attributes['t'] ?? 'n';
  if (type === 'inlineStr') return { text: richText(childAt(cell, 'is')), isText: true };
  const value = textWithin(childAt(cell, 'v'));
  if (value === '') return undefined;
  switch (type) {
    case 's':
      return { text: workbook.strings[Number(value)] ?? '', isText: true };
    case 'str':
      return { text: value, isText: true };
    case 'b':
      return { text: value === '1' ? 'TRUE' : 'FALSE', isText: false };
    case 'n': {
      const kind = workbook.kinds[Number(cell.attributes['s'] ?? 0)] ?? 'number';
      const number = Number(value);
      const text = Number.isFinite(number) ? numberText(number, kind, workbook.is1904) : value;
      return { text, isText: false };
    }
    default:
      return { text: value, isText: false };
  }
}

function readStrings(part: Uint8Array | undefined, name: string): string[] {
  const strings: string[] = [];
  if (part) eachElement(part, new Set(['si']), (string) => strings.push(richText(string)), name);
  return strings;
}

/** Returns the text of a string without the phonetic readings above Japanese characters. */
function richText(string: XmlElement | undefined): string {
  return childElements(string)
    .map((part) =>
      part.name === 't' ? textWithin(part) : part.name === 'r' ? textWithin(childAt(part, 't')) : '',
    )
    .join('');
}

/** Returns the meaning of numbers for each cell style. */
function readKinds(part: Uint8Array | undefined, name: string): NumberKind[] {
  const codes = new Map(
    elementsIn(part, 'numFmt', name).map(({ attributes }) => [
      Number(attributes['numFmtId']),
      attributes['formatCode'] ?? '',
    ]),
  );
  const [formats] = elementsIn(part, 'cellXfs', name);
  return childElements(formats, 'xf').map(({ attributes }) => {
    const id = Number(attributes['numFmtId'] ?? 0);
    return numberKind(id, codes.get(id));
  });
}
