import type { MarkdownWriter } from '../markdown-writer.ts';
import { plainText } from './open-document-text.ts';
import type { SheetCell } from './sheet-writer.ts';
import { MOST_COLUMNS, SheetWriter } from './sheet-writer.ts';
import type { XmlElement } from './xml.ts';
import { childElements, eachElement } from './xml.ts';

/** A row that is said to be there more often was filled down to the end of its sheet. */
const MOST_REPEATS = 1000;

/** Writes every sheet of an OpenDocument spreadsheet; returns what was left out, one sentence each. */
export function writeSheets(writer: MarkdownWriter, content: Uint8Array, fileName: string): string[] {
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
      const cells = cellsOf(row);
      if (cells.length > 0)
        for (let i = 1; i <= Math.min(repeats, MOST_REPEATS); i++) sheet?.row({ number: number + i, cells });
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

function cellsOf(row: XmlElement): SheetCell[] {
  const cells: SheetCell[] = [];
  let column = 0;
  for (const cell of childElements(row)) {
    if (cell.name !== 'table-cell' && cell.name !== 'covered-table-cell') continue;
    const repeats = Math.max(1, Number(cell.attributes['table:number-columns-repeated'] ?? 1) || 1);
    const text = plainText(cell);
    const type = cell.attributes['office:value-type'] ?? 'string';
    if (text !== '')
      for (let i = 0; i < repeats && column + i <= MOST_COLUMNS; i++)
        cells.push({ column: column + i, text, isText: type === 'string' });
    column += repeats;
  }
  return cells;
}
