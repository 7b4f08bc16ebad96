import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alikeIn, findMoreLike } from '../../src/answers/places/more-like.ts';
import { applyAnswerEvents, type Answer, type AnswerEvent } from '../../src/core/domain/answer.ts';
import { makeNotebook, makePassage, type TestDocument } from './answering-fixtures.ts';

const quote = 'Apples are watered from May to August by the eastern channel.';
const orchard = { id: 1, title: 'Orchard', text: `${quote} Pears are not watered.` };
const like = { documentId: 1, span: { start: 0, end: quote.length }, quote };
const rules = {
  id: 2,
  title: 'Rules',
  text: 'Members meet in spring. The eastern channel waters the apples between May and August. Bring boots.',
};
const fence = { id: 3, title: 'Fence', text: 'The fence by the eastern gate is painted in August.' };

async function answerFrom(elsewhere: readonly TestDocument[]): Promise<Answer | undefined> {
  const events: AnswerEvent[] = [];
  await findMoreLike({
    like,
    find: (words, limit, signal) => makeNotebook(elsewhere).find(words, limit, signal),
    passages: makeNotebook([orchard, ...elsewhere]),
    signal: new AbortController().signal,
    emit: (event) => events.push(event),
  });
  assert.ok(events.every((event) => event.kind !== 'started' || event.answer.like === like));
  return applyAnswerEvents(undefined, events);
}

test('quotes similar passages from elsewhere', async () => {
  const answer = await answerFrom([rules, fence]);
  assert.equal(answer?.kind, 'quotes');
  assert.deepEqual(
    answer.citations.map((one) => one.quote),
    ['The eastern channel waters the apples between May and August.'],
  );
  assert.equal(answer.text, 'Similar passages from 1 source:');
});

test('searches for quoted text without its quotation marks', async () => {
  const searches: string[] = [];
  await findMoreLike({
    like: { ...like, quote: 'The board calls it “the «eastern» "channel"”.' },
    find: (words) => {
      searches.push(words);
      return Promise.resolve([]);
    },
    passages: makeNotebook([orchard]),
    signal: new AbortController().signal,
    emit: () => undefined,
  });
  assert.equal(searches.length, 1);
  assert.doesNotMatch(searches.join(), /["“”„«»]/);
});

test('reports that there are no similar passages', async () => {
  const answer = await answerFrom([fence]);
  assert.equal(answer?.kind, 'nothing');
  assert.match(answer.text, /^No similar passages in this notebook/);
  assert.deepEqual(answer.citations, []);
});

test('shows the nearest passages by meaning as such if no words match', async () => {
  const trees = makePassage({ id: 4, title: 'Trees', text: 'Fruit trees get their irrigation in summer.' });
  const foundPassages = [
    { ...trees, nearness: 0.85 },
    { ...makePassage(fence), nearness: 0.5 },
  ];
  const { by, quotes } = await alikeIn(foundPassages, quote);
  assert.equal(by, 'meaning');
  assert.deepEqual(
    quotes.map(({ passage }) => passage.documentId),
    [4],
  );
  assert.equal((await alikeIn([...foundPassages, makePassage(rules)], quote)).by, 'words');
});

test('quotes the nearest passages first, in whole sentences', async () => {
  const sentence = 'An automobile needs its oil changed every year, and its tyres looked at.';
  const far = {
    ...makePassage({ id: 1, title: 'Notes', format: 'markdown', text: '# Food\n\nLentils are stirred.' }),
    nearness: 0.6,
  };
  const off = { ...makePassage({ id: 4, title: 'Notes', text: 'The lift is blue.' }), nearness: 0.1 };
  const near = {
    ...makePassage({ id: 2, title: 'Notes', text: Array(20).fill(sentence).join(' ') }),
    nearness: 0.7,
  };
  const byWords = makePassage({ id: 3, title: 'Notes', text: 'The treaty was signed.' });
  const { quotes } = await alikeIn([off, far, byWords, near], 'Wheels turn.');
  assert.deepEqual(
    quotes.map(({ passage, span }) =>
      passage.text.slice(span.start - passage.start, span.end - passage.start),
    ),
    [Array(6).fill(sentence).join(' '), 'Lentils are stirred.'],
  );
  assert.deepEqual((await alikeIn([byWords], 'Wheels turn.')).quotes, []);
});

test('lets others run while it compares many passages', async () => {
  const sentence = 'An automobile needs its oil changed every year, and its tyres looked at by someone. ';
  const foundPassages = Array.from({ length: 8 }, (_, i) =>
    makePassage({ id: i + 1, title: 'Notes', text: sentence.repeat(400 * (i + 1)) }),
  );
  let turns = 0;
  let others = setImmediate(function next() {
    turns++;
    others = setImmediate(next);
  });
  await alikeIn(foundPassages, quote);
  clearImmediate(others);
  assert.ok(turns > 0);
});
