import * as vscode from 'vscode';
import { NotebookError } from '../../../core/domain/errors.ts';
import { lastSegment } from '../../../platform/workspace-files.ts';
import { Disposable } from '../../../platform/disposable.ts';

/** Text editor that receives code from an answer: the one that had the focus last, while it is visible. */
export class InsertTarget extends Disposable {
  readonly #onDidChange = this._register(new vscode.EventEmitter<void>());
  #editor: vscode.TextEditor | undefined;

  /** Fires when the target editor changes. */
  readonly onDidChange = this.#onDidChange.event;

  constructor() {
    super();
    this.#editor = writable(vscode.window.activeTextEditor);
    this._register(
      vscode.window.onDidChangeActiveTextEditor((editor) => {
        // No text editor is active while a view or a reading view has the focus.
        if (editor !== undefined) this.#set(writable(editor) ?? this.#editor);
      }),
      vscode.window.onDidChangeVisibleTextEditors((shown) => {
        if (this.#editor !== undefined && !shown.includes(this.#editor))
          this.#set(writable(vscode.window.activeTextEditor));
      }),
    );
  }

  /** Name of the target's file; undefined without a target. */
  get name(): string | undefined {
    return this.#editor && lastSegment(this.#editor.document.uri);
  }

  /**
   * Replaces the selection with a text. Later lines get the indentation of the line where the selection begins.
   * @throws NotebookError `not-found`, `forbidden`
   */
  async insert(text: string): Promise<void> {
    const editor = this.#editor;
    if (editor === undefined)
      throw new NotebookError(
        'not-found',
        vscode.l10n.t('Open a file in an editor first, then insert the code.'),
      );
    const { document, selections, viewColumn } = editor;
    const isDone = await editor.edit((edit) => {
      for (const selection of selections) {
        const before = document.lineAt(selection.start).text.slice(0, selection.start.character);
        const indentation = /^\s*$/.test(before) ? before : '';
        edit.replace(selection, text.replaceAll('\n', `\n${indentation}`));
      }
    });
    if (!isDone)
      throw new NotebookError(
        'forbidden',
        vscode.l10n.t('Can’t edit {0}. Copy the code instead.', lastSegment(document.uri)),
      );
    await vscode.window.showTextDocument(document, viewColumn);
  }

  #set(editor: vscode.TextEditor | undefined): void {
    if (editor === this.#editor) return;
    this.#editor = editor;
    this.#onDidChange.fire();
  }
}

/** Returns editors in the editor area and cells, but not the output panel, which is a text editor too. */
function writable(editor: vscode.TextEditor | undefined): vscode.TextEditor | undefined {
  if (editor === undefined) return undefined;
  const { scheme } = editor.document.uri;
  const isShownAsFile = editor.viewColumn !== undefined || scheme === 'vscode-notebook-cell';
  const isLocked = scheme === 'output' || vscode.workspace.fs.isWritableFileSystem(scheme) === false;
  return isShownAsFile && !isLocked ? editor : undefined;
}
