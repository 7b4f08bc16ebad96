import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DocumentInput } from '../../src/index/store/sources/sources-api.ts';
import { readMarkdown } from '../../src/parsers/markdown.ts';
import { input, makeFolder, open, origin } from '../support/opened-notebooks.ts';

function markdown(text: string, key: string): DocumentInput {
  return { ...input(text, key), document: readMarkdown(text) };
}

const filler = 'The loom weaves cloth of wool and linen all day long in the hall by the river. '.repeat(8);

test('includes the first page of every source before any second one', async () => {
  const index = await open(makeFolder());
  const first = await index.addSource('Looms', origin, undefined);
  await index.putDocument(first.id, input(`Parts of a loom. ${filler}`, 'deep/down/parts.txt'));
  await index.putDocument(first.id, input(`All about looms. ${filler}`, 'README.md'));
  const second = await index.addSource('Herons', { kind: 'folder', uri: 'file:///herons' }, undefined);
  await index.putDocument(second.id, input('The heron waits in the reeds.', 'birds.txt'));
  const passages = index.passageSearch.overview('', 8);
  assert.deepEqual(
    new Set(passages.slice(0, 2).map(({ documentKey }) => documentKey)),
    new Set(['README.md', 'birds.txt']),
  );
  assert.equal(passages[2]?.documentKey, 'deep/down/parts.txt');
  assert.equal(index.passageSearch.overview('', 2).length, 2);
});

test('includes the beginning, the abstract, and section openings of a document', async () => {
  const index = await open(makeFolder());
  const source = await index.addSource('Paper', origin, undefined);
  const sections = ['Abstract', 'Warp', 'Weft', 'References', 'Shuttle'];
  const text = `# Looms\n\nOn looms. ${filler}\n\n${sections.map((title) => `## ${title}\n\nOf ${title}. ${filler}`).join('\n\n')}`;
  await index.putDocument(source.id, markdown(text, 'paper.md'));
  const headings = index.passageSearch.overview('', 5).map(({ text: words }) => /^#+ (\w+)/.exec(words)?.[1]);
  assert.deepEqual(headings.slice(0, 2), ['Looms', 'Abstract']);
  assert.ok(['Warp', 'Weft', 'Shuttle'].every((title) => headings.includes(title)));
  assert.ok(!headings.includes('References'));
});

test('recognizes abstracts in other languages', async () => {
  for (const [whole, others, words] of [
    [
      '3. Fazit und Ausblick',
      ['Kette', 'Schuss', 'Schiffchen', 'Spule'],
      'Der Webstuhl webt Tuch aus Wolle. ',
    ],
    ['结论与展望', ['经线', '纬线', '梭子', '线轴'], '织机用羊毛织布。'],
    ['Sonuç', ['Çözgü', 'Atkı', 'Mekik', 'Makara'], 'Tezgâh yünden kumaş dokur. '],
  ] as const) {
    const index = await open(makeFolder());
    const source = await index.addSource('Paper', origin, undefined);
    const sections = [...others, whole];
    const text = `# Title\n\n${words.repeat(12)}\n\n${sections.map((title) => `## ${title}\n\n${words.repeat(12)}`).join('\n\n')}`;
    await index.putDocument(source.id, markdown(text, 'paper.md'));
    const texts = index.passageSearch.overview('', 2).map(({ text: passage }) => passage);
    assert.ok(
      texts.some((passage) => passage.includes(whole)),
      whole,
    );
  }
});

test('covers a part of the notebook, or documents by name', async () => {
  const index = await open(makeFolder());
  const source = await index.addSource('Notes', origin, undefined);
  await index.putDocument(source.id, input('The heron waits in the reeds.', 'birds.txt'));
  await index.putDocument(source.id, input('The otter swims.', 'mammals.txt'));
  const keys = (about: string): string[] =>
    index.passageSearch.overview(about, 8).map(({ documentKey }) => documentKey);
  await index.putDocument(source.id, input('水獭在河里游泳。', '水獭.txt'));
  assert.deepEqual(keys('Birds'), ['birds.txt']);
  assert.deepEqual(keys('水獭'), ['水獭.txt']);
  assert.deepEqual(keys('mammals.txt'), ['mammals.txt']);
  assert.equal(keys('notes').length, 3);
  assert.deepEqual(keys('pianos'), []);
  await index.putDocument(
    source.id,
    markdown('# Minutes of the otter watch, May 2024\n\nNone came.', 'm.md'),
  );
  assert.deepEqual(keys('the minutes of May'), ['m.md']);
  assert.deepEqual(keys('minutes of June'), []);
  const other = { kind: 'sources', sourceIds: ['another'] } as const;
  assert.deepEqual(index.passageSearch.overview('', 8, other), []);
});

test('represents a text without headings by its beginning and its most typical passages', async () => {
  const index = await open(makeFolder());
  const source = await index.addSource('Notes', origin, undefined);
  const aside =
    'Somebody ate quite another breakfast yesterday, namely porridge, cherries, toast, kippers. '.repeat(6);
  const text = [
    `Beginnings matter. ${aside}`,
    aside,
    aside,
    ...Array<string>(9).fill(filler),
    aside,
    aside,
    aside,
  ].join('\n\n');
  await index.putDocument(source.id, input(text, 'long.txt'));
  const [first, ...others] = index.passageSearch.overview('', 3);
  assert.equal(first?.start, 0);
  assert.equal(others.length, 2);
  for (const { text: words } of others) assert.match(words, /loom weaves/);
});
