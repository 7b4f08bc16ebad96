import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import fc from 'fast-check';
import * as v from 'valibot';
import { tableState } from '../../src/features/tables/model/tab-state.ts';
import { extractionRows } from '../../src/features/tables/store/rows.ts';
import type { ExtractionTables } from '../../src/features/tables/store/extraction-tables.ts';
import { openDatabase } from '../../src/index/store/database/opening.ts';
import { salvage } from '../../src/index/store/database/salvage.ts';
import {
  cellKey,
  cellChange,
  MAX_CELL_LENGTH,
  MAX_QUESTION_LENGTH,
  MAX_COLUMNS,
  MAX_ROWS,
} from '../../src/features/tables/model/extraction-table.ts';
import {
  addSources,
  allCells,
  fill,
  makeExtractionTable,
  openTables,
  writtenAnswer,
  type OpenedTables,
} from '../support/extraction-tables.ts';
import { makeFolder } from '../support/opened-notebooks.ts';
import { rounds } from '../support/test-size.mjs';

/** Expected state of a cell, without its store. */
interface Known {
  readonly answer: string | undefined;
  readonly edited: string | undefined;
  readonly state: 'asking' | 'resting' | 'waiting';
  readonly replaces: boolean;
  readonly holder: string | undefined;
}

const by = fc.constantFrom(0 as const, 1 as const);
const column = fc.nat(2);
const row = fc.nat(2);
const deed = fc.oneof(
  fc.record({
    kind: fc.constantFrom('edit' as const, 'take back' as const, 'unwant' as const),
    column,
    row,
    by,
  }),
  fc.record({ kind: fc.constant('want' as const), column, row, by, replacesEdited: fc.boolean() }),
  fc.record({ kind: fc.constantFrom('claim' as const, 'give back' as const, 'reopen' as const), by }),
  fc.record({ kind: fc.constantFrom('keep' as const, 'fail' as const), by }),
  fc.record({ kind: fc.constantFrom('remove column' as const), column, by }),
  fc.record({ kind: fc.constant('late' as const) }),
);

