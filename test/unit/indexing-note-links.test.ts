import assert from 'node:assert/strict';
import type { SQLInputValue } from 'node:sqlite';
import { test } from 'node:test';
import type { Annotation } from '../../src/core/domain/annotation.ts';
import { GlobalSearch } from '../../src/index/store/global-search.ts';
import { withNotebook } from '../../src/index/library/with-notebook-db.ts';
import { openDatabaseToRead } from '../../src/index/store/database/database.ts';
import { Statements } from '../../src/index/store/database/statements.ts';
import { close, input, makeFolder, open, origin, openNew } from '../support/opened-notebooks.ts';

const written = { create: true, overwrite: true };

test('lists links between notes, keeps them after renaming, and finds notes by tag', async () => {
  const index = await open(makeFolder());
  const { notes } = index.features;
  notes.add({ title: 'Garden', text: '# Garden\n\nSee [[Garden#Compost]].', citations: [] });
  notes.add({ title: 'March', text: 'Turn the compost, as in [[garden]]. #work/outside', citations: [] });
  notes.add({ title: 'Plain', text: 'Nothing. #work', citations: [] });
  assert.deepEqual(notes.marks.linkingTo('Garden'), ['March', 'Garden']);
  assert.deepEqual([...notes.marks.countLinks()], [['garden', 2]]);
  assert.deepEqual(notes.marks.tags(), [
    { name: 'work', count: 1 },
    { name: 'work/outside', count: 1 },
  ]);
  assert.equal(notes.marks.findTagged('Work').size, 2);
  notes.rename('Garden', 'Yard', false);
  assert.equal(notes.open('March').text, 'Turn the compost, as in [[Yard]]. #work/outside');
  assert.equal(notes.open('Yard').text, '# Garden\n\nSee [[Yard#Compost]].');
  assert.deepEqual(notes.marks.linkingTo('Garden'), []);
  notes.write('March', 'Nothing any more.', written);
  assert.deepEqual(notes.marks.linkingTo('Yard'), ['Yard']);
  notes.remove('Yard');
  assert.deepEqual([...notes.marks.countLinks()], []);
  await close(index);
});

test('searches notes, answers, and titles of sources, including recent changes', async () => {
  const { folder, index } = await openNew();
  index.features.notes.add({ title: 'Garden', text: 'The compost is turned in March.', citations: [] });
  await index.addSource('Compost handbook', origin, input('Words of the handbook'));
  const conversation = index.features.conversations.begin();
  index.features.conversations.putTurn(conversation, {
    id: 'turn',
    question: 'When is it turned?',
    askedAt: 5,
    state: { kind: 'done', milliseconds: 1 },
    answer: { kind: 'nothing', text: 'Nothing tells of COMPOST in autumn.', citations: [] },
  });
  const { database } = await openDatabaseToRead(folder);
  const sql = new Statements(database);
  const everything = new GlobalSearch(sql);
  const describeHits = (words: string): string[] =>
    everything.search(words, 10).map(({ kind, title }) => `${kind} ${title}`);
  assert.deepEqual(describeHits('compost'), [
    'source Compost handbook',
    'note Garden',
    'answer When is it turned?',
  ]);
  assert.deepEqual(describeHits('turned compost autumn'), ['answer When is it turned?']);
  assert.deepEqual(describeHits('nowhere'), []);
  assert.equal(everything.search('march', 1)[0]?.excerpt, 'The compost is turned in March.');
  index.features.notes.write('Garden', 'It is turned in spring.', written);
  assert.deepEqual(describeHits('spring'), ['note Garden']);
  index.features.notes.remove('Garden');
  assert.deepEqual(describeHits('spring'), []);
  sql.abandon();
  await close(index);
});

/** Counts the rows that are read with their texts. */
class CountedStatements extends Statements {
  textsRead = 0;

  override rows(sql: string, ...values: SQLInputValue[]): readonly unknown[][] {
    const rows = super.rows(sql, ...values);
    if (sql.includes('n.text FROM') || sql.includes('n.answer FROM')) this.textsRead += rows.length;
    return rows;
  }
}

test('reads each text once, and after a change only changed ones', async () => {
  const { folder, index } = await openNew();
  const conversation = index.features.conversations.begin();
  for (let n = 0; n < 500; n++) {
    const text = `Compost number${String(n)}`;
    index.features.notes.add({ title: `Note ${String(n)}`, text, citations: [] });
    index.features.conversations.putTurn(conversation, {
      id: `turn${String(n)}`,
      question: `Question ${String(n)}`,
      askedAt: n,
      state: { kind: 'done', milliseconds: 1 },
      answer: { kind: 'nothing', text: `${text} answered`, citations: [] },
    });
  }
  const { database } = await openDatabaseToRead(folder);
  const sql = new CountedStatements(database);
  const everything = new GlobalSearch(sql);
  assert.equal(everything.search('number77', 10).length, 2);
  // Reads all texts once, plus the two that are shown.
  assert.equal(sql.textsRead, 1_000 + 2);
  sql.textsRead = 0;
  assert.equal(everything.search('compost', 100).length, 100);
  assert.equal(sql.textsRead, 100);
  index.features.notes.write('Note 17', 'Quite otherwise', written);
  sql.textsRead = 0;
  assert.deepEqual(
    everything.search('quite otherwise', 10).map(({ title, excerpt }) => [title, excerpt]),
    [['Note 17', 'Quite otherwise']],
  );
  assert.equal(sql.textsRead, 1 + 1);
  // A search during the preparation waits for it, and misses nothing.
  const begun = new GlobalSearch(sql);
  sql.textsRead = 0;
  const prepared = begun.prepare();
  assert.equal(begun.search('number77', 10).length, 2);
  await prepared;
  assert.equal(sql.textsRead, 1_000 + 2);
  sql.abandon();
  await close(index);
});

