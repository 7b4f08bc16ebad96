import fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeNeighbors, selectPassages } from '../../src/answers/retrieving/retriever.ts';
import { makePassage, type TestDocument } from './answering-fixtures.ts';

const alphabet: TestDocument = { id: 1, title: 'A', text: 'abcdefghijklmnopqrstuvwxyz'.repeat(10) };

test('joins only passages of one document that overlap or touch', () => {
  const joined = mergeNeighbors([
    makePassage(alphabet, { start: 20, end: 30 }),
    makePassage(alphabet, { start: 50, end: 60 }),
    makePassage(alphabet, { start: 30, end: 40 }),
    makePassage({ ...alphabet, id: 2 }, { start: 40, end: 50 }),
    makePassage(alphabet, { start: 15, end: 22 }),
  ]);
  assert.deepEqual(
    joined.map(({ documentId, start, end }) => [documentId, start, end]),
    [
      [1, 15, 40],
      [1, 50, 60],
      [2, 40, 50],
    ],
  );
});

test('joins two passages when another closes the gap', () => {
  const spans = [
    { start: 0, end: 10 },
    { start: 20, end: 30 },
    { start: 10, end: 20 },
  ];
  const [only, ...others] = mergeNeighbors(spans.map((span) => makePassage(alphabet, span)));
  assert.deepEqual([only?.start, only?.end, others.length], [0, 30, 0]);
});

test('keeps the exact text of the document in joined passages', () => {
  const span = fc
    .tuple(fc.nat(200), fc.integer({ min: 1, max: 59 }))
    .map(([start, length]) => ({ start, end: start + length }));
  fc.assert(
    fc.property(fc.array(span, { maxLength: 12 }), (spans) => {
      const joined = mergeNeighbors(spans.map((each) => makePassage(alphabet, each)));
      for (const { text, start, end } of joined) assert.equal(text, alphabet.text.slice(start, end));
      for (const each of spans)
        assert.ok(joined.some(({ start, end }) => start <= each.start && each.end <= end));
      for (const a of joined)
        for (const b of joined) assert.ok(a === b || a.end < b.start || b.end < a.start);
    }),
  );
});

test('drops a passage that repeats another', () => {
  const text = 'Rain falls mainly on the plain in Spain during the months of spring.';
  const selected = selectPassages(
    [
      makePassage({ id: 1, title: 'A', text }),
      makePassage({ id: 2, title: 'B', text }),
      makePassage({ id: 3, title: 'C', text: 'Snow.' }),
    ],
    { passages: 3, characters: 1000 },
  );
  assert.deepEqual(
    selected.map(({ documentId }) => documentId),
    [1, 3],
  );
});

test('drops a passage that says nearly the same, unless it adds something', () => {
  const text =
    'The pump lifts water from the lower well into the upper tank every morning at six, and the valve behind it is closed by hand in the frost.';
  const selected = selectPassages(
    [
      makePassage({ id: 1, title: 'A', text }),
      makePassage({ id: 2, title: 'B', text: `${text.replace('every', 'each')} ` }),
      makePassage({ id: 3, title: 'C', text: `${text} Otherwise ice breaks the pipe of the smaller basin.` }),
    ],
    { passages: 3, characters: 2000 },
  );
  assert.deepEqual(
    selected.map(({ documentId }) => documentId),
    [1, 3],
  );
});

test('replaces the fourth passage of a source with the next source', () => {
  const long = {
    id: 1,
    title: 'A',
    text: Array.from({ length: 12 }, (_, i) => `Word${String(i)} stands here alone.`).join(' '.repeat(9)),
  };
  const many = Array.from({ length: 12 }, (_, i) => {
    const start = long.text.indexOf(`Word${String(i)} `);
    return makePassage(long, { start, end: start + 24 });
  });
  const other = makePassage({ id: 2, title: 'B', text: 'Another says it, too.' });
  const selected = selectPassages([...many.slice(0, 4), other, ...many.slice(4)], {
    passages: 4,
    characters: 9000,
  });
  assert.ok(selected.some(({ documentId }) => documentId === 2));
});

test('leaves room for another source if one fills the top ranks', () => {
  const words = ['rain', 'snow', 'hail', 'wind', 'fog', 'ice'];
  const document = { id: 1, title: 'A', text: words.join(' '.repeat(5)) };
  const passages = words.map((word) => {
    const start = document.text.indexOf(word);
    return makePassage(document, { start, end: start + word.length });
  });
  const selected = selectPassages([...passages, makePassage({ id: 2, title: 'B', text: 'Sun.' })], {
    passages: 6,
    characters: 1000,
  });
  assert.equal(selected[0]?.documentId, 1);
  assert.ok(selected.some(({ documentId }) => documentId === 2));
});

test('keeps the limits and always includes the best passage', () => {
  const passages = [1, 2, 3, 4].map((id) =>
    makePassage({ id, title: 'T', text: `${String(id)} `.repeat(50) }),
  );
  assert.equal(selectPassages(passages, { passages: 2, characters: 1000 }).length, 2);
  assert.equal(selectPassages(passages, { passages: 4, characters: 250 }).length, 2);
  assert.equal(selectPassages(passages, { passages: 4, characters: 10 }).length, 1);
});
