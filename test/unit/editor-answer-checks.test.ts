import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import type { LanguageModel } from '../../src/answers/models/language-model.ts';
import type { FactChecker } from '../../src/features/chat/editor/answer-model.ts';
import { AnswerChecks } from '../../src/features/chat/editor/answer-checks.ts';
import { Conversation } from '../../src/features/chat/editor/conversation.ts';
import type { FactCheckOffer } from '../../src/features/chat/protocol.ts';
import type { Turn } from '../../src/core/domain/answer.ts';
import { makeGate } from '../support/gate.ts';
import { keepConversations, lines, type KeptConversations } from '../support/kept-conversations.ts';
import { makeNotebook, makePassage, type TestDocument } from './answering-fixtures.ts';

const rain: TestDocument = { id: 1, title: 'rain.txt', text: 'Rain falls in spring.' };
const text = 'Rain falls in autumn.';
const passages = makeNotebook([rain]);

let stored: KeptConversations;
let conversation: Conversation;
let checks: AnswerChecks;
let reply: () => AsyncIterable<string>;
let requestCount: number;
let checksAll: boolean;
let checker: Omit<FactChecker, 'model'>;
let offers: FactCheckOffer[];
const CONTRADICTED = '[{"n": 1, "verdict": "contradicted", "words": "falls in spring"}]';
const SUPPORTED = '[{"n": 1, "verdict": "supported", "words": "falls in spring"}]';
const log = lines();

const judge: LanguageModel = {
  name: 'judge-1',
  stream: () => {
    requestCount++;
    return reply();
  },
};

/** Streams some pieces. */
async function* saying(...pieces: readonly (string | Error)[]): AsyncIterable<string> {
  for (const piece of pieces) {
    await Promise.resolve();
    if (piece instanceof Error) throw piece;
    yield piece;
  }
}

beforeEach(async () => {
  stored = await keepConversations();
  requestCount = 0;
  checksAll = false;
  checker = { server: 'localhost', isAllowed: true };
  offers = [];
  log.messages.length = 0;
  reply = () => saying(CONTRADICTED);
  open();
});

/** Opens the conversation, as a window does when it loads. */
function open(): void {
  conversation = new Conversation({
    notebook: stored.notebook,
    scopes: { scopeFor: () => undefined },
    answer: async ({ emit }) => {
      const citations = await passages.cite([
        { number: 1, passage: makePassage(rain), span: { start: 0, end: rain.text.length } },
      ]);
      const statement = { start: 0, end: text.length, verdict: 'unchecked' as const, citations: [0] };
      emit({
        kind: 'started',
        answer: { kind: 'written', model: 'writer', text, statements: [statement], citations, read: [] },
      });
    },
    log,
  });
  checks = new AnswerChecks({
    conversation,
    checker: (_, onUsage) => {
      onUsage({ input: 7, output: 1, estimated: 0 });
      return Promise.resolve({ ...checker, model: judge });
    },
    consent: {
      ask: (offer) => offers.push(offer),
      decide: (agrees) => {
        checker = { ...checker, isAllowed: agrees };
        return Promise.resolve(offers.pop());
      },
    },
    passages: () => passages,
    checksAll: () => checksAll,
    log,
  });
}

afterEach(() => {
  checks.dispose();
  conversation.dispose();
});

const newest = (): Turn => stored.conversations.openNewest().turns.at(-1)!;

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

test('checks an answer only on request if the setting is off', async () => {
  await conversation.ask('When?');
  assert.equal(requestCount, 0);
  await checks.check(newest().id);
  assert.equal(requestCount, 1);
  assert.deepEqual(verdicts(), [['contradicted', 'judge-1']]);
  assert.deepEqual(newest().usage, { input: 7, output: 1, estimated: 0 });
  await checks.check(newest().id);
  assert.equal(requestCount, 2);
});

test('asks once, with the cost, before a model that may cost money checks every answer', async () => {
  checksAll = true;
  checker = { server: 'api.example.org', isAllowed: undefined, prices: { input: 1, output: 2 } };
  const isShown = checked();
  await conversation.ask('When?');
  await isShown;
  assert.equal(requestCount, 0);
  const [offer = assert.fail()] = offers;
  assert.deepEqual([offer.turnId, offer.model, offer.server], [newest().id, 'judge-1', 'api.example.org']);
  assert.ok(offer.tokens > 100 && (offer.cost ?? 0) > 0 && (offer.cost ?? 0) < 0.01, JSON.stringify(offer));
  await checks.decide(true);
  assert.deepEqual(verdicts(), [['contradicted', 'judge-1']]);
  const isChecked = checked();
  await conversation.ask('And when else?');
  await isChecked;
  assert.equal(requestCount, 2);
});

test('checks nothing automatically after the user declined', async () => {
  checksAll = true;
  checker = { server: 'api.example.org', isAllowed: false };
  const isShown = checked();
  await conversation.ask('When?');
  await isShown;
  assert.deepEqual([requestCount, offers], [0, []]);
  assert.deepEqual(verdicts(), [['unchecked', undefined]]);
});

