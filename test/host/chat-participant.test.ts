import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { LanguageModel } from '../../src/answers/models/language-model.ts';
import {
  registerParticipant,
  type AnswerChecker,
} from '../../src/features/agents/editor/chat-participant.ts';
import type { CitationOpener } from '../../src/features/citations/editor/citation-opener.ts';
import { editorModels, OWN_VENDOR } from '../../src/features/models/editor/editor-models.ts';
import type { Embedder } from '../../src/features/semantic-search/editor/embedder.ts';
import { UsageMeter } from '../../src/features/models/editor/usage-meter.ts';
import { NotebookError } from '../../src/core/domain/errors.ts';
import { openToAdd, type AddingNotebook } from '../support/host-sources.ts';
import { instead } from '../support/instead.ts';
import { makeJudge } from '../support/judge.ts';
import { until } from '../support/until.ts';

/** Model with one answer. */
function answeringModel(reply: string): LanguageModel {
  return {
    name: 'Scripted',
    windowTokens: 8_000,
    async *stream() {
      yield await Promise.resolve(reply);
    },
  };
}

/** Returns how the fact checker of a model is opened. */
function checkedBy(
  model: LanguageModel,
  consent: Partial<Pick<AnswerChecker, 'isAllowed' | 'server'>> = { isAllowed: true },
): () => Promise<AnswerChecker> {
  return () => Promise.resolve({ model, server: 'localhost', isAllowed: undefined, ...consent });
}

