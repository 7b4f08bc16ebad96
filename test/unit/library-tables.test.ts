import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { openDatabaseToRead } from '../../src/index/store/database/database.ts';
import { Statements } from '../../src/index/store/database/statements.ts';
import { exportedTables } from '../../src/features/tables/store/portable-tables.ts';
import { libraryHandlers } from '../../src/index/library/library-handlers.ts';
import type { NotebookIndex } from '../../src/index/worker/notebook-index.ts';
import type { Answer } from '../../src/core/domain/answer.ts';
import {
  cellChange,
  rowId,
  type ExtractionCell,
  type RowKind,
} from '../../src/features/tables/model/extraction-table.ts';
import {
  importOptions,
  changed,
  citationIn,
  context,
  exported,
  fails,
  imported,
} from '../support/exported-notebooks.ts';
import { allCells } from '../support/extraction-tables.ts';
import { close, input, makeFolder, open } from '../support/opened-notebooks.ts';
import { extractionRows } from '../../src/features/tables/store/rows.ts';

const texts = ['The lamp is lit at nine.', 'The harbour is dredged in May.', 'The mill was built in 1821.'];

/** Fills a notebook with a table that has an answered, an edited, a failed, and a waiting cell. */
async function createNotebook(folder: string, rowKind: RowKind = 'sources') {
  const index = await open(folder);
  const rows: string[] = [];
  for (const [n, text] of texts.entries()) {
    const { id } = await index.addSource(`Source ${String(n)}`, { kind: 'text' }, input(text));
    const [document] = index.store.documents.ofSource(id);
    rows.push(rowId(id, rowKind === 'documents' ? document?.id : undefined));
  }
  const { extractionTables } = index.features;
  const tableId = extractionTables.add({ title: 'Works', rowKind });
  const columnId = extractionTables.addColumn(tableId, 'When?');
  const [first = '', second = '', third = ''] = rows;
  const cells = rows.map((id, n) => ({ columnId, rowId: id, rowTitle: `Source ${String(n)}` }));
  extractionTables.want({ tableId, cells, replacesEdited: false });
  const answer: Answer = {
    ...{ kind: 'written', model: 'scripted-1', text: 'At nine.' },
    statements: [{ start: 0, end: 8, verdict: 'supported', citations: [0] }],
    citations: [citationIn(index, 1, 4, 8)],
  };
  extractionTables.claim({ tableId, holder: 'here', hold: 60_000 });
  const [row] = extractionRows(index.sql, extractionTables.open(tableId), first).rows;
  extractionTables.keep({
    ...{ tableId, columnId, rowId: first, holder: 'here' },
    outcome: { kind: 'answered', answer, question: 'When?', version: row?.version ?? '' },
    usage: { input: 100, output: 10, estimated: 0 },
  });
  extractionTables.edit({ tableId, columnId, rowId: second, rowTitle: 'Source 1', text: 'In May, =mine' });
  extractionTables.claim({ tableId, holder: 'here', hold: 60_000 });
  return { index, tableId, columnId, rows: [first, second, third] as const, answer };
}

/** Returns the cells with text. */
function saying(index: NotebookIndex, tableId: string): ExtractionCell[] {
  return allCells(index.features.extractionTables, tableId).filter(({ answer, edited }) => answer ?? edited);
}

for (const rowKind of ['sources', 'documents'] as const)
  test(`exports tables of ${rowKind} with valid citations and without requests`, async () => {
    const from = makeFolder();
    const { index, tableId, answer } = await createNotebook(from, rowKind);
    // The documents get other numbers there.
    const [removedSource] = index.store.sources();
    const before = index.features.extractionTables.open(tableId);
    assert.ok(removedSource);
    await close(index);
    const target = await imported(await exported(from));
    const { revision: _, ...matrix } = target.features.extractionTables.open(tableId);
    const { revision: __, ...own } = before;
    assert.deepEqual(JSON.parse(JSON.stringify(matrix)), JSON.parse(JSON.stringify(own)));
    const { rows } = extractionRows(target.sql, target.features.extractionTables.open(tableId));
    const [first, second, ...others] = allCells(target.features.extractionTables, tableId);
    assert.deepEqual([first?.rowId, second?.rowId], [rows[0]?.id, rows[1]?.id]);
    assert.deepEqual(others, []);
    assert.deepEqual(
      [first?.answer?.text, first?.state, second?.edited],
      [answer.text, 'resting', 'In May, =mine'],
    );
    // The row is unchanged by the export and import.
    assert.ok(first);
    assert.equal(cellChange(first, rows[0], { question: 'When?' }), undefined);
    assert.equal(target.cited.find(first.answer!.citations[0]!).kind, 'found');
    assert.equal(target.features.extractionTables.claim({ tableId, holder: 'there', hold: 1 }), undefined);
  });

test('adds tables to a notebook once, with renamed sources, and removes them again', async () => {
  const [from, to, by] = [makeFolder(), makeFolder(), makeFolder()];
  const { index, tableId, rows } = await createNotebook(from, 'documents');
  await close(index);
  const target = await open(to);
  await target.addSource('Other', { kind: 'text' }, input('Other words.'));
  const path = await exported(from);
  const how = { ...importOptions, path, to };
  const added = await libraryHandlers.mergeNotebook({ ...how, by }, context);
  assert.deepEqual(
    added.entities.matrices?.map(({ id }) => id),
    [tableId],
  );
  await target.followOthers();
  const cells = saying(target, tableId);
  const ids = extractionRows(target.sql, target.features.extractionTables.open(tableId)).rows.map(
    ({ id }) => id,
  );
  assert.equal(cells.length, 2);
  assert.notEqual(cells[0]?.rowId, rows[0]);
  for (const { rowId: id } of cells) assert.ok(ids.includes(id));
  const again = await libraryHandlers.mergeNotebook({ ...how, by: makeFolder() }, context);
  assert.deepEqual(again.entities.matrices, []);

  await libraryHandlers.unmergeNotebook({ from: to, added }, context);
  assert.deepEqual(target.features.extractionTables.list(), []);
  // A table that was changed since the import stays.
  const other = await libraryHandlers.mergeNotebook({ ...how, by: makeFolder() }, context);
  target.features.extractionTables.rename(tableId, 'My works');
  await libraryHandlers.unmergeNotebook({ from: to, added: other }, context);
  assert.deepEqual(
    target.features.extractionTables.list().map(({ title }) => title),
    ['My works'],
  );
});