test('applies a checked correction, and reverts it', async () => {
  await conversation.ask('When?');
  const { id } = newest();
  const replies = ['{"statement": "Rain falls in spring."}', SUPPORTED];
  reply = () => saying(replies.shift() ?? '');
  const { signal } = new AbortController();
  const proposed = await checks.correct(id, 0, signal);
  assert.deepEqual(proposed, {
    before: text,
    after: 'Rain falls in spring.',
    verdict: 'supported',
    deciding: 'falls in spring',
  });
  assert.equal(newest().answer?.text, text, 'Nothing changes before it is applied.');
  await checks.applyCorrection(id);
  assert.equal(newest().answer?.text, 'Rain falls in spring.');
  assert.deepEqual(verdicts(), [['supported', 'judge-1']]);
  await assert.rejects(checks.applyCorrection(id), { code: 'conflict' });
  await checks.undoCorrection(id);
  assert.equal(newest().answer?.text, text);
  assert.deepEqual(verdicts(), [['unchecked', undefined]]);
});

/** Asks a question, and applies a correction of its answer. Returns the turn's ID. */
async function askAndCorrect(): Promise<string> {
  await conversation.ask('When?');
  const { id } = newest();
  const replies = ['{"statement": "Rain falls in spring."}', SUPPORTED];
  reply = () => saying(replies.shift() ?? '');
  await checks.correct(id, 0, new AbortController().signal);
  await checks.applyCorrection(id);
  return id;
}

test('reverts a correction after the window was reloaded', async () => {
  const id = await askAndCorrect();
  checks.dispose();
  conversation.dispose();
  open();
  const [turn] = await conversation.turns();
  assert.equal(turn?.answer?.text, 'Rain falls in spring.');
  assert.equal(turn.answer.beforeCorrection?.text, text);
  await checks.undoCorrection(id);
  assert.equal(newest().answer?.text, text);
  assert.equal(newest().answer?.beforeCorrection, undefined);
  assert.deepEqual(verdicts(), [['unchecked', undefined]]);
});

test('reverts no correction of an earlier answer', async () => {
  const id = await askAndCorrect();
  await conversation.retry(id);
  assert.equal(newest().answer?.beforeCorrection, undefined);
  await assert.rejects(checks.undoCorrection(id), { code: 'conflict' });
  await conversation.showVersion(id, 1);
  await checks.undoCorrection(id);
  assert.equal(newest().answer?.text, text);
});

test('proposes nothing if the reply is malformed or changes nothing', async () => {
  await conversation.ask('When?');
  const { id } = newest();
  const { signal } = new AbortController();
  for (const words of ['Rain falls in spring.', `{"statement": "${text}"}`, '{"text": "Rain"}']) {
    reply = () => saying(words);
    await assert.rejects(checks.correct(id, 0, signal), /didn’t return a usable correction/);
  }
  reply = () => saying('{"statement": ""}');
  assert.equal((await checks.correct(id, 0, signal)).after, '');
  await checks.applyCorrection(id);
  assert.equal(newest().answer?.text, '');
});

test('checks every answer after it ends', async () => {
  checksAll = true;
  const isChecked = checked();
  await conversation.ask('When?');
  await isChecked;
  assert.deepEqual(verdicts(), [['contradicted', 'judge-1']]);
});

test('checks an answer after the next one if that was asked meanwhile', async () => {
  checksAll = true;
  const gate = makeGate();
  reply = async function* () {
    await gate.pass();
    yield CONTRADICTED;
  };
  await conversation.ask('When?');
  const { id } = newest();
  await gate.reached;
  reply = () => saying(CONTRADICTED);
  const bothChecked = new Promise<void>((resolve) => {
    const checkedTurns = new Set<string>();
    const listening = conversation.onDidAnswer(({ turnId, event }) => {
      if (event.kind !== 'checked' || checkedTurns.add(turnId).size < 2) return;
      listening.dispose();
      resolve();
    });
  });
  await conversation.ask('And where?');
  await bothChecked;
  gate.open();
  assert.equal(requestCount, 3);
  assert.notEqual(newest().id, id);
});

test('offers to pick another model if its reply to an automatic check is malformed', async () => {
  reply = () => saying('All statements are supported.');
  checksAll = true;
  const hasFailed = new Promise<void>((resolve) => checks.onDidChangeFailure(resolve));
  await conversation.ask('When?');
  await hasFailed;
  assert.match(checks.failure?.message ?? '', /^judge-1 didn’t return usable verdicts, so the answer isn’t/);
  assert.equal(checks.failure?.action, 'pickModel');
});

test('shows the failure of an automatic check, and reports that of a requested one', async () => {
  reply = () => saying(new Error('The line is dead.'));
  checksAll = true;
  const hasFailed = new Promise<void>((resolve) => checks.onDidChangeFailure(resolve));
  await conversation.ask('When?');
  await hasFailed;
  assert.deepEqual(log.messages, ['Checking an answer: The line is dead.']);
  const { id: turnId } = newest();
  assert.deepEqual(checks.failure, { turnId, message: 'The line is dead.', action: undefined });
  await assert.rejects(checks.check(turnId), /The line is dead/);
  assert.equal(checks.failure, undefined);
  assert.deepEqual(verdicts(), [['unchecked', undefined]]);
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
  test(`ends a check ${what} without further changes`, async () => {
    await conversation.ask('When?');
    const { id } = newest();
    const shown = await conversation.id();
    const gate = makeGate();
    reply = async function* () {
      await gate.pass();
      yield CONTRADICTED;
    };
    const checking = checks.check(id);
    await gate.reached;
    await checks.check(id);
    assert.equal(requestCount, 1, 'A second check of the same answer is none.');
    await end();
    await new Promise(setImmediate);
    gate.open();
    await checking;
    const [turn] = stored.conversations.allTurns(shown);
    assert.ok(turn?.answer?.kind === 'written');
    assert.equal(turn.answer.statements[0]?.verdict, 'unchecked');
  });
