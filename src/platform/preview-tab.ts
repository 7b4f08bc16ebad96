import type * as vscode from 'vscode';

/** Preview tab, which the next preview replaces. A tab that the user clicks into stays. */
export class PreviewTab {
  #panel: vscode.WebviewPanel | undefined;

  show(panel: vscode.WebviewPanel): void {
    this.#panel?.dispose();
    this.#panel = panel;
    panel.onDidDispose(() => {
      this.keepOpen(panel);
    });
  }

  keepOpen(panel: vscode.WebviewPanel): void {
    if (this.#panel === panel) this.#panel = undefined;
  }
}
