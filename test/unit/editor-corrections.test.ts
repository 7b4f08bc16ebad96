import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { applyAnswerEvents, type Answer, type Statement, type Turn } from '../../src/core/domain/answer.ts';
import { portableTurn, readTurn } from '../../src/features/chat/store/portable-conversations.ts';
import { readJson, storedAnswer } from '../../src/index/store/database/stored-json.ts';
import type { LanguageModel } from '../../src/answers/models/language-model.ts';
import {
  correctionModels,
  Corrections,
  undoneCorrection,
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

/** Applies a correction of the first statement of an answer that is stored. */
async function correct(answer: Answer, reply?: string): Promise<Answer> {
  const corrections = new Corrections();
  const { checker: judge } = models;
  const model = reply === undefined ? writer : replying('writer-1', reply);
  assert.equal(answer.kind, 'written');
  await corrections.propose('a', { answer, index: 0, models: { model, checker: judge }, passages, signal });
  return corrections.apply('a', stored(answer));
}

function statementOf(answer: Answer | undefined): Statement {
  const statement = answer?.kind === 'written' ? answer.statements[0] : undefined;
  return statement ?? assert.fail('The answer has no statement.');
}

describe('Corrections', () => {
  it('changes a stored text', async () => {
    const corrected = await correct(await makeAnswer());
    assert.equal(corrected.text, 'Rain falls in spring.');
    assert.equal(corrected.kind === 'written' ? corrected.statements[0]?.checkedBy : undefined, 'checker-1');
  });

  it('stores the text before it, so that another window can undo it', async () => {
    const answer = { ...(await makeAnswer()), isCut: true, searches: ['rain'] };
    assert.deepEqual(undoneCorrection(stored(await correct(answer))), stored(answer));
  });

  it('undoes only the last of two corrections', async () => {
    const first = await correct(await makeAnswer());
    const second = await correct(first, '{"statement": "Rain falls."}');
    const undone = undoneCorrection(stored(second));
    assert.equal(undone.text, 'Rain falls in spring.');
    assert.throws(() => undoneCorrection(undone), { code: 'conflict' });
  });

  it('can’t be undone after another answer replaced the corrected one', async () => {
    const corrected = await correct(await makeAnswer());
    const checked = {
      kind: 'checked',
      index: 0,
      statement: statementOf(corrected),
      newCitations: [],
    } as const;
    assert.equal(undoneCorrection(applyAnswerEvents(corrected, [checked])).text, text);
    const replaced = applyAnswerEvents(corrected, [{ kind: 'started', answer: await makeAnswer() }]);
    assert.throws(() => undoneCorrection(replaced), { code: 'conflict' });
  });

  it('leaves an answer readable if the text before it is damaged', async () => {
    const damaged = { ...(await correct(await makeAnswer())), beforeCorrection: { text: 5 } };
    const read = readJson<Answer | undefined>(storedAnswer, JSON.stringify(damaged), undefined);
    assert.deepEqual([read?.text, read?.beforeCorrection], ['Rain falls in spring.', undefined]);
  });

  it('reaches exports and team members without the text before it', async () => {
    const answer = await correct(await makeAnswer());
    const turn: Turn = { id: 't', question: 'When?', askedAt: 1, state: { kind: 'stopped' }, answer };
    const exported: unknown = JSON.parse(JSON.stringify(portableTurn(turn, [])));
    assert.doesNotMatch(JSON.stringify(exported), /autumn/);
    const places = { documentIds: new Map([[1, 7]]), fileAt: () => '' };
    const { answer: received } = readTurn(exported, places);
    assert.equal(received?.text, 'Rain falls in spring.');
    assert.deepEqual(
      [statementOf(received).verdict, statementOf(received).checkedBy],
      ['supported', 'checker-1'],
    );
  });

  it('has the form in which its text is stored', async () => {
    const corrections = new Corrections();
    const answer = await makeAnswer();
    const nothing: Answer = { kind: 'nothing', text: 'Not stated.', citations: [] };
    const remover = { model: replying('writer-1', '{"statement": ""}'), checker };
    const finish = (corrected: WrittenAnswer): Answer => (corrected.text === '' ? nothing : corrected);
    await corrections.propose('a', { answer, index: 0, models: remover, passages, signal, finish });
    const corrected = corrections.apply('a', stored(answer));
    assert.deepEqual(
      { ...corrected, beforeCorrection: undefined },
      { ...nothing, beforeCorrection: undefined },
    );
    assert.deepEqual(undoneCorrection(stored(corrected)), stored(answer));
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
    assert.throws(() => corrections.apply('a', other), { code: 'conflict' });
    assert.throws(() => corrections.apply('b', answer), { code: 'conflict' });
  });

  it('requires a model', async () => {
    const request = { answer: await makeAnswer(), index: 0, models: undefined, passages, signal };
    await assert.rejects(new Corrections().propose('a', request), { code: 'model-missing' });
  });
});
