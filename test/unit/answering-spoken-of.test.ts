import assert from 'node:assert/strict';
import test from 'node:test';
import { selectQuotes } from '../../src/answering/quotes.ts';
import type { TestDocument } from './answering-fixtures.ts';
import { passageOf } from './answering-fixtures.ts';

const radio: TestDocument = {
  id: 1,
  title: 'Radio',
  text: 'Turn the knob slowly to tune the receiver. The antenna was built in 1931. A store room holds the spare parts.',
};
const harbour: TestDocument = {
  id: 2,
  title: 'Harbour',
  text: 'The storm of January 1953 damaged the western mole but left the eastern one untouched. Repairs took fourteen months. Nothing happened to the warehouses.',
  headings: ['Moles'],
};

function isAnswered(question: string, carried = ''): boolean {
  return selectQuotes({ question, carried }, [passageOf(radio), passageOf(harbour)]).isEnough;
}

test('one of two telling words is not enough, wherever it stands', () => {
  assert.ok(isAnswered('How do I tune the receiver?'));
  assert.ok(!isAnswered('How do I tune a piano?'));
  assert.ok(!isAnswered('What is the best way to store onions?'));
  assert.ok(!isAnswered('Which storm sank the ferry?'));
});

test('words of one question in passages of different documents do not add up', () => {
  assert.ok(!isAnswered('Which antenna broke in the storm?'));
});

test('of many words a few that stand together are enough', () => {
  assert.ok(
    isAnswered('Which specific damages did the western mole of Merrow suffer from the great storm in 1953?'),
  );
});

test('words with which anything is asked tell little', () => {
  assert.ok(isAnswered('What happened to the warehouses?'));
  assert.ok(isAnswered('What is said of the antenna?'));
  assert.ok(isAnswered('Is there anything about the antenna?'));
  assert.ok(isAnswered('Which details does the text mention regarding the antenna?'));
  assert.ok(!isAnswered('What happened to the important text regarding the ferry?'));
});

test('a follow-up is spoken of where what it leans on is', () => {
  assert.ok(!isAnswered('And the ferry?', 'How deep is the ferry terminal?'));
  assert.ok(isAnswered('And what did its repairs take?', 'What did the storm of 1953 damage?'));
});

test('one word is enough where the passage stands under it', () => {
  assert.ok(isAnswered('What are moles?'));
});

test('a question is answered where the identifier stands that it names, and nowhere else', () => {
  const code: TestDocument = {
    id: 3,
    title: 'Tides',
    format: 'code',
    text: 'levels = read_levels("harbour.csv")\nmean = sum(levels) / len(levels)\n',
  };
  const isAnsweredByCode = (question: string): boolean =>
    selectQuotes({ question, carried: '' }, [passageOf(code)]).isEnough;
  assert.ok(isAnsweredByCode('Which file does read_levels read?'));
  assert.ok(!isAnsweredByCode('Which file does read_depths read?'));
});
