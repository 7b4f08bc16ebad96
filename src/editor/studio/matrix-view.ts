import * as v from 'valibot';
import * as vscode from 'vscode';
import type { MatrixState } from '../../messages/matrix.ts';
import type { RowKind } from '../../notebook/matrix.ts';
import type { StudioScope } from '../../notebook/studio.ts';
import type { NotebookClient } from '../notebook-client.ts';
import { webviewHtml, webviewOptions } from '../webview-page.ts';
import { matrixKey, MatrixFillings } from './matrix-fillings.ts';
import type { MatrixPage, MatrixParts } from './matrix-page.ts';

const VIEW_TYPE = 'openNotebook.matrix';

const matrixState = v.object({ matrix: v.string(), notebook: v.string() });

/** Matrices in editor tabs, each in one. They are filled whether their tabs are open or not. */
export class MatrixViews implements vscode.WebviewPanelSerializer, vscode.Disposable {
  readonly #parts: MatrixParts;
  readonly #registration: vscode.Disposable;
  readonly #fillings: MatrixFillings;
  readonly #pages = new Map<string, { readonly panel: vscode.WebviewPanel; readonly page: MatrixPage }>();

  constructor(parts: MatrixParts) {
    this.#parts = parts;
    this.#fillings = new MatrixFillings(parts, (state, title, { message }) => {
      // An open tab says so itself.
      if (this.#pages.has(matrixKey(state))) return;
      const open = vscode.l10n.t('Open');
      const told = vscode.l10n.t('“{0}” is not filled yet. {1}', title, message);
      vscode.window
        .showWarningMessage(told, open)
        .then((chosen) => (chosen === open ? this.show(state, title) : undefined), parts.tellError);
    });
    this.#registration = vscode.window.registerWebviewPanelSerializer(VIEW_TYPE, this);
  }

  /** Makes a matrix of sources and shows it; its columns are added there. */
  async make(
    notebook: NotebookClient,
    wish: StudioScope & { readonly title: string; readonly rowKind: RowKind },
  ): Promise<void> {
    const matrix = await notebook.call('addMatrix', wish);
    await this.show({ matrix, notebook: notebook.key }, wish.title);
  }

  /** Shows a matrix: in the tab that it has, else in a new one. */
  async show(state: MatrixState, title: string): Promise<void> {
    const there = this.#pages.get(matrixKey(state));
    if (there !== undefined) {
      there.panel.reveal();
      return;
    }
    const { Active } = vscode.ViewColumn;
    const panel = vscode.window.createWebviewPanel(VIEW_TYPE, title, Active, {
      ...webviewOptions(this.#parts.extensionUri),
      // What is typed into a cell stays while another tab covers it.
      retainContextWhenHidden: true,
    });
    await this.#fill(panel, state);
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    if (!v.is(matrixState, state)) {
      panel.dispose();
      return;
    }
    panel.webview.options = webviewOptions(this.#parts.extensionUri);
    await this.#fill(panel, state);
  }

  /** Stops what is being filled, and waits until that is kept. */
  async leave(): Promise<void> {
    await this.#fillings.leave();
  }

  dispose(): void {
    this.#registration.dispose();
    for (const { page } of this.#pages.values()) page.dispose();
    this.#fillings.dispose();
  }

  async #fill(panel: vscode.WebviewPanel, state: MatrixState): Promise<void> {
    const { MatrixPage } = await import('./matrix-page.ts');
    const page = new MatrixPage(this.#parts, this.#fillings, panel, state);
    this.#pages.set(matrixKey(state), { panel, page });
    panel.onDidDispose(() => {
      this.#pages.delete(matrixKey(state));
      page.dispose();
    });
    panel.webview.html = webviewHtml(panel.webview, this.#parts.extensionUri, 'matrix');
  }
}
