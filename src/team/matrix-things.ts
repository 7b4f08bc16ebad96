import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { matrixRows } from '../indexing/documents/matrix-rows.ts';
import { optional, title, wholeNumber } from '../indexing/library/exported-values.ts';
import { portableAnswer } from '../indexing/library/portable-places.ts';
import { readAnswer } from '../indexing/library/read-citations.ts';
import {
  storedColumns,
  storedTexts,
  readJson,
  readOptionalJson,
} from '../indexing/store/database/stored-json.ts';
import { findSharedId, toCellContent, type CellContent } from '../indexing/store/made/matrices.ts';
import { anyFields, anyList } from '../notebook/json-schemas.ts';
import {
  cellChange,
  MAX_CELL_LENGTH,
  MAX_QUESTION_LENGTH,
  MAX_COLUMNS,
  rowId,
  type MatrixColumn,
} from '../notebook/matrix.ts';
import { mergedText, mergedValue } from './merged-values.ts';
import { pack, unpack } from './packed.ts';
import {
  bringBack,
  basesWithin,
  dropBase,
  dropWaiting,
  keepBase,
  readBase,
  namedDocuments,
  numbersHere,
  wholeThing,
  type Thing,
  type ThingsHere,
  type Parent,
} from './thing.ts';

const text = v.string();
const id = v.pipe(text, v.regex(/^[\w-]{1,64}$/));

/** Several who add columns at once may come past what one may, and what two wrote into one cell stays. */
const MAX_MERGED = 10;

const sharedMatrix = v.object({
  title,
  sourceIds: optional(v.array(text)),
  rowKind: v.picklist(['documents', 'sources']),
  columns: v.pipe(
    v.array(v.object({ id, question: v.pipe(text, v.maxLength(MAX_QUESTION_LENGTH)) })),
    v.maxLength(MAX_MERGED * MAX_COLUMNS),
  ),
  createdAt: wholeNumber,
});
type SharedMatrix = v.InferOutput<typeof sharedMatrix>;

const sharedCell = v.object({
  rowTitle: title,
  edited: optional(v.pipe(text, v.maxLength(MAX_MERGED * MAX_CELL_LENGTH))),
  answered: optional(
    v.object({ answer: v.unknown(), documents: v.unknown(), asked: optional(text), version: optional(text) }),
  ),
});
type SharedCell = v.InferOutput<typeof sharedCell>;

/** Syncs an extraction table: its title, rows, and columns. Its cells are entities of their own. */
const matrix: Parent<SharedMatrix> = {
  kind: 'matrix',
  part: 'cell',
  table: 'matrices',
  schema: sharedMatrix,
  read: matrixHere,
  parts: placesHere,
  merge: mergedMatrix,
  write: writeMatrix,
};

export const matrixThing: Thing = wholeThing(matrix);

