import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NotebookIndex } from '../../src/index/worker/notebook-index.ts';
import { close, input, makeFolder, open, origin } from '../support/opened-notebooks.ts';

const model = { baseUrl: 'http://localhost:1/v1', name: 'small' };
const other = { baseUrl: 'http://localhost:1/v1', name: 'large' };

/** Returns a vector with a dimension each for cars, for cooking, and for other topics. */
function meaning(text: string, dimension = 3): Float32Array {
  const vector = new Float32Array(dimension);
  vector[0] = /car|automobile|vehicle/i.test(text) ? 1 : 0;
  vector[1] = /cook|soup|kitchen/i.test(text) ? 1 : 0;
  vector[2] = 0.1;
  return vector;
}

/** Embeds all missing texts and returns the requested ones. */
async function embedAll(index: NotebookIndex, by = model, dimension = 3): Promise<string[]> {
  const requestedTexts: string[] = [];
  for (;;) {
    const batch = await index.nextEmbeddings(by, 'me');
    if (batch.kind !== 'texts') return requestedTexts;
    requestedTexts.push(...batch.texts.map(({ text }) => text));
    await index.change(() => {
      index.embeddings.put(
        batch.setId,
        new Map(batch.texts.map(({ hash, text }) => [hash, meaning(text, dimension)])),
      );
    });
  }
}

async function withNotes(folder = makeFolder()): Promise<{ index: NotebookIndex; sourceId: string }> {
  const index = await open(folder);
  const { id: sourceId } = await index.addSource('Notes', origin, undefined);
  await index.putDocument(sourceId, input('An automobile needs its oil changed every year.', 'garage.txt'));
  await index.putDocument(sourceId, input('Stir the soup until the lentils are soft.', 'lentils.txt'));
  await index.putDocument(sourceId, input('The treaty was signed in the spring.', 'treaty.txt'));
  return { index, sourceId };
}

function embed(index: NotebookIndex, question: string): { setId: number; values: Float32Array } {
  const active = index.embeddings.active();
  assert.ok(active);
  return { setId: active.setId, values: meaning(question, active.dimension) };
}

test('finds a passage by meaning that shares no word with the question', async () => {
  const { index } = await withNotes();
  const question = 'vehicle maintenance';
  assert.deepEqual(await index.passageSearch.search(question, 3), []);
  assert.deepEqual(index.embeddings.countMissing(model), { passages: 3, characters: 124, total: 3 });

  assert.equal((await embedAll(index)).length, 3);
  assert.equal(index.embeddings.countMissing(model).passages, 0);
  const passages = await index.passageSearch.search(question, 3, embed(index, question));
  assert.equal(passages[0]?.documentKey, 'garage.txt');
  assert.equal(passages[0].text, 'An automobile needs its oil changed every year.');
});

test('requests lost embeddings again after those not requested yet', async () => {
  const index = await open(makeFolder());
  const { id } = await index.addSource('Notes', origin, undefined);
  for (let note = 0; note < 100; note++)
    await index.putDocument(id, input(`Note ${String(note)} tells of the garden.`, `${String(note)}.txt`));
  const lost = await index.nextEmbeddings(model, 'me');
  assert.ok(lost.kind === 'texts' && lost.passages < 100);
  const embeddedTexts = await embedAll(index);
  assert.equal(new Set(embeddedTexts).size, 100);
  assert.match(embeddedTexts[0] ?? '', new RegExp(`Note ${String(lost.passages)} `));
  assert.equal(index.embeddings.countMissing(model).passages, 0);
});

test('ranks keyword matches first if similarity decides nothing', async () => {
  const { index } = await withNotes();
  await embedAll(index);
  const [first] = await index.passageSearch.search('treaty', 3, embed(index, 'treaty'));
  assert.equal(first?.documentKey, 'treaty.txt');
});

test('limits semantic search to its scope', async () => {
  const { index } = await withNotes();
  await embedAll(index);
  const [garage] = await index.passageSearch.search('automobile', 1);
  assert.ok(garage);
  const passages = await index.passageSearch.search('soup', 3, embed(index, 'soup'), {
    kind: 'documents',
    documentIds: [garage.documentId],
  });
  assert.deepEqual([...new Set(passages.map(({ documentKey }) => documentKey))], ['garage.txt']);
  const nowhere = { kind: 'sources', sourceIds: [] } as const;
  assert.deepEqual(await index.passageSearch.search('soup', 3, embed(index, 'soup'), nowhere), []);
});

test('excludes a passage before it measures the others', async () => {
  const { index, sourceId } = await withNotes();
  await index.putDocument(sourceId, input('In spring they signed what was agreed.', 'agreed.txt'));
  const question = 'The treaty was signed in the spring.';
  const foundKeys = (found: readonly { documentKey: string }[]): string[] =>
    found.map(({ documentKey }) => documentKey);
  const [treaty, ...others] = await index.passageSearch.search(question, 3);
  assert.ok(treaty);
  assert.deepEqual(foundKeys([treaty, ...others]), ['treaty.txt']);
  const { documentId, start, end } = treaty;
  const without = { documentId, span: { start, end } };
  assert.deepEqual(foundKeys(await index.passageSearch.search(question, 3, undefined, undefined, without)), [
    'agreed.txt',
  ]);
  await embedAll(index);
  const near = await index.passageSearch.search(question, 3, embed(index, question), undefined, without);
  assert.ok(!foundKeys(near).includes('treaty.txt'));
});

