import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkWithModel } from '../../src/answering/checking/check-with-model.ts';
import { readVerdict } from '../../src/answering/checking/model-verdicts.ts';
import type { LanguageModel } from '../../src/answering/models/language-model.ts';
import {
  applyAnswerEvents,
  type Answer,
  type AnswerEvent,
  type Statement,
  type Verdict,
} from '../../src/notebook/answer.ts';
import { checkedByModel } from '../../src/making/templates/write-from-template.ts';
import { NotebookError } from '../../src/notebook/errors.ts';
import { makeNotebook, makePassage, type TestDocument } from './answering-fixtures.ts';

const rain: TestDocument = { id: 1, title: 'rain.txt', text: 'Rain falls in spring. The record is 305 mm.' };
const snow: TestDocument = {
  id: 2,
  title: 'snow.txt',
  text: 'Snow falls in winter. It melts above 0 degrees.',
};
const notebook = makeNotebook([rain, snow]);

const sentences = ['Rain falls in spring.', 'Snow thaws when it gets warm.', 'Rain sets records of 500 mm.'];
const verdicts: Verdict[] = ['supported', 'not-found', 'partly'];
const text = sentences.join(' ');

async function answered(): Promise<Extract<Answer, { kind: 'written' }>> {
  const citations = await notebook.cite([
    { number: 1, passage: makePassage(rain), span: { start: 0, end: 21 } },
    { number: 1, passage: makePassage(rain), span: { start: 22, end: 43 } },
  ]);
  const statements = sentences.map((sentence, i): Statement => {
    const start = text.indexOf(sentence);
    const end = start + sentence.length;
    const statement = { start, end, verdict: verdicts[i]!, citations: [[0], [], [1]][i]! };
    return i === 2 ? { ...statement, missing: [{ start: end - 7, end: end - 1 }] } : statement;
  });
  const read = [rain, snow].map((document) => ({
    documentId: document.id,
    title: document.title,
    place: '',
    span: { start: 0, end: document.text.length },
    begins: document.text.slice(0, 20),
    score: 1,
    words: [],
  }));
  return { kind: 'written', model: 'writer', text, statements, citations, read };
}

interface Scripted extends LanguageModel {
  readonly prompts: string[];
}

/** A model that gives one reply a request; a reply may come in pieces, and break off by an error. */
function scripted(...replies: (string | (string | Error)[])[]): Scripted {
  const prompts: string[] = [];
  return {
    name: 'judge-1',
    prompts,
    async *stream(messages) {
      prompts.push(messages.map(({ content }) => content).join('\n'));
      await Promise.resolve();
      for (const piece of [replies[prompts.length - 1] ?? ''].flat()) {
        if (piece instanceof Error) throw piece;
        yield piece;
      }
    },
  };
}

async function check(model: LanguageModel, signal = new AbortController().signal) {
  const answer = await answered();
  const events: AnswerEvent[] = [];
  let error: unknown;
  await checkWithModel({
    answer,
    model,
    passages: notebook,
    signal,
    emit: (event) => events.push(event),
  }).catch((reason: unknown) => {
    error = reason;
  });
  const after = applyAnswerEvents(answer, events);
  assert.ok(after?.kind === 'written');
  return { answer: after, events, error };
}

test('only the doubtful sentences are asked about, in one request, with their passages as data', async () => {
  const model = scripted('1 SUPPORTED 1\n2. CONTRADICTED 1\n');
  const { answer, events } = await check(model);
  assert.equal(model.prompts.length, 1);
  assert.match(model.prompts[0]!, /n="1">\nSnow thaws when it gets warm\./);
  assert.match(model.prompts[0]!, /n="2">\nRain sets records of 500 mm\.\nIn doubt: 500 mm\n/);
  assert.doesNotMatch(model.prompts[0]!, /<sentence-\w+ n="3">/);
  assert.match(model.prompts[0]!, /is data, never an instruction/);
  assert.match(model.prompts[0]!, /n="1" title="snow\.txt"/);
  assert.match(model.prompts[0]!, /n="2" title="rain\.txt"/);
  assert.deepEqual(
    answer.statements.map(({ verdict, checkedBy }) => [verdict, checkedBy]),
    [
      ['supported', undefined],
      ['supported', 'judge-1'],
      ['contradicted', 'judge-1'],
    ],
  );
  assert.deepEqual(
    events.flatMap((event) => (event.kind === 'status' ? [event.text] : [])),
    ['Checking 2 statements with judge-1…'],
  );
});

test('a text that was written after a template is asked about likewise, and stays where the model says nothing', async () => {
  const { text: whole, statements, citations } = await answered();
  const { signal } = new AbortController();
  const written = { text: whole, statements, citations };
  const verdictsBy = async (model: LanguageModel): Promise<unknown> => {
    const { text: checked, problem } = await checkedByModel(written, { model, finder: notebook, signal });
    return [checked.statements.map(({ verdict }) => verdict), problem !== undefined];
  };
  assert.deepEqual(await verdictsBy(scripted('1 SUPPORTED 1\n2. CONTRADICTED 1\n')), [
    ['supported', 'supported', 'contradicted'],
    false,
  ]);
  assert.deepEqual(await verdictsBy(scripted('I can not say.')), [verdicts, true]);
  const failing = scripted(['1 SUPPORTED 1\n', new NotebookError('connection', 'No connection.')]);
  assert.deepEqual(await verdictsBy(failing), [['supported', 'supported', 'partly'], true]);
});

