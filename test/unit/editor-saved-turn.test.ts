import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { answerAndSave, type TurnInput } from '../../src/features/chat/editor/saved-turn.ts';
import {
  withInterruption,
  loadConversation,
  type LoadedConversation,
} from '../../src/features/chat/editor/loaded-conversation.ts';
import { applyAnswerEvents, type AnswerEvent, type Turn } from '../../src/core/domain/answer.ts';
import { NotebookError } from '../../src/core/domain/errors.ts';
import { assertLinear } from '../support/growth.ts';
import { keepConversations, lines, type KeptConversations } from '../support/kept-conversations.ts';
import { until } from '../support/until.ts';

let storedConversations: KeptConversations;
let conversation: LoadedConversation;
const log = lines();

beforeEach(async () => {
  storedConversations = await keepConversations();
  conversation = await loadConversation(storedConversations.notebook, undefined);
  log.messages.length = 0;
});

const makeTurn = (id: string, question: string): Turn => ({
  id,
  question,
  askedAt: 1,
  state: { kind: 'answering' },
  answer: undefined,
});

const started: AnswerEvent = { kind: 'started', answer: { kind: 'nothing', text: 'No.', citations: [] } };

/** Answers a turn and returns the states that it reported. */
async function keep(
  turn: Turn,
  answer: (input: TurnInput) => Promise<void>,
  signal = new AbortController().signal,
): Promise<string[]> {
  const states: string[] = [];
  await answerAndSave({
    notebook: storedConversations.notebook,
    answer,
    conversation,
    turn,
    like: undefined,
    signal,
    log,
    onTurn: ({ state }) => states.push(state.kind),
    onAnswer: ({ event }) => states.push(event.kind),
  });
  return states;
}

const stored = (): readonly Turn[] => storedConversations.conversations.openNewest().turns;

test('saves the question before any request, and gives earlier turns to the answer', async () => {
  await keep(makeTurn('1', 'First?'), () => Promise.resolve());
  const states = await keep(makeTurn('2', 'Second?'), ({ before, conversationId, emit }) => {
    assert.deepEqual(
      stored().map(({ question, state }) => [question, state.kind]),
      [
        ['First?', 'done'],
        ['Second?', 'answering'],
      ],
    );
    assert.deepEqual(
      before.map(({ question }) => question),
      ['First?'],
    );
    assert.equal(conversationId, conversation.id);
    emit(started);
    return Promise.resolve();
  });
  assert.deepEqual(states, ['answering', 'started', 'done']);
});

test('catches up at the next save after one fails', async () => {
  let refusals = 1;
  storedConversations.before = (method) =>
    method === 'putTurn' && refusals-- > 0
      ? Promise.reject(new NotebookError('disk-full', 'Full.'))
      : Promise.resolve();
  await keep(makeTurn('1', 'First?'), () => assert.fail('Nothing is asked that is not kept.'));
  assert.deepEqual(
    stored().map(({ question, state }) => [question, state.kind]),
    [['First?', 'failed']],
  );
});

test('adds up the usage of models, and saves it even if the answer fails', async () => {
  await keep(makeTurn('1', 'Why?'), ({ onUsage }) => {
    onUsage({ input: 10, output: 1, estimated: 0 });
    onUsage({ input: 20, output: 2, estimated: 3 });
    return Promise.reject(new NotebookError('unauthorized', 'The key is wrong.', { action: 'setApiKey' }));
  });
  const [turn] = stored();
  assert.deepEqual(turn?.usage, { input: 30, output: 3, estimated: 3 });
  assert.deepEqual(turn.state, {
    kind: 'failed',
    failure: { message: 'The key is wrong.', action: 'setApiKey' },
  });
  assert.deepEqual(log.messages, []);
});

test('saves a growing answer from time to time and at its end', async () => {
  let puts = 0;
  storedConversations.before = (method) => {
    if (method === 'putTurn') puts++;
    return Promise.resolve();
  };
  await keep(makeTurn('1', 'Why?'), ({ emit }) => {
    emit({
      kind: 'started',
      answer: { kind: 'written', model: 'm', text: '', statements: [], citations: [], read: [] },
    });
    for (let piece = 0; piece < 100; piece++) emit({ kind: 'text', delta: 'word ' });
    return Promise.resolve();
  });
  assert.ok(puts < 50, `It was kept ${String(puts)} times.`);
  assert.equal(stored()[0]?.answer?.text, 'word '.repeat(100));
});

