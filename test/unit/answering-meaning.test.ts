import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PassageFinder } from '../../src/answers/retrieving/passage-finder.ts';
import type { NotebookIndex } from '../../src/index/worker/notebook-index.ts';
import { hashVector } from '../support/hash-vector.ts';
import { input, makeFolder, open, origin } from '../support/opened-notebooks.ts';
import { ask } from './answering-asking.ts';
import { makeNotebook } from './answering-fixtures.ts';

const model = { baseUrl: 'http://localhost:1/v1', name: 'hash' };

const notes = [
  'An automobile needs its oil changed every year, before the winter comes.',
  'The automobile is washed on Saturdays, and its tyres are looked at.',
  'The lift of the garage is checked by a fitter in June.',
  'Lentils are stirred until they are soft, and salted at the end.',
  'The stove of the kitchen is cleaned on Fridays with vinegar.',
  'Bread is baked on Mondays; the dough rests for a night.',
  'Tomatoes are watered every second morning with rainwater.',
  'The compost is turned in March and in October.',
];

/** Words that mean the same lie in the same direction. */
const synonyms: readonly [RegExp, string][] = [
  [/\bvehicles?\b|\bautomobiles?\b/gi, 'car'],
  [/\blubricants?\b|\boil\b/gi, 'grease'],
  [/\breplaced?\b|\bchanged\b/gi, 'renewed'],
];

function meaning(text: string): Float32Array {
  return hashVector(
    synonyms.reduce((said, [word, meant]) => said.replace(word, meant), text),
    256,
  );
}

async function embeddedNotes(texts = notes): Promise<NotebookIndex> {
  const index = await open(makeFolder());
  const { id } = await index.addSource('Notes', origin, undefined);
  for (const [i, text] of texts.entries()) await index.putDocument(id, input(text, `${String(i)}.txt`));
  const batch = await index.nextEmbeddings(model, 'me');
  assert.ok(batch.kind === 'texts');
  await index.change(() => {
    index.embeddings.put(batch.setId, new Map(batch.texts.map(({ hash, text }) => [hash, meaning(text)])));
  });
  // The set is used once no embedding is missing.
  assert.notEqual((await index.nextEmbeddings(model, 'me')).kind, 'texts');
  return index;
}

function makeFinder(index: NotebookIndex): PassageFinder {
  const setId = index.embeddings.active()?.setId ?? 0;
  return {
    ...makeNotebook([]),
    find: (words, limit) => index.passageSearch.search(words, limit, { setId, values: meaning(words) }),
    places: (words) => index.passageSearch.places({ words, vector: { setId, values: meaning(words) } }),
    at: (places) => Promise.resolve(index.passageSearch.passagesAt(places)),
  };
}

test('answers a question in different words by meaning', async () => {
  const passages = makeFinder(await embeddedNotes());
  const [nearest] = await passages.find('Replaced lubricant of a vehicle', 3, new AbortController().signal);
  assert.ok(nearest?.zScore !== undefined && nearest.zScore > 2);
  const { answer } = await ask('Replaced lubricant of a vehicle', { passages });
  assert.ok(answer?.kind === 'quotes');
  assert.match(answer.quotes[0]?.around?.text ?? '', /needs its oil changed/);
});

test('shows no passage that is merely the nearest to an unrelated question', async () => {
  const passages = makeFinder(await embeddedNotes());
  for (const question of ['Which volcano erupted?', 'Who painted Guernica?', 'capital of Mongolia']) {
    const foundPassages = await passages.find(question, 3, new AbortController().signal);
    assert.ok(foundPassages.some(({ nearness }) => nearness !== undefined));
    const { answer } = await ask(question, { passages });
    assert.equal(answer?.kind, 'nothing', question);
  }
});

test('answers with the nearest passage if there are too few to compare', async () => {
  const passages = makeFinder(await embeddedNotes(notes.slice(0, 3)));
  const { answer } = await ask('Replaced lubricant of a vehicle', { passages });
  assert.equal(answer?.kind, 'quotes');
});
