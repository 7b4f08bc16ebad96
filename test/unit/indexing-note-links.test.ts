import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Everything } from '../../src/indexing/store/everything.ts';
import { openDatabaseToRead } from '../../src/indexing/store/database.ts';
import { Statements } from '../../src/indexing/store/statements.ts';
import { close, input, makeFolder, open, origin } from '../support/opened-notebooks.ts';

const written = { create: true, overwrite: true };

test('notes know which notes link to them, keep links when they are renamed, and are found by their tags', async () => {
  const index = await open(makeFolder());
  const { notes } = index;
  notes.add({ title: 'Garden', text: '# Garden\n\nSee [[Garden#Compost]].', citations: [] });
  notes.add({ title: 'March', text: 'Turn the compost, as in [[garden]]. #work/outside', citations: [] });
  notes.add({ title: 'Plain', text: 'Nothing. #work', citations: [] });
  assert.deepEqual(notes.marks.linkingTo('Garden'), ['March', 'Garden']);
  assert.deepEqual([...notes.marks.linked()], [['garden', 2]]);
  assert.deepEqual(notes.marks.tags(), [
    { name: 'work', count: 1 },
    { name: 'work/outside', count: 1 },
  ]);
  assert.equal(notes.marks.tagged('Work').size, 2);
  notes.rename('Garden', 'Yard', false);
  assert.equal(notes.open('March').text, 'Turn the compost, as in [[Yard]]. #work/outside');
  assert.equal(notes.open('Yard').text, '# Garden\n\nSee [[Yard#Compost]].');
  assert.deepEqual(notes.marks.linkingTo('Garden'), []);
  notes.write('March', 'Nothing any more.', written);
  assert.deepEqual(notes.marks.linkingTo('Yard'), ['Yard']);
  notes.remove('Yard');
  assert.deepEqual([...notes.marks.linked()], []);
  await close(index);
});

test('words are found in notes, answers and titles of sources, and what changed is found at once', async () => {
  const folder = makeFolder();
  const index = await open(folder);
  index.notes.add({ title: 'Garden', text: 'The compost is turned in March.', citations: [] });
  await index.addSource('Compost handbook', origin, input('Words of the handbook'));
  const conversation = index.conversations.begin();
  index.conversations.putTurn(conversation, {
    id: 'turn',
    question: 'When is it turned?',
    askedAt: 5,
    state: { kind: 'done', milliseconds: 1 },
    answer: { kind: 'nothing', text: 'Nothing tells of COMPOST in autumn.', citations: [] },
  });
  const { database } = await openDatabaseToRead(folder);
  const sql = new Statements(database);
  const everything = new Everything(sql);
  const found = (words: string): string[] =>
    everything.search(words, 10).map(({ kind, title }) => `${kind} ${title}`);
  assert.deepEqual(found('compost'), ['source Compost handbook', 'note Garden', 'answer When is it turned?']);
  assert.deepEqual(found('turned compost autumn'), ['answer When is it turned?']);
  assert.deepEqual(found('nowhere'), []);
  assert.equal(everything.search('march', 1)[0]?.excerpt, 'The compost is turned in March.');
  index.notes.write('Garden', 'It is turned in spring.', written);
  assert.deepEqual(found('spring'), ['note Garden']);
  index.notes.remove('Garden');
  assert.deepEqual(found('spring'), []);
  sql.abandon();
  await close(index);
});

test('10,000 notes and answers are searched faster than in 50 ms', async () => {
  const folder = makeFolder();
  const index = await open(folder);
  const words = 'compost garden barrel rain tomatoes spring autumn frost shed water seeds bed path'.split(
    ' ',
  );
  const textOf = (n: number): string =>
    Array.from({ length: 180 }, (_, at) => words[(n * 7 + at * (1 + (n % 11))) % words.length]).join(' ') +
    ` number${String(n)}`;
  for (let n = 0; n < 5_000; n++)
    index.notes.add({ title: `Note ${String(n)}`, text: textOf(n), citations: [] });
  const conversation = index.conversations.begin();
  for (let n = 0; n < 5_000; n++)
    index.conversations.putTurn(conversation, {
      id: `turn${String(n)}`,
      question: `Question ${String(n)}`,
      askedAt: n,
      state: { kind: 'done', milliseconds: 1 },
      answer: { kind: 'nothing', text: textOf(n + 5_000), citations: [] },
    });
  const { database } = await openDatabaseToRead(folder);
  const sql = new Statements(database);
  const everything = new Everything(sql);
  const began = performance.now();
  assert.equal(everything.search('number7777', 10).length, 1);
  const first = performance.now() - began;
  const times = ['compost', 'number4321', 'spring frost shed', 'nowhere', 'garden number9'].map((query) => {
    const started = performance.now();
    for (let turn = 0; turn < 5; turn++) everything.search(query, 100);
    return (performance.now() - started) / 5;
  });
  index.notes.write('Note 17', 'Quite otherwise', written);
  const started = performance.now();
  assert.equal(everything.search('quite otherwise', 10).length, 1);
  const after = performance.now() - started;
  console.log(
    `search over 10,000: first ${first.toFixed(0)} ms, then ${Math.max(...times).toFixed(1)} ms at most, ${after.toFixed(1)} ms after a change`,
  );
  sql.abandon();
  await close(index);
});
