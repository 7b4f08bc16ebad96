// Parts of the editor that skills use: its models' tools, other tools, symbols, references, and changes.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { ToolCall } from '../../src/answers/models/language-model.ts';
import { asLanguageModel } from '../../src/features/models/editor/editor-models.ts';
import type { NotebookClient } from '../../src/platform/notebook-client.ts';
import { editorTools, offeredTools } from '../../src/features/research/editor/editor-tools.ts';
import { composedSkills, saveSkill } from '../../src/features/research/editor/research-skills.ts';
import { workspaceSkills } from '../../src/features/research/editor/workspace-skills.ts';
import type { SourceAdder } from '../../src/features/sources/editor/add-sources.ts';
import { NotebookError } from '../../src/core/domain/errors.ts';
import { callSkill, type CalledSkill } from '../../src/features/research/service/skills/call-skill.ts';
import { readComposedSkill } from '../../src/features/research/service/skills/skill-file.ts';
import type { Skill, SkillContext } from '../../src/features/research/service/skills/skill.ts';

const context = {
  finder: { at: () => Promise.resolve([]) },
  sources: () => Promise.resolve([]),
  materials: [],
  signal: new AbortController().signal,
} as unknown as SkillContext;

const call = (skills: readonly Skill[], name: string, input: object): Promise<CalledSkill> =>
  callSkill(skills, { name, input: { ...input } }, context);

const noAdder = {} as unknown as SourceAdder;

