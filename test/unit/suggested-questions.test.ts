import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { LanguageModel } from '../../src/answers/models/language-model.ts';
import { questionsIn } from '../../src/answers/question/suggested-questions.ts';
import type { Conversation } from '../../src/features/chat/editor/conversation.ts';
import { SuggestedQuestions } from '../../src/features/chat/editor/suggested-questions.ts';
import { Emitter } from '../../src/platform/emitter.ts';
import type { NotebookClient } from '../../src/platform/notebook-client.ts';
import type { Turn } from '../../src/core/domain/answer.ts';
import type { Outline, SuggestingModels } from '../../src/core/domain/suggestions.ts';
import { lines } from '../support/kept-conversations.ts';
import { testCitation } from '../support/test-citation.ts';

const REPLY = '1. Why does basil help tomatoes?\n2. When is the barrel filled?\n3. Who waters in August?\n';
const WRITTEN = ['Why does basil help tomatoes?', 'When is the barrel filled?', 'Who waters in August?'];
const FROM_HEADING = 'How often are beans watered?';

const turn: Turn = {
  id: 'turn',
  question: 'How often are tomatoes watered?',
  askedAt: 0,
  state: { kind: 'done', milliseconds: 5 },
  answer: {
    kind: 'written',
    model: 'm',
    text: 'Every morning.',
    statements: [{ start: 0, end: 14, verdict: 'supported', citations: [0] }],
    citations: [testCitation({ documentId: 1, span: { start: 0, end: 10 } })],
  },
};

const garden: Outline = {
  documentId: 1,
  title: 'garden.md',
  headings: [
    { offset: 0, level: 1, title: 'Garden' },
    { offset: 200, level: 2, title: FROM_HEADING },
  ],
};

describe('suggested questions', () => {
  const turnChanged = new Emitter<Turn>();
  const notebookChanged = new Emitter<void>();
  const log = lines();
  let outlines: readonly Outline[];
  let suggesting: SuggestingModels;
  let isMetered: boolean;
  let requests: string[];
  let usages: string[];
  let reply: (signal: AbortSignal) => AsyncIterable<string>;

  const model: LanguageModel = {
    name: 'scripted-1',
    stream(messages, { signal }) {
      requests.push(messages.map(({ content }) => content).join('\n'));
      return reply(signal);
    },
  };

  function makeSuggested(): SuggestedQuestions {
    const conversation: Partial<Conversation> = {
      turns: () => Promise.resolve([turn]),
      id: () => Promise.resolve('conversation'),
      addUsage: (id) => Promise.resolve(void usages.push(id)),
      showAgain: () => Promise.resolve(),
      onDidChangeTurn: turnChanged.event,
      onDidReplace: new Emitter<void>().event,
    };
    const call = (_method: string, { documentIds }: { readonly documentIds?: readonly number[] }) =>
      Promise.resolve(outlines.filter(({ documentId }) => documentIds?.includes(documentId) !== false));
    return new SuggestedQuestions({
      notebook: { call, onDidChange: notebookChanged.event } as unknown as NotebookClient,
      conversation: conversation as Conversation,
      model: (_id, onUsage) => {
        onUsage({ input: 1, output: 1, estimated: 0 });
        return Promise.resolve({ model, isMetered });
      },
      passages: () => ({ overview: () => Promise.resolve([]) }),
      suggestingModels: () => suggesting,
      log,
    });
  }

  beforeEach(() => {
    outlines = [garden];
    suggesting = 'free';
    isMetered = false;
    requests = [];
    usages = [];
    reply = async function* () {
      await Promise.resolve();
      yield REPLY;
    };
  });

  it('come from the model, which is asked once for the same answer', async () => {
    const suggested = makeSuggested();
    assert.deepEqual(await Promise.all([suggested.of('turn'), suggested.of('turn')]), [WRITTEN, WRITTEN]);
    assert.deepEqual(await suggested.of('turn'), WRITTEN);
    assert.equal(requests.length, 1);
    assert.match(requests[0] ?? '', /How often are tomatoes watered\?[^]*Every morning\./);
    assert.equal(usages[0], 'turn');
  });

  it('cost nothing unless the user allows it', async () => {
    isMetered = true;
    assert.deepEqual(await makeSuggested().of('turn'), [FROM_HEADING]);
    suggesting = 'always';
    assert.deepEqual(await makeSuggested().of('turn'), WRITTEN);
    suggesting = 'never';
    assert.deepEqual(await makeSuggested().of(undefined), [FROM_HEADING]);
    assert.equal(requests.length, 1);
  });

  it('come from headings if the model fails or writes nothing that can be shown', async () => {
    reply = async function* () {
      await Promise.resolve();
      yield 'Here is what garden.md says.';
    };
    assert.deepEqual(await makeSuggested().of('turn'), [FROM_HEADING]);
    reply = () => {
      throw new Error('The endpoint doesn’t answer.');
    };
    assert.deepEqual(await makeSuggested().of('turn'), [FROM_HEADING]);
  });

  it('end their request when the user asks a question', async () => {
    let isAborted = false;
    const suggested = makeSuggested();
    reply = async function* (signal) {
      turnChanged.fire({ ...turn, id: 'next', state: { kind: 'answering' } });
      isAborted = signal.aborted;
      yield await Promise.resolve('Why does');
    };
    assert.deepEqual(await suggested.of('turn'), [FROM_HEADING]);
    assert.ok(isAborted);
    suggested.dispose();
  });

  it('are deleted with their source', async () => {
    const suggested = makeSuggested();
    assert.deepEqual(await suggested.of('turn'), WRITTEN);
    const changed = new Promise<void>((resolve) => {
      suggested.onDidChange(resolve);
    });
    outlines = [];
    notebookChanged.fire();
    await changed;
    assert.deepEqual(await suggested.of('turn'), []);
    suggested.dispose();
  });

  it('are short questions without raw titles, links, or earlier questions', () => {
    const titles = ['Annual_Report_2024.pdf', 'What Is The Ultimate Best Yoga Mat? My Top Picks', 'Herons'];
    const asked = ['How often are tomatoes watered?'];
    const read = (reply: string): string[] => questionsIn(reply, { titles, previousQuestions: asked });
    assert.deepEqual(
      read(
        [
          'Here are three questions:',
          '- What does Annual_Report_2024.pdf say about risks?',
          '- What about What Is The Ultimate Best Yoga Mat? My Top Picks?',
          '- HOW OFTEN are tomatoes watered?',
          '- Tell me more about beans.',
          `- ${'Why '.repeat(40)}?`,
          '- See [this](https://example.org)?',
        ].join('\n'),
      ).slice(0, 3),
      [],
    );
    assert.deepEqual(read('Where do herons nest?\nWhere do herons nest?\n水桶什么时候装满水？'), [
      'Where do herons nest?',
      '水桶什么时候装满水？',
    ]);
  });
});
