import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { extractionRows } from './store/rows.ts';
import { optional, title, wholeNumber } from '../../index/library/exported-values.ts';
import { portableAnswer } from '../../index/library/portable-places.ts';
import { readAnswer } from '../../index/library/read-citations.ts';
import { storedTexts, readJson, readOptionalJson } from '../../index/store/database/stored-json.ts';
import { findSharedId, toCellContent, type CellContent } from './store/extraction-tables.ts';
import { anyFields, anyList } from '../../core/domain/json-schemas.ts';
import {
  cellChange,
  MAX_CELL_LENGTH,
  MAX_QUESTION_LENGTH,
  MAX_COLUMNS,
  rowId,
  type ExtractionColumn,
} from './model/extraction-table.ts';
import { mergedText, mergedValue } from '../team/service/merged-values.ts';
import { pack, unpack } from '../team/service/packed.ts';
import {
  restoreEntity,
  basesWithin,
  dropBase,
  dropPending,
  keepBase,
  readBase,
  namedDocuments,
  localNumbers,
  wholeEntitySync,
  type EntitySync,
  type LocalContext,
  type Parent,
} from '../team/service/synced-entity.ts';
import { storedColumns } from './store/stored-json.ts';

const text = v.string();
const id = v.pipe(text, v.regex(/^[\w-]{1,64}$/));

/**
 * Merging can exceed the usual limits, because several members may add columns at once, and both versions of a cell
 * stay.
 */
const MAX_MERGED = 10;

const sharedTable = v.object({
  title,
  sourceIds: optional(v.array(text)),
  rowKind: v.picklist(['documents', 'sources']),
  columns: v.pipe(
    v.array(v.object({ id, question: v.pipe(text, v.maxLength(MAX_QUESTION_LENGTH)) })),
    v.maxLength(MAX_MERGED * MAX_COLUMNS),
  ),
  createdAt: wholeNumber,
});
type SharedTable = v.InferOutput<typeof sharedTable>;

const sharedCell = v.object({
  rowTitle: title,
  edited: optional(v.pipe(text, v.maxLength(MAX_MERGED * MAX_CELL_LENGTH))),
  answered: optional(
    v.object({ answer: v.unknown(), documents: v.unknown(), asked: optional(text), version: optional(text) }),
  ),
});
type SharedCell = v.InferOutput<typeof sharedCell>;

/** Syncs an extraction table: its title, rows, and columns. Its cells are separate entities. */
const tableParent: Parent<SharedTable> = {
  kind: 'matrix',
  part: 'cell',
  table: 'matrices',
  schema: sharedTable,
  read: findLocalTable,
  parts: localPlaces,
  merge: mergedTable,
  write: writeTable,
};

const extractionTableSync: EntitySync = wholeEntitySync(tableParent);

/** Syncs a cell: its answer and the user's edit. */
const cellSync: EntitySync = {
  isPart: true,
  toSend(local, place) {
    const [tableId, columnId, row] = splitPlace(place);
    const teamId = findSharedId(local.sql, { tableId, columnId, rowId: row });
    if (teamId === undefined) return undefined;
    const ours = findLocalCell(local, place);
    const base = readBase(local, 'cell', sharedCell, teamId);
    if (ours === undefined || (ours.edited === undefined && ours.answered === undefined))
      return base && { id: teamId, value: undefined };
    const before = base?.value;
    // Sends the team's own answer if it is unchanged, because its files may have no location on this machine.
    const answered = isSameAnswer(ours, before) ? before?.answered : ours.answered;
    return {
      ...{ id: teamId, within: tableId, base: base?.revision ?? 0 },
      value: pack({ ...ours, answered }),
    };
  },
  outboxId: (local, { id: teamId }) => findPlace(local, teamId),
  take(local, { id: teamId, value, revision }, isWaiting) {
    const { sql } = local;
    const place = findPlace(local, teamId);
    const [tableId = '', columnId = ''] = teamId.split('\n');
    if (value === undefined) {
      dropBase(local, 'cell', teamId);
      if (place === undefined || isWaiting) return false;
      const next = touchedTable(local, tableId);
      sql.run(
        `UPDATE matrix_cells SET answer = NULL, asked = NULL, version = NULL, edited = NULL, revision = ? WHERE ${AT}`,
        next,
        ...splitPlace(place),
      );
      return false;
    }
    const theirs = v.parse(sharedCell, unpack(value));
    const base = readBase(local, 'cell', sharedCell, teamId)?.value;
    keepBase(local, 'cell', teamId, { revision, value });
    const localMatrix = findLocalTable(local, tableId);
    if (localMatrix === undefined) {
      restoreEntity(local, tableParent, tableId);
      return false;
    }
    const column = localMatrix.columns.find((localColumn) => localColumn.id === columnId);
    if (place === undefined || column === undefined) return false;
    const ours = isWaiting ? findLocalCell(local, place) : undefined;
    if (ours === undefined) {
      writeCell(local, place, theirs);
      return true;
    }
    const edited = mergedText(base?.edited, theirs.edited, ours.edited);
    // If both filled the cell, the first answer stays.
    const isTheirs = isSameAnswer(ours, base) || !isSameAnswer(theirs, base);
    const merged = {
      rowTitle: theirs.rowTitle,
      edited,
      answered: isTheirs ? theirs.answered : ours.answered,
    };
    writeCell(local, place, merged);
    return edited === theirs.edited && isTheirs;
  },
};

