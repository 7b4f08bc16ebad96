// Tests that searches, checks, and quotes take headings from the document instead of parsing its text again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headingSpansIn } from '../../src/index/documents/heading-lines.ts';
import type { TextFormat } from '../../src/core/language/units.ts';
import type { Heading } from '../../src/core/domain/document.ts';
import { cutPassage } from '../../src/core/domain/passage.ts';
import { mergeNeighbors } from '../../src/answers/retrieving/retriever.ts';
import { ask, withNotebook } from '../bench/asking.ts';
import { assertLinear } from '../support/growth.ts';
import { makePassage } from './answering-fixtures.ts';

function written(text: string, format: TextFormat, headings: readonly Heading[]): string[] {
  const { length } = text;
  const slice = (start: number, end: number): string => text.slice(start, end);
  const spans = headingSpansIn({ format, headings, length, slice }, { start: 0, end: length });
  return spans.map(({ start, end }) => text.slice(start, end));
}

const heading = (offset: number, title: string): Heading => ({ offset, level: 1, title });

test('writes headings of Markdown with their marks or underline', () => {
  const text = '## The **first** [one](x)\n\nSo.\n\nSecond\n------\n\nSo.';
  assert.deepEqual(written(text, 'markdown', [heading(0, 'The first one'), heading(32, 'Second')]), [
    '## The **first** [one](x)',
    'Second\n------',
  ]);
});

test('writes headings of a text without marks if they are on a separate line', () => {
  const text = '1. Scope of\nthis rule\n\nIt is for all.\n\n== Costs ==\nNone. Costs are low.';
  const costs = text.indexOf('==');
  assert.deepEqual(written(text, 'prose', [heading(0, '1 Scope of this rule'), heading(costs, 'Costs')]), [
    '1. Scope of\nthis rule',
    '== Costs ==',
  ]);
  assert.deepEqual(
    written(text, 'prose', [heading(23, 'Range'), heading(text.indexOf('Costs are'), 'Costs')]),
    [],
  );
});

test('doesn’t treat a declaration as its heading', () => {
  assert.deepEqual(written('run\n', 'code', [heading(0, 'run')]), []);
});

test('finds headings in linear time', () => {
  const find = (size: number): number =>
    written(
      'ab c\n\n'.repeat(size),
      'prose',
      Array.from({ length: size }, (_, i) => heading(6 * i, 'ab c')),
    ).length;
  assert.equal(find(10), 10);
  assertLinear(find, 500);
});

const text =
  'Results of the survey\n\nNine of ten liked it. One did not.\n\nWhat we make of it\n\nWe go on as before.\n';
const headings = [
  heading(0, 'Results of the survey'),
  heading(text.indexOf('What we'), 'What we make of it'),
];

test('adds the lines of headings to the passages found, and splits by them', async () => {
  const map = { kind: 'text', origin: { line: 0, character: 0 } } as const;
  const document = {
    ...({ title: undefined, mediaType: 'text/plain', format: 'prose', languageId: undefined } as const),
    ...{ text, map, headings, warnings: [] },
  };
  await withNotebook([{ title: 'survey.txt', key: 'survey.txt', document }], async (index) => {
    const [found] = await index.passageSearch.search('who liked it', 1);
    assert.ok(found !== undefined);
    const span = { start: 0, end: text.length };
    const [whole] = index.passageSearch.passagesAt([{ documentId: found.documentId, span }]);
    assert.ok(whole !== undefined);
    assert.deepEqual(
      cutPassage(whole).map(({ kind, start, end }) => `${kind} ${text.slice(start, end)}`),
      [
        'heading Results of the survey',
        'sentence Nine of ten liked it.',
        'sentence One did not.',
        'heading What we make of it',
        'sentence We go on as before.',
      ],
    );
    const summary = await ask(index, 'Summarize this');
    assert.deepEqual(
      summary?.citations.map(({ quote }) => quote),
      [
        'Results of the survey\n\nNine of ten liked it. One did not.',
        'What we make of it\n\nWe go on as before.',
      ],
    );
  });
});

test('keeps the headings of both joined passages', () => {
  const markdown = '# A\n\nSo it is.\n\n# B\n\nSo it was.';
  const document = { id: 1, title: 'T', text: markdown, format: 'markdown' } as const;
  const [joined] = mergeNeighbors([
    makePassage(document, { start: 16, end: markdown.length }),
    makePassage(document, { start: 0, end: 19 }),
  ]);
  assert.deepEqual(joined?.headingSpans, [
    { start: 0, end: 3 },
    { start: 16, end: 19 },
  ]);
});
