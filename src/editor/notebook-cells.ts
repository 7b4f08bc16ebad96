import * as vscode from 'vscode';
import type { Citation } from '../notebook/answer.ts';
import { NotebookError } from '../notebook/errors.ts';
import type { Locator } from '../notebook/locator.ts';
import type { Highlighter } from './highlight.ts';

/** How long the editor may take to show a cell's code, in milliseconds. */
const PATIENCE = 3_000;

/** Opens a Jupyter notebook at a cell, with the cited words marked where the cell shows its text. */
export async function openCell(
  uri: vscode.Uri,
  locator: Extract<Locator, { kind: 'cell' }>,
  citation: Citation,
  highlighter: Highlighter,
  column: vscode.ViewColumn,
): Promise<void> {
  const notebook = await notebookAt(uri, citation.title);
  const index = Math.min(locator.cell, notebook.cellCount - 1);
  const selection = new vscode.NotebookRange(index, index + 1);
  const editor = await vscode.window.showNotebookDocument(notebook, {
    viewColumn: column,
    preview: true,
    selections: [selection],
  });
  editor.revealRange(selection, vscode.NotebookEditorRevealType.InCenterIfOutsideViewport);
  if (notebook.cellCount === 0) return;
  const { document, kind } = notebook.cellAt(index);
  // Text cells are shown as they read; they have an editor only while they are edited.
  const shown = kind === vscode.NotebookCellKind.Code ? await editorOf(document) : undefined;
  if (shown === undefined) return;
  const { start, end } = locator;
  const range = document.validateRange(
    new vscode.Range(start.line, start.character, end.line, end.character),
  );
  if (!range.isEmpty) highlighter.show(shown, range);
}

async function notebookAt(uri: vscode.Uri, title: string): Promise<vscode.NotebookDocument> {
  try {
    return await vscode.workspace.openNotebookDocument(uri);
  } catch (error) {
    throw new NotebookError(
      'not-found',
      vscode.l10n.t('{0} could not be opened: it may have been moved or deleted.', title),
      { cause: error },
    );
  }
}

/** The editor that shows a cell's code, as soon as there is one. */
async function editorOf(document: vscode.TextDocument): Promise<vscode.TextEditor | undefined> {
  const find = (): vscode.TextEditor | undefined =>
    vscode.window.visibleTextEditors.find((editor) => editor.document === document);
  const there = find();
  if (there !== undefined) return there;
  return new Promise((resolve) => {
    const done = (editor: vscode.TextEditor | undefined): void => {
      clearTimeout(timer);
      listener.dispose();
      resolve(editor);
    };
    const timer = setTimeout(done, PATIENCE, undefined);
    const listener = vscode.window.onDidChangeVisibleTextEditors(() => {
      const editor = find();
      if (editor !== undefined) done(editor);
    });
  });
}