test('doesn’t confuse a deleted note or turn with its successor', async () => {
  const { folder, index } = await openNew();
  index.features.notes.add({ title: 'First', text: 'Compost', citations: [] });
  const { database } = await openDatabaseToRead(folder);
  const sql = new Statements(database);
  const everything = new GlobalSearch(sql);
  assert.equal(everything.search('compost', 10).length, 1);
  index.features.notes.remove('First');
  // The new note gets the row number of the deleted one.
  index.features.notes.add({ title: 'Second', text: 'Mulched', citations: [] });
  assert.deepEqual(everything.search('compost', 10), []);
  assert.equal(everything.search('mulched', 10)[0]?.title, 'Second');
  sql.abandon();
  await close(index);
});

test('finds words of documents and marks with the place of each', async () => {
  const { folder, index } = await openNew();
  await index.addSource('Handbook', origin, input('Use a serological pipette.'));
  const mark: Annotation = {
    ...{ kind: 'highlight' as const, page: 3, colour: '#ffe066' },
    ...{ words: 'sterile tips', remark: 'Serological ones only' },
    quads: [[0, 10, 5, 10, 0, 0, 5, 0]],
  };
  index.features.annotations.keep('file:///paper.pdf', [['a', mark]]);
  const { database } = await openDatabaseToRead(folder);
  const sql = new Statements(database);
  const everything = new GlobalSearch(sql);
  const hits = everything.search('serological', 10);
  assert.deepEqual(hits.map(({ kind, title, place, excerpt }) => [kind, title, place, excerpt]).toSorted(), [
    ['document', 'Handbook', 'L1', 'Use a serological pipette.'],
    ['mark', 'file:///paper.pdf', 'p. 3', 'sterile tips – Serological ones only'],
  ]);
  const words = hits.find(({ kind }) => kind === 'document')?.words;
  assert.deepEqual(words && [words.quote, words.span], ['serological', { start: 6, end: 17 }]);
  const [source] = index.store.sources();
  await index.change(() => index.store.removeSources([source?.id ?? '']));
  assert.deepEqual(
    everything.search('serological pipette', 10).map(({ kind }) => kind),
    [],
  );
  sql.abandon();
  await close(index);
});

test('finds sources, notes, answers, highlights, and conversations with the place of each', async () => {
  const { folder, index } = await openNew();
  await index.addSource('Serological handbook', origin, input('Use it with care.'));
  await index.addSource('Protocol', origin, input('# Steps\n\nTake a serological pipette.'));
  index.features.notes.add({
    title: 'Shopping',
    text: '# Shopping\n\nOrder serological tips.',
    citations: [],
  });
  const mark: Annotation = {
    ...{ kind: 'highlight' as const, page: 3, colour: '#ffe066', words: 'serological ones', remark: '' },
    quads: [[0, 10, 5, 10, 0, 0, 5, 0]],
  };
  index.features.annotations.keep('file:///paper.pdf', [['a', mark]]);
  for (const [title, text] of [
    ['Lab', 'A serological pipette measures it.'],
    ['Serological questions', 'With a scale.'],
  ] as const) {
    const conversation = index.features.conversations.begin();
    index.features.conversations.putTurn(conversation, {
      ...{ id: title, question: `How is it measured?`, askedAt: 5, state: { kind: 'done', milliseconds: 1 } },
      answer: { kind: 'nothing', text, citations: [] },
    });
    index.features.conversations.rename(conversation, title);
  }
  const { database } = await openDatabaseToRead(folder);
  const sql = new Statements(database);
  const results = new GlobalSearch(sql).search('serological', 10);
  assert.deepEqual(results.map(({ kind, title, place }) => [kind, title, place]).toSorted(), [
    ['answer', 'How is it measured?', 'Lab'],
    ['answer', 'How is it measured?', 'Serological questions'],
    ['document', 'Protocol', 'L3'],
    ['mark', 'file:///paper.pdf', 'p. 3'],
    ['note', 'Shopping', 'L3'],
    ['source', 'Serological handbook', undefined],
  ]);
  assert.equal(results.find(({ kind }) => kind === 'note')?.line, 2);
  sql.abandon();
  await close(index);
});

test('searches the readable rest of a damaged answer', async () => {
  const { folder, index } = await openNew();
  const conversation = index.features.conversations.begin();
  const keptTexts = [
    'none',
    'null',
    '5',
    '[]',
    '{"text":5,"citations":7}',
    '{"text":"Compost","citations":[null,5,{"quote":6},{"quote":"mulched"}]}',
  ];
  for (const id of keptTexts.keys())
    index.features.conversations.putTurn(conversation, {
      ...{ id: String(id), question: 'When?', askedAt: 5, state: { kind: 'done', milliseconds: 1 } },
      answer: { kind: 'nothing', text: 'Nothing.', citations: [] },
    });
  const { database } = await openDatabaseToRead(folder);
  const sql = new Statements(database);
  for (const [id, answer] of keptTexts.entries())
    await withNotebook(folder, (own) =>
      own.write('UPDATE turns SET answer = ? WHERE id = ?', answer, String(id)),
    );
  const everything = new GlobalSearch(sql);
  for (const words of ['compost', 'mulched', 'compost mulched'])
    assert.equal(everything.search(words, 10).length, 1, words);
  assert.equal(everything.search('when', 10).length, keptTexts.length);
  sql.abandon();
  await close(index);
});
