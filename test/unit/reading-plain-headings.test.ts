import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import fc from 'fast-check';
import { readMarkdown } from '../../src/parsers/markdown.ts';
import { headingsOfPlainText } from '../../src/parsers/plain-headings.ts';
import { readPlainText } from '../../src/parsers/plain-text.ts';
import { assertLinear } from '../support/growth.ts';

const paragraph =
  'The samples were taken in spring from twelve wells along the river, kept cold, and measured within the day by two people who did not know where each came from.';

const findTitles = (text: string): string[] =>
  headingsOfPlainText(text).map(({ level, title }) => `${String(level)} ${title}`);

test('treats a short line before a paragraph as its heading', () => {
  const text = `Wells along the river\n\nMaterials and Methods\n${paragraph}\n\n${paragraph}\nResults\nFirst season\n${paragraph}`;
  assert.deepEqual(findTitles(text), ['6 Materials and Methods', '6 First season']);
  for (const { offset, title } of headingsOfPlainText(text)) assert.ok(text.startsWith(title, offset));
});

test('accepts headings that begin like a caption', () => {
  for (const line of ['Tables and figures', 'Chart types', 'Figur und Grund'])
    assert.deepEqual(findTitles(`${line}\n${paragraph}`), [`6 ${line}`]);
});

test('rejects lines that only look like a heading', () => {
  for (const line of [
    'It was cold.',
    'See below:',
    'lower case',
    '12 3',
    'Figure 2 The wells',
    'Figure',
    'Table II The wells',
    'Listing 3. Wells',
    'Abb. 2 Die Brunnen',
    'Tableau 1 Les puits',
    'Таблица 3 Колодцы',
    'Şekil 2 Kuyular',
    '表 2 水井数量',
    '--------',
    'A',
    '- Item',
  ])
    assert.deepEqual(findTitles(`${line}\n${paragraph}`), [], line);
  // Lines that end within a sentence, lists, logs, and addresses are no headings.
  assert.deepEqual(findTitles(`and so it went\nOn the next day\n${paragraph}`), []);
  assert.deepEqual(findTitles('Milk\nBread\nButter'), []);
  assert.deepEqual(
    findTitles(`Starting\n${'2026-01-01 00:00:00,123 [worker-1] GET /index 200 '.repeat(5)}`),
    [],
  );
});

test('reads wiki and AsciiDoc titles between equals signs, with levels', () => {
  const text =
    '= Wells =\nx\n== History ==\nx\n = = = Early years = = = \nx\n== Use\nx\n=\n==\na == b\n= 5 =\nSound\n===';
  assert.deepEqual(findTitles(text), ['1 Wells', '2 History', '3 Early years', '2 Use']);
});

test('applies only to files without marked headings', () => {
  const text = `Results\n${paragraph}`;
  assert.deepEqual(
    readPlainText(text, 'text/plain').headings.map(({ title }) => title),
    ['Results'],
  );
  assert.deepEqual(
    readMarkdown(text).headings.map(({ title }) => title),
    ['Results'],
  );
  assert.equal(readMarkdown(text).title, undefined);
  assert.deepEqual(
    readMarkdown(`# Wells\n\n${text}`).headings.map(({ title }) => title),
    ['Wells'],
  );
});

test('finds headings in order, each on a line that contains its words, in any text', () => {
  const pieces = fc.constantFrom(
    '\n',
    '\r\n',
    ' ',
    '=',
    '= ',
    'Title',
    'Wells and rivers',
    paragraph,
    '漢字',
    '.',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(pieces, fc.string({ maxLength: 5 })), { maxLength: 40 }), (parts) => {
      const text = parts.join('');
      let last = -1;
      for (const { offset, title } of headingsOfPlainText(text)) {
        assert.ok(offset > last);
        assert.ok(
          text
            .slice(offset)
            .split(/[\r\n]/)[0]
            ?.includes(title),
        );
        last = offset;
      }
    }),
  );
});

test('finds headings in linear time', () => {
  for (const piece of ['= ', '=\n', ' \n', 'Title\n', 'Title\n=\n'])
    assertLinear((times) => headingsOfPlainText(piece.repeat(times)), 1_000);
});

test('reads a line of millions of characters in a process that no longer optimizes its patterns', () => {
  const module = new URL('../../src/parsers/plain-headings.ts', import.meta.url).href;
  const script = `import { headingsOfPlainText } from ${JSON.stringify(module)};
    console.log(headingsOfPlainText('word '.repeat(5_000_000)).length);`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--no-regexp-optimization', '--input-type=module', '--eval', script],
    { encoding: 'utf8' },
  );
  assert.deepEqual([stdout, stderr], ['0\n', '']);
});
