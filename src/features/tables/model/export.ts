import { t } from '@vscode/l10n';
import { sanitizeWords } from '../../../core/domain/sanitize-markdown.ts';
import { cellPieces, cellText } from './cells.ts';
import {
  cellKey,
  type ExtractionTable,
  type ExtractionCell,
  type ExtractionColumn,
  type ExtractionRow,
} from './extraction-table.ts';
import type { StoredCitation } from '../../../core/domain/note.ts';
import { bodyAsNote, type NotePart } from '../../../core/domain/note-markdown.ts';
import {
  verdictMark,
  withVerdictFootnotes,
  type VerdictMarkStyle,
} from '../../../core/domain/verdict-marks.ts';
import type { PlainTable } from '../../../core/domain/plain-table.ts';

/** Extraction table with its current rows and the contents of its cells. */
export interface ExportedTable {
  readonly header: Pick<ExtractionTable, 'columns' | 'title'>;
  readonly rows: readonly Pick<ExtractionRow, 'id' | 'title'>[];
  readonly cells: readonly ExtractionCell[];
}

/** Returns a table with only some rows, in this order. Ignores IDs of unknown rows. */
export function selectRows(table: ExportedTable, rowIds: readonly string[]): ExportedTable {
  const known = new Map(exportedRows(table).map((row) => [row.id, row]));
  const rows = rowIds.flatMap((id) => known.get(id) ?? []);
  const currentIds = new Set(rows.map(({ id }) => id));
  return { ...table, rows, cells: table.cells.filter(({ rowId }) => currentIds.has(rowId)) };
}

/**
 * Returns an extraction table as tables of plain text: one with its cells, and one with their citations. Verdicts of
 * the fact check are marked inline, since cells have no footnotes.
 */
export function asPlainTables(table: ExportedTable, withPlaces: boolean): readonly PlainTable[] {
  const { header, cells } = table;
  const rows = exportedRows(table);
  const find = finder(cells);
  const text = (cell: ExtractionCell | undefined): string => {
    if (cell === undefined) return '';
    const { answer, edited } = cell;
    const places = withPlaces ? [...new Set(answer?.citations.map(({ place }) => place))] : [];
    const locations = places.filter((place) => place !== '').join('; ');
    const words = edited ?? (answer === undefined ? '' : markedCell(answer));
    return words + (locations === '' || words === '' ? '' : ` [${locations}]`);
  };
  const cited = rows.flatMap((row) =>
    header.columns.flatMap(({ id, question }) => {
      const cell = find(row.id, id);
      const citations = cell?.edited === '' ? [] : (cell?.answer?.citations ?? []);
      return citations.map(({ title, place, quote, uri }) => [row.title, question, title, place, quote, uri]);
    }),
  );
  return [
    {
      name: t('Extraction Table'),
      head: [t('Source'), ...header.columns.map(({ question }) => question)],
      rows: rows.map((row) => [row.title, ...header.columns.map(({ id }) => text(find(row.id, id)))]),
    },
    {
      name: t('Citations'),
      head: [t('Source'), t('Question'), t('Document'), t('Location'), t('Cited Text'), t('URL')],
      rows: cited,
    },
  ];
}

function markedCell(answer: NonNullable<ExtractionCell['answer']>): string {
  return cellPieces(answer)
    .map(({ text, verdict }) => {
      const words = text.trimEnd();
      return words + verdictMark(verdict, 'inline') + text.slice(words.length);
    })
    .join('')
    .trim();
}

/**
 * Returns an extraction table as a note: a table whose cells have their citations as links, numbered in one sequence.
 */
