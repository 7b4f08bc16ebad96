import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { t } from '@vscode/l10n';
import { LOST_OPTIONS } from '../../../features/research/store/stored-json.ts';
import { storedTables, repairedRow } from './stored-rows.ts';
import type { Row } from './database.ts';

/** Counts of the content recovered from a damaged database. */
export interface Saved {
  readonly notes: number;
  readonly conversations: number;
  readonly documents: number;
  readonly researches: number;
}

/** Maximum number of positions to probe behind damage, between the rows read from both ends. */
const MAX_PROBES = 400;
/** Distance after the last readable row that is searched if no rows can be read from the end. */
const MAX_SEARCH_DISTANCE = 2 ** 20;

/** Reports whether the whole content of a database is readable and valid. Takes a second or two per 100 MB. */
export function isWhole(database: DatabaseSync): boolean {
  try {
    if (database.prepare('PRAGMA quick_check(1)').get()?.['quick_check'] !== 'ok') return false;
    for (const [table, rules] of Object.entries(storedTables)) {
      // Packed columns aren't checked here. Damage in them is reported when they are unpacked.
      const columns = Object.keys(rules).filter(
        (column) =>
          !['map', 'text', 'vector'].includes(column) || table === 'notes' || table === 'made_notes',
      );
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
  fresh.exec(`
    INSERT INTO conversations (id, created_at)
      SELECT conversation_id, min(asked_at) FROM turns
      WHERE conversation_id NOT IN (SELECT id FROM conversations) GROUP BY conversation_id;
    DELETE FROM turn_versions WHERE turn_id NOT IN (SELECT id FROM turns);
    DELETE FROM note_citations WHERE note_id NOT IN (SELECT id FROM notes);
    DELETE FROM made_notes WHERE note_id NOT IN (SELECT id FROM notes);
    INSERT INTO card_decks (id, title, created_at)
      SELECT DISTINCT deck_id, '${saved.replaceAll("'", "''")} ' || substr(deck_id, 1, 8), 0 FROM cards
      WHERE deck_id NOT IN (SELECT id FROM card_decks);
    DELETE FROM card_deeds WHERE card_id NOT IN (SELECT id FROM cards);
    UPDATE cards SET state = 0, due = 0 WHERE schedule IS NULL;
    INSERT INTO matrices (id, title, row_kind, columns, created_at, changed_at)
      SELECT matrix_id, '${saved.replaceAll("'", "''")}', iif(row_id LIKE '%/%', 'documents', 'sources'), '[]', 0, 0
      FROM matrix_cells WHERE matrix_id NOT IN (SELECT id FROM matrices) GROUP BY matrix_id;
    -- Restores lost columns with the questions of their cells.
    UPDATE matrices SET columns = (SELECT json_group_array(json_object('id', column_id, 'question', question))
        FROM (SELECT column_id, coalesce(max(asked), '?') AS question FROM matrix_cells
          WHERE matrix_id = matrices.id GROUP BY column_id ORDER BY min(rowid)))
      WHERE columns = '[]';
    INSERT INTO researches (id, goal, state, created_at, changed_at, bounds, options, plan_version)
      SELECT DISTINCT research_id, '${saved.replaceAll("'", "''")}', 'paused', 0, 0, '{}', '${JSON.stringify(LOST_OPTIONS)}', 1
      FROM (SELECT research_id FROM research_plans UNION ALL SELECT research_id FROM research_steps
        UNION ALL SELECT research_id FROM research_products)
      WHERE research_id NOT IN (SELECT id FROM researches);
    UPDATE researches SET plan_number =
        coalesce((SELECT max(number) FROM research_plans p WHERE p.research_id = researches.id), 0)
      WHERE NOT EXISTS (
        SELECT 1 FROM research_plans p WHERE p.research_id = researches.id AND p.number = plan_number);
    -- Restores lost steps from the plan.
    INSERT OR IGNORE INTO research_steps (research_id, id, place, step)
      SELECT r.id, s.value ->> '$.id', s.key, s.value FROM researches r
      JOIN research_plans p ON p.research_id = r.id AND p.number = r.plan_number, json_each(p.plan, '$.steps') s
      WHERE s.value ->> '$.id' IS NOT NULL;
    UPDATE research_steps SET state = iif(
        EXISTS (SELECT 1 FROM research_products p
          WHERE p.research_id = research_steps.research_id AND p.id = step ->> '$.produces'),
        'done', iif(state = 'done', 'open', state));
    UPDATE research_steps SET token = NULL, held_until = NULL WHERE state <> 'in-progress';
    DELETE FROM research_comments WHERE research_id NOT IN (SELECT id FROM researches);
    DELETE FROM research_records WHERE research_id NOT IN (SELECT id FROM researches);
    DELETE FROM crawls WHERE source_id NOT IN (SELECT id FROM sources);
    DELETE FROM site_pages WHERE source_id NOT IN (SELECT id FROM sources);
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
  const number = (table: string): number =>
    Number(fresh.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.['count']);
  return {
    notes: number('notes'),
    conversations: number('conversations'),
    documents: number('documents'),
    researches: number('researches'),
  };
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