function findLocalTable({ sql }: LocalContext, tableId: string): SharedTable | undefined {
  const row = sql.get('SELECT * FROM matrices WHERE id = ?', tableId);
  return (
    row && {
      title: String(row['title']),
      sourceIds: readOptionalJson(storedTexts, row['source_ids']),
      rowKind: row['row_kind'] === 'documents' ? 'documents' : 'sources',
      columns: readJson(storedColumns, row['columns'], []).map(({ id: columnId, question }) => ({
        id: columnId,
        question,
      })),
      createdAt: Number(row['created_at']),
    }
  );
}

/** Merges the columns: keeps all added ones and drops those that either side deleted. */
function mergedTable(base: SharedTable, theirs: SharedTable, ours: SharedTable): SharedTable {
  const byId = (from: SharedTable): Map<string, ExtractionColumn> =>
    new Map(from.columns.map((column) => [column.id, column]));
  const [before, there, here] = [byId(base), byId(theirs), byId(ours)];
  const columns = [...new Set([...there.keys(), ...here.keys()])].flatMap((columnId) => {
    const [from, their, our] = [before.get(columnId), there.get(columnId), here.get(columnId)];
    if (their === undefined || our === undefined) return from === undefined ? (their ?? our ?? []) : [];
    return mergedValue(from ?? their, their, our);
  });
  return {
    ...theirs,
    title: mergedValue(base.title, theirs.title, ours.title),
    sourceIds: mergedValue(base.sourceIds, theirs.sourceIds, ours.sourceIds),
    columns,
  };
}