test('saves the words of an answer before it ends', async () => {
  await keep(makeTurn('1', 'First?'), async ({ emit }) => {
    emit(started);
    emit({ kind: 'started', answer: { kind: 'nothing', text: 'No words of this match.', citations: [] } });
    await until(() => stored()[0]?.answer?.text === 'No words of this match.');
  });
});

test('ignores events after a stop', async () => {
  const controller = new AbortController();
  const states = await keep(
    makeTurn('1', 'Why?'),
    ({ emit }) => {
      controller.abort();
      emit(started);
      return Promise.resolve();
    },
    controller.signal,
  );
  assert.deepEqual(states, ['answering', 'stopped']);
  assert.equal(stored()[0]?.answer, undefined);
});

test('reports a question that can’t be saved as failed, and sends no request', async () => {
  storedConversations.before = () => Promise.reject(new NotebookError('disk-full', 'The disk is full.'));
  const states = await keep(makeTurn('1', 'Why?'), () => assert.fail('Nobody is to be asked.'));
  assert.deepEqual(states, ['answering', 'failed']);
  assert.deepEqual(conversation.turns[0]?.state, {
    kind: 'failed',
    failure: { message: 'The disk is full.', action: undefined },
  });
  assert.equal(log.messages.length, 1);
});

test('marks a turn of a closed window as interrupted', () => {
  assert.deepEqual(withInterruption(makeTurn('1', 'Why?')).state, { kind: 'interrupted' });
  const done: Turn = { ...makeTurn('1', 'Why?'), state: { kind: 'stopped' } };
  assert.equal(withInterruption(done), done);
});

test('saves an answer of many sentences in linear time', async () => {
  await keep(makeTurn('1', 'Why?'), ({ emit }) => {
    assertLinear((count) => {
      emit({
        kind: 'started',
        answer: { kind: 'written', model: 'm', text: '', statements: [], citations: [], read: [] },
      });
      for (let index = 0; index < count; index++) {
        emit({ kind: 'text', delta: 'A.' });
        const statement = {
          start: 2 * index,
          end: 2 * index + 2,
          verdict: 'supported',
          citations: [],
        } as const;
        emit({ kind: 'statement', statement, newCitations: [] });
      }
      const { answer } = conversation.turns[0] ?? {};
      assert.equal(answer?.kind === 'written' && answer.statements.length, count);
    }, 500);
    return Promise.resolve();
  });
  assert.deepEqual(log.messages, []);
  const { answer } = stored()[0] ?? {};
  assert.ok(answer?.kind === 'written');
  assert.equal(answer.text.length, 2 * answer.statements.length);
});

const begunAnswer: readonly AnswerEvent[] = [
  {
    kind: 'started',
    answer: { kind: 'written', model: 'm', text: '', statements: [], citations: [], read: [] },
  },
  { kind: 'text', delta: 'The barrel holds 200 liters.' },
  {
    kind: 'statement',
    statement: { start: 0, end: 28, verdict: 'supported', citations: [] },
    newCitations: [],
  },
  { kind: 'text', delta: '\n\n## Compost\n\nThe compost is turned in March. It is sieved in the' },
];

const verdicts = (turn: Turn | undefined): string[] | undefined =>
  turn?.answer?.kind === 'written'
    ? turn.answer.statements.map(
        ({ start, end, verdict }) => `${verdict}: ${turn.answer!.text.slice(start, end)}`,
      )
    : undefined;

const withUnchecked = [
  'supported: The barrel holds 200 liters.',
  'unchecked: The compost is turned in March.',
  'unchecked: It is sieved in the',
];

test('marks the last sentences of a stopped answer as unchecked', async () => {
  const controller = new AbortController();
  await keep(
    makeTurn('1', 'Why?'),
    ({ emit }) => {
      for (const event of begunAnswer) emit(event);
      controller.abort();
      return Promise.resolve();
    },
    controller.signal,
  );
  const [turn] = stored();
  assert.equal(turn?.state.kind, 'stopped');
  assert.deepEqual(verdicts(turn), withUnchecked);
});

test('marks the last sentences of an answer as unchecked if its window was closed', async () => {
  const answer = applyAnswerEvents(undefined, begunAnswer);
  const turn: Turn = { ...makeTurn('1', 'Why?'), answer };
  await storedConversations.notebook.call('putTurn', { conversationId: conversation.id, turn });
  const loaded = await loadConversation(storedConversations.notebook, undefined);
  assert.equal(loaded.turns[0]?.state.kind, 'interrupted');
  assert.deepEqual(verdicts(loaded.turns[0]), withUnchecked);
});
