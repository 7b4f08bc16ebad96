import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { LanguageModel } from '../../src/answers/models/language-model.ts';
import { registerParticipant } from '../../src/features/agents/editor/chat-participant.ts';
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

suite('@notebook in a chat without models', () => {
  const log = vscode.window.createOutputChannel('Participant', { log: true });
  let own: AddingNotebook;
  let answer: vscode.ChatRequestHandler;
  let participant: vscode.Disposable;
  let ownModel: () => Promise<LanguageModel | undefined>;
  let checker: LanguageModel | undefined;
  let shown: string;
  let buttons: string[];

  suiteSetup(async () => {
    own = openToAdd('participant-', log);
    const file = join(own.home, 'garden.md');
    writeFileSync(file, '# The garden\n\nTomatoes are watered every second morning with rainwater.\n');
    const source = await own.notebook.call('addSource', {
      title: 'garden.md',
      origin: { kind: 'file', uri: vscode.Uri.file(file).toString() },
      document: undefined,
    });
    await own.reader.read(source);
    const register = (): Promise<vscode.Disposable> =>
      Promise.resolve(
        registerParticipant({
          extensionUri: vscode.Uri.file('/'),
          notebook: own.notebook,
          embedder: { embedQuestion: () => Promise.resolve(undefined) } as unknown as Embedder,
          ownModel: () => ownModel(),
          factChecker: () => Promise.resolve(checker),
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
    checker = undefined;
  });

  /** Asks as the editor does when it has no other model than ours. */
  const ask = async (prompt: string, command?: string): Promise<vscode.ChatResult> => {
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
    return (await answer(request, { history: [] }, stream, token)) ?? {};
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
    checker = judge;
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

  test('shows the answer and the reason when the fact check fails', async () => {
    ownModel = () => Promise.resolve(answeringModel('They get water every second morning [1].'));
    checker = {
      ...answeringModel(''),
      stream: () => {
        throw new NotebookError('unauthorized', 'The key is wrong.', { action: 'setApiKey' });
      },
    };
    assert.equal((await ask('How often are tomatoes watered?')).errorDetails, undefined);
    assert.match(
      shown,
      /They get water every second morning\.[^]*Can’t fact\\-check every statement\\. The key is wrong/,
    );
    assert.deepEqual(buttons, ['openNotebook.pickModel']);
  });

  test('offers to pick a model when the model of the notebook refuses the key', async () => {
    ownModel = () =>
      Promise.reject(new NotebookError('unauthorized', 'The key is wrong.', { action: 'setApiKey' }));
    const { errorDetails } = await ask('How often are tomatoes watered?');
    assert.equal(errorDetails?.message, 'The key is wrong.');
    assert.deepEqual(buttons, ['openNotebook.pickModel']);
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
