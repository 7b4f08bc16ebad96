import { t } from '@vscode/l10n';
import type { ReadDocument } from '../../core/domain/document.ts';
import { MarkdownWriter } from '../markdown-writer.ts';
import { toDocument } from './written-document.ts';
import { numberKind, numberText, type NumberKind } from './number-format.ts';
import { joinRuns } from '../raised-text.ts';
import { declaredTitle, mainPart, officeText, relatedPart, readRelations } from './open-xml.ts';
import { columnIndex, SheetWriter, type SheetCell } from './sheet-writer.ts';
import { childAt, childElements, eachElement, elementsIn, textWithin, type XmlElement } from './xml.ts';
import { damagedError, openContainer } from './zip.ts';

export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** Data that the cells of all sheets refer to. */
interface Workbook {
  /** Names of the sheets with formulas whose results aren't in the file. */
  readonly uncalculated: Set<string>;
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
    uncalculated: new Set(),
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
  for (const title of workbook.uncalculated)
    warnings.push(
      t(
        '{0}: The file has no results for some formulas. Open and save it in a spreadsheet program, then add it again.',
        title,
      ),
    );
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
      sheet.row({ number: previous, cells: readCells(row, workbook, title) });
    },
    name,
  );
  sheet.end();
  return sheet.warnings;
}

function readCells(row: XmlElement, workbook: Workbook, title: string): SheetCell[] {
  let previous = -1;
  return childElements(row, 'c').flatMap((cell) => {
    const letters = /^[A-Z]+/.exec(cell.attributes['r'] ?? '')?.[0];
    const column = (letters === undefined ? undefined : columnIndex(letters)) ?? previous + 1;
    previous = column;
    const content = readContent(cell, workbook) ?? formulaOf(cell);
    if (content?.isFormula === true) workbook.uncalculated.add(title);
    return content === undefined ? [] : [{ column, text: content.text, isText: content.isText }];
  });
}

interface Content extends Omit<SheetCell, 'column'> {
  readonly isFormula?: true;
}

/** Returns the formula of a cell whose result isn't in the file. A result can be an empty text. */
function formulaOf(cell: XmlElement): Content | undefined {
  const formula = childAt(cell, 'f');
  if (formula === undefined || cell.attributes['t'] === 'str') return undefined;
  const text = officeText(textWithin(formula)).trim();
  return { text: text === '' ? '=…' : `=${text}`, isText: false, isFormula: true };
}

function readContent(cell: XmlElement, workbook: Workbook): Content | undefined {
  const type = cell.attributes['t'] ?? 'n';
  if (type === 'inlineStr') return { text: richText(childAt(cell, 'is')), isText: true };
  const value = textWithin(childAt(cell, 'v'));
  if (value === '') return undefined;
  switch (type) {
    case 's':
      return { text: workbook.strings[Number(value)] ?? '', isText: true };
    case 'str':
      return { text: officeText(value), isText: true };
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
  return joinRuns(
    childElements(string).flatMap((part) => {
      const text = part.name === 't' ? part : part.name === 'r' ? childAt(part, 't') : undefined;
      if (text === undefined) return [];
      const properties = childAt(part, 'rPr');
      const align = childAt(properties, 'vertAlign')?.attributes['val'];
      const struck = childAt(properties, 'strike');
      return {
        text: officeText(textWithin(text)),
        raise: align === 'superscript' ? 'super' : align === 'subscript' ? 'sub' : undefined,
        isStruck: struck !== undefined && !/^(?:0|false)$/.test(struck.attributes['val'] ?? '1'),
      };
    }),
  );
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
