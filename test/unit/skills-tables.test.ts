// Tests SQL queries over tables of documents: the values of cells, the allowed queries, and the locations of rows.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { NotebookError } from '../../src/core/domain/errors.ts';
import { readCsv } from '../../src/parsers/separated-values.ts';
import { columnValues } from '../../src/features/research/service/skills/tables/column-values.ts';
import {
  describeTables,
  queryTables,
} from '../../src/features/research/service/skills/tables/query-tables.ts';
import { readTables } from '../../src/features/research/service/skills/tables/read-tables.ts';
import { assertLinear } from '../support/growth.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { skillWorld } from './skills-fixtures.ts';
import { rounds } from '../support/test-size.mjs';

for (const [what, cells, type, unit, values] of [
  ['whole numbers', ['1', ' 22', ''], 'INTEGER', '', [1, 22, null]],
  ['English thousands', ['1,234', '12,345,678.5'], 'REAL', '', [1234, 12345678.5]],
  ['German thousands', ['1.234.567', '12,5'], 'REAL', '', [1234567, 12.5]],
  ['French thousands', ['1 234,5', '12\u202f345'], 'REAL', '', [1234.5, 12345]],
  ['Swiss thousands', ["1'234.50", '1’000'], 'REAL', '', [1234.5, 1000]],
  ['thousands alone', ['1,234', '22,000'], 'INTEGER', '', [1234, 22000]],
  ['decimals of three places', ['1.234', '0.500'], 'REAL', '', [1.234, 0.5]],
  ['decimal commas', ['3,5', '12,25'], 'REAL', '', [3.5, 12.25]],
  ['per cent', ['12 %', '3.5%', '-4%'], 'REAL', '%', [12, 3.5, -4]],
  ['money', ['€ 1,200', '€ 3.50', '(€ 2)'], 'REAL', '€', [1200, 3.5, -2]],
  ['dollars', ['US$ 5', 'US$ 7'], 'INTEGER', 'US$', [5, 7]],
  ['currencies by their codes', ['EUR 5', '7 EUR'], 'INTEGER', 'EUR', [5, 7]],
  ['units', ['12 kg', '3.5kg', '4'], 'REAL', 'kg', [12, 3.5, 4]],
  ['negative in parentheses', ['(1,234)', '5'], 'INTEGER', '', [-1234, 5]],
  ['a real minus', ['−3', '4'], 'INTEGER', '', [-3, 4]],
  ['what is missing', ['n/a', '–', '…', '7'], 'INTEGER', '', [null, null, null, 7]],
  ['footnotes', ['12.5*', '3 [a]'], 'REAL', '', [12.5, 3]],
  ['powers of ten', ['1.5e3', '2E-2'], 'REAL', '', [1500, 0.02]],
  ['several units', ['12 kg', '3 m'], 'TEXT', '', ['12 kg', '3 m']],
  ['codes', ['007', '0301'], 'TEXT', '', ['007', '0301']],
  ['dates', ['2024-01-02', '2024-03-04'], 'TEXT', '', ['2024-01-02', '2024-03-04']],
  ['versions', ['1.2.3', '1.10.0'], 'TEXT', '', ['1.2.3', '1.10.0']],
  ['telephone numbers', ['12345678901234567890', '1'], 'TEXT', '', ['12345678901234567890', '1']],
  ['ranges', ['1-3', '4-5'], 'TEXT', '', ['1-3', '4-5']],
  ['tolerances', ['±3', '±4'], 'TEXT', '', ['±3', '±4']],
  ['words', ['a', '3'], 'TEXT', '', ['a', '3']],
  ['nothing', ['', ''], 'TEXT', '', [null, null]],
  ['marks that contradict', ['1,5', '1.5'], 'TEXT', '', ['1,5', '1.5']],
] as const)
  test(`reads a column of ${what}`, () => {
    assert.deepEqual(columnValues(cells), { type, unit, values });
  });

