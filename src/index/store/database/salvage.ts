import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { t } from '@vscode/l10n';
import { recoverableRows } from '../../../features/recovery.ts';
import { storedTables, repairedRow } from './stored-rows.ts';
import type { Row } from './database.ts';

/** Numbers of rows recovered from a damaged database, by table. */
export type Saved = Readonly<Record<string, number>>;

/** Maximum number of positions to probe behind damage, between the rows read from both ends. */
const MAX_PROBES = 400;
/** Distance after the last readable row that is searched if no rows can be read from the end. */
const MAX_SEARCH_DISTANCE = 2 ** 20;

/** Reports whether the whole content of a database is readable and valid. Takes a second or two per 100 MB. */
export function isWhole(database: DatabaseSync): boolean {
  try {
    if (database.prepare('PRAGMA quick_check(1)').get()?.['quick_check'] !== 'ok') return false;
    for (const [table, rules] of Object.entries(storedTables)) {
      const columns = Object.entries(rules).flatMap(([column, { isPacked }]) => (isPacked ? [] : [column]));
      const rows = database.prepare(`SELECT ${columns.map(quoteColumn).join(', ')} FROM ${table}`);
      for (const row of rows.iterate()) if (repairedRow(table, row) !== row) return false;
    }
    return true;
  } catch {
    // SQLite throws when it reads a damaged page.
    return false;
  }
}

/**
 * Copies the readable content of a damaged database to a new one, table by table and row by row. Creates missing
 * parents of rows.
 */
export function salvage(damaged: DatabaseSync, fresh: DatabaseSync): Saved {
  fresh.exec('PRAGMA foreign_keys = OFF; BEGIN');
  for (const [table, rules] of Object.entries(storedTables)) {
    const columns = Object.keys(rules).map(quoteColumn);
    const insert = fresh.prepare(
      `INSERT OR IGNORE INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
    );
    for (const row of readableRows(damaged, table, columns)) {
      const mended = repairedRow(table, row);
      if (mended === undefined) continue;
      try {
        insert.run(...Object.keys(rules).map((column) => mended[column] as SQLInputValue));
      } catch {
        // Skip rows that violate the table's constraints.
      }
    }
  }
  const saved = t('Recovered from a damaged notebook');
  fresh
    .prepare(
      `INSERT INTO sources (id, title, origin, state, added_at, read_at, skipped)
       SELECT DISTINCT source_id, ?, '{"kind":"copy","of":"folder"}', '{"kind":"ready"}', 0, 0,
         '{"binary":0,"tooLarge":0,"tooShort":0,"failed":0}'
       FROM documents WHERE source_id NOT IN (SELECT id FROM sources)`,
    )
    .run(saved);
  const title = `'${saved.replaceAll("'", "''")}'`;
  for (const { restore } of recoverableRows) if (restore) fresh.exec(restore(title));
  fresh.exec(`
    DELETE FROM passages WHERE document_id NOT IN (SELECT id FROM documents);
    DELETE FROM bibliographies WHERE document_id NOT IN (SELECT id FROM documents);
    DELETE FROM library_entries WHERE document_id NOT IN (SELECT id FROM documents);
    DELETE FROM vectors WHERE set_id NOT IN (SELECT id FROM embedding_sets);
    -- Documents with lost passages are split again, as after a change of the settings.
    UPDATE documents SET split = '0:0'
      WHERE split <> '' AND passages <> (SELECT count(*) FROM passages WHERE document_id = documents.id);
    -- IDs aren't reused, because citations contain them.
    UPDATE sqlite_sequence SET seq = seq + 1000 WHERE name IN ('documents', 'passages', 'embedding_sets');
    COMMIT;`);
  return Object.fromEntries(
    Object.keys(storedTables).map((table) => [
      table,
      Number(fresh.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.['count']),
    ]),
  );
}

/**
 * Yields the readable rows: from the start to the first damage, from the end to the last, and between them as far as
 * possible.
 */
function* readableRows(database: DatabaseSync, table: string, columns: readonly string[]): Generator<Row> {
  const prepare = (where: string, order: 'ASC' | 'DESC'): StatementSync => {
    const rows = database.prepare(
      `SELECT rowid AS "row of table", ${columns.join(', ')} FROM ${table} NOT INDEXED WHERE ${where} ORDER BY rowid ${order}`,
    );
    rows.setReadBigInts(true);
    return rows;
  };
  const read = function* (rows: StatementSync, ...bounds: number[]): Generator<Row, Reading> {
    let last: number | undefined;
    try {
      for (const { 'row of table': id, ...row } of rows.iterate(...bounds)) {
        last = Number(id);
        yield plainNumbers(row);
      }
      return { last, isDone: true };
    } catch {
      // The rows up to a damaged page are saved.
      return { last, isDone: false };
    }
  };
  let allRows, upwards, downwards;
  try {
    allRows = prepare('TRUE', 'ASC');
    upwards = prepare('rowid >= ? AND rowid < ?', 'ASC');
    downwards = prepare('rowid > ? AND rowid < ?', 'DESC');
  } catch {
    // The schema is lost, for example because the file was truncated after its first pages, so no row can be found.
    return;
  }
  const below = yield* read(allRows);
  if (below.isDone) return;
  const first = below.last ?? 0;
  const above = yield* read(downwards, first, Number.MAX_SAFE_INTEGER);
  if (above.isDone) return;
  const gaps: [number, number][] = [[first, above.last ?? first + MAX_SEARCH_DISTANCE]];
  for (let probes = 0; probes < MAX_PROBES; probes++) {
    const [start, end] = gaps.shift() ?? [0, 0];
    const middle = Math.floor((start + end) / 2);
    if (middle <= start) {
      if (gaps.length === 0) return;
      continue;
    }
    const up = yield* read(upwards, middle, end);
    const down = yield* read(downwards, start, middle);
    if (!up.isDone) gaps.push([up.last ?? middle, end]);
    if (!down.isDone) gaps.push([start, down.last ?? middle]);
  }
}

interface Reading {
  readonly last: number | undefined;
  readonly isDone: boolean;
}

/** Converts big integers to numbers. Those that are too large stay as they are, and no column accepts them. */
function plainNumbers(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      const isPlain = typeof value === 'bigint' && Number.isSafeInteger(Number(value));
      return [name, isPlain ? Number(value) : value];
    }),
  );
}

function quoteColumn(column: string): string {
  return `"${column}"`;
}