test('keeps cells in the expected state in two windows, and saves no answer twice', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(deed, { maxLength: 60 }), async (deeds) => {
      const folder = makeFolder();
      let now = 1_000_000;
      const openHere = (): Promise<OpenedTables> => openTables(folder, () => now);
      const windows = [await openHere(), await openHere()];
      try {
        const { extractionTables } = windows[0]!;
        const tableId = extractionTables.add({
          title: 'Extraction Table',
          rowKind: 'sources',
        });
        const columns = ['A?', 'B?', 'C?'].map((question) => extractionTables.addColumn(tableId, question));
        const removedIds = new Set<string>();
        const cells = new Map<string, Known>();
        const claims: (string | undefined)[] = [undefined, undefined];
        const fresh: Known = {
          answer: undefined,
          edited: undefined,
          state: 'resting',
          replaces: false,
          holder: undefined,
        };
        for (const [turn, one] of deeds.entries()) {
          if (one.kind === 'late') {
            now += 120_000;
            for (const [key, cell] of cells)
              if (cell.state === 'asking') cells.set(key, { ...cell, state: 'waiting' });
            continue;
          }
          const { extractionTables: here } = windows[one.by]!;
          const holder = `window ${String(one.by)}`;
          if ('row' in one) {
            const place = { columnId: columns[one.column]!, rowId: `row ${String(one.row)}` };
            const key = cellKey(place);
            const before = cells.get(key) ?? fresh;
            const isGone = removedIds.has(place.columnId);
            switch (one.kind) {
              case 'edit':
              case 'take back': {
                const text = one.kind === 'edit' ? `Edited ${String(turn)}` : undefined;
                const edit = (): void => {
                  here.edit({ tableId, ...place, rowTitle: 'Row', text });
                };
                if (isGone) assert.throws(edit, { code: 'not-found' });
                else {
                  edit();
                  cells.set(key, { ...fresh, answer: before.answer, edited: text });
                }
                break;
              }
              case 'unwant':
                here.unwant({ tableId, cells: [place] });
                if (before.state !== 'resting')
                  cells.set(key, { ...fresh, answer: before.answer, edited: before.edited });
                break;
              case 'want':
                here.want({
                  tableId,
                  cells: [{ ...place, rowTitle: 'Row' }],
                  replacesEdited: one.replacesEdited,
                });
                if (isGone) break;
                if (before.state === 'resting' && (before.edited === undefined || one.replacesEdited))
                  cells.set(key, { ...before, state: 'waiting', replaces: one.replacesEdited });
                else cells.set(key, before);
            }
          } else if (one.kind === 'remove column') {
            const columnId = columns[one.column]!;
            here.removeColumn(tableId, columnId);
            removedIds.add(columnId);
            for (const key of [...cells.keys()]) if (key.startsWith(`${columnId} `)) cells.delete(key);
          } else if (one.kind === 'reopen') {
            windows[one.by]!.sql.abandon();
            windows[one.by] = await openHere();
          } else if (one.kind === 'claim') {
            const claimed = here.claim({ tableId, holder, hold: 60_000 });
            const isAny = [...cells.values()].some(({ state }) => state === 'waiting');
            assert.equal(claimed !== undefined, isAny);
            if (claimed === undefined) continue;
            const key = cellKey(claimed);
            assert.equal(cells.get(key)?.state, 'waiting');
            cells.set(key, { ...(cells.get(key) ?? fresh), state: 'asking', holder });
            claims[one.by] = key;
          } else if (one.kind === 'give back') {
            here.release({ tableId, holder });
            for (const [key, cell] of cells)
              if (cell.holder === holder && cell.state !== 'resting')
                cells.set(key, { ...cell, state: 'waiting', holder: undefined });
          } else {
            const key = claims[one.by];
            if (key === undefined) continue;
            const [columnId = '', ...rest] = key.split(' ');
            const place = { tableId, columnId, rowId: rest.join(' '), holder };
            const before = cells.get(key);
            const isMine = before?.holder === holder && before.state !== 'resting';
            const outcome =
              one.kind === 'keep'
                ? {
                    kind: 'answered' as const,
                    answer: writtenAnswer('s', `Answer ${String(turn)}`),
                    ...{ question: '?', version: '1' },
                  }
                : { kind: 'failed' as const, failure: { message: 'No.', action: undefined } };
            assert.equal(here.keep({ ...place, outcome }), isMine);
            if (!isMine) continue;
            const edited = one.kind === 'keep' && before.replaces ? undefined : before.edited;
            const answer = one.kind === 'keep' ? `Answer ${String(turn)}` : before.answer;
            cells.set(key, { ...fresh, answer, edited });
          }
        }
        for (const { extractionTables: seen } of windows) {
          const known = allCells(seen, tableId).map((cell) => [
            cellKey(cell),
            [cell.answer?.text, cell.edited, cell.state],
          ]);
          const expected = Array.from(cells, ([key, { answer, edited, state }]) => [
            key,
            [answer, edited, state],
          ]);
          assert.deepEqual(new Map(known as [string, unknown][]), new Map(expected as [string, unknown][]));
          assert.deepEqual(
            seen.open(tableId).columns.map(({ id }) => id),
            columns.filter((id) => !removedIds.has(id)),
          );
        }
      } finally {
        for (const { sql } of windows) sql.abandon();
      }
    }),
    { numRuns: rounds(20, 60) },
  );
});

test('reports changes since a revision in batches, and tables changed in another window', async () => {
  const folder = makeFolder();
  const opened = await openTables(folder);
  const { extractionTables, sql } = opened;
  const other = await openTables(folder);
  addSources(
    opened,
    Array.from({ length: 120 }, (_, n) => `Text ${String(n)}.`),
  );
  const { tableId, columnIds, rows } = makeExtractionTable(opened, ['A?', 'B?', 'C?']);
  const first = extractionTables.cells({ tableId, after: 0 });
  assert.deepEqual([first.cells.length, first.from !== undefined], [200, true]);
  assert.equal(allCells(extractionTables, tableId).length, 360);
  other.extractionTables.readOtherWindows();
  assert.deepEqual(other.extractionTables.takeChanged(), [tableId]);
  assert.deepEqual(other.extractionTables.takeChanged(), []);
  const { revision } = first;
  other.extractionTables.edit({
    tableId,
    columnId: columnIds[1]!,
    rowId: rows[7]!.id,
    rowTitle: 'Seven',
    text: 'Mine',
  });
  const { cells } = extractionTables.cells({ tableId, after: revision });
  assert.deepEqual(
    cells.map(({ edited, rowId }) => [edited, rowId]),
    [['Mine', rows[7]!.id]],
  );
  extractionTables.readOtherWindows();
  assert.deepEqual(extractionTables.takeChanged(), [tableId]);
  other.extractionTables.remove(tableId);
  extractionTables.readOtherWindows();
  assert.deepEqual(extractionTables.takeChanged(), [tableId]);
  assert.throws(() => extractionTables.cells({ tableId, after: 0 }), { code: 'not-found' });
  assert.deepEqual(sql.all('SELECT * FROM matrix_cells'), []);
  for (const window of [opened, other]) window.sql.close();
});

