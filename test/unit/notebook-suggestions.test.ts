import assert from 'node:assert/strict';
import { test } from 'node:test';
import { followUpQuestions, suggestedQuestions, type Outline } from '../../src/notebook/suggestions.ts';

function outline(documentId: number, title: string, ...headings: [level: number, title: string][]): Outline {
  return {
    documentId,
    title,
    headings: headings.map(([level, heading], i) => ({ offset: 100 * i, level, title: heading })),
  };
}

const bees = outline(
  1,
  'bees.md',
  [1, 'Bees'],
  [2, 'Introduction'],
  [2, 'Feeding:'],
  [2, 'Wax moths'],
  [3, 'Signs'],
);
const herons = outline(2, 'Herons', [1, 'Herons'], [2, '1.'], [2, 'Nests']);

test('a notebook suggests a question for each document that has something to ask about', () => {
  assert.deepEqual(suggestedQuestions([bees, outline(3, 'plain.txt'), herons]), [
    'What does bees.md say about Feeding?',
    'What does Herons say about Nests?',
  ]);
  assert.equal(suggestedQuestions([bees, herons, bees, herons]).length, 3);
  assert.deepEqual(suggestedQuestions([outline(4, 'a.md', [1, 'Contents'], [2, 'x'.repeat(90)])]), []);
  assert.deepEqual(suggestedQuestions([outline(6, 'report.pdf', [2, 'How the gates are set'])]), [
    'What does report.pdf say about how the gates are set?',
  ]);
  // What a document is called says nothing of it.
  assert.deepEqual(suggestedQuestions([outline(5, 'guides/roses-1.md', [1, 'Roses 1'])]), []);
});

test('nothing is suggested of a heading that names nothing, or under which nothing is told', () => {
  const paper = outline(
    7,
    'Attention.pdf',
    [1, 'The'],
    [1, 'Law'],
    [1, 'Why it is'],
    [2, 'Encoder and decoder'],
  );
  assert.deepEqual(suggestedQuestions([paper]), ['What does Attention.pdf say about Encoder and decoder?']);
  const cover = {
    ...paper,
    headings: ['Google Brain', 'Google Research'].map((title, i) => ({ offset: 20 * i, level: 1, title })),
  };
  assert.deepEqual(
    suggestedQuestions([{ ...cover, headings: [...cover.headings, { offset: 40, level: 1, title: 'x' }] }]),
    [],
  );
});

test('follow-ups are about what an answer did not cite, nearest first, and never asked twice', () => {
  const citations = [{ documentId: 1, span: { start: 310, end: 320 } }];
  assert.deepEqual(followUpQuestions([bees], citations, []), [
    'What does bees.md say about Signs?',
    'What does bees.md say about Feeding?',
  ]);
  assert.deepEqual(followUpQuestions([bees], citations, ['what does bees.md say about signs?']), [
    'What does bees.md say about Feeding?',
  ]);
  const both = [...citations, { documentId: 2, span: { start: 0, end: 5 } }];
  assert.deepEqual(followUpQuestions([bees, herons], both, []), [
    'What does bees.md say about Signs?',
    'What does Herons say about Nests?',
    'What does bees.md say about Feeding?',
  ]);
});