export function tableAsNote(table: ExportedTable, style: VerdictMarkStyle): NotePart {
  const { header, cells } = table;
  const find = finder(cells);
  const citations = new Map<string, StoredCitation>();
  const numbers = new Map<string, number>();
  const text = (row: Pick<ExtractionRow, 'id'>, { id }: ExtractionColumn): string => {
    const cell = find(row.id, id);
    const edited = cell?.edited;
    const answer = edited === undefined || edited === '' ? cell?.answer : citationsAlone(cell?.answer);
    if (edited === '' || answer === undefined) return inTable(sanitizeWords(edited ?? ''));
    const part = bodyAsNote(asPlain(answer), style, (_, citation) => {
      const number = numbers.get(citation) ?? numbers.size + 1;
      numbers.set(citation, number);
      return String(number);
    });
    for (const stored of part.citations) citations.set(stored.id, stored);
    if (edited !== undefined)
      return `${inTable(sanitizeWords(edited))} ${inTable(part.text.trim().slice(PLACEHOLDER.length))}`.trim();
    // Code on separate lines isn't code on the single line of a cell.
    return inTable(sanitizeWords(part.text));
  };
  const line = (parts: readonly string[]): string => `| ${parts.join(' | ')} |`;
  const lines = [
    line([t('Source'), ...header.columns.map(({ question }) => inTable(sanitizeWords(question)))]),
    line(['---', ...header.columns.map(() => '---')]),
    ...exportedRows(table).map((row) =>
      line([inTable(sanitizeWords(row.title)), ...header.columns.map((column) => text(row, column))]),
    ),
  ];
  return {
    text: withVerdictFootnotes(`# ${sanitizeWords(header.title)}\n\n${lines.join('\n')}\n`),
    citations: [...citations.values()],
  };
}

/** Placeholder for the text of an edited cell, whose links are written separately. */
const PLACEHOLDER = 'x';

/** Returns the citations of an answer after a placeholder; undefined if it has none. */
function citationsAlone(answer: ExtractionCell['answer']): ExtractionCell['answer'] {
  if (answer === undefined || answer.citations.length === 0) return undefined;
  const citations = [...answer.citations.keys()];
  return {
    ...{ kind: 'written', model: '', text: PLACEHOLDER, citations: answer.citations },
    statements: [{ start: 0, end: PLACEHOLDER.length, verdict: 'none', citations }],
  };
}

/** Returns excerpts as plain sentences that cite their source, and other answers unchanged. */
function asPlain(answer: NonNullable<ExtractionCell['answer']>): NonNullable<ExtractionCell['answer']> {
  if (answer.kind !== 'quotes') return answer;
  const text = cellText(answer);
  const citations = [...answer.citations.keys()];
  return {
    kind: 'written',
    model: '',
    text,
    statements:
      text === ''
        ? []
        : [
            {
              start: 0,
              end: text.length,
              verdict: 'supported',
              citations,
              signals: { isVerbatim: true },
            },
          ],
    citations: answer.citations,
  };
}

/** Returns the current rows, then the deleted ones with a saved cell. */
function exportedRows({ rows, cells }: ExportedTable): readonly Pick<ExtractionRow, 'id' | 'title'>[] {
  const known = new Map(rows.map(({ id, title }) => [id, title]));
  for (const { rowId, rowTitle, answer, edited } of cells)
    if (!known.has(rowId) && (answer !== undefined || edited !== undefined)) known.set(rowId, rowTitle);
  return Array.from(known, ([id, title]) => ({ id, title }));
}

function finder(
  cells: readonly ExtractionCell[],
): (rowId: string, columnId: string) => ExtractionCell | undefined {
  const byPlace = new Map(cells.map((cell) => [cellKey(cell), cell]));
  return (rowId, columnId) => byPlace.get(cellKey({ columnId, rowId }));
}

/**
 * Returns Markdown on one line that doesn't end a cell. Parsers differ in how they read backslashes before a bar,
 * except for an odd number of them.
 */
function inTable(markdown: string): string {
  return markdown
    .trim()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/(?<!\\)(\\*)\|/g, (bar, slashes: string) =>
      slashes.length % 2 === 1 ? bar : `${slashes}\\|`,
    );
}
