import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isHardlyAnswerable } from '../../src/answering/retrieving/answerability.ts';
import type { Answer, Turn } from '../../src/notebook/answer.ts';

const done = { kind: 'done', milliseconds: 5 } as const;
const asked = 'How do I get rid of junk files?';

function turn(answer: Answer | undefined, question = asked, state: Turn['state'] = done): Turn {
  return { id: '1', question, askedAt: 0, state, answer };
}

/** An answer in quotes for which passages were read that hold these words of the question. */
function quotes(...held: (readonly string[])[]): Answer {
  const read = held.map((words, documentId) => ({
    documentId,
    title: '',
    place: '',
    span: { start: 0, end: 1 },
    begins: '',
    score: 1,
    words,
  }));
  return { kind: 'quotes', text: '', quotes: [], citations: [], read };
}

test('little is found where no passage holds most of the words that are asked for', () => {
  assert.ok(isHardlyAnswerable(turn(quotes(['files'], ['junk']))));
  assert.ok(isHardlyAnswerable(turn(quotes())));
  assert.ok(isHardlyAnswerable(turn({ kind: 'nothing', text: '', citations: [] })));
  assert.ok(!isHardlyAnswerable(turn(quotes(['files'], ['rid', 'junk', 'files', 'get']))));
});

test('nothing is said of what a model answered, of what has not ended, and of single words', () => {
  assert.ok(
    !isHardlyAnswerable(turn({ kind: 'written', model: 'm', text: '', statements: [], citations: [] })),
  );
  assert.ok(!isHardlyAnswerable(turn(undefined, asked, { kind: 'answering' })));
  assert.ok(!isHardlyAnswerable(turn(quotes(), 'rebase?')));
  const like = { documentId: 1, quote: '', span: { start: 0, end: 1 } };
  assert.ok(!isHardlyAnswerable(turn({ ...quotes(), like })));
});