test('truncates or keeps large and hostile texts, and explains limits in one sentence', async () => {
  const opened = await openTables(makeFolder());
  const { extractionTables, sql, store } = opened;
  const tableId = extractionTables.add({ title: 'Ma\u202Etrix\n', sourceIds: [], rowKind: 'sources' });
  assert.equal(extractionTables.open(tableId).title, 'Matrix');
  const columnId = extractionTables.addColumn(tableId, `  ${'?'.repeat(MAX_QUESTION_LENGTH + 5)}`);
  assert.equal(extractionTables.open(tableId).columns[0]?.question.length, MAX_QUESTION_LENGTH);
  const hostile = `'"; DROP TABLE matrices; -- <img src=x> \u0000 \uFFFF {{x}} ${'=1+1|'.repeat(3)}`;
  for (const text of [hostile, 'x'.repeat(MAX_CELL_LENGTH + 1), '', ' \n'])
    for (const rowTitle of [hostile, '']) {
      extractionTables.edit({ tableId, columnId, rowId: hostile, rowTitle, text });
      assert.equal(
        extractionTables.cell({ tableId, columnId, rowId: hostile })?.edited,
        text.slice(0, MAX_CELL_LENGTH),
      );
    }
  for (let n = 1; n < MAX_COLUMNS; n++) extractionTables.addColumn(tableId, 'Why?');
  assert.throws(() => extractionTables.addColumn(tableId, 'One more?'), {
    code: 'too-large',
    message: /at most 50 columns/,
  });
  sql.transaction(() => {
    for (let n = 0; n <= MAX_ROWS; n++)
      sql.run(
        `INSERT INTO sources (id, title, origin, state, added_at, skipped) VALUES (?, ?, '{"kind":"text"}', '{"kind":"ready"}', ?, '{}')`,
        ...[`s${String(n)}`, `Source ${String(n)}`, n],
      );
  });
  assert.ok(store);
  const all = extractionRows(sql, { rowKind: 'sources' });
  assert.deepEqual([all.rows.length, all.omitted], [MAX_ROWS, 1]);
  assert.equal(extractionRows(sql, { rowKind: 'documents' }).rows.length, 0);
  sql.close();
});

test('keeps the previous text of a cell until it is seen or overwritten', async () => {
  const opened = await openTables(makeFolder());
  const { extractionTables, sql } = opened;
  addSources(opened, ['The keeper is Tom Reed.']);
  const { tableId, columnIds, rows } = makeExtractionTable(opened, ['Who?']);
  const place = { tableId, columnId: columnIds[0] ?? '', rowId: rows[0]?.id ?? '' };
  const ask = (words: string, replacesEdited = false): void => {
    extractionTables.want({ tableId, cells: [{ ...place, rowTitle: 'Row' }], replacesEdited });
    assert.ok(extractionTables.claim({ tableId, holder: 'one', hold: 1_000 }));
    const answer = writtenAnswer(place.rowId, words);
    const outcome = { kind: 'answered' as const, answer, question: 'Who?', version: '1' };
    assert.ok(extractionTables.keep({ ...place, holder: 'one', outcome }));
  };
  const was = (): string | undefined => extractionTables.cell(place)?.was;
  ask('Tom Reed.');
  assert.equal(was(), undefined);
  ask('Tom Reed.');
  assert.equal(was(), undefined);
  ask('Eva Holt.');
  assert.equal(was(), 'Tom Reed.');
  // A failure doesn't change the answer.
  extractionTables.want({ tableId, cells: [{ ...place, rowTitle: 'Row' }], replacesEdited: false });
  extractionTables.claim({ tableId, holder: 'one', hold: 1_000 });
  const outcome = { kind: 'failed' as const, failure: { message: 'No.', action: undefined } };
  extractionTables.keep({ ...place, holder: 'one', outcome });
  assert.equal(was(), 'Tom Reed.');
  extractionTables.see({ tableId, cell: place });
  assert.equal(was(), undefined);
  extractionTables.edit({ ...place, rowTitle: 'Row', text: 'Mine' });
  ask('Ida Lind.', true);
  assert.equal(was(), 'Mine');
  extractionTables.edit({ ...place, rowTitle: 'Row', text: 'Mine again' });
  assert.equal(was(), undefined);
  sql.close();
});

