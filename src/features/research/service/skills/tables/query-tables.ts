import { DatabaseSync } from 'node:sqlite';
import { NotebookError, errorMessage } from '../../../../../core/domain/errors.ts';
import type { PassagePlace } from '../../../../../core/domain/passage.ts';
import type { DescribedTable, QueryResult, TableDocument } from './api.ts';
import type { Value } from './column-values.ts';
import { readTables, type LoadedTable } from './read-tables.ts';

/** Maximum number of rows of a result, length of a cell in UTF-16 code units, and number of locations. */
const MAX_ROWS = 100;
const MAX_CELL_LENGTH = 500;
const MAX_PLACES = 20;
const SAMPLES = 3;

type OwnedTable = LoadedTable & { readonly documentId: number };

/** Describes the tables of documents for their users. */
export function describeTables(documents: readonly TableDocument[]): readonly DescribedTable[] {
  return load(documents).map(({ name, documentId, caption, columns, rows, left }) => ({
    name,
    documentId,
    caption,
    columns,
    rows: rows.length,
    left,
    samples: rows.slice(0, SAMPLES).map(({ values }) => values),
  }));
}

/**
 * Returns the result of a query on the tables that it names. Wraps the query in another one that we write, so that it
 * can only select. The database is in memory with nothing else attached.
 * @throws NotebookError that names the problem
 */
export function queryTables(documents: readonly TableDocument[], sql: string): QueryResult {
  const named = new Set(sql.toLowerCase().match(/\bt\d{1,12}_\d{1,4}\b/g));
  const tables = load(documents).filter(({ name }) => named.has(name));
  const database = new DatabaseSync(':memory:', { allowExtension: false });
  try {
    database.exec('PRAGMA temp_store = MEMORY');
    for (const table of tables) insert(database, table);
    database.exec('PRAGMA query_only = ON');
    const select = database.prepare(
      `SELECT * FROM (\n${sql.trim().replace(/;\s*$/, '')}\n) LIMIT ${String(MAX_ROWS + 1)}`,
    );
    const columns = select.columns().map(({ name }) => name);
    const allRows = select.all().map((row) => Object.values(row).map(toValue));
    const rows = allRows.slice(0, MAX_ROWS);
    return { columns, rows, isCut: allRows.length > MAX_ROWS, places: findPlaces(tables, rows) };
  } catch (error) {
    const known = tables.map(
      ({ name, columns }) => `${name}(${columns.map((each) => each.name).join(', ')})`,
    );
    const why = errorMessage(error).replaceAll(/\s+/g, ' ').slice(0, 300);
    throw new NotebookError(
      'unsupported',
      `The query can't be run: ${why}. ${known.length === 0 ? 'It doesn’t name an existing table. List the tables.' : `The tables are ${known.join('; ')}.`}`,
    );
  } finally {
    database.close();
  }
}

function load(documents: readonly TableDocument[]): OwnedTable[] {
  return documents.flatMap(({ id, text }) =>
    readTables(id, text).map((table) => ({ ...table, documentId: id })),
  );
}

function insert(database: DatabaseSync, { name, columns, rows }: LoadedTable): void {
  const columnDefinitions = columns.map((column) => `"${column.name}" ${column.type}`);
  database.exec(`CREATE TABLE "${name}" (${columnDefinitions.join(', ')})`);
  const into = database.prepare(`INSERT INTO "${name}" VALUES (${columns.map(() => '?').join(', ')})`);
  database.exec('BEGIN');
  for (const { values } of rows) into.run(...values);
  database.exec('COMMIT');
}

function toValue(value: unknown): Value {
  if (value === null || typeof value === 'number') return value;
  if (typeof value !== 'string') return '(no text)';
  return value.length > MAX_CELL_LENGTH ? `${value.slice(0, MAX_CELL_LENGTH)}…` : value;
}

/**
 * Returns the locations of result rows in the tables. A row is unchanged if exactly one row, in exactly one table,
 * contains all its values. If there is none, returns the start of each queried table.
 */
function findPlaces(
  tables: readonly OwnedTable[],
  results: readonly (readonly Value[])[],
): readonly PassagePlace[] {
  const holding = new Map<Value, (readonly [OwnedTable, number])[]>();
  for (const table of tables)
    for (const [i, { values }] of table.rows.entries())
      for (const value of new Set(values)) {
        if (value === null) continue;
        const known = holding.get(value);
        if (known === undefined) holding.set(value, [[table, i]]);
        else known.push([table, i]);
      }
  const places = new Map<string, PassagePlace>();
  for (const result of results) {
    if (places.size >= MAX_PLACES) break;
    const values = result.filter((value) => value !== null);
    // A single number may be computed. If a cell contains it, that may be a coincidence.
    if (values.length < 2 && !values.some((value) => typeof value === 'string')) continue;
    const lists = values.map((value) => holding.get(value) ?? []).sort((a, b) => a.length - b.length);
    const [fewest = []] = lists;
    const same = fewest.filter(([table, i]) =>
      values.every((value) => table.rows[i]?.values.includes(value)),
    );
    const [only, another] = same;
    const row = only?.[0].rows[only[1]];
    if (only === undefined || row === undefined || another !== undefined) continue;
    const { documentId, name } = only[0];
    places.set(`${name} ${String(only[1])}`, { documentId, span: { start: row.start, end: row.end } });
  }
  if (places.size > 0) return [...places.values()];
  return tables.slice(0, MAX_PLACES).map(({ documentId, start, rows }) => ({
    documentId,
    span: { start, end: rows[SAMPLES - 1]?.end ?? rows.at(-1)?.end ?? start + 1 },
  }));
}
