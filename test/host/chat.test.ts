// Tests the parts of the chat that use the editor: the cursor for code, tabs, outputs, and test results.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { AnswerModels } from '../../src/features/chat/editor/answer-model.ts';
import { FactCheckConsent } from '../../src/features/chat/editor/fact-check-consent.ts';
import { InsertTarget } from '../../src/features/chat/editor/insert-target.ts';
import { ModelFigures } from '../../src/features/chat/editor/model-figures.ts';
import { ModelOffer } from '../../src/features/chat/editor/model-offer.ts';
import { warnUnchecked } from '../../src/features/chat/editor/unchecked-content.ts';
import {
  CitationOpener,
  type CitationOpenerParts,
} from '../../src/features/citations/editor/citation-opener.ts';
import type { Highlighter } from '../../src/features/citations/editor/highlight.ts';
import { editorOriginals } from '../../src/features/citations/editor/originals.ts';
import { selectionCommands } from '../../src/features/chat/commands/selection-commands.ts';
import { asLanguageModel } from '../../src/features/models/editor/editor-models.ts';
import { factCheckChoice } from '../../src/features/models/editor/fact-check-model.ts';
import { modelProviders } from '../../src/features/models/editor/providers.ts';
import { checkInFile } from '../../src/features/questions/editor/export-questions.ts';
import { pairAsLine, pairsIn } from '../../src/features/questions/service/pairs.ts';
import type { PdfViewer } from '../../src/features/pdf/editor/pdf-viewer.ts';
import { outputContextItem } from '../../src/features/sources/editor/cell-output.ts';
import type { NotebookClient } from '../../src/platform/notebook-client.ts';
import { ScopeChoice } from '../../src/features/sources/editor/scope-choice.ts';
import { testContextItem } from '../../src/features/sources/editor/test-result.ts';
import type { Citation, ContextSelection, Turn } from '../../src/core/domain/answer.ts';
import type { ModelChoice } from '../../src/core/domain/model-choice.ts';
import { formatLocator } from '../../src/core/domain/locator.ts';
import type { Span } from '../../src/core/language/span.ts';
import { selectedPart } from '../../src/core/domain/question-parts.ts';
import type { Source } from '../../src/core/domain/source.ts';
import { sharedReaders } from '../support/host-sources.ts';
import { instead } from '../support/instead.ts';
import { makeJudge } from '../support/judge.ts';
import { MemoryMemento, MemorySecrets } from '../support/memory-storage.ts';
import { until } from '../support/until.ts';
import { makeNotebook, makePassage, type TestDocument } from '../unit/answering-fixtures.ts';

const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file('/');
const { signal } = new AbortController();

/** Closes all editors, whose changes are lost. */
async function closeEditors(): Promise<void> {
  const { tabGroups } = vscode.window;
  while (vscode.window.activeTextEditor?.document.isDirty === true)
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  await until(() => tabGroups.all.every(({ tabs }) => tabs.length === 0));
}

suite('Code of an answer', () => {
  // No extension of VS Code starts for a plain text.
  const file = vscode.Uri.joinPath(folder, 'garden.txt');

  setup(async () => {
    await closeEditors();
    await vscode.workspace.fs.writeFile(
      file,
      Buffer.from('export function water(litres: number): void {\n  // here\n}\n'),
    );
  });

  suiteTeardown(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.workspace.fs.delete(file);
  });

  test('replaces the selection with the indentation of its first line', async () => {
    const target = new InsertTarget();
    assert.equal(target.name, undefined);
    await assert.rejects(target.insert('water(4);'), /Open a file in an editor first/);
    const editor = await vscode.window.showTextDocument(file);
    await until(() => target.name === 'garden.txt');
    editor.selection = new vscode.Selection(1, 2, 1, 9);
    await target.insert('if (isDry) {\n  water(4);\n}');
    assert.equal(
      editor.document.getText(),
      'export function water(litres: number): void {\n  if (isDry) {\n    water(4);\n  }\n}\n',
    );
    target.dispose();
  });
});

