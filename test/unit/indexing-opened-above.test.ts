import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LineScanner } from '../../src/core/language/markdown-lines.ts';
import { openedAbove, rowStart } from '../../src/index/documents/citing.ts';
import { assertLinear } from '../support/growth.ts';
import { input, makeFolder, open } from '../support/opened-notebooks.ts';

const rows = ['| plant | litres |', '|---|--:|', '| tomato | 2 |', '| basil | 1 |'];
const page = ['# Watering', '', ...rows, '', 'Basil is planted between the tomatoes.'].join('\n');

const above = (text: string, line: string): string => openedAbove(text, text.indexOf(line));

test('adds the header to rows of a table', () => {
  const header = `${rows.slice(0, 2).join('\n')}\n`;
  assert.equal(above(page, '| basil'), header);
  assert.equal(above(page, '| tomato'), header);
  assert.equal(above(page, '|---'), `${rows[0] ?? ''}\n`);
  assert.equal(above(page, '| plant'), '');
  assert.equal(above(page.replaceAll('\n', '\r\n'), '| basil'), header.replaceAll('\n', '\r\n'));
});

test('adds nothing to lines that only look like a table', () => {
  assert.equal(above('| one\n| two\n| three', '| three'), '');
  assert.equal(above(page, 'Basil is'), '');
  assert.equal(openedAbove('', 0), '');
});

test('adds the opening fence to lines of a code block, but not to those after it', () => {
  const code = 'So:\n\n  ```ts\nconst a = 1;\nconst b = 2;\n  ```\n\nThat is all.\n\n~~~~\n~~~\nlast\n';
  assert.equal(above(code, 'const b'), '```ts\n');
  assert.equal(above(code, 'That is'), '');
  assert.equal(above(code, 'last'), '~~~~\n');
  assert.equal(above('```in a line```\nand on', 'and on'), '');
});

test('examines only the lines of code blocks to see whether one is open', (t) => {
  const take = t.mock.method(LineScanner.prototype, 'take');
  const prose = 'Water the `basil`.\n\n'.repeat(500);
  assert.equal(above(`${prose}~~~\nconst a = 1;\n~~~\n${prose}Last`, 'Last'), '');
  assert.equal(take.mock.callCount(), 3);
});

test('shows a split row from its beginning', () => {
  assert.equal(rowStart(page, page.indexOf('tomato |')), page.indexOf('| tomato'));
  assert.equal(rowStart(page, page.indexOf('planted')), page.indexOf('planted'));
  assert.equal(rowStart(page, page.indexOf('| basil')), page.indexOf('| basil'));
  assert.equal(rowStart(page, 0), 0);
});

test('shows cited text of a long table below its header, highlighted in place', async () => {
  const text = [
    ...rows.slice(0, 2),
    ...Array.from({ length: 40 }, (_, i) => `| plant ${String(i)} | 3 |`),
  ].join('\n');
  const put = input(text, 'plants.md');
  const notebook = await open(makeFolder());
  const source = await notebook.addSource('notes', { kind: 'folder', uri: 'file:///notes' }, undefined);
  await notebook.putDocument(source.id, { ...put, document: { ...put.document, format: 'markdown' } });
  const documentId = notebook.store.documents.ofSource(source.id)[0]?.id ?? 0;
  const quote = '| plant 30 | 3 |';
  const span = { start: text.indexOf(quote), end: text.indexOf(quote) + quote.length };
  const shown = notebook.cited.surroundings({ documentId, span, quote });
  assert.ok(shown);
  assert.deepEqual(shown.text.split('\n'), [
    ...rows.slice(0, 2),
    ...[28, 29, 30, 31, 32].map((i) => `| plant ${String(i)} | 3 |`),
  ]);
  assert.equal(shown.text.slice(shown.mark.start, shown.mark.end), quote);
});

test('handles a line of many dashes in linear time', () => {
  assertLinear((dashes) => {
    assert.equal(above(`| a |\n|${'-'.repeat(dashes)}x\n| b |`, '| b'), '');
  }, 10_000);
});
