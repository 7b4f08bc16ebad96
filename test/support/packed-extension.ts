// The packed extension in the extension host: a test answers its prompts, and looks into its notebook.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import type { NotebookClient } from '../../src/platform/notebook-client.ts';
import type { Source } from '../../src/core/domain/source.ts';
import { openNotebook } from './host-sources.ts';
import { instead } from './instead.ts';
import { until } from './until.ts';

/** Response to a prompt: the result of the extension's call of a `vscode.window` function. */
type Answer = (...parameters: never[]) => unknown;

/** The functions of `vscode.window` that ask or report something. */
type PromptName =
  | 'createQuickPick'
  | 'showErrorMessage'
  | 'showInformationMessage'
  | 'showInputBox'
  | 'showOpenDialog'
  | 'showQuickPick'
  | 'showSaveDialog'
  | 'showWarningMessage';

/** Answers to prompts by the functions that show them; a list answers one call after the other. */
type Answers = Partial<Record<PromptName, Answer | readonly Answer[]>>;

/** Returns the folder of the packed extension's notebooks. */
export function notebooksFolder(): string {
  const { E2E_RESULTS: report } = process.env;
  assert.ok(report !== undefined);
  const storage = join(dirname(report), 'data', 'User', 'globalStorage', 'open-notebook.open-notebook');
  return join(storage, 'notebooks');
}

/** Returns the folder of the notebook of this workspace. */
export function workspaceNotebookFolder(): string {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(folder);
  const id = createHash('sha256').update(String(folder.uri)).digest('hex').slice(0, 32);
  return join(notebooksFolder(), id);
}

/** Opens the notebook of this workspace a second time, as another window does. */
export function openWorkspaceNotebook(log: vscode.LogOutputChannel): NotebookClient {
  return openNotebook(workspaceNotebookFolder(), log);
}

/** Activates the packed extension, and returns its `vscode.window`. */
export async function packedWindow(): Promise<typeof vscode.window> {
  return (await packedApi()).window;
}

/** Activates the packed extension, and returns its `vscode` module. */
export async function packedApi(): Promise<typeof vscode> {
  const extension = vscode.extensions.getExtension('open-notebook.open-notebook');
  assert.ok(extension);
  await extension.activate();
  // Each extension has a `vscode` module of its own, which its files get.
  return createRequire(join(extension.extensionPath, 'package.json'))('vscode') as typeof vscode;
}

/** Runs a command of the packed extension, and answers its prompts. A prompt without an answer fails the test. */
export async function runCommand(
  name: string,
  parameters: readonly unknown[] = [],
  answers: Answers = {},
): Promise<void> {
  const window = await packedWindow();
  const problems: unknown[] = [];
  const functions = Object.entries(answers).map(([prompt, answer]) => {
    let calls = 0;
    const respond = (...args: never[]): unknown => {
      const nextAnswer = typeof answer === 'function' ? answer : answer[calls++];
      if (nextAnswer === undefined) problems.push(`${prompt}: ${JSON.stringify(args)}`);
      const returned = nextAnswer?.(...args);
      return prompt === 'createQuickPick' ? returned : Promise.resolve(returned);
    };
    return [prompt, respond] as const;
  });
  await instead(
    Object.fromEntries(functions),
    () => vscode.commands.executeCommand(`openNotebook.${name}`, ...parameters),
    window,
  );
  assert.deepEqual(problems, [], 'prompts without an answer');
}

/** Returns the source of a title once it has been read. */
export async function readySource(notebook: NotebookClient, title: string | RegExp): Promise<Source> {
  let ready: Source | undefined;
  await until(
    async () => {
      ready = (await notebook.call('sources', {})).find((source) =>
        typeof title === 'string' ? source.title === title : title.test(source.title),
      );
      return ready?.state.kind === 'ready';
    },
    () => ready,
  );
  assert.ok(ready);
  return ready;
}

/** Closes all editors, and removes all sources and notes of a notebook. */
export async function clearNotebook(notebook: NotebookClient): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  const sources = await notebook.call('sources', {});
  await notebook.call('removeSources', { sourceIds: sources.map(({ id }) => id) });
  for (const { title } of await notebook.call('notes', {})) await notebook.call('removeNote', { title });
}