suite('@notebook in a chat without models', () => {
  const log = vscode.window.createOutputChannel('Participant', { log: true });
  let own: AddingNotebook;
  let answer: vscode.ChatRequestHandler;
  let participant: vscode.Disposable;
  let ownModel: () => Promise<LanguageModel | undefined>;
  let factChecker: () => Promise<AnswerChecker | undefined>;
  let shown: string;
  let buttons: string[];

  suiteSetup(async () => {
    own = openToAdd('participant-', log);
    const file = join(own.home, 'garden.md');
    writeFileSync(file, '# The garden\n\nTomatoes are watered every second morning with rainwater.\n');
    const source = await own.notebook.call('addSource', {
      title: 'garden.md',
      origin: { kind: 'file', uri: vscode.Uri.file(file).toString() },
    });
    await own.reader.read(source);
    const register = (): Promise<vscode.Disposable> =>
      Promise.resolve(
        registerParticipant({
          extensionUri: vscode.Uri.file('/'),
          notebook: own.notebook,
          embedder: { embedQuestion: () => Promise.resolve(undefined) } as unknown as Embedder,
          ownModel: () => ownModel(),
          factChecker: () => factChecker(),
          opener: {} as CitationOpener,
          meter: new UsageMeter(own.notebook, log),
        }),
      );
    const createParticipant = (_id: string, handler: vscode.ChatRequestHandler): object => {
      answer = handler;
      return { dispose: () => undefined };
    };
    const registerCommand = (): vscode.Disposable => new vscode.Disposable(() => undefined);
    participant = await instead(
      { createChatParticipant: createParticipant },
      () => instead({ registerCommand }, register, vscode.commands),
      vscode.chat,
    );
  });

  suiteTeardown(async () => {
    participant.dispose();
    await own.end();
  });

  setup(() => {
    [shown, buttons] = ['', []];
    factChecker = () => Promise.resolve(undefined);
  });

  /** Asks as the editor does when it has no other model than ours. */
  const ask = async (
    prompt: string,
    command?: string,
    history: vscode.ChatContext['history'] = [],
  ): Promise<vscode.ChatResult> => {
    const request = { prompt, command, model: { vendor: OWN_VENDOR } } as unknown as vscode.ChatRequest;
    const stream = {
      progress: () => undefined,
      reference: () => undefined,
      markdown: (part: vscode.MarkdownString | string) => {
        shown += typeof part === 'string' ? part : part.value;
      },
      button: ({ command }: vscode.Command) => {
        buttons.push(command);
      },
    } as unknown as vscode.ChatResponseStream;
    const { token } = new vscode.CancellationTokenSource();
    return (await answer(request, { history }, stream, token)) ?? {};
  };

  test('answers with excerpts when the notebook has no model', async () => {
    ownModel = () => Promise.resolve(undefined);
    assert.equal((await ask('How often are tomatoes watered?')).errorDetails, undefined);
    assert.match(shown, /every second morning/);
  });

  test('quotes without a model', async () => {
    ownModel = () => Promise.reject(new Error('It asked for the model.'));
    await ask('How often are tomatoes watered?', 'quote');
    assert.match(shown, /every second morning/);
  });

  test('lists the sources', async () => {
    await ask('', 'sources');
    assert.match(shown, /garden\\\.md\*\* · 1 passage/);
  });

  test('answers with the model of the notebook', async () => {
    ownModel = () => Promise.resolve(answeringModel('They get water every second morning [1].'));
    await ask('How often are tomatoes watered?');
    assert.match(shown, /They get water every second morning\. \[\\\[1\\\]\]\(command:/);
  });

  test('marks what no model has checked', async () => {
    ownModel = () => Promise.resolve(answeringModel('They get water every second morning [1].'));
    await ask('How often are tomatoes watered?');
    assert.match(shown, /_\\\[not fact-checked\\\]_/);
  });

  test('marks the verdicts of the fact check', async () => {
    const reply = 'Tomatoes get rainwater every second morning [1].\n\nTomatoes get milk at night [1].';
    ownModel = () => Promise.resolve(answeringModel(reply));
    const judge = makeJudge((statement) => statement.includes('rainwater'));
    factChecker = checkedBy(judge);
    await ask('How often are tomatoes watered?');
    assert.deepEqual(judge.prompts, [
      'Tomatoes get rainwater every second morning.',
      'Tomatoes get milk at night.',
    ]);
    assert.match(
      shown,
      /second morning\. \[\\\[1\\\]\]\(command:[^)]*\)\s+Tomatoes get milk at night\. _\\\[unsupported\\\]_/,
    );
  });

  /** Returns the shown Markdown as the editor displays it, with the marks of citations without their links. */
  const read = (): string =>
    shown
      .replaceAll(/(\[\\\[\d+\\\]\])\(command:[^\s"(]* "[^"]*"\)/g, '$1')
      .replaceAll(/\\([^\w\s])/g, '$1')
      .replaceAll(/_(\[[^\]]+\])_/g, '$1');

  const WATERED = 'They get water every second morning.';

  /** Asks about an answer with the model's verdict on its only statement. */
  const askWithVerdict = async (verdict: string, words = 'every second morning'): Promise<string> => {
    ownModel = () => Promise.resolve(answeringModel('They get water every second morning [1].'));
    const reply = JSON.stringify([{ n: 1, verdict, words }]);
    factChecker = checkedBy(answeringModel(reply));
    await ask('How often are tomatoes watered?');
    assert.deepEqual(buttons, []);
    return read();
  };

  test('shows a supported statement without a mark', async () => {
    assert.equal(await askWithVerdict('supported'), `${WATERED} [[1]]`);
  });

  test('shows that the sources contradict a statement', async () => {
    assert.equal(await askWithVerdict('contradicted'), `${WATERED} [[1]] [contradicted]`);
  });

  test('shows that a statement isn’t in the evidence', async () => {
    assert.equal(await askWithVerdict('not in the evidence', WATERED), `${WATERED} [unsupported]`);
  });

  test('shows that only a part of a statement is in the evidence', async () => {
    assert.equal(await askWithVerdict('not in the evidence'), `${WATERED} [[1]] [partly supported]`);
  });

  const failures: readonly {
    readonly name: string;
    readonly error: NotebookError;
    readonly button: string[];
  }[] = [
    {
      name: 'a rejected key',
      error: new NotebookError(
        'unauthorized',
        'api.example.org rejected the API key. Set another key, then ask again.',
        { action: 'setApiKey' },
      ),
      button: ['openNotebook.setApiKey'],
    },
    {
      name: 'a timeout',
      error: new NotebookError(
        'timeout',
        'judge-1 didn’t respond in time. Try again, or pick a faster model.',
        { action: 'tryAgain' },
      ),
      button: [],
    },
    {
      name: 'a model that is gone',
      error: new NotebookError('model-missing', 'judge-1 is no longer available. Pick another model.', {
        action: 'pickModel',
      }),
      button: ['openNotebook.pickModel'],
    },
  ];
  for (const { name, error, button } of failures) {
    test(`shows the answer and ${name} if the fact check fails`, async () => {
      ownModel = () =>
        Promise.resolve(answeringModel('They get water every second morning [1].\n\nThey get milk [1].'));
      let requests = 0;
      factChecker = checkedBy({
        ...answeringModel(''),
        stream: () => {
          requests++;
          throw error;
        },
      });
      assert.equal((await ask('How often are tomatoes watered?')).errorDetails, undefined);
      const mark = '[[1]] [not fact-checked]';
      assert.equal(
        read(),
        `${WATERED} ${mark}\n\nThey get milk. ${mark}\n\nCan’t fact-check this answer. ${error.message}`,
      );
      assert.deepEqual(buttons, button);
      assert.equal(requests, 1);
    });
  }

  test('shows why no model for the fact check can be opened', async () => {
    ownModel = () => Promise.resolve(answeringModel('They get water every second morning [1].'));
    const [, , { error } = assert.fail()] = failures;
    factChecker = () => Promise.reject(error);
    await ask('How often are tomatoes watered?');
    assert.equal(
      read(),
      `${WATERED} [[1]] [not fact-checked]\n\nCan’t fact-check this answer. judge-1 is no longer available. Pick another model.`,
    );
    assert.deepEqual(buttons, ['openNotebook.pickModel']);
  });

  test('shows that only a part of the answer is fact-checked', async () => {
    const reply = 'They get water every second morning [1].\n\nThey get milk [1].';
    ownModel = () => Promise.resolve(answeringModel(reply));
    const [{ error } = assert.fail()] = failures;
    const replies = [JSON.stringify([{ n: 1, verdict: 'supported', words: 'every second morning' }])];
    factChecker = checkedBy({
      ...answeringModel(''),
      async *stream() {
        const next = await Promise.resolve(replies.shift());
        if (next === undefined) throw error;
        yield next;
      },
    });
    await ask('How often are tomatoes watered?');
    assert.equal(
      read(),
      `${WATERED} [[1]]\n\nThey get milk. [[1]] [not fact-checked]\n\nCan’t fact-check every statement. ${error.message}`,
    );
  });

  for (const [isAllowed, explanation] of [
    [
      false,
      'Not fact-checked because you declined the check by api.example.org. To check an answer, ask your question in Open Notebook’s Chat view, then select “Fact-check with model”.',
    ],
    [
      undefined,
      'Not fact-checked because the check by api.example.org may cost money. To agree to it, ask a question in Open Notebook’s Chat view.',
    ],
  ] as const)
    test(`explains a fact check that was ${isAllowed === false ? 'declined' : 'never agreed to'}`, async () => {
      ownModel = () => Promise.resolve(answeringModel('They get water every second morning [1].'));
      factChecker = checkedBy(makeJudge(), { server: 'api.example.org', isAllowed });
      await ask('How often are tomatoes watered?');
      assert.equal(read(), `${WATERED} [[1]] [not fact-checked]\n\n${explanation}`);
      assert.deepEqual(buttons, ['openNotebook.openChat']);
    });

  test('leaves the explanation out of the conversation for the next question', async () => {
    const answers = answeringModel('They get water every second morning [1].');
    let prompt = '';
    ownModel = () =>
      Promise.resolve({
        ...answers,
        stream: (messages, options) => {
          prompt = messages.map(({ content }) => content).join('\n');
          return answers.stream(messages, options);
        },
      });
    factChecker = checkedBy(makeJudge(), { isAllowed: false });
    const result = await ask('How often are tomatoes watered?');
    const part = new vscode.ChatResponseMarkdownPart(shown);
    const turn = Object.assign(Object.create(vscode.ChatResponseTurn.prototype) as object, {
      response: [part],
      result,
    });
    const question = Object.assign(Object.create(vscode.ChatRequestTurn.prototype) as object, {
      prompt: 'How often are tomatoes watered?',
    });
    await ask('And why?', undefined, [question, turn] as vscode.ChatContext['history'][number][]);
    assert.match(prompt, /every second morning/);
    assert.doesNotMatch(prompt, /declined/);
  });

  test('explains nothing if the answer only quotes the sources', async () => {
    const quoted = 'Tomatoes are watered every second morning with rainwater';
    ownModel = () => Promise.resolve(answeringModel(`${quoted} [1].`));
    factChecker = checkedBy(makeJudge(), { isAllowed: false });
    await ask('How often are tomatoes watered?');
    assert.equal(read(), `${quoted}. [[1]]`);
    assert.deepEqual(buttons, []);
  });

  test('offers to set a key when the model of the notebook refuses the key', async () => {
    ownModel = () =>
      Promise.reject(new NotebookError('unauthorized', 'The key is wrong.', { action: 'setApiKey' }));
    const { errorDetails } = await ask('How often are tomatoes watered?');
    assert.equal(errorDetails?.message, 'The key is wrong.');
    assert.deepEqual(buttons, ['openNotebook.setApiKey']);
  });

  test('is reached through our model, which explains its purpose', async () => {
    const ours = (): Thenable<vscode.LanguageModelChat[]> =>
      vscode.lm.selectChatModels({ vendor: OWN_VENDOR });
    await until(async () => (await ours()).length === 1);
    const [model] = await ours();
    assert.ok(model);
    const { token } = new vscode.CancellationTokenSource();
    const response = await model.sendRequest([vscode.LanguageModelChatMessage.User('Hi')], {}, token);
    let reply = '';
    for await (const part of response.text) reply += part;
    assert.match(reply, /answers only questions that start with @notebook/);
    // This model can't write answers of a notebook.
    assert.deepEqual(await editorModels(), []);
  });
});