test('copies the tables of a duplicate, without pending cells', async () => {
  const [from, to] = [makeFolder(), makeFolder()];
  const { index, tableId } = await createNotebook(from);
  assert.deepEqual(
    index.features.extractionTables.states(tableId).map(({ state }) => state),
    ['resting', 'resting', 'asking'],
  );
  await libraryHandlers.duplicate({ from, to }, context);
  const target = await open(to);
  assert.deepEqual(
    target.features.extractionTables.states(tableId).map(({ state }) => state),
    ['resting', 'resting', 'waiting'],
  );
  assert.deepEqual(saying(target, tableId).length, 2);
});

test('keeps cells of documents that aren’t exported, and says so', async () => {
  const from = makeFolder();
  const { index, tableId } = await createNotebook(from, 'documents');
  await close(index);
  const path = changed(await exported(from), (lines) => {
    const documents = lines.filter(({ type }) => type === 'document');
    const remaining = lines.filter((line) => !documents.slice(0, 2).includes(line) && line.type !== 'end');
    lines.splice(0, lines.length, ...remaining, { type: 'end', count: remaining.length });
  });
  const target = await imported(path);
  const cells = saying(target, tableId);
  assert.equal(new Set(cells.map((cell) => cell.rowId)).size, 2);
  for (const cell of cells) {
    const { rows } = extractionRows(target.sql, target.features.extractionTables.open(tableId), cell.rowId);
    assert.equal(
      rows.find(({ id }) => id === cell.rowId),
      undefined,
    );
  }
});

test('names the tables that don’t fit in an export, and exports the others', async () => {
  const from = makeFolder();
  const { index, tableId, columnId, rows } = await createNotebook(from);
  const older = index.features.extractionTables.add({
    title: 'Small',
    rowKind: 'sources',
  });
  index.features.extractionTables.edit({
    ...{ tableId, columnId, rowId: rows[2], rowTitle: 'Source 2' },
    text: 'Long. '.repeat(1_500),
  });
  const { database } = await openDatabaseToRead(from);
  const sql = new Statements(database);
  const all = exportedTables(sql, []);
  assert.deepEqual([all.exported.length, all.leftOut], [2, []]);
  const { exported: parts, leftOut } = exportedTables(sql, [], 5_000);
  assert.deepEqual(leftOut, ['Works']);
  assert.deepEqual(
    parts.map((json) => (JSON.parse(json) as { id: string }).id),
    [older],
  );
  sql.abandon();
  await close(index);
  const path = join(makeFolder(), 'all.opennotebook');
  const exportResult = await libraryHandlers.exportNotebook({ from, path, name: 'A', roots: [] }, context);
  assert.deepEqual(exportResult, { leftOut: { researches: [], decks: [], matrices: [] } });
});

test('rejects an import with invalid tables, and limits their size', async () => {
  const from = makeFolder();
  const { index } = await createNotebook(from);
  await close(index);
  const path = await exported(from);
  const head = (lines: Record<string, unknown>[]): { matrices: string[] } => lines[0] as never;
  const [json = ''] = (
    JSON.parse(gunzipSync(readFileSync(path)).toString().split('\n')[0] ?? '') as {
      matrices: string[];
    }
  ).matrices;
  const matrix = JSON.parse(json) as Record<string, unknown> & { cells: Record<string, unknown>[] };
  const cell = matrix.cells[0]!;
  for (const bad of [
    'nothing',
    '[]',
    { ...matrix, id: "'; DROP TABLE matrices" },
    { ...matrix, rowKind: 'all' },
    { ...matrix, columns: [{ id: 'a', question: 'x'.repeat(2_001) }] },
    { ...matrix, columns: Array.from({ length: 51 }, (_, n) => ({ id: String(n), question: '?' })) },
    { ...matrix, cells: [{ ...cell, edited: 'x'.repeat(10_001) }] },
    {
      ...matrix,
      cells: [{ ...cell, answer: { kind: 'written', text: 'No.', statements: [], citations: 7 } }],
    },
    { ...matrix, cells: [{ ...cell, answer: { ...(cell.answer as object), citations: [] } }] },
    { ...matrix, cells: Array.from({ length: 201 }, () => cell) },
  ]) {
    const other = changed(path, (lines) => {
      head(lines).matrices = [typeof bad === 'string' ? bad : JSON.stringify(bad)];
    });
    await assert.rejects(imported(other), fails('damaged'), JSON.stringify(bad).slice(0, 200));
  }
  // If a file contains a cell twice, the first one wins.
  const twice = changed(path, (lines) => {
    head(lines).matrices = [
      json,
      JSON.stringify({ ...matrix, cells: [{ ...cell, answer: null, edited: 'Twice' }] }),
    ];
  });
  const target = await imported(twice);
  assert.equal(saying(target, String(matrix.id))[0]?.edited, undefined);
});