test('marks a row whose text changed or is gone', async () => {
  const opened = await openTables(makeFolder());
  const { extractionTables, sql, store } = opened;
  const [id = ''] = addSources(opened, ['The keeper is Tom Reed.', 'Other.']);
  const { tableId, columnIds } = makeExtractionTable(opened, ['Who?']);
  await fill(opened, tableId);
  const changeHere = (question = 'Who?') => {
    const cell = extractionTables.cell({ tableId, columnId: columnIds[0]!, rowId: id });
    return (
      cell && cellChange(cell, extractionRows(sql, extractionTables.open(tableId), id).rows[0], { question })
    );
  };
  assert.deepEqual([changeHere(), changeHere('When?')], [undefined, 'question']);
  sql.run("UPDATE documents SET hash = 'other' WHERE source_id = ?", id);
  assert.equal(changeHere(), 'source');
  store.removeSources([id]);
  assert.equal(changeHere(), 'gone');
  sql.close();
});

/** Damages the stored tables, and opens the salvaged notebook. */
async function salvaged(
  break_: (database: DatabaseSync) => void,
): Promise<{ extractionTables: ExtractionTables; tableId: string }> {
  const [folder, fresh] = [makeFolder(), makeFolder()];
  const opened = await openTables(folder);
  addSources(opened, ['One.', 'Two.']);
  const { tableId, columnIds, rows } = makeExtractionTable(opened, ['Who?', 'When?']);
  await fill(opened, tableId);
  opened.extractionTables.edit({
    tableId,
    columnId: columnIds[1]!,
    rowId: rows[1]!.id,
    rowTitle: 'Two',
    text: 'Mine',
  });
  opened.sql.close();
  const damaged = new DatabaseSync(join(folder, 'notebook.sqlite'));
  damaged.exec('PRAGMA foreign_keys = OFF');
  break_(damaged);
  const { database } = await openDatabase(fresh);
  salvage(damaged, database);
  damaged.close();
  database.close();
  const salvagedMatrices = await openTables(fresh);
  return { extractionTables: salvagedMatrices.extractionTables, tableId };
}

test('saves the user’s edits of cells from a damaged database, even without the table', async () => {
  for (const [name, statement, title] of [
    ['nothing', 'SELECT 1', 'Extraction Table'],
    ['columns', "UPDATE matrices SET columns = '{'", 'Extraction Table'],
    ['matrix', 'DELETE FROM matrices', 'Recovered from a damaged notebook'],
    ['answers', "UPDATE matrix_cells SET answer = '7', failure = 'x', wanted = 'y'", 'Extraction Table'],
  ] as const) {
    const { extractionTables, tableId } = await salvaged((database) => {
      database.exec('PRAGMA writable_schema = ON');
      try {
        database.exec(statement);
      } catch {
        // A strict SQLite table rejects text in a number column.
        database.exec("UPDATE matrix_cells SET answer = '7', failure = 'x'");
      }
    });
    const matrix = extractionTables.open(tableId);
    assert.equal(matrix.title, title, name);
    assert.deepEqual(
      matrix.columns.map(({ question }) => question),
      ['Who?', 'When?'],
      name,
    );
    const cells = allCells(extractionTables, tableId);
    assert.equal(cells.length, 4, name);
    assert.equal(cells.find(({ edited }) => edited !== undefined)?.edited, 'Mine', name);
    assert.equal(cells.filter(({ answer }) => answer !== undefined).length, name === 'answers' ? 0 : 4, name);
  }
});

test('restores the tabs of this version and of earlier ones', () => {
  const state = { tableId: 'a', notebook: 'b' };
  assert.deepEqual(v.parse(tableState, state), state);
  assert.deepEqual(v.parse(tableState, { matrix: 'a', notebook: 'b' }), state);
  assert.ok(!v.is(tableState, { notebook: 'b' }));
});