test('keeps vectors after closing, follows changes, and requests each text once', async () => {
  const folder = makeFolder();
  const { index, sourceId } = await withNotes(folder);
  await embedAll(index);
  await index.putDocument(sourceId, input('Cars rust where roads are salted.', 'rust.txt'));
  await index.putDocument(sourceId, input('Stir the soup until the lentils are soft.', 'copy.txt'));
  assert.deepEqual(await embedAll(index), ['Cars rust where roads are salted.']);
  await close(index);

  const again = await open(folder);
  await again.nextEmbeddings(model, 'me');
  const keys = async (question: string): Promise<string[]> =>
    (await again.passageSearch.search(question, 9, embed(again, question)))
      .slice(0, 2)
      .map(({ documentKey }) => documentKey);
  assert.deepEqual((await keys('vehicle')).sort(), ['garage.txt', 'rust.txt']);
  assert.deepEqual((await keys('kitchen')).sort(), ['copy.txt', 'lentils.txt']);

  const documents = again.store.documents.ofSource(sourceId);
  await again.change(() => {
    again.store.documents.removeDocuments(
      documents.filter(({ key }) => key !== 'treaty.txt').map(({ id }) => id),
    );
  });
  assert.deepEqual(await keys('vehicle'), ['treaty.txt']);
  // A restored text already has its embedding.
  await again.putDocument(sourceId, input('Cars rust where roads are salted.', 'rust.txt'));
  assert.deepEqual(await embedAll(again), []);
  assert.equal((await keys('vehicle'))[0], 'rust.txt');
});

test('answers with the old model while another one generates embeddings', async () => {
  const { index } = await withNotes();
  await embedAll(index);
  const first = embed(index, 'vehicle');
  const batch = await index.nextEmbeddings(other, 'me');
  assert.equal(batch.kind, 'texts');
  assert.deepEqual(index.embeddings.active()?.model, model);
  assert.equal((await index.passageSearch.search('vehicle', 3, first))[0]?.documentKey, 'garage.txt');

  await embedAll(index, other, 5);
  assert.deepEqual(index.embeddings.active()?.model, other);
  assert.equal(
    (await index.passageSearch.search('vehicle', 3, embed(index, 'vehicle')))[0]?.documentKey,
    'garage.txt',
  );
  // A question with a vector of the previous model is answered by keywords.
  assert.deepEqual(await index.passageSearch.search('vehicle', 3, first), []);
});

test('starts a new set when a model returns vectors of another length', async () => {
  const { index, sourceId } = await withNotes();
  await embedAll(index);
  await index.putDocument(sourceId, input('Cars rust where roads are salted.', 'rust.txt'));
  assert.equal((await embedAll(index, model, 4)).length, 4);
  assert.equal(index.embeddings.active()?.dimension, 4);
  assert.equal(index.embeddings.countMissing(model).passages, 0);
});

test('rejects vectors of different lengths in one response, and stores none of them', async () => {
  const { index } = await withNotes();
  const batch = await index.nextEmbeddings(model, 'me');
  assert.ok(batch.kind === 'texts');
  const vectors = new Map(batch.texts.map(({ hash }, i) => [hash, new Float32Array(i + 1).fill(1)]));
  await assert.rejects(
    index.change(() => {
      index.embeddings.put(batch.setId, vectors);
    }),
    { code: 'server' },
  );
  assert.equal(index.embeddings.countMissing(model).passages, 3);
});

test('skips a text that the model rejects, and doesn’t request it again', async () => {
  const { index } = await withNotes();
  const batch = await index.nextEmbeddings(model, 'me');
  assert.ok(batch.kind === 'texts');
  await index.change(() => {
    index.embeddings.put(
      batch.setId,
      new Map(batch.texts.map(({ hash, text }) => [hash, text.includes('soup') ? null : meaning(text)])),
    );
  });
  assert.deepEqual(await embedAll(index), []);
  assert.equal(
    (await index.passageSearch.search('lentils', 1, embed(index, 'lentils')))[0]?.documentKey,
    'lentils.txt',
  );
});

test('generates embeddings in one window at a time, for both', async () => {
  const folder = makeFolder();
  const { index } = await withNotes(folder);
  const second = await open(folder);
  assert.equal((await index.nextEmbeddings(model, 'me')).kind, 'texts');
  assert.equal((await second.nextEmbeddings(model, 'another')).kind, 'elsewhere');
  await embedAll(index);
  await second.followOthers();
  assert.equal(
    (await second.passageSearch.search('vehicle', 1, embed(second, 'vehicle')))[0]?.documentKey,
    'garage.txt',
  );
});

test('limits a batch to what an endpoint accepts', async () => {
  const index = await open(makeFolder());
  const { id: sourceId } = await index.addSource('Notes', origin, undefined);
  for (let i = 0; i < 100; i++)
    await index.putDocument(sourceId, input(`Note ${String(i)} tells of the harvest.`, `${String(i)}.txt`));
  const batch = await index.nextEmbeddings(model, 'me');
  assert.ok(batch.kind === 'texts');
  assert.equal(batch.texts.length, 64);
  assert.equal(batch.passages, 64);
});