suite('Question about a selection', () => {
  const file = vscode.Uri.joinPath(folder, 'beds.txt');

  setup(async () => {
    await closeEditors();
    await vscode.workspace.fs.writeFile(file, Buffer.from('first\nsecond\nthird\n'));
  });

  suiteTeardown(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.workspace.fs.delete(file);
  });

  test('opens its lines, even after they have moved', async () => {
    const editor = await vscode.window.showTextDocument(file);
    editor.selection = new vscode.Selection(1, 0, 2, 5);
    const requests: { readonly question: string; readonly selection: ContextSelection }[] = [];
    const parts: Pick<Parameters<typeof selectionCommands>[0], 'ask' | 'pdfs'> = {
      ask: (question, selection) => {
        requests.push({ question, selection });
        return Promise.resolve();
      },
      pdfs: { selection: () => undefined } as unknown as PdfViewer,
    };
    const commands = selectionCommands(parts as Parameters<typeof selectionCommands>[0]);
    await instead({ showInputBox: () => Promise.resolve('Why?') }, async () =>
      commands.askAboutSelection?.(),
    );
    const [{ question, selection }] = requests as [(typeof requests)[0]];
    assert.equal(question, 'Why?\n\n```plaintext\nsecond\nthird\n```');
    assert.deepEqual([selection.title, formatLocator(selection.locator, [])], ['beds.txt', 'L2–3']);

    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'zeroth\n'));
    const shown: vscode.Range[] = [];
    const highlighter = { show: (_: vscode.TextEditor, range: vscode.Range) => void shown.push(range) };
    const originals = editorOriginals(highlighter as unknown as Highlighter, parts.pdfs);
    const opener = new CitationOpener({ originals } as unknown as CitationOpenerParts);
    const { text = '' } = selectedPart(question) ?? {};
    await opener.openContext(selection, text, vscode.ViewColumn.Active);
    assert.deepEqual(shown, [new vscode.Range(2, 0, 3, 5)]);
  });
});

suite('Chat in editor tabs', () => {
  const chats = (): vscode.Tab[] =>
    vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).filter(({ label }) => label === 'Notebook Chat');
  const tabs = (): string[] =>
    vscode.window.tabGroups.all.flatMap((group) => group.tabs).map(({ label }) => label);
  const open = (): Thenable<unknown> => vscode.commands.executeCommand('openNotebook.openChatInEditor');

  setup(closeEditors);
  suiteTeardown(closeEditors);

  test('has one tab in each group of editors', async () => {
    await open();
    await until(() => chats().length === 1, tabs);
    await open();
    assert.equal(chats().length, 1);
    const document = await vscode.workspace.openTextDocument({ content: '' });
    await vscode.window.showTextDocument(document, vscode.ViewColumn.Two);
    await until(() => vscode.window.tabGroups.activeTabGroup.viewColumn === vscode.ViewColumn.Two, tabs);
    await open();
    await until(() => chats().length === 2, tabs);
    assert.notEqual(chats()[0]?.group.viewColumn, chats()[1]?.group.viewColumn);
  });
});

suite('Figures for a model', () => {
  const to = 'https://models.example';
  const cited = [{ title: 'report.pdf', place: 'p. 2' }] as unknown as readonly Citation[];
  let drawn: number;
  let figures: ModelFigures;

  setup(() => {
    drawn = 0;
    figures = new ModelFigures(new MemoryMemento(), () => {
      drawn++;
      return Promise.resolve({ mediaType: 'image/png', width: 2, height: 1, bytes: Buffer.from('picture') });
    });
  });

  test('are drawn and sent to a metered model only after the user agreed', async () => {
    const show = figures.shower({ to, isMetered: true });
    const before = await show?.(cited, signal);
    assert.deepEqual([before?.outcome.kind, before?.images, drawn], ['offered', [], 0]);
    await figures.agree(to);
    const after = await show?.(cited, signal);
    assert.deepEqual([after?.outcome.kind, after?.images.length, drawn], ['sent', 1, 1]);
  });

  test('are sent to no other metered model after the user agreed to one', async () => {
    await figures.agree(to);
    const shown = await figures.shower({ to: 'https://other.example', isMetered: true })?.(cited, signal);
    assert.deepEqual([shown?.outcome.kind, drawn], ['offered', 0]);
  });

  test('are sent to a local model without a question', async () => {
    const shown = await figures.shower({ to, isMetered: false })?.(cited, signal);
    assert.equal(shown?.outcome.kind, 'sent');
  });
});

