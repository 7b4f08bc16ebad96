import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Answer } from '../../src/core/domain/answer.ts';
import type { LanguageModel } from '../../src/answers/models/language-model.ts';
import {
  correctionModels,
  Corrections,
  type CorrectionModels,
  type WrittenAnswer,
} from '../../src/features/chat/editor/corrections.ts';
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

function replying(name: string, reply: string): LanguageModel {
  return {
    name,
    async *stream() {
      await Promise.resolve();
      yield reply;
    },
  };
}

const writer = replying('writer-1', '{"statement": "Rain falls in spring."}');
const checker = replying('checker-1', '[{"n": 1, "verdict": "supported", "words": "falls in spring"}]');
const models: CorrectionModels = { model: writer, checker };

/** Returns a text as a board or a database returns it. */
const stored = (answer: Answer): Answer => JSON.parse(JSON.stringify(answer)) as Answer;

describe('Corrections', () => {
  it('exchanges a stored text for the corrected one, and back', async () => {
    const corrections = new Corrections();
    const answer = await makeAnswer();
    await corrections.propose('a', { answer, index: 0, models, passages, signal });
    const after = corrections.exchanged('a', stored(answer), 'after');
    assert.equal(after.text, 'Rain falls in spring.');
    assert.equal(after.kind === 'written' ? after.statements[0]?.checkedBy : undefined, 'checker-1');
    assert.equal(corrections.exchanged('a', stored(after), 'before').text, text);
  });

  it('exchanges a text for the form in which its correction is stored', async () => {
    const corrections = new Corrections();
    const answer = await makeAnswer();
    const nothing: Answer = { kind: 'nothing', text: 'Not stated.', citations: [] };
    const remover = { model: replying('writer-1', '{"statement": ""}'), checker };
    const finish = (corrected: WrittenAnswer): Answer => (corrected.text === '' ? nothing : corrected);
    await corrections.propose('a', { answer, index: 0, models: remover, passages, signal, finish });
    assert.deepEqual(corrections.exchanged('a', stored(answer), 'after'), nothing);
    assert.equal(corrections.exchanged('a', stored(nothing), 'before').text, text);
  });

  it('has another model write if the fact-check model only says yes or no', async () => {
    const yesOrNo = replying('bespoke-minicheck:7b', 'Yes');
    const used = await correctionModels({ model: yesOrNo, openWriter: () => Promise.resolve(writer) });
    assert.deepEqual([used?.model.name, used?.checker.name], ['writer-1', 'bespoke-minicheck:7b']);
    assert.equal(
      await correctionModels({ model: yesOrNo, openWriter: () => Promise.resolve(undefined) }),
      undefined,
    );
    const corrections = new Corrections();
    const request = { answer: await makeAnswer(), index: 0, models: used, passages, signal };
    assert.deepEqual(await corrections.propose('a', request), {
      ...{ before: text, after: 'Rain falls in spring.', verdict: 'supported', deciding: undefined },
    });
  });

  it('rejects a text that changed since', async () => {
    const corrections = new Corrections();
    const answer = await makeAnswer();
    await corrections.propose('a', { answer, index: 0, models, passages, signal });
    const other = { ...answer, text: 'Rain falls in August.' };
    assert.throws(() => corrections.exchanged('a', other, 'after'), { code: 'conflict' });
    assert.throws(() => corrections.exchanged('b', answer, 'after'), { code: 'conflict' });
  });

  it('requires a model', async () => {
    const request = { answer: await makeAnswer(), index: 0, models: undefined, passages, signal };
    await assert.rejects(new Corrections().propose('a', request), { code: 'model-missing' });
  });
});
