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

test('10,000 notes and answers are searched, prepared or not, after a change and while others are added', async () => {
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
  // The processor's time: what else runs on the machine is no part of it.
  const timed = async (work: () => unknown): Promise<number> => {
    const began = process.threadCpuUsage();
    await work();
    const { user, system } = process.threadCpuUsage(began);
    return (user + system) / 1000;
  };
  const unprepared = new Everything(sql);
  const whole = await timed(() => unprepared.search('number7777', 10));

  // What is typed into the box comes while it is prepared; other work comes in between, too.
  const everything = new Everything(sql);
  const waits: number[] = [];
  let last = performance.now();
  const others = setInterval(() => {
    waits.push(performance.now() - last);
    last = performance.now();
  }, 0);
  const preparing = await timed(() => everything.prepare());
  clearInterval(others);
  const first = await timed(() => {
    assert.equal(everything.search('number7777', 10).length, 1);
  });
  const times: number[] = [];
  for (const query of ['compost', 'number4321', 'spring frost shed', 'nowhere', 'garden number9'])
    times.push(
      (await timed(() => {
        for (let turn = 0; turn < 5; turn++) everything.search(query, 100);
      })) / 5,
    );
  index.notes.write('Note 17', 'Quite otherwise', written);
  const after = await timed(() => {
    assert.equal(everything.search('quite otherwise', 10).length, 1);
  });
  // A search that comes in the midst of the preparation goes on with it, and misses nothing.
  const begun = new Everything(sql);
  const prepared = begun.prepare();
  assert.equal(begun.search('number7777', 10).length, 1);
  await prepared;
  assert.equal(begun.search('quite otherwise', 10).length, 1);
  const whileIndexing: number[] = [];
  for (let n = 0; n < 10; n++) {
    const adding = index.addSource(`File ${String(n)}`, origin, input(textOf(n).repeat(20)));
    whileIndexing.push(await timed(() => everything.search('number4321', 100)));
    await adding;
  }
  console.log(
    `search over 10,000: first ${first.toFixed(0)} ms once prepared (in ${preparing.toFixed(0)} ms, of which others waited ${Math.max(0, ...waits).toFixed(0)} at most), ${whole.toFixed(0)} unprepared; then ${Math.max(...times).toFixed(1)} at most, ${after.toFixed(1)} after a change, ${Math.max(...whileIndexing).toFixed(1)} at most while indexing`,
  );
  sql.abandon();
  await close(index);
});
