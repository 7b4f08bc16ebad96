import * as vscode from 'vscode';

/** Marks cited text in an editor until the document is edited or the user clicks elsewhere. */
export class Highlighter implements vscode.Disposable {
  readonly #decoration = vscode.window.createTextEditorDecorationType({
    backgroundColor: new vscode.ThemeColor('editor.findMatchHighlightBackground'),
    border: '1px solid',
    borderColor: new vscode.ThemeColor('editor.findMatchHighlightBorder'),
    overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.findMatchForeground'),
    overviewRulerLane: vscode.OverviewRulerLane.Center,
  });
  #listeners: vscode.Disposable[] = [];

  show(editor: vscode.TextEditor, range: vscode.Range): void {
    this.#clear();
    editor.selection = new vscode.Selection(range.start, range.start);
    editor.revealRange(range, vscode.TextEditorRevealType.InCenter);
    editor.setDecorations(this.#decoration, [range]);
    this.#listeners = [
      vscode.workspace.onDidChangeTextDocument((event) => {
        if (event.document === editor.document && event.contentChanges.length > 0) this.#clear();
      }),
      vscode.window.onDidChangeTextEditorSelection((event) => {
        const moved = event.selections.some(({ active }) => !active.isEqual(range.start));
        if (moved && event.textEditor.document === editor.document) this.#clear();
      }),
    ];
  }

  dispose(): void {
    this.#clear();
    this.#decoration.dispose();
  }

  #clear(): void {
    for (const listener of this.#listeners.splice(0)) listener.dispose();
    for (const editor of vscode.window.visibleTextEditors) editor.setDecorations(this.#decoration, []);
  }
}