suite('skills of the editor', () => {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const code = vscode.Uri.joinPath(folder ?? vscode.Uri.file('/'), 'lake.lakes');

  suiteSetup(async () => {
    await vscode.extensions.getExtension('open-notebook.open-notebook')?.activate();
    await vscode.workspace.fs.writeFile(code, Buffer.from('depth of lake\nuse of depth\n'));
  });

  suiteTeardown(async () => {
    await vscode.workspace.fs.delete(code);
  });

  test('tools are called by VS Code models, which get the results', async () => {
    const sent: { messages: readonly vscode.LanguageModelChatMessage[]; options: object | undefined }[] = [];
    const parts = [
      new vscode.LanguageModelTextPart('I look.'),
      new vscode.LanguageModelToolCallPart('c1', 'search', { query: 'lake' }),
    ];
    const model = asLanguageModel({
      name: 'Scripted',
      vendor: 'test',
      id: 'tools',
      maxInputTokens: 1000,
      sendRequest: (messages: readonly vscode.LanguageModelChatMessage[], options: object | undefined) => {
        sent.push({ messages, options });
        return Promise.resolve({
          stream: (async function* () {
            await Promise.resolve();
            yield* parts;
          })(),
        });
      },
    } as unknown as vscode.LanguageModelChat);
    const tools = [{ name: 'search', description: 'Finds.', input: { type: 'object' } }];
    const calls: ToolCall[] = [];
    const messages = [
      { role: 'user', content: 'Ask' },
      { role: 'assistant', content: '', calls: [{ id: 'c0', name: 'search', input: {} }] },
      { role: 'user', content: 'Nothing.', resultOf: 'c0' },
    ] as const;
    let text = '';
    const options = { signal: context.signal, tools, onToolCall: (one: ToolCall) => void calls.push(one) };
    for await (const piece of model.stream(messages, options)) text += piece;
    assert.equal(text, 'I look.');
    assert.deepEqual(calls, [{ id: 'c1', name: 'search', input: { query: 'lake' } }]);
    const [, second, third] = sent[0]?.messages ?? [];
    assert.ok(second?.content[0] instanceof vscode.LanguageModelToolCallPart);
    assert.ok(third?.content[0] instanceof vscode.LanguageModelToolResultPart);
    assert.equal(third.content[0].callId, 'c0');
    assert.deepEqual(sent[0]?.options, {
      tools: [{ name: 'search', description: 'Finds.', inputSchema: { type: 'object' } }],
      toolMode: vscode.LanguageModelChatToolMode.Auto,
    });
  });

  test('a VS Code model without tool support is remembered', async () => {
    const model = asLanguageModel({
      name: 'Plain',
      vendor: 'test',
      // The extension remembers a model by its ID.
      id: randomUUID(),
      maxInputTokens: 1000,
      sendRequest: () => Promise.reject(new Error('This model does not support tools.')),
    } as unknown as vscode.LanguageModelChat);
    const tools = [{ name: 'search', description: 'Finds.', input: { type: 'object' } }];
    const ask = async (): Promise<void> => {
      for await (const piece of model.stream([], { signal: context.signal, tools })) assert.ok(piece);
    };
    assert.equal(model.takesTools, undefined);
    await assert.rejects(ask(), (error) => error instanceof NotebookError && error.code === 'no-tools');
    assert.equal(model.takesTools, false);
  });

  test('only selected VS Code tools are skills', async () => {
    assert.ok(offeredTools().some(({ name }) => name === 'companion_echo'));
    assert.ok(!offeredTools().some(({ name }) => name.startsWith('openNotebook_')));
    assert.deepEqual(editorTools([]), []);
    assert.deepEqual(editorTools(['openNotebook_add']), []);
    const skills = editorTools(['companion_echo', 'none']);
    assert.deepEqual(
      skills.map(({ name, description }) => [name, description]),
      [['tool-companion_echo', 'Says again what it was given, for tests.']],
    );
    assert.equal((await call(skills, 'tool-companion_echo', { words: 'Hello' })).text, 'Hello and parts');
    const failed = await call(skills, 'tool-companion_echo', { words: 'fail' });
    assert.match(failed.error ?? '', /^companion_echo failed: .*fail, as it was told\.$/);
  });

  test('symbols and references of the workspace are found', async () => {
    const at = (line: number, from: number, to: number, uri = code): vscode.Location =>
      new vscode.Location(uri, new vscode.Range(line, from, line, to));
    const outside = vscode.Uri.file('/usr/lib/lib.lakes');
    const kind = vscode.SymbolKind.Function;
    const registered = vscode.Disposable.from(
      vscode.languages.registerWorkspaceSymbolProvider({
        provideWorkspaceSymbols: (query) =>
          [
            new vscode.SymbolInformation('depthOfSea', kind, '', at(1, 0, 4)),
            new vscode.SymbolInformation('depth', kind, 'Lake', at(0, 0, 13)),
            new vscode.SymbolInformation('depth', kind, 'lib', at(0, 0, 1, outside)),
          ].filter(({ name }) => name.includes(query)),
      }),
      vscode.languages.registerReferenceProvider(
        { pattern: '**/*.lakes' },
        {
          provideReferences: (_, { line, character }) =>
            line === 0 && character === 0 ? [at(1, 7, 12)] : [],
        },
      ),
    );
    try {
      const notebook = { call: () => Promise.resolve([]) } as unknown as NotebookClient;
      const skills = workspaceSkills({ notebook, adder: noAdder });
      const symbols = await call(skills, 'find-symbol', { name: 'depth' });
      assert.equal(
        symbols.text,
        '- function depth in Lake: lake.lakes:1\n- function depthOfSea: lake.lakes:2\nNone of these files is a source, so they can’t be cited.',
      );
      const references = await call(skills, 'find-references', { name: 'depth' });
      assert.match(references.text, /^- lake\.lakes:2: use of depth\n/);
      assert.match((await call(skills, 'find-references', { name: 'deep' })).error ?? '', /No symbol/);
      assert.match((await call(skills, 'find-symbol', { name: 'ocean' })).text, /Search for it instead/);
      assert.ok((await call(skills, 'diff', {})).error, 'there is no repository');
    } finally {
      registered.dispose();
    }
  });

  test('a skill is saved next to existing ones', async () => {
    const step = { action: 'search', target: 'x', materials: [], tools: [], produces: 'x', quantity: -1 };
    const skill = { name: 'saved', description: 'It was done.', inputs: [], steps: [step] };
    const first = await saveSkill(skill);
    const second = await saveSkill(skill);
    assert.match(second.path, /\/\.notebook\/skills\/saved-2\.md$/);
    const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(first));
    assert.deepEqual(readComposedSkill(text, ''), skill);
    // Some programs write endings in capitals.
    const unnamed = text.replace(/^name: .*\n/m, '');
    await vscode.workspace.fs.writeFile(
      vscode.Uri.joinPath(first, '../shouted.MD'),
      new TextEncoder().encode(unnamed),
    );
    const wrong: string[] = [];
    const offered = await composedSkills(vscode.Uri.joinPath(first, '../none'), (problem) =>
      wrong.push(problem),
    );
    assert.deepEqual([offered.map(({ name }) => name), wrong], [['saved-2', 'saved', 'shouted'], []]);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.workspace.fs.delete(vscode.Uri.joinPath(first, '..'), { recursive: true });
  });
});