suite('Offer of a model', () => {
  test('stays declined for all windows', async () => {
    const memento = new MemoryMemento();
    const offer = new ModelOffer(memento);
    let changes = 0;
    offer.onDidChange(() => changes++);
    assert.equal(offer.isDeclined, false);
    await offer.decline();
    assert.deepEqual([offer.isDeclined, new ModelOffer(memento).isDeclined, changes], [true, true, 1]);
    offer.dispose();
  });
});

suite('Fact check', () => {
  const conversation = 'conversation';
  const settings = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration('openNotebook');
  const set = async (key: string, value: unknown): Promise<void> => {
    await settings().update(key, value, vscode.ConfigurationTarget.Global);
  };
  let memento: MemoryMemento;
  let consent: FactCheckConsent;
  const providers = modelProviders(new MemorySecrets());
  /** Answer models whose current model is the writer. */
  const modelsOf = (writer: ModelChoice): AnswerModels => {
    const choices = { of: () => Promise.resolve({ current: writer }) };
    const parts: unknown[] = [choices, providers, { over: (model: unknown) => model }, consent];
    return new AnswerModels(...(parts as ConstructorParameters<typeof AnswerModels>));
  };
  /** Model that checks answers. */
  const checkerOf = async (writer: ModelChoice) =>
    await modelsOf(writer).factChecker(conversation, () => undefined);
  const local = {
    kind: 'endpoint',
    baseUrl: 'http://127.0.0.1:11434/v1',
    name: 'writer',
    windowTokens: 8_000,
  };
  const metered: ModelChoice = { ...local, baseUrl: 'https://api.example.org/v1' };

  setup(() => {
    memento = new MemoryMemento();
    consent = new FactCheckConsent(memento);
  });

  teardown(async () => {
    consent.dispose();
    for (const key of ['answer.check', 'answer.checkModel', 'endpoints']) await set(key, undefined);
  });

  test('uses the answer model, without a question if it is local', async () => {
    const checker = await checkerOf(local);
    assert.deepEqual([checker?.model.name, checker?.isAllowed], ['writer', true]);
    assert.equal(await checkerOf({ kind: 'quotes' }), undefined);
  });

  test('is requested for generated content until the user decides', async () => {
    const other = { ...metered, baseUrl: 'https://other.example.org/v1' };
    const models = modelsOf(other);
    await set('answer.check', true);
    const request = await models.checkRequest();
    assert.deepEqual(request, { model: 'writer', server: 'other.example.org', prices: undefined });
    assert.equal(await models.allowedChecker(() => undefined), undefined);
    assert.equal(await modelsOf(local).checkRequest(), undefined);
    await models.decideCheck(request, true);
    assert.equal(await models.checkRequest(), undefined);
    assert.equal((await models.allowedChecker(() => undefined))?.isAllowed, true);
    await set('answer.check', undefined);
  });

  test('shows its tokens and cost before it is allowed', async () => {
    const messages: string[] = [];
    let checks = 0;
    const request = { model: 'judge-1', server: 'api.example.org', prices: { input: 1, output: 2 } };
    const models = { checkRequest: () => Promise.resolve(request), decideCheck: () => Promise.resolve() };
    const check = (): Promise<void> => Promise.resolve(void checks++);
    const showInformationMessage = (message: string): Promise<string> => {
      messages.push(message);
      return Promise.resolve('Fact-Check');
    };
    await instead({ showInformationMessage }, async () => {
      await warnUnchecked({ message: '“Hens” isn’t fact-checked.', statements: 10, check }, models);
      await warnUnchecked({ message: '10 answers aren’t fact-checked.', statements: 10 }, models);
    });
    const question = 'Fact-check with judge-1? api.example.org may charge for this.';
    assert.deepEqual(messages, [
      `“Hens” isn’t fact-checked. ${question} This uses about 8,100 tokens. The cost is about $0.0086.`,
      `10 answers aren’t fact-checked. ${question} Checking as many answers uses about 8,100 tokens. The cost is about $0.0086.`,
    ]);
    assert.equal(checks, 1);
  });

  test('checks the questions of a file at once', async () => {
    const document: TestDocument = { id: 1, title: 'pump.md', text: 'Workers installed the pump in 1998.' };
    const passage = makePassage(document);
    const finder = makeNotebook([document]);
    const notebook = {
      call: (
        method: string,
        { places = [], requests = [] }: Record<string, { number: number; span: Span }[]>,
      ) =>
        method === 'passagesAt'
          ? finder.at(places.map(({ span }) => ({ documentId: 1, span })))
          : finder.cite(requests.map(({ number, span }) => ({ number, passage, span }))),
    } as unknown as NotebookClient;
    const span = { start: 0, end: document.text.length };
    const [citation] = await finder.cite([{ number: 1, passage, span }]);
    assert.ok(citation);
    const questions = [
      ['When did workers install the pump?', '1998', 'The pump was installed by workers in 1998.'],
      ['What did the pump cost in 1998?', '900 euros', 'The pump cost 900 euros in 1998.'],
    ].map(([question = '', answer = '', statement = '']) => {
      const origin = { source: 'pump.md', place: '', headings: [], quote: citation.quote };
      const pair = { kind: 'short' as const, question, answer, ...origin, verdict: 'unchecked' as const };
      return { pair, citation, statement, isChecked: false };
    });
    const uri = vscode.Uri.joinPath(folder, 'checked-questions.jsonl');
    const lines = questions.map(({ pair }) => `${pairAsLine(pair)}\n`).join('');
    await vscode.workspace.fs.writeFile(uri, Buffer.from(lines));
    const judge = makeJudge((statement) => !statement.includes('900'));
    const messages: string[] = [];
    const showInformationMessage = (message: string): Promise<undefined> => {
      messages.push(message);
      return Promise.resolve(undefined);
    };
    await instead({ showInformationMessage }, () =>
      checkInFile(uri, questions, {
        notebook,
        embedder: { embedQuestion: () => Promise.resolve(undefined) },
        checker: () => Promise.resolve(judge),
      }),
    );
    const { pairs } = pairsIn(Buffer.from(await vscode.workspace.fs.readFile(uri)).toString());
    await vscode.workspace.fs.delete(uri);
    assert.deepEqual(
      pairs.map(({ answer, verdict }) => [answer, verdict]),
      [['1998', undefined]],
    );
    assert.deepEqual(messages, ['Supported answers: 1. Removed questions with unsupported answers: 1.']);
  });

  test('asks once per server before it costs money', async () => {
    assert.equal((await checkerOf(metered))?.isAllowed, undefined);
    const server = 'api.example.org';
    const offer = { turnId: 't', model: 'writer', server, tokens: 900, cost: undefined };
    let changes = 0;
    consent.onDidChange(() => changes++);
    consent.ask(offer);
    assert.deepEqual(consent.offer, offer);
    assert.deepEqual(await consent.decide(true), offer);
    assert.deepEqual([consent.offer, changes], [undefined, 2]);
    assert.equal((await checkerOf({ ...metered, name: 'another' }))?.isAllowed, true);
    consent.ask(offer);
    await consent.decide(false);
    assert.equal((await checkerOf(metered))?.isAllowed, false);
    assert.equal(new FactCheckConsent(memento).decision(server), false);
  });

  test('uses the model in the setting', async () => {
    await set('endpoints', { Judges: { address: 'http://127.0.0.1:9/v1' } });
    /** Returns the choice as it would be stored. */
    const named = async (name: string): Promise<unknown> => {
      await set('answer.checkModel', name);
      return JSON.parse(JSON.stringify(factCheckChoice(local, providers)));
    };
    assert.deepEqual(await named('bespoke-minicheck:7b'), {
      ...{ kind: 'endpoint', baseUrl: local.baseUrl },
      name: 'bespoke-minicheck:7b',
    });
    assert.deepEqual(await named('Judges/org/judge'), {
      ...{ kind: 'endpoint', baseUrl: 'http://127.0.0.1:9/v1', endpoint: 'Judges' },
      name: 'org/judge',
    });
    assert.deepEqual(await named('http://127.0.0.1:9/v1#judge'), {
      ...{ kind: 'endpoint', baseUrl: 'http://127.0.0.1:9/v1', name: 'judge' },
    });
    const { name, ...editor } = (await named('vscode/copilot/gpt-4o')) as { readonly name: string };
    assert.deepEqual([name, editor], ['gpt-4o', { kind: 'editor', vendor: 'copilot', id: 'gpt-4o' }]);
  });
});