function writeTable(local: LocalContext, tableId: string, shared: SharedTable): SharedTable {
  const { sql } = local;
  const before = findLocalTable(local, tableId);
  const { columns, sourceIds } = shared;
  const values = [
    shared.title,
    sourceIds === undefined ? null : JSON.stringify(sourceIds),
    JSON.stringify(columns),
  ];
  if (before === undefined) {
    // Pending changes of cells belong to a table that was deleted here since.
    dropPending(local, 'cell', tableId);
    sql.run(
      `INSERT INTO matrices (title, source_ids, columns, id, row_kind, created_at, changed_at)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      ...values,
      tableId,
      shared.rowKind,
      shared.createdAt,
      Math.min(shared.createdAt, Date.now()),
    );
  } else if (!isDeepStrictEqual(before, shared)) {
    touchedTable(local, tableId);
    sql.run('UPDATE matrices SET title = ?, source_ids = ?, columns = ? WHERE id = ?', ...values, tableId);
    sql.run(
      'DELETE FROM matrix_cells WHERE matrix_id = ? AND column_id NOT IN (SELECT value FROM json_each(?))',
      tableId,
      JSON.stringify(columns.map((column) => column.id)),
    );
  }
  const known = new Set(before?.columns.map((column) => column.id));
  const fresh = new Set(columns.flatMap((column) => (known.has(column.id) ? [] : [column.id])));
  if (fresh.size === 0) return shared;
  // Cells may arrive before their table.
  for (const { id: teamId, value } of basesWithin(local, 'cell', tableId)) {
    const place = fresh.has(teamId.split('\n')[1] ?? '') ? findPlace(local, teamId) : undefined;
    if (place !== undefined) writeCell(local, place, v.parse(sharedCell, value));
  }
  return shared;
}

/** Returns the outbox position of a cell, which contains the local number of its document. */
function findPlace({ sql }: LocalContext, teamId: string): string | undefined {
  const [tableId = '', columnId = '', sourceId = '', ...key] = teamId.split('\n');
  if (key.length === 0) return `${tableId}\n${columnId}\n${rowId(sourceId, undefined)}`;
  const row = sql.get('SELECT id FROM documents WHERE source_id = ? AND key = ?', sourceId, key.join('\n'));
  return row && `${tableId}\n${columnId}\n${rowId(sourceId, Number(row['id']))}`;
}

const AT = 'matrix_id = ? AND column_id = ? AND row_id = ?';

function splitPlace(place: string): [tableId: string, columnId: string, rowId: string] {
  const [tableId = '', columnId = '', row = ''] = place.split('\n');
  return [tableId, columnId, row];
}

function localPlaces({ sql }: LocalContext, tableId: string): string[] {
  return sql
    .all(
      `SELECT column_id, row_id FROM matrix_cells WHERE matrix_id = ? AND coalesce(answer, edited) IS NOT NULL`,
      tableId,
    )
    .map((row) => `${tableId}\n${String(row['column_id'])}\n${String(row['row_id'])}`);
}

function findLocalCell(local: LocalContext, place: string): SharedCell | undefined {
  const row = local.sql.get(`SELECT * FROM matrix_cells WHERE ${AT}`, ...splitPlace(place));
  return row && toSharedCell(local, toCellContent(row));
}

function toSharedCell(
  local: LocalContext,
  { rowTitle, edited, answer, question, version }: CellContent,
): SharedCell {
  if (answer === undefined) return { rowTitle, edited, answered: undefined };
  const documents = namedDocuments(
    local,
    answer.citations.map(({ documentId }) => documentId),
  );
  const portable = JSON.parse(JSON.stringify(portableAnswer(answer, local.roots))) as unknown;
  return { rowTitle, edited, answered: { answer: portable, documents, asked: question, version } };
}

/** Reports whether two cells have the same answer, wherever the cited files are on each machine. */
function isSameAnswer(cell: SharedCell, other: SharedCell | undefined): boolean {
  return isDeepStrictEqual(comparableAnswer(cell), other && comparableAnswer(other));
}

function comparableAnswer({ answered }: SharedCell): unknown {
  if (answered === undefined) return undefined;
  const { asked: question, version, answer } = answered;
  const { kind, text: words, citations } = v.parse(anyFields, answer);
  const cited = v.is(anyList, citations)
    ? citations.map((citation) => {
        const { sourceId, quote, span } = v.parse(anyFields, citation);
        return [sourceId, quote, span];
      })
    : [];
  return [question, version, kind, words, cited];
}

function writeCell(local: LocalContext, place: string, { rowTitle, edited, answered }: SharedCell): void {
  const answer = answered && readAnswer(answered.answer, localNumbers(local, answered.documents));
  const parts = splitPlace(place);
  const waiting = local.sql.get(`SELECT replaces FROM matrix_cells WHERE ${AT} AND wanted = 1`, ...parts);
  const isNew =
    waiting !== undefined && !isSameAnswer({ rowTitle, edited, answered }, findLocalCell(local, place));
  const revision = touchedTable(local, parts[0]);
  local.sql.run(
    `INSERT INTO matrix_cells (matrix_id, column_id, row_id, row_title, answer, asked, version, edited, revision)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET row_title = excluded.row_title, answer = excluded.answer, asked = excluded.asked,
       version = excluded.version, edited = excluded.edited, revision = excluded.revision,
       failure = iif(excluded.answer IS answer, failure, NULL)`,
    ...parts,
    rowTitle,
    answer === undefined ? null : JSON.stringify(answer),
    answered?.asked ?? null,
    answered?.version ?? null,
    edited ?? null,
    revision,
  );
  // Another machine filled a cell that is queued or in progress here: the first answer stays.
  const isAnswered = isNew && (waiting['replaces'] !== 1 || edited === undefined);
  if (isAnswered && answered !== undefined && isOfNow(local, parts, answered))
    local.sql.run(
      `UPDATE matrix_cells SET wanted = 0, replaces = 0, holder = NULL, held_until = NULL WHERE ${AT}`,
      ...parts,
    );
}

/** Reports whether an answer still matches its row and column. */
function isOfNow(
  local: LocalContext,
  [tableId, columnId, row]: ReturnType<typeof splitPlace>,
  { asked: question, version }: NonNullable<SharedCell['answered']>,
): boolean {
  const extractionTable = findLocalTable(local, tableId);
  const column = extractionTable?.columns.find(({ id: one }) => one === columnId);
  if (extractionTable === undefined || column === undefined) return false;
  const { rows } = extractionRows(local.sql, extractionTable, row);
  return cellChange({ question, version }, rows[0], column) === undefined;
}

/** Increments the revision by which an extraction table's page finds changes, and returns it. */
function touchedTable({ sql }: LocalContext, tableId: string): number {
  const row = sql.get(
    'UPDATE matrices SET revision = revision + 1, changed_at = max(changed_at, ?) WHERE id = ? RETURNING revision',
    Date.now(),
    tableId,
  );
  return Number(row?.['revision'] ?? 0);
}

/** Syncs of extraction tables and of their cells. */
export const tableSyncs = { matrix: extractionTableSync, cell: cellSync };

/** Columns with citations as JSON, as pairs of table and column. */
export const CITING_COLUMNS = [
  ['matrix_cells', 'answer'],
  ['matrix_cells', 'edited'],
] as const;

/** SQL queries for the kind and ID of each entity, to send a whole notebook. */
export const OUTBOX_ROWS = [
  "SELECT 'matrix', id FROM matrices",
  `SELECT 'cell', matrix_id || char(10) || column_id || char(10) || row_id FROM matrix_cells
   WHERE coalesce(answer, edited) IS NOT NULL`,
];
