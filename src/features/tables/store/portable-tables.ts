import * as v from 'valibot';
import { parseBounded } from '../../../core/domain/bounded-json.ts';
import {
  MAX_CELL_LENGTH,
  MAX_QUESTION_LENGTH,
  MAX_COLUMNS,
  MAX_ROWS,
  readRowId,
  rowId,
  type ExtractionColumn,
} from '../model/extraction-table.ts';
import type { Row } from '../../../index/store/database/database.ts';
import {
  storedTexts,
  storedUsage,
  readJson,
  readOptionalJson,
} from '../../../index/store/database/stored-json.ts';
import { toCellContent, type CellContent } from './extraction-tables.ts';
import { type Statements, optionalJson } from '../../../index/store/database/statements.ts';
import { count, finite, optional, title, wholeNumber } from '../../../index/library/exported-values.ts';
import { portableAnswer } from '../../../index/library/portable-places.ts';
import { readAnswer, type ImportedPlaces } from '../../../index/library/read-citations.ts';
import type { AddedEntity } from '../../../index/library/library-api.ts';
import type {
  ExportedEntities,
  PortableFeature,
  Renumbering,
} from '../../../index/library/portable-feature.ts';
import { storedColumns } from './stored-json.ts';

/** Maximum number of cells in a part, and of parts in a file. */
const CELLS_OF_PART = 200;
const MAX_PARTS = 5_000;
/**
 * Maximum size of the exported extraction tables, in UTF-16 code units. The export reports the tables that don't fit.
 */
const MAX_EXPORTED_LENGTH = 48 * 2 ** 20;
const BOUNDS = { depth: 50, values: 1_000_000 };

const text = v.string();
const id = v.pipe(text, v.regex(/^[\w-]{1,64}$/));
const part = v.object({
  id,
  title,
  sourceIds: optional(v.array(text)),
  rowKind: v.picklist(['documents', 'sources']),
  columns: v.pipe(
    v.array(v.object({ id, question: v.pipe(text, v.maxLength(MAX_QUESTION_LENGTH)) })),
    v.maxLength(MAX_COLUMNS),
  ),
  createdAt: wholeNumber,
  changedAt: wholeNumber,
  usage: optional(
    v.object({
      ...{ input: count(), output: count(), estimated: count() },
      cost: optional(v.pipe(finite, v.minValue(0))),
    }),
  ),
  cells: v.pipe(
    v.array(
      v.pipe(
        v.object({
          columnId: id,
          rowId: text,
          rowTitle: title,
          answer: optional(v.unknown()),
          asked: optional(text),
          version: optional(text),
          edited: optional(v.pipe(text, v.maxLength(MAX_CELL_LENGTH))),
        }),
        v.transform(({ asked: question, ...cell }) => ({ ...cell, question })),
      ),
    ),
    v.maxLength(CELLS_OF_PART),
  ),
});

/**
 * Returns the extraction tables of a notebook for export, in parts, each as JSON, the last changed first. They are in
 * the head, where older versions ignore them. Pending and failed cells aren't exported.
 */
export function exportedTables(
  sql: Statements,
  roots: readonly string[],
  limit = MAX_EXPORTED_LENGTH,
): ExportedEntities {
  const exported: string[] = [];
  const leftOut: string[] = [];
  let length = 0;
  for (const table of readTables(sql, 'DESC')) {
    const cells = readCells(sql, table).map(({ answer, question, ...cell }) => ({
      ...cell,
      asked: question,
      answer: answer && portableAnswer(answer, roots),
    }));
    const parts = Array.from({ length: Math.max(1, Math.ceil(cells.length / CELLS_OF_PART)) }, (_, n) =>
      JSON.stringify({
        id: table['id'],
        title: table['title'],
        sourceIds: readOptionalJson(storedTexts, table['source_ids']),
        rowKind: table['row_kind'],
        columns: readJson(storedColumns, table['columns'], []),
        createdAt: table['created_at'],
        changedAt: table['changed_at'],
        usage: readOptionalJson(storedUsage, table['usage']),
        cells: cells.slice(n * CELLS_OF_PART, (n + 1) * CELLS_OF_PART),
      }),
    );
    const added = parts.reduce((sum, json) => sum + json.length, 0);
    if (length + added > limit || exported.length + parts.length > MAX_PARTS) {
      leftOut.push(String(table['title']));
      continue;
    }
    length += added;
    exported.push(...parts);
  }
  return { exported, leftOut };
}