suite('Search scope', () => {
  const sources = ['bees.md', 'Field notes.md'].map(
    (title) =>
      ({ id: title, title, passages: 2, documents: 1, origin: { kind: 'file' } }) as unknown as Source,
  );
  /** Twelve files of a folder that leaves out others are included. */
  const notebook = {
    call: () => Promise.resolve([{ sourceId: 'folder', documents: 12 }]),
  } as unknown as Pick<NotebookClient, 'call'>;

  test('is the included sources, also in the next window', async () => {
    const memento = new MemoryMemento();
    const scopes = new ScopeChoice(memento, notebook);
    assert.equal(scopes.resolveScope(sources), undefined);
    assert.deepEqual(await scopes.describeScope(sources), { kind: 'notebook' });
    await scopes.setIncluded([{ sourceId: 'Field notes.md', path: '', isIncluded: false }]);
    const again = new ScopeChoice(memento, notebook);
    assert.deepEqual(await again.describeScope(sources), { kind: 'sources', ticked: 1, of: 2 });
    assert.deepEqual(again.resolveScope(sources), {
      kind: 'sources',
      sourceIds: ['bees.md'],
      mentioned: false,
    });
    await again.pickNotebook();
    assert.equal(again.resolveScope(sources), undefined);
  });

  test('is the included files of a folder, also in the next window', async () => {
    const folder = { ...sources[0], id: 'folder', documents: 40, origin: { kind: 'folder' } } as Source;
    const all = [folder, ...sources];
    const memento = new MemoryMemento();
    const scopes = new ScopeChoice(memento, notebook);
    assert.deepEqual(await scopes.describeScope(all), {
      kind: 'notebook',
      documents: { count: 42, of: 42, areFiles: true },
    });
    const paths = [{ sourceId: 'folder', path: 'docs', isIncluded: false }];
    await scopes.setIncluded(paths);
    const again = new ScopeChoice(memento, notebook);
    assert.deepEqual(
      [again.isPartlyIncluded('folder'), again.isIncluded('folder', 'docs/a.md')],
      [true, false],
    );
    assert.deepEqual(await again.describeScope(all), {
      kind: 'sources',
      ...{ ticked: 3, of: 3, documents: { count: 14, of: 42, areFiles: true } },
    });
    assert.deepEqual(again.resolveScope(all), {
      kind: 'sources',
      ...{ sourceIds: ['folder', 'bees.md', 'Field notes.md'], mentioned: false, paths },
    });
    await again.includeOnly(all, [{ sourceId: 'folder', path: 'docs' }]);
    assert.deepEqual(again.resolveScope(all), {
      kind: 'sources',
      ...{ sourceIds: ['folder'], mentioned: false },
      paths: [
        { sourceId: 'folder', path: '', isIncluded: false },
        { sourceId: 'folder', path: 'docs', isIncluded: true },
      ],
    });
  });

  test('is the mentioned source if a question mentions one', async () => {
    const scopes = new ScopeChoice(new MemoryMemento(), notebook);
    await scopes.pickOpenFile();
    assert.deepEqual(await scopes.describeScope(sources), { kind: 'file' });
    const mentioned = { kind: 'sources', sourceIds: ['Field notes.md'], mentioned: true } as const;
    const question = 'What happens in winter, says @"Field notes.md"?';
    assert.deepEqual(scopes.scopeFor(question, sources, undefined), mentioned);
    const before = { scope: mentioned } as unknown as Turn;
    assert.deepEqual(scopes.scopeFor(question, sources, before), mentioned);
    assert.equal(scopes.scopeFor('And then?', sources, before)?.kind, 'file');
  });

  test('of a follow-up question is the scope of the first one', async () => {
    const scopes = new ScopeChoice(new MemoryMemento(), notebook);
    await scopes.setIncluded([{ sourceId: 'bees.md', path: '', isIncluded: false }]);
    const before = { scope: undefined } as unknown as Turn;
    assert.equal(scopes.scopeFor('And then?', sources, before), undefined);
  });
});

