import type { PlainTable } from '../../../core/domain/plain-table.ts';
import { makeZip } from './zip.ts';

/** Excel's limits for the text of a cell and the name of a sheet, in UTF-16 code units. */
const MAX_CELL_LENGTH = 32_767;
const MAX_NAME_LENGTH = 31;
/** Control characters except tabs and line ends. Some programs ignore them before a formula. */
const UNSHOWN = /[^\P{Cc}\t\n\r]/gu;
/** Column widths, in characters. */
const NARROW = 28;
const WIDE = 48;

/** Converts a table to CSV (RFC 4180) in UTF-8, which Excel can also read. No cell becomes a formula. */
export function writeCsv({ head, rows }: PlainTable): Uint8Array {
  const lines = [head, ...rows].map((cells) => cells.map(csvCell).join(','));
  // Without the byte order mark, Excel assumes another encoding.
  return Buffer.from(`\uFEFF${lines.join('\r\n')}\r\n`);
}

/**
 * Escapes a cell for CSV. A sign before text that starts like a formula makes it plain text. This includes a leading
 * plus, which a number would lose. Removes invisible characters.
 */
function csvCell(cell: string): string {
  const text = cell.replaceAll(UNSHOWN, '');
  const isFormula = /^[\s\p{Cf}]*[=+\-@|%＝＋－＠]/u.test(text) && !/^-?\d+(?:[.,]\d+)?$/.test(text);
  const safe = isFormula || /^[\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",;\r\n\t']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * Writes tables as sheets of an Excel workbook. All cells are text, so that none becomes a formula, even after an edit.
 */
export function writeWorkbook(tables: readonly PlainTable[]): Uint8Array {
  const sheets = tables.map(({ name }, index) => ({
    name: sheetName(name, index),
    number: String(index + 1),
  }));
  return makeZip({
    '[Content_Types].xml': xml(
      `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/>${sheets
        .map(
          ({ number }) =>
            `<Override PartName="/xl/worksheets/sheet${number}.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>`,
        )
        .join('')}</Types>`,
    ),
    '_rels/.rels': xml(relationships([['rId1', 'officeDocument', 'xl/workbook.xml']])),
    'xl/workbook.xml': xml(
      `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>${sheets
        .map(
          ({ name, number }) => `<sheet name="${escapeXml(name)}" sheetId="${number}" r:id="rId${number}"/>`,
        )
        .join('')}</sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': xml(
      relationships([
        ...sheets.map(
          ({ number }) => [`rId${number}`, 'worksheet', `worksheets/sheet${number}.xml`] as const,
        ),
        [`rId${String(sheets.length + 1)}`, 'styles', 'styles.xml'],
      ]),
    ),
    // The first style is plain: text wraps, and edited cells stay text. The style of heads is also bold.
    'xl/styles.xml': xml(
      `<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf/>${[
        '0',
        '1',
      ]
        .map(
          (font) =>
            `<xf fontId="${font}" numFmtId="49" applyFont="1" applyNumberFormat="1" quotePrefix="1" applyAlignment="1"><alignment vertical="top" wrapText="1"/></xf>`,
        )
        .join('')}</cellXfs></styleSheet>`,
    ),
    ...Object.fromEntries(
      tables.map((table, index) => [`xl/worksheets/sheet${String(index + 1)}.xml`, xml(writeSheet(table))]),
    ),
  });
}

function writeSheet({ head, rows }: PlainTable): string {
  const line = (cells: readonly string[], row: number): string => {
    const style = row === 1 ? '2' : '1';
    const written = cells.map(
      (text, column) =>
        `<c r="${columnName(column)}${String(row)}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(text.slice(0, MAX_CELL_LENGTH))}</t></is></c>`,
    );
    return `<row r="${String(row)}">${written.join('')}</row>`;
  };
  const columns = head.map((_, index) => {
    const number = String(index + 1);
    return `<col min="${number}" max="${number}" width="${String(index === 0 ? NARROW : WIDE)}" customWidth="1"/>`;
  });
  return `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetViews><sheetView workbookViewId="0"><pane xSplit="1" ySplit="1" topLeftCell="B2" activePane="bottomRight" state="frozen"/></sheetView></sheetViews><cols>${columns.join('')}</cols><sheetData>${[head, ...rows].map((cells, index) => line(cells, index + 1)).join('')}</sheetData></worksheet>`;
}

/** Returns the name of a column, counted from 0: A, B … Z, AA. */
function columnName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : columnName(Math.floor(index / 26) - 1) + letter;
}

function sheetName(name: string, index: number): string {
  const plain = name.replaceAll(/[[\]:*?/\\']/g, ' ').trim();
  return (plain || `Sheet${String(index + 1)}`).slice(0, MAX_NAME_LENGTH);
}

function relationships(relations: readonly (readonly [id: string, type: string, target: string])[]): string {
  const listed = relations.map(
    ([id, type, target]) =>
      `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${listed.join('')}</Relationships>`;
}

function xml(content: string): string {
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${content}`;
}

/** Escapes text for XML, without characters that aren't valid there. */
function escapeXml(text: string): string {
  return (
    text
      .toWellFormed()
      .replaceAll(/[^\P{Cc}\t\n\r]|[\uFFFE\uFFFF]/gu, '')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      // Excel would read this sequence as an escaped character.
      .replaceAll(/_(?=x[\dA-Fa-f]{4}_)/g, '_x005F_')
  );
}
