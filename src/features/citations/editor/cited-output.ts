import * as vscode from 'vscode';
import { markdownLines } from '../../../core/language/markdown-lines.ts';
import { Disposable } from '../../../platform/disposable.ts';

/** VS Code's type of Jupyter notebooks. */
const NOTEBOOK_TYPE = 'jupyter-notebook';
/** Maximum length of a quote in a cell's status bar, beside its other items. */
const MAX_SHOWN_LENGTH = 80;

/**
 * Shows the cited text of an output in the status bar of its cell, because extensions can't mark text in outputs. It
 * disappears when the notebook changes or another cell is selected.
 */
export class CitedOutput extends Disposable implements vscode.NotebookCellStatusBarItemProvider {
  readonly #changed = this._register(new vscode.EventEmitter<void>());
  #cited: { readonly cell: vscode.NotebookCell; readonly quote: string } | undefined;

  readonly onDidChangeCellStatusBarItems = this.#changed.event;

  constructor() {
    super();
    this._register(
      vscode.notebooks.registerNotebookCellStatusBarItemProvider(NOTEBOOK_TYPE, this),
      vscode.workspace.onDidChangeNotebookDocument(({ notebook, contentChanges, cellChanges }) => {
        const isChanged =
          contentChanges.length > 0 || cellChanges.some(({ document, outputs }) => document ?? outputs);
        if (isChanged && notebook === this.#cited?.cell.notebook) this.clear();
      }),
      vscode.window.onDidChangeNotebookEditorSelection(({ notebookEditor, selections }) => {
        const cell = this.#cited?.cell;
        const isElsewhere = !selections.some(
          ({ start, end }) => cell && start <= cell.index && cell.index < end,
        );
        if (notebookEditor.notebook === cell?.notebook && isElsewhere) this.clear();
      }),
    );
  }

  show(cell: vscode.NotebookCell, quote: string): void {
    // Outputs are fenced in the text that was read.
    const words = Array.from(markdownLines(quote)).flatMap(({ kind, start, end }) =>
      kind === 'opening' || kind === 'closing' ? [] : [quote.slice(start, end)],
    );
    this.#cited = { cell, quote: words.join(' ').replaceAll(/\s+/g, ' ').trim() };
    this.#changed.fire();
  }

  clear(): void {
    if (this.#cited === undefined) return;
    this.#cited = undefined;
    this.#changed.fire();
  }

  provideCellStatusBarItems(cell: vscode.NotebookCell): vscode.NotebookCellStatusBarItem[] {
    if (cell !== this.#cited?.cell) return [];
    const { quote } = this.#cited;
    const shown =
      quote.length > MAX_SHOWN_LENGTH ? `${quote.slice(0, MAX_SHOWN_LENGTH).toWellFormed()}…` : quote;
    const item = new vscode.NotebookCellStatusBarItem(
      `$(quote) ${vscode.l10n.t('Cited from the output: “{0}”', shown)}`,
      vscode.NotebookCellStatusBarAlignment.Left,
    );
    item.tooltip = vscode.l10n.t('Cited from the output: “{0}”', quote);
    item.priority = 1;
    return [item];
  }
}