suite('Context item', () => {
  const output = (mime: string, text: string): vscode.NotebookCellOutputItem =>
    vscode.NotebookCellOutputItem.text(text, mime);
  const cellOf = (...outputs: readonly vscode.NotebookCellOutputItem[][]): vscode.NotebookCell =>
    ({
      index: 1,
      notebook: { uri: vscode.Uri.joinPath(folder, 'survey.ipynb') },
      outputs: outputs.map((items) => new vscode.NotebookCellOutput(items)),
    }) as unknown as vscode.NotebookCell;

  test('of a cell contains its output, error, and tables', async () => {
    const readers = sharedReaders();
    const failure = {
      name: 'ValveError',
      message: 'the valve at the mill is stuck',
      stack: 'in drain(), line 41',
    };
    const rows = '<tr><th>Pump</th><th>Litres</th></tr><tr><td>South</td><td>386</td></tr>';
    const { title, document, uri } = await outputContextItem(
      cellOf(
        [output('application/vnd.code.notebook.stdout', 'The survey found 23 leaks.\n')],
        [vscode.NotebookCellOutputItem.error(failure)],
        [output('text/html', `<table>${rows}</table>`), output('text/plain', '0 South 386')],
      ),
      readers,
      signal,
    );
    assert.equal(title, 'survey.ipynb, output of cell 2');
    assert.match(uri, /survey\.ipynb$/);
    assert.match(document.text, /The survey found 23 leaks\./);
    assert.match(document.text, /in drain\(\), line 41/);
    assert.match(document.text, /\| South +\| 386 +\|/);
    await assert.rejects(outputContextItem(cellOf(), readers, signal), /has no text output/);
  });

  test('of a failed test contains the expected and the actual value', () => {
    const message = vscode.TestMessage.diff('The pump has the wrong pressure.', '5 bar', '4 bar');
    message.location = new vscode.Location(vscode.Uri.joinPath(folder, 'pump.ts'), new vscode.Position(4, 0));
    const { title, document } = testContextItem({
      test: { label: 'the pump is primed' } as vscode.TestItem,
      message,
    });
    assert.equal(title, 'Result of the pump is primed');
    for (const words of ['At pump.ts:5', 'wrong pressure', '5 bar', '4 bar'])
      assert.ok(document.text.includes(words), words);
    assert.throws(() => testContextItem({ message: new vscode.TestMessage('') }), /doesn’t contain any text/);
  });
});

suite('Model of the editor', () => {
  const withCount = (countTokens: () => Promise<number>) =>
    asLanguageModel({
      ...{ name: 'Scripted', vendor: 'test', id: 'counting', maxInputTokens: 3_000 },
      countTokens,
    } as unknown as vscode.LanguageModelChat);

  test('counts tokens with its own tokenizer', async () => {
    const model = withCount(() => Promise.resolve(12));
    assert.deepEqual([model.windowTokens, await model.countTokens?.('Words.', signal)], [3_000, 12]);
  });

  test('reports no count if counting fails', async () => {
    assert.equal(await withCount(() => Promise.resolve(0)).countTokens?.('Words.', signal), undefined);
    const failing = withCount(() => Promise.reject(new Error('No count.')));
    assert.equal(await failing.countTokens?.('Words.', signal), undefined);
  });
});
