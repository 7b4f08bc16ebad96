import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { Conversation } from '../../src/features/chat/editor/conversation.ts';
import type { TurnInput } from '../../src/features/chat/editor/saved-turn.ts';
import type { Turn } from '../../src/core/domain/answer.ts';
import { NotebookError } from '../../src/core/domain/errors.ts';
import { makeGate } from '../support/gate.ts';
import { testCitation } from '../support/test-citation.ts';
import { keepConversations, lines, type KeptConversations } from '../support/kept-conversations.ts';

let stored: KeptConversations;
let turnInputs: TurnInput[];
let answer: (input: TurnInput) => Promise<void>;
let conversation: Conversation;

/** Waits without an answer until it is stopped. */
const untilStopped = ({ signal }: TurnInput): Promise<void> =>
  new Promise((_, reject) => {
    const stop = (): void => {
      reject(new Error('Stopped.'));
    };
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop);
  });

beforeEach(async () => {
  stored = await keepConversations();
  turnInputs = [];
  answer = ({ emit }) => {
    emit({ kind: 'started', answer: { kind: 'nothing', text: 'Nothing.', citations: [] } });
    return Promise.resolve();
  };
  conversation = new Conversation({
    notebook: stored.notebook,
    scopes: { scopeFor: () => undefined },
    answer: (input) => {
      turnInputs.push(input);
      return answer(input);
    },
    log: lines(),
  });
});

afterEach(() => {
  conversation.dispose();
});

/** Delays every call of a method until the gate is opened. */
function hold(method: string) {
  const gate = makeGate();
  stored.before = async (called) => {
    if (called === method) await gate.pass();
  };
  return gate;
}

const describeTurns = (turns: readonly Turn[]): string[] =>
  turns.map(({ question, state, answer: given }) =>
    [question, state.kind, ...(given === undefined ? [] : [given.text])].join(' '),
  );

/** Resolves when a question reaches the answering function. */
const beingAsked = (question: string): Promise<void> =>
  new Promise((resolve) => {
    const next = answer;
    answer = (input) => {
      if (input.turn.question === question) resolve();
      return next(input);
    };
  });

const newest = (): readonly Turn[] => stored.conversations.openNewest().turns;

test('answers and saves a question', async () => {
  await conversation.ask('Why?');
  assert.deepEqual(describeTurns(newest()), ['Why? done Nothing.']);
  assert.deepEqual(describeTurns(await conversation.turns()), describeTurns(newest()));
});

test('answers the second of two questions asked while loading, and saves the first as stopped', async () => {
  const loading = hold('conversation');
  answer = untilStopped;
  const first = conversation.ask('First?');
  const second = conversation.ask('Second?');
  const secondIsAsked = beingAsked('Second?');
  await loading.reached;
  loading.open();
  await secondIsAsked;
  await first;
  assert.deepEqual(describeTurns(newest()), ['First? stopped', 'Second? answering']);
  conversation.stop();
  await second;
  assert.deepEqual(describeTurns(newest()), ['First? stopped', 'Second? stopped']);
  // A question that is stopped before it starts sends no request.
  assert.deepEqual(
    turnInputs.map(({ turn }) => turn.question),
    ['Second?'],
  );
});

test('stops a question that is asked while the conversation loads', async () => {
  const loading = hold('conversation');
  const asking = conversation.ask('Why?');
  await loading.reached;
  conversation.stop();
  loading.open();
  await asking;
  assert.deepEqual(describeTurns(newest()), ['Why? stopped']);
  assert.equal(turnInputs.length, 0);
});

test('answers a question in its own conversation, even if another one is shown by then', async () => {
  const gate = makeGate();
  answer = () => gate.pass();
  const first = conversation.ask('First?');
  await gate.reached;
  const { id } = stored.conversations.openNewest();
  const second = conversation.ask('Second?');
  await conversation.startNew();
  await Promise.all([first, second]);
  assert.deepEqual(describeTurns(stored.conversations.allTurns(id)), ['First? stopped', 'Second? stopped']);
  assert.deepEqual(await conversation.turns(), []);
});

test('shows the end of an answer after the conversation is opened again', async () => {
  const gate = makeGate();
  answer = async ({ emit }) => {
    emit({ kind: 'started', answer: { kind: 'nothing', text: 'So far.', citations: [] } });
    await gate.pass();
  };
  const asking = conversation.ask('Why?');
  await gate.reached;
  const { id } = stored.conversations.openNewest();
  await conversation.show(id);
  await asking;
  assert.deepEqual(describeTurns(await conversation.turns()), ['Why? stopped So far.']);
  const [turn] = await conversation.turns();
  await conversation.rate(turn!.id, 'good');
  assert.deepEqual(describeTurns(newest()), ['Why? stopped So far.']);
  gate.open();
});

test('restores a question in its place while another one is answered', async () => {
  await conversation.ask('First?');
  const [turn] = await conversation.turns();
  answer = untilStopped;
  const isAsked = beingAsked('Second?');
  const asking = conversation.ask('Second?');
  await isAsked;
  const removed = await conversation.removeTurn(turn!.id);
  await removed!.undo();
  await asking;
  assert.deepEqual(describeTurns(await conversation.turns()), ['First? done Nothing.', 'Second? stopped']);
  assert.deepEqual(describeTurns(newest()), describeTurns(await conversation.turns()));
});

