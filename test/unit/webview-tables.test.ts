import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CellView } from '../../src/features/tables/protocol.ts';
import { cellKey } from '../../src/features/tables/model/extraction-table.ts';
import {
  arrange,
  filterCells,
  estimateCells,
  TITLES,
  withoutMarkdown,
  type RowFilter,
  type Sort,
  type Table,
} from '../../webview/tables/table.ts';

function view(rowId: string, columnId: string, text: string, more: Partial<CellView> = {}): CellView {
  return {
    ...{
      rowId,
      columnId,
      rowTitle: `Row ${rowId}`,
      question: `${columnId}?`,
      version: '1',
      edited: undefined,
    },
    ...{ was: undefined, failure: undefined, state: 'resting' as const, isNothing: false, citations: [] },
    pieces: text === '' ? [] : [{ text, verdict: 'supported', citations: [] }],
    ...more,
  };
}

const cells = [
  view('1', 'a', 'Ship 10'),
  view('2', 'a', 'ship 9'),
  view('3', 'a', '', { question: undefined, edited: 'Österreich' }),
  view('4', 'a', 'Zebra', { version: '0' }),
  view('2', 'b', 'Barley', { question: 'Other?' }),
  view('4', 'b', '', { question: undefined, failure: { message: 'No.', action: undefined } }),
  view('5', 'a', '', { question: undefined, state: 'waiting' }),
  view('gone', 'a', 'Kept'),
  view('gone', 'removed', 'Not shown'),
];
const table: Table = {
  head: {
    ...{ title: 'Extraction Table', omitted: 0, usage: undefined, isFilling: false, stopped: undefined },
    columns: ['a', 'b'].map((id) => ({ id, question: `${id}?` })),
    model: { name: 'm', prices: { input: 1, output: 2 } },
  },
  rows: ['1', '2', '3', '4', '5'].map((id) => ({
    ...{ id, title: `Row ${id}`, version: '1' },
    input: 1_000,
    output: 100,
  })),
  cells: new Map(cells.map((cell) => [cellKey(cell), cell])),
};

function rowsBy(more: { words?: string; filter?: RowFilter; sort?: Sort }): string[] {
  return arrange(table, { words: '', filter: undefined, sort: undefined, ...more }).map(({ id }) => id);
}

test('sorts rows by their cells, numbers by value, and empty cells last', () => {
  assert.deepEqual(rowsBy({}), ['1', '2', '3', '4', '5', 'gone']);
  assert.deepEqual(rowsBy({ sort: { by: 'a', isDown: false } }), ['gone', '3', '2', '1', '4', '5']);
  assert.deepEqual(rowsBy({ sort: { by: 'a', isDown: true } }), ['4', '1', '2', '3', 'gone', '5']);
  assert.deepEqual(rowsBy({ sort: { by: TITLES, isDown: true } }), ['gone', '5', '4', '3', '2', '1']);
});

test('sorts a column of amounts by value, with other text after them', () => {
  const texts = ['€1,137 million', '-12', '999 million', '(2.5 million)', 'not reported', '12 %', ''];
  const amounts: Table = {
    head: table.head,
    rows: texts.map((text, index) => ({ ...table.rows[0]!, id: String(index), title: text })),
    cells: new Map(
      texts.map((text, index) => view(String(index), 'a', text)).map((cell) => [cellKey(cell), cell]),
    ),
  };
  const sorted = (isDown: boolean): string[] =>
    arrange(amounts, { words: '', filter: undefined, sort: { by: 'a', isDown } }).map(({ title }) => title);
  assert.deepEqual(sorted(false), [
    ...['(2.5 million)', '-12', '12 %', '999 million', '€1,137 million', 'not reported', ''],
  ]);
  assert.deepEqual(sorted(true), [
    ...['€1,137 million', '999 million', '12 %', '-12', '(2.5 million)', 'not reported', ''],
  ]);
});

test('shows a table in a cell without the marks of Markdown', () => {
  assert.equal(
    withoutMarkdown('**Sales**\n\n| Year | Sales |\n| --- | ---: |\n| 2020 | 1,137 |'),
    'Sales\n\nYear · Sales\n2020 · 1,137',
  );
});

test('finds rows by all words of a search in any cell, and by the state of cells', () => {
  assert.deepEqual(rowsBy({ words: ' SHIP  barley ' }), ['2']);
  assert.deepEqual(rowsBy({ words: 'row' }), ['1', '2', '3', '4', '5', 'gone']);
  assert.deepEqual(rowsBy({ words: 'zebra ship' }), []);
  assert.deepEqual(rowsBy({ filter: 'edited' }), ['3']);
  assert.deepEqual(rowsBy({ filter: 'failed' }), ['4']);
  assert.deepEqual(rowsBy({ filter: 'waiting' }), ['5']);
  assert.deepEqual(rowsBy({ filter: 'changed', sort: { by: TITLES, isDown: true } }), ['4', '2']);
  // A deleted row has no cells to ask.
  assert.deepEqual(rowsBy({ filter: 'empty', words: 'kept' }), ['gone']);
});

test('filters rows by cells that aren’t stated in the source or that the fact check marked', () => {
  const answers = [
    view('1', 'b', '', { pieces: [{ text: 'Rye', verdict: 'not-found', citations: [] }] }),
    view('2', 'b', 'Oats'),
    view('3', 'b', 'Not stated in this source.', { isNothing: true }),
    view('4', 'b', 'Not stated in this source.', { isNothing: true, edited: 'Wheat' }),
  ];
  const answered = { ...table, cells: new Map(answers.map((cell) => [cellKey(cell), cell])) };
  const filtered = (filter: RowFilter): string[] =>
    arrange(answered, { words: '', filter, sort: undefined }).map(({ id }) => id);
  assert.deepEqual(filtered('notStated'), ['3']);
  assert.deepEqual(filtered('marked'), ['1']);
});

test('counts cells by state without those of deleted rows, and estimates their cost', () => {
  assert.deepEqual(filterCells(table, 'changed').map(cellKey), ['b 2', 'a 4']);
  const empty = filterCells(table, 'empty', 'failed');
  assert.deepEqual(empty.map(cellKey), ['b 1', 'b 3', 'b 4', 'b 5']);
  const { tokens, cost } = estimateCells(table, empty);
  assert.equal(tokens, 4_400);
  assert.ok(Math.abs((cost ?? 0) - (4 * (1_000 + 200)) / 1e6) < 1e-9, String(cost));
  assert.equal(estimateCells({ ...table, head: { ...table.head, model: undefined } }, empty).cost, undefined);
});