/** Adds the extraction tables of an exported notebook. @throws ValiError, SyntaxError */
function importTables(sql: Statements, exported: readonly string[], places: ImportedPlaces): void {
  if (exported.length > MAX_PARTS) throw new RangeError('There are too many extraction tables.');
  sql.transaction(() => {
    const counts = new Map<string, number>();
    for (const json of exported) {
      const { cells, ...table } = v.parse(part, parseBounded(json, BOUNDS));
      const before = counts.get(table.id);
      counts.set(table.id, (before ?? 0) + cells.length);
      if ((before ?? 0) + cells.length > 2 * MAX_ROWS * MAX_COLUMNS)
        throw new RangeError('An extraction table has too many cells.');
      if (before === undefined)
        sql.insert('matrices', {
          id: table.id,
          title: table.title,
          source_ids: table.sourceIds === undefined ? null : JSON.stringify(table.sourceIds),
          row_kind: table.rowKind,
          columns: JSON.stringify(table.columns),
          created_at: table.createdAt,
          changed_at: table.changedAt,
          usage: table.usage === undefined ? null : JSON.stringify(table.usage),
        });
      for (const cell of cells)
        writeCell(sql, table.id, {
          ...cell,
          rowId: mapRow(cell.rowId, {
            sourceId: (id) => id,
            documentId: (id) => places.documentIds.get(id),
          }),
          answer: cell.answer === undefined ? undefined : readAnswer(cell.answer, places),
        });
    }
  });
}

/** Adds the extraction tables that the other notebook lacks. */
function mergeTables(origin: Statements, target: Statements, renumbering: Renumbering): AddedEntity[] {
  return readTables(origin, 'ASC').flatMap((table) => {
    const tableId = String(table['id']);
    if (target.has('SELECT 1 FROM matrices WHERE id = ?', tableId)) return [];
    const ids = readOptionalJson(storedTexts, table['source_ids']);
    target.copyRow('matrices', {
      ...table,
      source_ids: ids === undefined ? null : JSON.stringify(ids.map(renumbering.sourceId)),
    });
    for (const cell of readCells(origin, table))
      writeCell(target, tableId, {
        ...cell,
        rowId: mapRow(cell.rowId, renumbering),
        answer: cell.answer && renumbering.answer(cell.answer),
      });
    return [{ id: tableId, changedAt: Number(table['changed_at']) }];
  });
}

function readTables(sql: Statements, order: 'ASC' | 'DESC'): Row[] {
  return sql.all(`SELECT * FROM matrices ORDER BY changed_at ${order}, rowid ${order}`);
}

/** Returns the cells with content in existing columns. */
function readCells(sql: Statements, table: Row): CellContent[] {
  const columns = new Set(
    readJson(storedColumns, table['columns'], []).map((column: ExtractionColumn) => column.id),
  );
  return sql
    .all(
      `SELECT column_id, row_id, row_title, answer, asked, version, edited FROM matrix_cells
       WHERE matrix_id = ? AND (answer IS NOT NULL OR edited IS NOT NULL) ORDER BY rowid`,
      String(table['id']),
    )
    .filter((row) => columns.has(String(row['column_id'])))
    .map(toCellContent);
}

function writeCell(sql: Statements, tableId: string, cell: CellContent): void {
  const { columnId, rowTitle, answer, question, version, edited } = cell;
  sql.insert(
    'matrix_cells',
    {
      matrix_id: tableId,
      column_id: columnId,
      row_id: cell.rowId,
      row_title: rowTitle,
      answer: optionalJson(answer),
      asked: question,
      version,
      edited,
      revision: 1,
    },
    'ON CONFLICT DO NOTHING',
  );
}

/** Returns the ID of a row in another notebook. For a document that wasn't copied, the ID matches none there. */
function mapRow(row: string, renumbering: Pick<Renumbering, 'documentId' | 'sourceId'>): string {
  const { sourceId, documentId } = readRowId(row);
  return rowId(
    renumbering.sourceId(sourceId),
    documentId === undefined ? undefined : (renumbering.documentId(documentId) ?? -documentId),
  );
}

/** Removes extraction tables that were added by merging, except those that were changed since. */
function unmergeTables(sql: Statements, added: readonly AddedEntity[]): void {
  for (const { id: tableId, changedAt = null } of added)
    sql.run('DELETE FROM matrices WHERE id = ? AND changed_at = ?', tableId, changedAt);
}

/** Releases the cells that windows of the original fill. */
function resetCopy(sql: Statements): void {
  sql.run('UPDATE matrix_cells SET holder = NULL, held_until = NULL');
}

/** Export, import, and merging of extraction tables. */
export const portableTables: PortableFeature = {
  field: 'matrices',
  head: { exported: exportedTables, imported: importTables },
  merge: mergeTables,
  unmerge: unmergeTables,
  resetCopy,
};