/** Syncs a cell: its answer and the user's edit. */
export const cellThing: Thing = {
  toSend(here, place) {
    const [matrixId, columnId, row] = splitPlace(place);
    const teamId = findSharedId(here.sql, { matrixId, columnId, rowId: row });
    if (teamId === undefined) return undefined;
    const ours = cellHere(here, place);
    const base = readBase(here, 'cell', sharedCell, teamId);
    if (ours === undefined || (ours.edited === undefined && ours.answered === undefined))
      return base && { id: teamId, value: undefined };
    const before = base?.value;
    // Sends the team's own answer if it is unchanged, because its files may have no location on this machine.
    const answered = isSameAnswer(ours, before) ? before?.answered : ours.answered;
    return {
      ...{ id: teamId, within: matrixId, base: base?.revision ?? 0 },
      value: pack({ ...ours, answered }),
    };
  },
  outboxId: (here, { id: teamId }) => findPlace(here, teamId),
  take(here, { id: teamId, value, revision }, isWaiting) {
    const { sql } = here;
    const place = findPlace(here, teamId);
    const [matrixId = '', columnId = ''] = teamId.split('\n');
    if (value === undefined) {
      dropBase(here, 'cell', teamId);
      if (place === undefined || isWaiting) return false;
      const next = touchedMatrix(here, matrixId);
      sql.run(
        `UPDATE matrix_cells SET answer = NULL, asked = NULL, version = NULL, edited = NULL, revision = ? WHERE ${AT}`,
        next,
        ...splitPlace(place),
      );
      return false;
    }
    const theirs = v.parse(sharedCell, unpack(value));
    const base = readBase(here, 'cell', sharedCell, teamId)?.value;
    keepBase(here, 'cell', teamId, { revision, value });
    const there = matrixHere(here, matrixId);
    if (there === undefined) {
      bringBack(here, matrix, matrixId);
      return false;
    }
    const column = there.columns.find((one) => one.id === columnId);
    if (place === undefined || column === undefined) return false;
    const ours = isWaiting ? cellHere(here, place) : undefined;
    if (ours === undefined) {
      writeCell(here, place, theirs);
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
    writeCell(here, place, merged);
    return edited === theirs.edited && isTheirs;
  },
};

function matrixHere({ sql }: ThingsHere, matrixId: string): SharedMatrix | undefined {
  const row = sql.get('SELECT * FROM matrices WHERE id = ?', matrixId);
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
function mergedMatrix(base: SharedMatrix, theirs: SharedMatrix, ours: SharedMatrix): SharedMatrix {
  const byId = (from: SharedMatrix): Map<string, MatrixColumn> =>
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

function writeMatrix(here: ThingsHere, matrixId: string, shared: SharedMatrix): SharedMatrix {
  const { sql } = here;
  const before = matrixHere(here, matrixId);
  const { columns, sourceIds } = shared;
  const values = [
    shared.title,
    sourceIds === undefined ? null : JSON.stringify(sourceIds),
    JSON.stringify(columns),
  ];
  if (before === undefined) {
    // Its queued cells belong to a table that was deleted here meanwhile.
    dropWaiting(here, 'cell', matrixId);
    sql.run(
      `INSERT INTO matrices (title, source_ids, columns, id, row_kind, created_at, changed_at)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      ...values,
      matrixId,
      shared.rowKind,
      shared.createdAt,
      Math.min(shared.createdAt, Date.now()),
    );
  } else if (!isDeepStrictEqual(before, shared)) {
    touchedMatrix(here, matrixId);
    sql.run('UPDATE matrices SET title = ?, source_ids = ?, columns = ? WHERE id = ?', ...values, matrixId);
    sql.run(
      'DELETE FROM matrix_cells WHERE matrix_id = ? AND column_id NOT IN (SELECT value FROM json_each(?))',
      matrixId,
      JSON.stringify(columns.map((column) => column.id)),
    );
  }
  const known = new Set(before?.columns.map((column) => column.id));
  const fresh = new Set(columns.flatMap((column) => (known.has(column.id) ? [] : [column.id])));
  if (fresh.size === 0) return shared;
  // Cells may arrive before their table.
  for (const { id: teamId, value } of basesWithin(here, 'cell', matrixId)) {
    const place = fresh.has(teamId.split('\n')[1] ?? '') ? findPlace(here, teamId) : undefined;
    if (place !== undefined) writeCell(here, place, v.parse(sharedCell, value));
  }
  return shared;
}

/** A cell's place as the outbox has it: a document is named by its number, which is of this machine alone. */
function findPlace({ sql }: ThingsHere, teamId: string): string | undefined {
  const [matrixId = '', columnId = '', sourceId = '', ...key] = teamId.split('\n');
  if (key.length === 0) return `${matrixId}\n${columnId}\n${rowId(sourceId, undefined)}`;
  const row = sql.get('SELECT id FROM documents WHERE source_id = ? AND key = ?', sourceId, key.join('\n'));
  return row && `${matrixId}\n${columnId}\n${rowId(sourceId, Number(row['id']))}`;
}

const AT = 'matrix_id = ? AND column_id = ? AND row_id = ?';

function splitPlace(place: string): [matrixId: string, columnId: string, rowId: string] {
  const [matrixId = '', columnId = '', row = ''] = place.split('\n');
  return [matrixId, columnId, row];
}

function placesHere({ sql }: ThingsHere, matrixId: string): string[] {
  return sql
    .all(
      `SELECT column_id, row_id FROM matrix_cells WHERE matrix_id = ? AND coalesce(answer, edited) IS NOT NULL`,
      matrixId,
    )
    .map((row) => `${matrixId}\n${String(row['column_id'])}\n${String(row['row_id'])}`);
}

function cellHere(here: ThingsHere, place: string): SharedCell | undefined {
  const row = here.sql.get(`SELECT * FROM matrix_cells WHERE ${AT}`, ...splitPlace(place));
  return row && toSharedCell(here, toCellContent(row));
}

function toSharedCell(
  here: ThingsHere,
  { rowTitle, edited, answer, asked, version }: CellContent,
): SharedCell {
  if (answer === undefined) return { rowTitle, edited, answered: undefined };
  const documents = namedDocuments(
    here,
    answer.citations.map(({ documentId }) => documentId),
  );
  const portable = JSON.parse(JSON.stringify(portableAnswer(answer, here.roots))) as unknown;
  return { rowTitle, edited, answered: { answer: portable, documents, asked, version } };
}

/** Reports whether two cells have the same answer, wherever the cited files are on each machine. */
function isSameAnswer(one: SharedCell, other: SharedCell | undefined): boolean {
  return isDeepStrictEqual(comparableAnswer(one), other && comparableAnswer(other));
}

function comparableAnswer({ answered }: SharedCell): unknown {
  if (answered === undefined) return undefined;
  const { asked, version, answer } = answered;
  const { kind, text: words, citations } = v.parse(anyFields, answer);
  const cited = v.is(anyList, citations)
    ? citations.map((one) => {
        const { sourceId, quote, span } = v.parse(anyFields, one);
        return [sourceId, quote, span];
      })
    : [];
  return [asked, version, kind, words, cited];
}

function writeCell(here: ThingsHere, place: string, { rowTitle, edited, answered }: SharedCell): void {
  const answer = answered && readAnswer(answered.answer, numbersHere(here, answered.documents));
  const parts = splitPlace(place);
  const waiting = here.sql.get(`SELECT replaces FROM matrix_cells WHERE ${AT} AND wanted = 1`, ...parts);
  const isNew = waiting !== undefined && !isSameAnswer({ rowTitle, edited, answered }, cellHere(here, place));
  const revision = touchedMatrix(here, parts[0]);
  here.sql.run(
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
  if (isAnswered && answered !== undefined && isOfNow(here, parts, answered))
    here.sql.run(
      `UPDATE matrix_cells SET wanted = 0, replaces = 0, holder = NULL, held_until = NULL WHERE ${AT}`,
      ...parts,
    );
}

/** Reports whether an answer matches the present row and column. */
function isOfNow(
  here: ThingsHere,
  [matrixId, columnId, row]: ReturnType<typeof splitPlace>,
  answered: Pick<CellContent, 'asked' | 'version'>,
): boolean {
  const matrix = matrixHere(here, matrixId);
  const column = matrix?.columns.find(({ id: one }) => one === columnId);
  if (matrix === undefined || column === undefined) return false;
  const { rows } = matrixRows(here.sql, matrix, row);
  return cellChange(answered, rows[0], column) === undefined;
}

/** Counts up the revision by which a matrix's page sees what changed, and returns it. */
function touchedMatrix({ sql }: ThingsHere, matrixId: string): number {
  const row = sql.get(
    'UPDATE matrices SET revision = revision + 1, changed_at = max(changed_at, ?) WHERE id = ? RETURNING revision',
    Date.now(),
    matrixId,
  );
  return Number(row?.['revision'] ?? 0);
}
