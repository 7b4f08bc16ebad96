import { stripVTControlCharacters } from 'node:util';
import * as vscode from 'vscode';
import { openedFence } from '../../../core/language/markdown-lines.ts';
import type { Citation } from '../../../core/domain/answer.ts';
import type { Locator } from '../../../core/domain/locator.ts';
import type { CitedOutput } from './cited-output.ts';
import { missingFile } from '../../../platform/missing-file.ts';
import { showOptions, type EditorPlace } from '../../../platform/open-file.ts';
import { errorText, OUTPUT_ERROR } from '../../../platform/output-error.ts';
import type { Highlighter } from './highlight.ts';

/** Maximum size of an output that is compared with a quote, in bytes. */
const MAX_COMPARED_BYTES = 1_000_000;

/** Maximum time for the editor to show a cell's code, in milliseconds. */
const TIMEOUT_MS = 3_000;

/** Opens Jupyter notebooks at cited cells and outputs. */
export class NotebookCells {
  readonly #highlighter: Highlighter;
  readonly #output: CitedOutput;

  constructor(highlighter: Highlighter, output: CitedOutput) {
    this.#highlighter = highlighter;
    this.#output = output;
  }

  /**
   * Opens a notebook at a cell and marks the cited text, or shows it in the status bar if it is in an output. An output
   * that was added as its own source opens only if a cell still contains the cited text, wherever that cell is now. If
   * none does, nothing opens and the result is `false`.
   */
  async open(
    locator: Extract<Locator, { kind: 'cell' }>,
    citation: Pick<Citation, 'quote' | 'sourceKind' | 'title' | 'uri'>,
    column: EditorPlace,
  ): Promise<boolean> {
    this.#output.clear();
    const isOutput = locator.output !== undefined && citation.sourceKind === 'selection';
    const notebook = await notebookAt(vscode.Uri.parse(citation.uri), citation.title).catch(
      (error: unknown) => {
        if (isOutput) return undefined;
        throw error;
      },
    );
    if (notebook === undefined) return false;
    const cellIndex = Math.min(locator.cell, notebook.cellCount - 1);
    const index = isOutput ? cellThatPutOut(notebook, cellIndex, citation.quote) : cellIndex;
    if (index === undefined) return false;
    const selection = new vscode.NotebookRange(index, index + 1);
    const editor = await vscode.window.showNotebookDocument(notebook, {
      preview: true,
      ...showOptions(column),
      selections: [selection],
    });
    editor.revealRange(selection, vscode.NotebookEditorRevealType.InCenterIfOutsideViewport);
    if (notebook.cellCount === 0) return true;
    const cell = notebook.cellAt(index);
    if (locator.output !== undefined) await this.#showOutput(editor, cell, citation.quote);
    else if (cell.kind === vscode.NotebookCellKind.Code) await this.#mark(cell, locator);
    return true;
  }

  /**
   * Reveals the next cell below an output, because VS Code can't reveal an output. If there is none, reveals the last
   * line of the code.
   */
  async #showOutput(editor: vscode.NotebookEditor, cell: vscode.NotebookCell, quote: string): Promise<void> {
    this.#output.show(cell, quote);
    const next = new vscode.NotebookRange(cell.index + 1, cell.index + 2);
    if (next.end <= cell.notebook.cellCount) {
      editor.revealRange(next, vscode.NotebookEditorRevealType.Default);
      return;
    }
    const shown = await focusEditor(cell.document);
    const { end } = cell.document.lineAt(cell.document.lineCount - 1).range;
    if (shown !== undefined) shown.selection = new vscode.Selection(end, end);
  }

  /** Marks cited text in a cell. Rendered Markdown cells have an editor only while they are edited. */
  async #mark(
    { document }: vscode.NotebookCell,
    { start, end }: Pick<Locator & { kind: 'cell' }, 'start' | 'end'>,
  ): Promise<void> {
    const shown = await focusEditor(document);
    const range = document.validateRange(
      new vscode.Range(start.line, start.character, end.line, end.character),
    );
    if (shown !== undefined && !range.isEmpty) this.#highlighter.show(shown, range);
  }
}

/** Returns the cell whose output contains a quote, nearest to the recorded index. Cells move and run again. */
function cellThatPutOut(
  notebook: vscode.NotebookDocument,
  cellIndex: number,
  quote: string,
): number | undefined {
  const words = comparedLetters(quote);
  const cells = notebook
    .getCells()
    .toSorted((a, b) => Math.abs(a.index - cellIndex) - Math.abs(b.index - cellIndex));
  return cells.find(({ outputs }) =>
    outputs.some(({ items }) => comparedLetters(outputText(items)).includes(words)),
  )?.index;
}

function outputText(items: readonly vscode.NotebookCellOutputItem[]): string {
  const texts = items.flatMap(({ data, mime }) => {
    if (!/^text\/|json|\.(?:stdout|stderr|error)$/.test(mime)) return [];
    const text = new TextDecoder().decode(data.subarray(0, MAX_COMPARED_BYTES));
    return [mime === OUTPUT_ERROR ? errorText(text) : text];
  });
  return stripVTControlCharacters(texts.join(''));
}

/** Tables are quoted in Markdown. So only letters and digits are compared, without tags and fences. */
function comparedLetters(text: string): string {
  const lines = text.split('\n').filter((line) => openedFence(line) === undefined);
  return lines.join('\n').replaceAll(/<[^<>]{0,2000}>|[^\p{L}\p{N}]+/gu, '');
}

async function notebookAt(uri: vscode.Uri, title: string): Promise<vscode.NotebookDocument> {
  try {
    return await vscode.workspace.openNotebookDocument(uri);
  } catch (error) {
    throw missingFile(title, error);
  }
}

/** Returns the focused editor of a selected cell's code. Setting its cursor scrolls to the line only with the focus. */
async function focusEditor(document: vscode.TextDocument): Promise<vscode.TextEditor | undefined> {
  const editor = await findEditor(document);
  if (editor !== undefined) await vscode.commands.executeCommand('notebook.cell.edit');
  return editor;
}

/** Returns the editor of a cell's code as soon as there is one. */
async function findEditor(document: vscode.TextDocument): Promise<vscode.TextEditor | undefined> {
  const find = (): vscode.TextEditor | undefined =>
    vscode.window.visibleTextEditors.find((editor) => editor.document === document);
  const openEditor = find();
  if (openEditor !== undefined) return openEditor;
  return new Promise((resolve) => {
    const done = (editor: vscode.TextEditor | undefined): void => {
      clearTimeout(timer);
      listener.dispose();
      resolve(editor);
    };
    const timer = setTimeout(done, TIMEOUT_MS, undefined);
    const listener = vscode.window.onDidChangeVisibleTextEditors(() => {
      const editor = find();
      if (editor !== undefined) done(editor);
    });
  });
}
