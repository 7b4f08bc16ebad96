import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import type { LanguageModel } from '../../src/answering/models/language-model.ts';
import { AnswerChecks } from '../../src/editor/chat/answer-checks.ts';
import { Conversation } from '../../src/editor/chat/conversation.ts';
import type { Turn } from '../../src/notebook/answer.ts';
import { makeGate } from '../support/gate.ts';
import { keepConversations, lines, type KeptConversations } from '../support/kept-conversations.ts';
import { makeNotebook, makePassage, type TestDocument } from './answering-fixtures.ts';

const rain: TestDocument = { id: 1, title: 'rain.txt', text: 'Rain falls in spring.' };
const text = 'Rain falls in autumn.';
const passages = makeNotebook([rain]);

let kept: KeptConversations;
let conversation: Conversation;
let checks: AnswerChecks;
let reply: () => AsyncIterable<string>;
let asked: number;
let checksAll: boolean;
const log = lines();

const judge: LanguageModel = {
  name: 'judge-1',
  stream: () => {
    asked++;
    return reply();
  },
};

/** A stream of pieces. */
async function* saying(...pieces: readonly (string | Error)[]): AsyncIterable<string> {
  for (const piece of pieces) {
    await Promise.resolve();
    if (piece instanceof Error) throw piece;
    yield piece;
  }
}

beforeEach(async () => {
  kept = await keepConversations();
  asked = 0;
  checksAll = false;
  log.told.length = 0;
  reply = () => saying('1 CONTRADICTED 1\n');
  conversation = new Conversation({
    notebook: kept.notebook,
    scopes: { scopeFor: () => undefined },
    answer: async ({ emit }) => {
      const citations = await passages.cite([
        { number: 1, passage: makePassage(rain), span: { start: 0, end: rain.text.length } },
      ]);
      const statement = { start: 0, end: text.length, verdict: 'partly' as const, citations: [0] };
      emit({
        kind: 'started',
        answer: { kind: 'written', model: 'writer', text, statements: [statement], citations, read: [] },
      });
    },
    log,
  });
  checks = new AnswerChecks({
    conversation,
    model: (_, onUsage) => {
      onUsage({ input: 7, output: 1, estimated: 0 });
      return Promise.resolve({ model: judge });
    },
    passages: () => passages,
    checksAll: () => checksAll,
    log,
  });
});

afterEach(() => {
  checks.dispose();
  conversation.dispose();
  kept.close();
});

const newest = (): Turn => kept.conversations.openNewest().turns.at(-1)!;

const verdicts = (): unknown[] => {
  const { answer } = newest();
  return answer?.kind === 'written'
    ? answer.statements.map(({ verdict, checkedBy }) => [verdict, checkedBy])
    : [];
};

/** Resolves when a turn is shown again after a check. */
const checked = (): Promise<void> =>
  new Promise((resolve) => {
    let ends = 0;
    const listening = conversation.onDidChangeTurn(({ state }) => {
      if (state.kind === 'done' && ++ends === 2) {
        listening.dispose();
        resolve();
      }
    });
  });

test('nothing is checked unless it is asked for; what the model says and took is kept with the answer', async () => {
  await conversation.ask('When?');
  assert.equal(asked, 0);
  await checks.check(newest().id);
  assert.equal(asked, 1);
  assert.deepEqual(verdicts(), [['contradicted', 'judge-1']]);
  assert.deepEqual(newest().usage, { input: 7, output: 1, estimated: 0 });
  // What the model has checked is in doubt no more.
  await checks.check(newest().id);
  assert.equal(asked, 1);
});

test('by the setting every answer is checked when it has ended', async () => {
  checksAll = true;
  const isChecked = checked();
  await conversation.ask('When?');
  await isChecked;
  assert.deepEqual(verdicts(), [['contradicted', 'judge-1']]);
});

test('a check of its own accord that fails is written down, one that was asked for is told', async () => {
  reply = () => saying(new Error('The line is dead.'));
  checksAll = true;
  const isChecked = checked();
  await conversation.ask('When?');
  await isChecked;
  await new Promise(setImmediate);
  assert.deepEqual(log.told, ['Checking an answer: The line is dead.']);
  await assert.rejects(checks.check(newest().id), /The line is dead/);
  assert.deepEqual(verdicts(), [['partly', undefined]]);
});

for (const [what, end] of [
  [
    'stopped',
    () => {
      checks.stop(newest().id);
      return Promise.resolve();
    },
  ],
  ['of a conversation that is left', () => conversation.startNew()],
  ['of a question that is asked again', () => conversation.retry(newest().id)],
] as const)
  test(`a check ${what} ends, and changes nothing any more`, async () => {
    await conversation.ask('When?');
    const { id } = newest();
    const shown = await conversation.id();
    const gate = makeGate();
    reply = async function* () {
      await gate.pass();
      yield '1 SUPPORTED 1\n';
    };
    const checking = checks.check(id);
    await gate.reached;
    await checks.check(id);
    assert.equal(asked, 1, 'A second check of the same answer is none.');
    await end();
    await new Promise(setImmediate);
    gate.open();
    await checking;
    const [turn] = kept.conversations.allTurns(shown);
    assert.ok(turn?.answer?.kind === 'written');
    assert.equal(turn.answer.statements[0]?.verdict, 'partly');
  });
