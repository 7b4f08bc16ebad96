import assert from 'node:assert/strict';
import { test } from 'node:test';
import { estimateTokens } from '../../src/core/language/tokens.ts';
import type { NotebookIndex } from '../../src/index/worker/notebook-index.ts';
import { addedUp } from '../support/added-up.ts';
import { input, makeFolder, open, origin } from '../support/opened-notebooks.ts';

const lines = (...searches: string[]): { readonly words: string }[] => searches.map((words) => ({ words }));
const birds = ['heron', 'otter', 'kingfisher', 'bittern', 'grebe', 'dipper'];

function telling(bird: string): string {
  return Array.from({ length: 60 }, (_, i) => `On day ${String(i)} the ${bird} waits in the reeds. `).join(
    '',
  );
}

/** Creates a notebook of six documents, each about another animal. */
async function notebook(): Promise<NotebookIndex> {
  const index = await open(makeFolder());
  const { id } = await index.addSource('Notes', origin, undefined);
  for (const [i, bird] of birds.entries())
    await index.putDocument(id, input(telling(bird), `${String(i)}.txt`));
  return index;
}

test('returns everything in order if it fits', async () => {
  const index = await notebook();
  const { passages, isAll } = await index.passageSearch.gather({
    searches: lines('dipper'),
    tokens: 100_000,
  });
  assert.ok(isAll);
  const keys = passages.map(({ documentKey }) => documentKey);
  assert.deepEqual(keys, keys.toSorted());
  assert.equal(new Set(keys).size, birds.length);
  const { sourceId, documentId } = passages[0]!;
  const part = await index.passageSearch.gather({
    searches: lines('dipper'),
    tokens: 1_000,
    within: { kind: 'documents', documentIds: [documentId] },
  });
  assert.ok(part.isAll && part.passages.every((passage) => passage.documentId === documentId));
  const none = await index.passageSearch.gather({
    searches: lines('dipper'),
    tokens: 1_000,
    within: { kind: 'sources', sourceIds: [`not ${sourceId}`] },
  });
  assert.deepEqual(none, { passages: [], isAll: false });
});

test('returns the best passages of all searches within the token limit', async () => {
  const index = await notebook();
  const tokens = 2_400;
  const { passages, isAll } = await index.passageSearch.gather({
    searches: lines('What swims?', 'otter', 'grebe'),
    tokens,
  });
  assert.equal(isAll, false);
  assert.ok(passages.reduce((sum, { text }) => sum + estimateTokens(text), 0) <= tokens);
  assert.ok(passages.length > 2);
  assert.deepEqual(new Set(passages.map(({ documentKey }) => documentKey)), new Set(['1.txt', '4.txt']));
  for (const passage of passages) assert.ok(addedUp(passage).words > 0);
  const least = await index.passageSearch.gather({ searches: lines('otter'), tokens: 1 });
  assert.equal(least.passages.length, 1);
});

test('reads repeated text once', async () => {
  const index = await notebook();
  const { id } = await index.addSource('Copy', { kind: 'file', uri: 'file:///1.txt' }, undefined);
  await index.putDocument(id, input(telling('otter')));
  const { passages } = await index.passageSearch.gather({ searches: lines('otter'), tokens: 2_000 });
  const texts = passages.map(({ text }) => text);
  assert.ok(texts.length > 1);
  assert.equal(new Set(texts).size, texts.length);
});

test('puts passages with a quoted phrase first', async () => {
  const index = await notebook();
  const { id } = await index.addSource('Rare', { kind: 'file', uri: 'file:///rare.txt' }, undefined);
  await index.putDocument(id, input(`In the reeds waits nobody. ${'Here is calm weather. '.repeat(100)}`));
  const { passages } = await index.passageSearch.gather({
    searches: lines('Why is it said "reeds waits nobody"?', 'otter waits in the reeds'),
    tokens: 900,
  });
  assert.match(passages[0]!.text, /^In the reeds waits nobody/);
  assert.equal(addedUp(passages[0]).quoted, true);
  assert.ok(passages.length > 1);
});

test('finds passages by meaning if searches have vectors', async () => {
  const index = await notebook();
  const model = { name: 'm', baseUrl: 'http://localhost' };
  const batch = await index.nextEmbeddings(model, 'me');
  assert.ok(batch.kind === 'texts');
  const vector = (text: string): Float32Array =>
    Float32Array.from(birds, (bird) => (text.includes(bird) ? 1 : 0.01));
  await index.change(() => {
    index.embeddings.put(batch.setId, new Map(batch.texts.map(({ hash, text }) => [hash, vector(text)])));
  });
  assert.notEqual((await index.nextEmbeddings(model, 'me')).kind, 'texts');
  const setId = index.embeddings.active()?.setId ?? 0;
  const search = { words: 'long-legged', vector: { setId, values: vector('heron') } };
  const { passages } = await index.passageSearch.gather({ searches: [search], tokens: 400 });
  assert.equal(passages[0]?.documentKey, '0.txt');
  const waiting = { ...search, words: 'the heron waits' };
  const both = await index.passageSearch.gather({ searches: [waiting], tokens: 400 });
  const [found] = await index.passageSearch.search(waiting.words, 3, waiting.vector);
  const [place] = await index.passageSearch.places(waiting);
  for (const passage of [both.passages[0], found, place?.passage]) {
    const { words, meaning = 0 } = addedUp(passage);
    assert.ok(words > 0 && meaning > 0);
  }
});
