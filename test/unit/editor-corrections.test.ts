import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LanguageModel } from '../../src/answers/models/language-model.ts';
import { Corrections, type WrittenAnswer } from '../../src/features/chat/editor/corrections.ts';
import { makeNotebook, makePassage, type TestDocument } from './answering-fixtures.ts';

const rain: TestDocument = { id: 1, title: 'rain.txt', text: 'Rain falls in spring.' };
const passages = makeNotebook([rain]);
const { signal } = new AbortController();
const text = 'Rain falls in autumn.';

async function makeAnswer(): Promise<WrittenAnswer> {
  const citations = await passages.cite([
    { number: 1, passage: makePassage(rain), span: { start: 0, end: rain.text.length } },
  ]);
  const statements = [{ start: 0, end: text.length, verdict: 'contradicted' as const, citations: [0] }];
  return { kind: 'written', model: '', text, statements, citations };
}

function corrector(): LanguageModel {
  const replies = [
    '{"statement": "Rain falls in spring."}',
    '[{"n": 1, "verdict": "supported", "words": "falls in spring"}]',
  ];
  return {
    name: 'corrector-1',
    async *stream() {
      await Promise.resolve();
      yield replies.shift() ?? '';
    },
  };
}

/** Returns a text as a board or a database returns it. */
const stored = (answer: WrittenAnswer): WrittenAnswer => JSON.parse(JSON.stringify(answer)) as WrittenAnswer;

describe('Corrections', () => {
  it('exchanges a stored text for the corrected one, and back', async () => {
    const corrections = new Corrections();
    const answer = await makeAnswer();
    await corrections.propose('a', { answer, index: 0, model: corrector(), passages, signal });
    const after = corrections.exchanged('a', stored(answer), 'after');
    assert.equal(after.text, 'Rain falls in spring.');
    assert.equal(after.statements[0]?.verdict, 'supported');
    assert.equal(corrections.exchanged('a', stored(after), 'before').text, text);
  });

  it('rejects a text that changed since', async () => {
    const corrections = new Corrections();
    const answer = await makeAnswer();
    await corrections.propose('a', { answer, index: 0, model: corrector(), passages, signal });
    const other = { ...answer, text: 'Rain falls in August.' };
    assert.throws(() => corrections.exchanged('a', other, 'after'), { code: 'conflict' });
    assert.throws(() => corrections.exchanged('b', answer, 'after'), { code: 'conflict' });
  });

  it('requires a model', async () => {
    const request = { answer: await makeAnswer(), index: 0, model: undefined, passages, signal };
    await assert.rejects(new Corrections().propose('a', request), { code: 'model-missing' });
  });
});
