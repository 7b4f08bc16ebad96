import * as vscode from 'vscode';
import { findSideBySide, type SideBySide } from '../../../core/language/merged-lines.ts';
import { literalText } from '../../../platform/literal-text.ts';
import { NOTE_SCHEME } from './note-files.ts';
import { Disposable } from '../../../platform/disposable.ts';

const KEEP = 'openNotebook.keepVersion';

/** Version to keep. */
type MergeChoice = 'both' | 'ours' | 'theirs';

/** Highlights conflicting versions in notes, and offers to accept one or both of them. */
export class SideBySideVersions extends Disposable implements vscode.CodeLensProvider {
  readonly #ours = wholeLines('merge.currentContentBackground');
  readonly #theirs = wholeLines('merge.incomingContentBackground');

  constructor() {
    super();
    const show = (): void => {
      for (const editor of vscode.window.visibleTextEditors) this.#show(editor);
    };
    this._register(
      this.#ours,
      this.#theirs,
      vscode.languages.registerCodeLensProvider({ scheme: NOTE_SCHEME, language: 'markdown' }, this),
      vscode.commands.registerCommand(KEEP, keepVersion),
      vscode.window.onDidChangeVisibleTextEditors(show),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document.uri.scheme === NOTE_SCHEME) show();
      }),
    );
    show();
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    return findSideBySide(document.getText()).flatMap(({ start, who }) => {
      const lens = (choice: MergeChoice, title: string): vscode.CodeLens =>
        new vscode.CodeLens(document.lineAt(start).range, {
          command: KEEP,
          title: literalText(title),
          arguments: [document.uri, start, choice],
        });
      return [
        lens('ours', vscode.l10n.t('Keep First Version')),
        lens(
          'theirs',
          who === '' ? vscode.l10n.t('Keep Second Version') : vscode.l10n.t('Keep {0}’s Version', who),
        ),
        lens('both', vscode.l10n.t('Keep Both Versions')),
      ];
    });
  }

  #show(editor: vscode.TextEditor): void {
    const { document } = editor;
    if (document.uri.scheme !== NOTE_SCHEME) return;
    const places = findSideBySide(document.getText());
    const lines = (from: number, to: number): vscode.Range[] =>
      to <= from + 1 ? [] : [new vscode.Range(from + 1, 0, to - 1, 0)];
    editor.setDecorations(
      this.#ours,
      places.flatMap(({ start, middle }) => lines(start, middle)),
    );
    editor.setDecorations(
      this.#theirs,
      places.flatMap(({ middle, end }) => lines(middle, end)),
    );
  }
}

async function keepVersion(uri: vscode.Uri, line: number, choice: MergeChoice): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  const place = findSideBySide(document.getText()).find(({ start }) => start === line);
  if (place === undefined) return;
  const edit = new vscode.WorkspaceEdit();
  // Deletes from the bottom up, so that the lines above keep their numbers.
  for (const range of goneLines(place, choice)) edit.delete(uri, document.validateRange(range));
  await vscode.workspace.applyEdit(edit);
}

function goneLines({ start, middle, end }: SideBySide, choice: MergeChoice): vscode.Range[] {
  const from = (first: number, after: number): vscode.Range => new vscode.Range(first, 0, after, 0);
  switch (choice) {
    case 'ours':
      return [from(middle, end + 1), from(start, start + 1)];
    case 'theirs':
      return [from(end, end + 1), from(start, middle + 1)];
    case 'both':
      return [from(end, end + 1), from(middle, middle + 1), from(start, start + 1)];
  }
}

function wholeLines(colour: string): vscode.TextEditorDecorationType {
  return vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor(colour),
  });
}