test('reads numbers however they are written', () => {
  const number = fc
    .double({ min: -1e9, max: 1e9, noNaN: true })
    .map((value) => Math.round(value * 100) / 100 + 0);
  fc.assert(
    fc.property(
      fc.array(number, { minLength: 1, maxLength: 20 }),
      fc.constantFrom('en', 'de', 'fr', 'de-CH'),
      (numbers, locale) => {
        const written = numbers.map((value) => value.toLocaleString(locale, { minimumFractionDigits: 2 }));
        assert.deepEqual(
          columnValues(written).values,
          numbers.map((value) => (value === 0 ? value : value)),
          written.join('; '),
        );
      },
    ),
  );
});

const report = `# Report

## Sales

Revenue by year, in million euros:

| Year | Revenue (€ m) | Share in % | Group |
| --- | ---: | --- | --- |
| 2021 | 1,200.5 | 12 | Core \\| A |
| 2022 | 1,300 | 14 | **Core** |
| 2023 | 900 | 9 | n/a |

## Staff

| Group | Select |
| --- | --- |
| Core | 40 |
| Other | 12 |
`;

test('describes tables with names, types, units, and first rows', () => {
  const [sales, staff] = describeTables([{ id: 12, text: report }]);
  assert.equal(sales?.name, 't12_1');
  assert.equal(sales.caption, 'Sales: Revenue by year, in million euros:');
  assert.deepEqual(
    sales.columns,
    [
      { name: 'year', title: 'Year', type: 'INTEGER', unit: '' },
      { name: 'revenue_m', title: 'Revenue (€ m)', type: 'REAL', unit: '' },
      { name: 'share_in_percent', title: 'Share in %', type: 'INTEGER', unit: '' },
      { name: 'group', title: 'Group', type: 'TEXT', unit: '' },
    ].map((column) => (column.name === 'group' ? { ...column, name: 'c_group' } : column)),
  );
  assert.deepEqual(sales.samples[0], [2021, 1200.5, 12, 'Core | A']);
  assert.equal(staff?.caption, 'Staff');
  assert.deepEqual(
    staff.columns.map(({ name }) => name),
    ['c_group', 'c_select'],
  );
});

const textAt = (text: string, sql: string): string[] =>
  queryTables([{ id: 12, text }], sql).places.map(({ span }) => text.slice(span.start, span.end));

test('filters, sorts, joins, and sums, with citations of rows or tables', () => {
  const ask = (sql: string): readonly (readonly unknown[])[] =>
    queryTables([{ id: 12, text: report }], sql).rows;
  assert.deepEqual(ask('SELECT year FROM t12_1 ORDER BY revenue_m DESC'), [[2022], [2021], [2023]]);
  assert.deepEqual(ask('select sum(revenue_m) from t12_1;'), [[3400.5]]);
  assert.deepEqual(
    ask(
      'WITH a AS (SELECT * FROM t12_1) SELECT a.year, b.c_select FROM a JOIN t12_2 b ON a.c_group = b.c_group -- join',
    ),
    [[2022, 40]],
  );
  assert.deepEqual(textAt(report, 'SELECT year, revenue_m FROM t12_1 WHERE year = 2022'), [
    '| 2022 | 1,300 | 14 | **Core** |',
  ]);
  assert.deepEqual(
    textAt(report, 'SELECT sum(c_select) FROM t12_2')[0]?.split('\n')[0],
    '| Group | Select |',
  );
  // 12 is also a cell, so the sum matches it only by chance.
  assert.match(textAt(report, 'SELECT 9 + 3 FROM t12_1')[0] ?? '', /^\| Year/);
});

test('limits a result', () => {
  const text = `| n |\n| --- |\n${'| 7 |\n'.repeat(500)}`;
  const all = queryTables([{ id: 1, text }], 'SELECT * FROM t1_1');
  assert.equal(all.rows.length, 100);
  assert.ok(all.isCut);
  const [[cell]] = queryTables(
    [{ id: 1, text }],
    "SELECT replace(hex(zeroblob(5000)), '0', 'x') FROM t1_1 LIMIT 1",
  ).rows as [[string]];
  assert.ok(cell.length < 600);
});

const folder = temporaryFolder('tables-');
const file = join(folder, 'other.db');

