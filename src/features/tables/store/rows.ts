import { createHash } from 'node:crypto';
import type { Handlers } from '../../../core/rpc/rpc.ts';
import {
  MAX_ROWS,
  readRowId,
  rowId,
  type ExtractionTable,
  type TableBoard,
  type ExtractionRow,
} from '../model/extraction-table.ts';
import type { Row } from '../../../index/store/database/database.ts';
import { storedOrigin, LOST_ORIGIN, readJson } from '../../../index/store/database/stored-json.ts';
import type { ExtractionTables } from './extraction-tables.ts';
import type { Statements } from '../../../index/store/database/statements.ts';
import { IN_SCOPE } from '../../artifacts/store/document-versions.ts';
import { citedTitle } from '../../../index/documents/citing.ts';

/** Length of a digest prefix that distinguishes versions. */
const VERSION_LENGTH = 16;

/** Returns the current rows of an extraction table in the order of the sources, all of them or one. */
export function extractionRows(
  sql: Statements,
  { sourceIds, rowKind }: Pick<ExtractionTable, 'rowKind' | 'sourceIds'>,
  only?: string,
): { rows: ExtractionRow[]; omitted: number } {
  const parsedRowId = only === undefined ? undefined : readRowId(only);
  const ids = parsedRowId === undefined ? sourceIds : [parsedRowId.sourceId];
  const documents = sql.all(
    `SELECT s.id AS source_id, s.title AS source_title, s.origin, d.id, d.key, d.title, d.hash,
       (SELECT max("end") FROM passages p WHERE p.document_id = d.id) AS length
     FROM sources s LEFT JOIN documents d ON d.source_id = s.id
     WHERE ${IN_SCOPE} AND (?2 IS NULL OR d.id = ?2)
     ORDER BY s.added_at, s.rowid, d.key`,
    ids === undefined ? null : JSON.stringify(ids),
    parsedRowId?.documentId ?? null,
  );
  const rows =
    rowKind === 'documents'
      ? documents.filter(({ id }) => id !== null).map((row) => toRow([row], Number(row['id'])))
      : groupedBySource(documents).map((group) => toRow(group, undefined));
  return { rows: rows.slice(0, MAX_ROWS), omitted: Math.max(0, rows.length - MAX_ROWS) };
}

function groupedBySource(documents: readonly Row[]): Row[][] {
  const groups = new Map<string, Row[]>();
  for (const row of documents) {
    const id = String(row['source_id']);
    const group = groups.get(id);
    if (group === undefined) groups.set(id, [row]);
    else group.push(row);
  }
  return [...groups.values()];
}

function toRow(documents: readonly Row[], documentId: number | undefined): ExtractionRow {
  const [first = {}] = documents;
  const sourceId = String(first['source_id']);
  const source = {
    title: String(first['source_title']),
    origin: readJson(storedOrigin, first['origin'], LOST_ORIGIN),
  };
  const read = documents.filter(({ id }) => id !== null);
  return {
    id: rowId(sourceId, documentId),
    sourceId,
    documentId,
    title:
      documentId === undefined
        ? source.title
        : citedTitle({ key: String(first['key']), title: String(first['title']) }, source),
    version: read.length === 0 ? '' : rowVersion(read),
    length: read.reduce((sum, row) => sum + Number(row['length'] ?? 0), 0),
  };
}

/** Returns a digest that is equal on all machines for the same documents. */
function rowVersion(documents: readonly Row[]): string {
  const digest = createHash('sha256');
  for (const row of documents) digest.update(`${String(row['key'])}\n${String(row['hash'])}\n`);
  return digest.digest('hex').slice(0, VERSION_LENGTH);
}

/** Returns the index worker's handlers for the extraction tables of the open notebook. */
export function tableHandlers(
  notebook: () => {
    readonly sql: Statements;
    readonly features: { readonly extractionTables: ExtractionTables };
  },
): Handlers<TableBoard> {
  const tables = (): ExtractionTables => notebook().features.extractionTables;
  return {
    tables: () => tables().list(),
    addTable: (params) => tables().add(params),
    table: ({ tableId }) => tables().find(tableId),
    tableRows: ({ tableId, rowId: only }) => extractionRows(notebook().sql, tables().open(tableId), only),
    tableCells: (params) => tables().cells(params),
    tableCell: (params) => tables().cell(params),
    tableStates: ({ tableId }) => tables().states(tableId),
    renameTable: ({ tableId, title }) => tables().rename(tableId, title),
    removeTable: ({ tableId }) => tables().remove(tableId),
    addColumn: ({ tableId, question }) => tables().addColumn(tableId, question),
    renameColumn: ({ tableId, columnId, question }) => tables().renameColumn(tableId, columnId, question),
    removeColumn: ({ tableId, columnId }) => tables().removeColumn(tableId, columnId),
    editCell: (params) => tables().edit(params),
    wantCells: (params) => tables().want(params),
    unwantCells: (params) => tables().unwant(params),
    seeCells: (params) => tables().see(params),
    claimCell: (params) => tables().claim(params),
    renewCells: (params) => tables().renew(params),
    leaveCell: (params) => tables().leave(params),
    releaseCells: (params) => tables().release(params),
    keepCell: (params) => tables().keep(params),
    putVerdicts: (params) => tables().putVerdicts(params),
  };
}
