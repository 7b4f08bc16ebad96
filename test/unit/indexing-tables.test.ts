import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { splitDocument, findContext } from '../../src/index/documents/splitter.ts';
import { migrations } from '../../src/index/store/database/migrations.ts';
import { findTables } from '../../src/core/language/tables.ts';
import { readCsv } from '../../src/parsers/separated-values.ts';
import { readMarkdown } from '../../src/parsers/markdown.ts';
import type { ReadDocument } from '../../src/core/domain/document.ts';
import { assertLinear } from '../support/growth.ts';
import { close, input, makeFolder, open, origin, openNew } from '../support/opened-notebooks.ts';
import { until } from '../support/until.ts';

const settings = { size: 500, overlap: 0 };
const rows = Array.from(
  { length: 160 },
  (_, n) => `| Item ${String(n)} of the mill | ${String(n)}00 | ${String(n)}50 |`,
);
const statement = [
  '# Report',
  '',
  'Statement of grain',
  '',
  '(in tonnes)',
  '',
  '| | Year ended in May | |',
  '| - | - | - |',
  '| | 2021 | 2020 |',
  '| Stored: | | |',
  ...rows,
  '',
  'All else is told in another place of this report.',
].join('\n');

const around = ({ text, format, headings }: ReadDocument): string[][] =>
  splitDocument({ text, format, headings }, settings).map(({ context = [] }) =>
    context.map(({ start, end }) => text.slice(start, end)),
  );

test('gives a part of a table its caption, unit, header, and row name', () => {
  const [first = [], ...others] = around(readMarkdown(statement));
  assert.deepEqual(first, []);
  const inTable = others.filter((context) => context.length > 0);
  assert.ok(inTable.length > 3);
  for (const context of inTable)
    assert.deepEqual(context, [
      'Statement of grain',
      '(in tonnes)',
      '| | Year ended in May | |',
      '| | 2021 | 2020 |',
      '| Stored: | | |',
    ]);
});

test('repeats the header of a table that continues, but not for another table', () => {
  const goesOn = `${statement.split('\n').slice(0, 14).join('\n')}\n\nStatement of grain (continued)\n\n| Barley | 7 | 8 |\n| - | - | - |\n| Oats | 9 | 5 |\n`;
  const [, second] = findTables(goesOn);
  const lastHead = (text: string): string[] | undefined =>
    findTables(text)
      .at(-1)
      ?.header.map(({ start, end }) => text.slice(start, end));
  assert.equal(second?.rows.length, 2);
  assert.deepEqual(lastHead(goesOn), ['| | Year ended in May | |', '| | 2021 | 2020 |']);
  // An escaped bar belongs to its cell.
  const [table] = findTables('| Call |\n| - |\n| a \\| |\n| c |');
  assert.deepEqual(
    table?.rows.map(({ under }) => under),
    [undefined, undefined],
  );
  const prose =
    'The mill was sold to people from the coast, who let the wheel turn on as it did before. '.repeat(4);
  assert.deepEqual(lastHead(goesOn.replace('Statement of grain (continued)', prose)), []);
  assert.deepEqual(lastHead(`${goesOn}\nOther\n\n| a | b |\n| - | - |\n| c | 1 |`), ['| a | b |']);
});

test('adds column names to rows far down in a CSV file', () => {
  const file = [
    'town,grain',
    ...Array.from({ length: 300 }, (_, n) => `Town ${String(n)},${String(n)}`),
  ].join('\n');
  const contexts = around(readCsv(new TextEncoder().encode(file)));
  assert.ok(contexts.length > 3);
  for (const context of contexts.slice(1)) assert.deepEqual(context, ['| town | grain |']);
});

test('indexes a row with its column and caption, and shows only the row', async () => {
  const index = await open(makeFolder());
  const document = readMarkdown(statement);
  await index.addSource('Report', origin, { ...input('', 'report.md'), document });
  const [found] = await index.passageSearch.search('How much grain was item 31 in 2021?', 5);
  assert.ok(found);
  assert.ok(found.text.includes('| Item 31 of the mill | 3100 | 3150 |'));
  assert.ok(!found.text.includes('2021') && !found.text.includes('Statement'));
  const [place] = await index.passageSearch.places({ words: 'How much grain was item 31 in 2021?' });
  assert.ok(place?.passage.text.includes('| Item 31 of the mill | 3100 | 3150 |'));
  await close(index);
});

test('finds the table headers of a notebook of an earlier version', async () => {
  const { folder, index: before } = await openNew();
  await before.addSource('Report', origin, { ...input('', 'report.md'), document: readMarkdown(statement) });
  await close(before);
  const database = new DatabaseSync(join(folder, 'notebook.sqlite'));
  const version = migrations.findIndex((step) => step.includes('passages ADD COLUMN context'));
  const earlier = new DatabaseSync(':memory:');
  for (const step of migrations.slice(0, version)) earlier.exec(step);
  const schemaQuery =
    "SELECT type, name FROM sqlite_schema WHERE type IN ('table', 'trigger', 'index') AND name NOT LIKE 'sqlite%'";
  const known = new Set(
    earlier
      .prepare(schemaQuery)
      .all()
      .map(({ name }) => name),
  );
  database.exec('PRAGMA foreign_keys = OFF');
  for (const { type, name } of database.prepare(`${schemaQuery} ORDER BY type DESC`).all())
    if (!known.has(name)) database.exec(`DROP ${String(type)} IF EXISTS ${String(name)}`);
  const listColumns = (of: DatabaseSync, table: unknown): unknown[] =>
    of
      .prepare('SELECT name FROM pragma_table_info(?)')
      .all(String(table))
      .map(({ name }) => name);
  for (const table of known) {
    const before = new Set(listColumns(earlier, table));
    for (const column of listColumns(database, table))
      if (!before.has(column)) database.exec(`ALTER TABLE ${String(table)} DROP COLUMN ${String(column)}`);
  }
  database.exec(`PRAGMA user_version = ${String(version)}`);
  database.close();
  const contexts = (index: Awaited<ReturnType<typeof open>>): number => {
    const [id = 0] = index.store
      .sources()
      .flatMap(({ id: source }) => index.store.documents.ofSource(source).map((entry) => entry.id));
    return index.store.documents.documentPassages(id).filter(({ context }) => context !== undefined).length;
  };
  const after = await open(folder);
  await until(() => contexts(after) > 0);
  await close(after);
});

test('finds the context of a passage in other parts of any text', () => {
  const line = fc.constantFrom(
    '| a | 1 |',
    '| | 2020 |',
    '| - | - |',
    '| b: | |',
    '',
    'Caption',
    '# Head',
    '- item',
    '|',
    '| 7 |',
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 60 }), (lines) => {
      const text = lines.join('\n');
      const tables = findTables(text);
      for (let start = 0; start < text.length; start += 7)
        for (const span of findContext(tables, { start, end: start + 30 })) {
          assert.ok(span.start < span.end && span.end <= text.length);
          assert.ok(span.start < start || span.end > start + 30);
        }
    }),
  );
});

test('finds tables in linear time', () => {
  const block = '| a | | 1 |\n\nb\n\n| c | |\n';
  assertLinear((size) => findTables(block.repeat(size)), 200);
});