test('stops an answer that ignores the signal', async () => {
  const gate = makeGate();
  answer = () => gate.pass();
  const asking = conversation.ask('Why?');
  await gate.reached;
  conversation.stop();
  await asking;
  assert.deepEqual(describeTurns(newest()), ['Why? stopped']);
  gate.open();
});

test('doesn’t stop a question that replaces an earlier one in its place', async () => {
  answer = untilStopped;
  const isAsked = beingAsked('Why?');
  const first = conversation.ask('Why?');
  await isAsked;
  const [turn] = await conversation.turns();
  answer = ({ emit }) => {
    emit({ kind: 'started', answer: { kind: 'nothing', text: 'So.', citations: [] } });
    return Promise.resolve();
  };
  const states: string[] = [];
  conversation.onDidChangeTurn((changed) => states.push(...describeTurns([changed])));
  await Promise.all([first, conversation.retry(turn!.id, { question: 'Why not?' })]);
  assert.deepEqual(states, ['Why? stopped', 'Why not? answering', 'Why not? done So.']);
  assert.deepEqual(describeTurns(newest()), ['Why not? done So.']);
});

test('deletes a question while it is answered, and restores it', async () => {
  answer = untilStopped;
  const isAsked = beingAsked('Why?');
  const asking = conversation.ask('Why?');
  await isAsked;
  const [turn] = await conversation.turns();
  const removed = await conversation.removeTurn(turn!.id);
  await asking;
  assert.deepEqual([await conversation.turns(), newest()], [[], []]);
  await removed!.undo();
  assert.deepEqual(describeTurns(await conversation.turns()), ['Why? interrupted']);
});

test('leaves the notebook only after the question is saved', async () => {
  answer = untilStopped;
  void conversation.ask('First?');
  void conversation.ask('Second?');
  await conversation.setDraft('Third');
  await conversation.leave();
  assert.deepEqual(describeTurns(newest()), ['First? stopped', 'Second? stopped']);
  assert.equal(stored.conversations.openNewest().draft, 'Third');
});

test('shows an error in place of the answer', async () => {
  answer = () => Promise.reject(new Error('Broken.'));
  await conversation.ask('Why?');
  assert.deepEqual(newest()[0]?.state, {
    kind: 'failed',
    failure: { message: 'Couldn’t answer the question. See the log for details.', action: 'showLog' },
  });
});

test('loads a conversation again with the next question if loading failed', async () => {
  stored.before = (method) =>
    method === 'conversation' ? Promise.reject(new Error('Gone.')) : Promise.resolve();
  await assert.rejects(conversation.ask('Why?'), /Gone/);
  stored.before = () => Promise.resolve();
  await conversation.ask('Why now?');
  assert.deepEqual(describeTurns(newest()), ['Why now? done Nothing.']);
});

test('saves ratings, edits, and usage with the turn', async () => {
  await conversation.ask('Why?');
  const { id } = newest()[0]!;
  await conversation.rate(id, 'good');
  await conversation.addUsage(id, { input: 2, output: 1, estimated: 0 });
  await conversation.addUsage(id, { input: 2, output: 1, estimated: 0 });
  const [turn] = newest();
  assert.equal(turn?.rating, 'good');
  assert.deepEqual(turn.usage, { input: 4, output: 2, estimated: 0 });
});

test('keeps earlier answers with valid citations when a question is asked again', async () => {
  const say = (text: string): void => {
    answer = ({ emit }) => {
      const citations = [testCitation({ quote: `${text} cited` })];
      emit({ kind: 'started', answer: { kind: 'nothing', text, citations } });
      return Promise.resolve();
    };
  };
  say('One.');
  await conversation.ask('Why?');
  const [{ id: turnId }] = (await conversation.turns()) as [Turn];
  say('Two.');
  await conversation.retry(turnId);
  say('Three.');
  await conversation.retry(turnId, { question: 'Why not?' });
  assert.deepEqual(describeTurns(await conversation.turns()), ['Why not? done Three.']);
  const changes: (number | undefined)[] = [];
  conversation.onDidChangeTurn(({ version }) => changes.push(version?.position));
  await conversation.showVersion(turnId, 1);
  assert.deepEqual(describeTurns(await conversation.turns()), ['Why? done One.']);
  assert.deepEqual(describeTurns(newest()), ['Why? done One.']);
  assert.equal((await conversation.citation(turnId, 0)).quote, 'One. cited');
  assert.deepEqual(changes, [1]);
  const removed = await conversation.removeTurn(turnId);
  assert.equal(removed?.answers, 3);
  await removed.undo();
  await conversation.showVersion(turnId, 2);
  assert.deepEqual(describeTurns(await conversation.turns()), ['Why? done Two.']);
  assert.deepEqual((await conversation.turns())[0]?.version?.count, 3);
});

test('keeps an answer if it can’t be saved as an earlier version', async () => {
  await conversation.ask('Why?');
  const [{ id: turnId }] = (await conversation.turns()) as [Turn];
  stored.before = (method) =>
    method === 'askAgain' ? Promise.reject(new NotebookError('disk-full', 'No space.')) : Promise.resolve();
  await conversation.retry(turnId);
  assert.deepEqual(describeTurns(await conversation.turns()), ['Why? failed']);
  assert.deepEqual(describeTurns(newest()), ['Why? done Nothing.']);
});
