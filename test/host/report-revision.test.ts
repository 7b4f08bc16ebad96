import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { NotebookClient } from '../../src/platform/notebook-client.ts';
import { noteUri } from '../../src/features/notes/editor/note-files.ts';
import { decideChange } from '../../src/features/notes/editor/shown-change.ts';
import { reviseNote, type RevisionRequest } from '../../src/features/research/editor/revise-section.ts';
import { answering } from '../support/answering-person.ts';
import { clearNotebook, openWorkspaceNotebook, packedWindow } from '../support/packed-extension.ts';
import { until } from '../support/until.ts';

const before = 'The hens sleep.\n';
const after = 'The hens eat the slugs of the garden.\n';
const report = `# The garden\n\nTomatoes are watered [1](citation/1).\n\n## Hens\n\n${before}`;

suite('revision of a report', () => {
  const log = vscode.window.createOutputChannel('Revision', { log: true });
  let notebook: NotebookClient;
  /** Title of the test's own report: VS Code may still have the text of a removed note of the same title. */
  let title: string;
  let reports = 0;

  /** Has the section about hens revised, and decides on the change. */
  const revise = async (
    isKept: boolean,
  ): Promise<{ lists: readonly (readonly string[])[]; wish: unknown }> => {
    let wish: RevisionRequest | undefined;
    const { lists } = await answering({ picks: ['\u2003Hens'], types: ['Tell what they eat.'] }, async () => {
      const revised = reviseNote(notebook, title, (requestedWish) => {
        wish = requestedWish;
        const text = report.replace(before, after);
        return Promise.resolve({ before, after, text, citations: [], changes: [], cut: [] });
      });
      await until(() => {
        try {
          decideChange(isKept);
          return true;
        } catch {
          return false;
        }
      });
      await revised;
    });
    return { lists, wish };
  };
  const saved = async (): Promise<string> => (await notebook.call('note', { title })).text;

  setup(async () => {
    await packedWindow();
    notebook = openWorkspaceNotebook(log);
    title = `Garden ${String(++reports)}`;
    await notebook.call('addNote', { title, text: report, citations: [] });
  });

  teardown(async () => {
    // The editor of a note with unsaved changes stays open.
    while (vscode.window.activeTextEditor?.document.isDirty === true)
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await clearNotebook(notebook);
    await notebook.close();
  });

  test('replaces the section in one edit, which Undo reverts', async () => {
    const { lists, wish } = await revise(true);
    assert.deepEqual(wish, {
      note: { text: report, citations: [] },
      section: 1,
      comment: 'Tell what they eat.',
    });
    assert.doesNotMatch(lists.flat().join('\n'), /citation\//);
    await until(async () => /## Hens\s+The hens eat the slugs of the garden\.\n/.test(await saved()), saved);
    assert.doesNotMatch(await saved(), /sleep/);
    assert.equal(
      vscode.window.activeTextEditor?.document.uri.toString(),
      noteUri(title, notebook).toString(),
    );
    await vscode.commands.executeCommand('undo');
    assert.equal(vscode.window.activeTextEditor.document.getText(), report);
  });

  test('offers to correct a statement that the fact check marked', async () => {
    const text = 'Hens sleep.[^not-fact-checked]\n\nHens swim.[^unsupported]\n';
    await notebook.call('addNote', { title: 'Hens', text, citations: [] });
    const offered = async (line: number): Promise<string[]> => {
      const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
        'vscode.executeCodeActionProvider',
        noteUri('Hens', notebook),
        new vscode.Range(line, 0, line, 0),
      );
      return actions.map(({ title }) => title);
    };
    await vscode.workspace.openTextDocument(noteUri('Hens', notebook));
    await until(async () => (await offered(2)).includes('Correct from Sources'));
    assert.ok(!(await offered(0)).includes('Correct from Sources'));
  });

  test('leaves the note unchanged if the change is discarded', async () => {
    await revise(false);
    assert.equal(await saved(), report);
  });
});
