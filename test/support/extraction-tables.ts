// Tables for tests: a notebook with sources, its board as the editor uses it, and a function that answers cells.
import { tableHandlers, extractionRows } from '../../src/features/tables/store/rows.ts';
import { splitForWindows } from '../../src/index/documents/splitter.ts';
import { ExtractionTables } from '../../src/features/tables/store/extraction-tables.ts';
import { openDatabase } from '../../src/index/store/database/opening.ts';
import { Statements } from '../../src/index/store/database/statements.ts';
import { Store } from '../../src/index/store/store.ts';
import { fillExtractionTable, type Filling } from '../../src/features/tables/service/fill-table.ts';
import type { Answer, Citation } from '../../src/core/domain/answer.ts';
import type { ExtractionCell, ExtractionRow } from '../../src/features/tables/model/extraction-table.ts';
import { input, passageSettings } from './opened-notebooks.ts';

type Board = Filling['board'];

export interface OpenedTables {
  readonly sql: Statements;
  readonly store: Store;
  readonly extractionTables: ExtractionTables;
  readonly board: Board;
}

/** Opens the tables of a notebook like a window; `now` is its clock. */
export async function openTables(folder: string, now: () => number = Date.now): Promise<OpenedTables> {
  const { database } = await openDatabase(folder);
  const sql = new Statements(database);
  const extractionTables = new ExtractionTables(sql, now);
  const handlers = tableHandlers(() => ({ sql, features: { extractionTables } }));
  const board: Board = {
    call: async (method, params) => {
      const handle = handlers[method] as (params: unknown) => unknown;
      // The response of a worker arrives later.
      await new Promise((resolve) => setImmediate(resolve));
      return handle(params) as never;
    },
  };
  return { sql, store: new Store(sql), extractionTables, board };
}

/** Adds sources with one text each, and returns their IDs. */
export function addSources({ store }: Pick<OpenedTables, 'store'>, texts: readonly string[]): string[] {
  return texts.map((text, n) => {
    const { id } = store.addSource(
      `Source ${String(n)}`,
      { kind: 'text' },
      undefined,
      splitForWindows,
      passageSettings,
    );
    store.documents.putDocument(id, input(text), splitForWindows, passageSettings);
    return id;
  });
}

/** Creates a table of all sources with some columns, whose cells all wait. */
export function makeExtractionTable(
  { extractionTables, sql }: OpenedTables,
  questions: readonly string[],
): { readonly tableId: string; readonly columnIds: string[]; readonly rows: readonly ExtractionRow[] } {
  const tableId = extractionTables.add({
    title: 'Extraction Table',
    rowKind: 'sources',
  });
  const columnIds = questions.map((question) => extractionTables.addColumn(tableId, question));
  const { rows } = extractionRows(sql, extractionTables.open(tableId));
  wantColumns(extractionTables, tableId, columnIds, rows);
  return { tableId, columnIds, rows };
}

export function wantColumns(
  extractionTables: ExtractionTables,
  tableId: string,
  columnIds: readonly string[],
  rows: readonly Pick<ExtractionRow, 'id' | 'title'>[],
): void {
  const cells = columnIds.flatMap((columnId) =>
    rows.map(({ id, title }) => ({ columnId, rowId: id, rowTitle: title })),
  );
  extractionTables.want({ tableId, cells, replacesEdited: false });
}

/** Returns all cells of a table. */
export function allCells(extractionTables: ExtractionTables, tableId: string): ExtractionCell[] {
  const cells: ExtractionCell[] = [];
  let from: number | undefined;
  do {
    const some = extractionTables.cells({ tableId, after: 0, from });
    cells.push(...some.cells);
    ({ from } = some);
  } while (from !== undefined);
  return cells;
}

function makeCitation(sourceId: string, quote = 'quoted words'): Citation {
  return {
    number: 1,
    sourceId,
    sourceKind: 'text',
    documentId: 1,
    title: 'Source',
    place: 'L1',
    uri: '',
    mediaType: 'text/plain',
    passage: { start: 0, end: quote.length },
    span: { start: 0, end: quote.length },
    quote,
    locator: { kind: 'lines', start: { line: 0, character: 0 }, end: { line: 0, character: 1 } },
  };
}

/** Returns an answer of one sentence that the source supports. */
export function writtenAnswer(sourceId: string, text: string): Answer {
  return {
    ...{ kind: 'written', model: 'scripted-1', text },
    statements: [{ start: 0, end: text.length, verdict: 'supported', citations: [0] }],
    citations: [makeCitation(sourceId)],
  };
}

/** Fills a table. By default, each cell is answered with its row and question. */
export async function fill(
  { board }: Pick<OpenedTables, 'board'>,
  tableId: string,
  options: Partial<Filling> = {},
): ReturnType<typeof fillExtractionTable> {
  return await fillExtractionTable({
    ...{ board, tableId, holder: 'window', held: new Map(), signal: new AbortController().signal },
    isChecked: false,
    answer: ({ sourceId, title }, question) =>
      Promise.resolve(writtenAnswer(sourceId, `${title}: ${question}`)),
    onError: (error) => {
      throw error;
    },
    ...options,
  });
}