for (const sql of [
  'DELETE FROM t12_1',
  'UPDATE t12_1 SET year = 1',
  'INSERT INTO t12_1 VALUES (1, 2, 3, 4) RETURNING year',
  'WITH a AS (SELECT 1) DELETE FROM t12_1',
  'DROP TABLE t12_1',
  `ATTACH '${file}' AS other -- t12_1`,
  `VACUUM INTO '${file}' -- t12_1`,
  `SELECT 1 FROM t12_1; ATTACH '${file}' AS other`,
  `SELECT 1 FROM t12_1); ATTACH '${file}' AS other; --`,
  'PRAGMA query_only = OFF -- t12_1',
  "SELECT load_extension('x.so') FROM t12_1",
  "SELECT readfile('/etc/passwd') FROM t12_1",
  `SELECT writefile('${file}', 'x') FROM t12_1`,
  'CREATE TABLE x AS SELECT * FROM t12_1',
  'SELECT nothing FROM t12_1',
  'SELECT * FROM t12_9',
  'SELECT 9223372036854775807 FROM t12_1',
  '',
  ')',
])
  test(`rejects ${sql.replace(file, 'FILE')}`, () => {
    let prompt = '';
    try {
      queryTables([{ id: 12, text: report }], sql);
    } catch (error) {
      assert.ok(error instanceof NotebookError, String(error));
      assert.ok(!error.message.includes('\n'));
      prompt = error.message;
    }
    // Text after the first statement is ignored.
    if (!sql.startsWith('SELECT 1 FROM t12_1)')) assert.match(prompt, /can't be run/);
    assert.ok(!existsSync(file));
  });

test('reads a CSV file as one table, however many parts it was written in', () => {
  const rows = Array.from({ length: 3_000 }, (_, i) => `${String(i)},"name, ${String(i)}",${String(i / 2)}`);
  const { text } = readCsv(Buffer.from(['id,name,half', ...rows].join('\n')));
  const tables = readTables(3, text);
  assert.equal(tables.length, 1);
  assert.equal(tables[0]?.rows.length, 3_000);
  const documents = [{ id: 3, text }];
  assert.deepEqual(queryTables(documents, 'SELECT count(*), sum(id), max(half) FROM t3_1').rows, [
    [3000, 4498500, 1499.5],
  ]);
  const { places } = queryTables(documents, 'SELECT * FROM t3_1 WHERE id = 2999');
  assert.deepEqual(
    places.map(({ span }) => text.slice(span.start, span.end)),
    ['| 2999 | name, 2999 | 1499.5 |'],
  );
});

test('keeps sheets with the same columns apart', () => {
  const sheet = (name: string): string => `## ${name}\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n`;
  assert.deepEqual(
    readTables(1, sheet('January') + '\n' + sheet('February')).map(({ caption }) => caption),
    ['January', 'February'],
  );
});

test('gives columns with missing, equal, or unusual titles unique names', () => {
  const text =
    '| | a b | A-B | 1st | Größe | 温度 | " ; DROP |\n| --- | --- | --- | --- | --- | --- | --- |\n| x | y | z | 1 | 2 | 3 | 4 |\n';
  const [table] = readTables(1, text);
  const names = table?.columns.map(({ name }) => name) ?? [];
  assert.deepEqual(names, ['column_1', 'a_b', 'a_b_2', 'c_1st', 'größe', '温度', 'c_drop']);
  assert.equal(queryTables([{ id: 1, text }], `SELECT ${names.join(', ')} FROM t1_1`).rows.length, 1);
});

test('lists tables, queries them, and cites the rows', async () => {
  const base = {
    describe: (...[documents]: [Parameters<typeof describeTables>[0], AbortSignal]) =>
      Promise.resolve().then(() => describeTables(documents)),
    query: (...[documents, sql]: [Parameters<typeof queryTables>[0], string, AbortSignal]) =>
      Promise.resolve().then(() => queryTables(documents, sql)),
  };
  const plain = { id: 1, title: 'plain.md', text: 'No | table' };
  const document = { id: 12, title: 'report.pdf', text: report };
  const { call } = skillWorld([plain, document], { tables: base });
  const listed = await call('list-tables');
  assert.match(
    listed.text,
    /^t12_1: "Sales: Revenue by year, in million euros:" in "report\.pdf", 3 rows\n {2}year INTEGER, revenue_m REAL \("Revenue \(€ m\)"\)/,
  );
  assert.match(listed.text, /\n {2}2021 \| 1200\.5 \| 12 \| Core \| A\n/);
  assert.equal((await call('list-tables', { source: 'plain.md' })).text, 'There are no tables.');
  const queryResult = await call('query-table', {
    sql: 'SELECT year, revenue_m FROM t12_1 WHERE revenue_m > 1000',
  });
  assert.equal(queryResult.text, 'year | revenue_m\n2021 | 1200.5\n2022 | 1300\n2 rows.');
  assert.deepEqual(
    queryResult.passages?.map(({ text }) => text.slice(0, 8)),
    ['| 2021 |', '| 2022 |'],
  );
  const wrong = await call('query-table', { sql: 'SELECT revenue FROM t12_1' });
  assert.match(
    wrong.error ?? '',
    /no such column: revenue.*t12_1\(year, revenue_m, share_in_percent, c_group\)/,
  );
  assert.match(
    (await call('query-table', { sql: 'SELECT * FROM t99_1' })).error ?? '',
    /doesn’t name an existing table/,
  );
});

test('queries no document outside the sources of the research project', async () => {
  const tables = { describe: () => Promise.reject(new Error()), query: () => Promise.reject(new Error()) };
  const world = skillWorld([{ id: 12, title: 'report.pdf', text: report }], { tables });
  const context = { ...world.context, sources: () => Promise.resolve([]) };
  const run = world.skills.find(({ name }) => name === 'query-table')?.run;
  await assert.rejects(run!({ sql: 'SELECT * FROM t12_1' }, context), /doesn’t name an existing table/);
});

test('loads and queries any table in linear time', () => {
  const piece = fc.constantFrom(
    '|',
    '\\|',
    ' a ',
    '---',
    '1,2',
    '\n',
    '%',
    '"',
    "'",
    ';',
    '(',
    ')',
    '`',
    '*',
    '[x](y)',
    '<br>',
    '\u0000',
    '-',
    '€',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 120 }), (pieces) => {
      const text = `| a | b |\n| --- | --- |\n|${pieces.join('')}`;
      for (const { name } of readTables(1, text)) queryTables([{ id: 1, text }], `SELECT * FROM ${name}`);
    }),
    { numRuns: rounds(60, 300) },
  );
  assertLinear((size) => readTables(1, `| a |\n| --- |\n| ${'1,'.repeat(size)} |\n`), 2_000);
});

