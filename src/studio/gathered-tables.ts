import { findTables } from '../language/tables.ts';
import { isTableRule, rowCells } from '../language/markdown-lines.ts';
import type { DocumentPlace } from '../notebook/studio.ts';
import { making, quoted, type Piece } from './sheet.ts';
import { placeIn, type StudioDocument } from './studio-document.ts';

/** A table of a document: its caption, the rows that name its columns, and the others, each with its place. */
interface GatheredTable {
  readonly document: string;
  readonly caption: string;
  readonly columns: readonly string[];
  readonly rows: readonly { readonly cells: readonly string[]; readonly place: DocumentPlace }[];
}

const MOST_TABLES = 200;
const MOST_ROWS = 2_000;
const MOST_COLUMNS = 40;

/** The tables of a document that name their columns in one row. */
function gatherTables(document: StudioDocument): GatheredTable[] {
  const { text, format, title, headings } = document;
  if (format !== 'markdown') return [];
  return findTables(text, new Set(headings.map(({ offset }) => offset))).flatMap((table): GatheredTable[] => {
    const [header] = table.header;
    const columns = header === undefined ? [] : splitRow(text.slice(header.start, header.end));
    if (columns.length < 2 || columns.length > MOST_COLUMNS || table.rows.length === 0) return [];
    const above = headings.findLast(({ offset }) => offset <= table.start)?.title ?? '';
    const caption = table.caption.map(({ start, end }) => text.slice(start, end)).join(' ');
    return [
      {
        document: title,
        caption: above || caption,
        columns,
        rows: table.rows.map(({ start, end }) => ({
          cells: splitRow(text.slice(start, end)),
          place: placeIn(document, { start, end }),
        })),
      },
    ];
  });
}

/** All tables; those with the same columns are one, whose last column cites where each row is from. */
export const tables = making(gatherTables, (parts) => {
  const groups = new Map<string, GatheredTable[]>();
  for (const table of parts.flat()) {
    const key = table.columns.map((column) => column.toLowerCase()).join('\n');
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [table]);
    else group.push(table);
  }
  const pieces: Piece[] = [];
  let rows = 0;
  let omitted = 0;
  let count = 0;
  for (const group of groups.values()) {
    const [first] = group;
    if (first === undefined) continue;
    if (count === MOST_TABLES || rows >= MOST_ROWS) {
      omitted += group.length;
      continue;
    }
    count++;
    const captions = [...new Set(group.map(({ caption, document }) => caption || document))];
    const { columns } = first;
    pieces.push(`## ${quoted(captions.slice(0, 3).join(', '), 200)}\n\n`);
    pieces.push(`| ${columns.map(tableCell).join(' | ')} | |\n|${' - |'.repeat(columns.length + 1)}\n`);
    for (const { cells, place } of group.flatMap((table) => table.rows)) {
      if (rows >= MOST_ROWS) {
        omitted++;
        continue;
      }
      rows++;
      pieces.push(
        `| ${columns.map((_, index) => tableCell(cells[index] ?? '')).join(' | ')} | `,
        place,
        ' |\n',
      );
    }
    pieces.push('\n');
  }
  return { pieces, count, omitted };
});

function tableCell(words: string): string {
  return quoted(words, 300).replaceAll('|', '\\|');
}

function splitRow(row: string): string[] {
  return isTableRule(row) ? [] : rowCells(row).map((cell) => cell.replaceAll('\\|', '|').trim());
}