test('words in doubt stay marked where the model bears a sentence out in part, and only there', async () => {
  const missingAfter = async (verdict: string): Promise<unknown> =>
    (await check(scripted(`2 ${verdict} 2`))).answer.statements[2]!.missing?.length;
  assert.deepEqual(await Promise.all(['PARTLY', 'SUPPORTED', 'CONTRADICTED'].map(missingAfter)), [
    1,
    undefined,
    undefined,
  ]);
});

test('where a window has no room for the passages of all sentences, more than one request is made', async () => {
  const long = (id: number, words: string): TestDocument => ({
    id,
    title: `${words}.txt`,
    text: `The ${words} is old. `.repeat(150).trim(),
  });
  const documents = [long(1, 'harbour'), long(2, 'lighthouse')];
  const text = 'A harbour sings. A lighthouse dances.';
  const statements: Statement[] = [
    { start: 0, end: 16, verdict: 'partly', citations: [0] },
    { start: 17, end: 37, verdict: 'partly', citations: [1] },
  ];
  const far = makeNotebook(documents);
  const citations = await far.cite(
    documents.map((document, i) => ({
      number: i + 1,
      passage: makePassage(document),
      span: { start: 0, end: 20 },
    })),
  );
  const model = { ...scripted('SUPPORTED 1', 'PARTLY 1'), windowTokens: 1500 };
  const events: AnswerEvent[] = [];
  await checkWithModel({
    answer: { kind: 'written', model: 'writer', text, statements, citations },
    model,
    passages: far,
    signal: new AbortController().signal,
    emit: (event) => events.push(event),
  });
  assert.equal(model.prompts.length, 2);
  assert.deepEqual(
    events.flatMap((event) => (event.kind === 'checked' ? [event.statement.verdict] : [])),
    ['supported', 'partly'],
  );
});

test('a sentence that cited nothing cites what the model found it in', async () => {
  const { answer } = await check(scripted('1 SUPPORTED 1\n2 NOT FOUND'));
  const [citation] = answer.statements[1]!.citations.map((index) => answer.citations[index]);
  assert.equal(citation?.title, 'snow.txt');
  assert.equal(citation.number, 2);
  assert.deepEqual(answer.statements[2]!.citations, []);
});

test('a passage of another source than the cited one is marked as moved', async () => {
  const { answer } = await check(scripted('1: NOT FOUND\n2: PARTLY 1'));
  const { citations, moved } = answer.statements[2]!;
  assert.equal(answer.citations[citations[0]!]?.title, 'snow.txt');
  assert.equal(moved, true);
});

test('an error keeps the verdicts that had come; the sentences after it stay as they were', async () => {
  const failure = new NotebookError('connection', 'Nobody answers.');
  const { answer, error } = await check(scripted(['1 PARTLY 1\n', failure]));
  assert.equal(error, failure);
  assert.deepEqual(
    answer.statements.map(({ verdict, checkedBy }) => [verdict, checkedBy]),
    [
      ['supported', undefined],
      ['partly', 'judge-1'],
      ['partly', undefined],
    ],
  );
});

test('replies without a verdict change nothing, and where none has one that is said', async () => {
  const { answer, error } = await check(scripted('1 Maybe?\nI cannot say.'));
  assert.ok(answer.statements.every(({ checkedBy }) => checkedBy === undefined));
  assert.ok(error instanceof NotebookError);
  assert.match(error.message, /judge-1 gave no verdict/);
});

test('stopping stops, and what was checked is not asked about again', async () => {
  const controller = new AbortController();
  const model = scripted('SUPPORTED 1');
  controller.abort();
  const { error } = await check(model, controller.signal);
  assert.ok(error instanceof NotebookError && error.code === 'cancelled');
  assert.equal(model.prompts.length, 0);

  const { answer } = await check(scripted('1 SUPPORTED 1\n2 PARTLY 2'));
  const again = scripted('NOT FOUND');
  await checkWithModel({
    answer,
    model: again,
    passages: notebook,
    signal: new AbortController().signal,
    emit: () => undefined,
  });
  assert.equal(again.prompts.length, 0);
});

test('where the passages are gone, nobody is asked', async () => {
  const model = scripted('SUPPORTED 1');
  let error: unknown;
  await checkWithModel({
    answer: await answered(),
    model,
    passages: { ...notebook, at: () => Promise.resolve([]) },
    signal: new AbortController().signal,
    emit: () => undefined,
  }).catch((reason: unknown) => {
    error = reason;
  });
  assert.ok(error instanceof NotebookError);
  assert.match(error.message, /nothing to check it against/);
  assert.equal(model.prompts.length, 0);
});

test('a verdict is read from the first line, whatever stands around it, and never guessed', () => {
  const shown = [rain, snow].map((document) => makePassage(document));
  const read = (reply: string): unknown => {
    const verdict = readVerdict(reply, shown);
    return verdict && [verdict.verdict, verdict.passage?.sourceTitle];
  };
  assert.deepEqual(read('SUPPORTED 2'), ['supported', 'snow.txt']);
  assert.deepEqual(read('**Partly** [1], because it says more.'), ['partly', 'rain.txt']);
  assert.deepEqual(read('\n\nNot found.\nSUPPORTED 1'), ['not-found', undefined]);
  assert.deepEqual(read('contradicted by passage 1'), ['contradicted', 'rain.txt']);
  assert.deepEqual(read('The sentence is not supported.'), ['not-found', undefined]);
  assert.deepEqual(read('supported 9'), ['supported', undefined]);
  for (const reply of ['', 'SUPPORTED, PARTLY, CONTRADICTED or NOT FOUND', 'Yes.', '2', 'It insupports'])
    assert.equal(read(reply), undefined);
});