test('queries a table that is too wide to repeat its header', () => {
  const titles = Array.from({ length: 40 }, (_, i) => `Measure of site ${String(i + 1)}`);
  const row = (place: string, from: number): string =>
    [place, ...titles.map((_, i) => (i === 5 ? '' : String(from + i)))].join(',');
  const csv = [
    ['Place', ...titles].join(','),
    row('Holt', 100),
    row('"seen; by: two"', 200),
    row('Ibuki', 300),
  ];
  const { text } = readCsv(new TextEncoder().encode(csv.join('\n')));
  assert.doesNotMatch(text, /^\|/m, 'no header stands above');
  const [table, ...others] = readTables(7, text);
  assert.deepEqual(others, []);
  assert.equal(table?.name, 't7_1');
  assert.equal(table.columns.length, 40, 'a column that is empty everywhere is written nowhere');
  assert.deepEqual(
    table.columns.slice(0, 3).map(({ name, type }) => [name, type]),
    [
      ['place', 'TEXT'],
      ['measure_of_site_1', 'INTEGER'],
      ['measure_of_site_2', 'INTEGER'],
    ],
  );
  assert.deepEqual(
    table.rows.map(({ values }) => values.slice(0, 3)),
    [
      ['Holt', 100, 101],
      ['seen; by: two', 200, 201],
      ['Ibuki', 300, 301],
    ],
  );
  for (const { start, end } of table.rows) assert.match(text.slice(start, end), /^Place: [^\n]*$/);
});

test('doesn’t mistake prose with repeated phrases for a wide table', () => {
  const line = 'Note: one; See: two; By: three; Of: four; At: five; In: six; On: seven';
  assert.deepEqual(readTables(1, `${line}\n\n${line}`), []);
});
