import * as vscode from 'vscode';
import type { MadeDifference } from '../../notebook/studio.ts';
import { isScript } from '../../making/audio/is-script.ts';
import { NOTE_SCHEME, titleOfUri, type NotebooksByKey } from '../notes/note-files.ts';

const TOP = new vscode.Range(0, 0, 0, 0);
/** Whether a note is a script shows within so many lines. */
const HEAD = new vscode.Range(0, 0, 200, 0);

/** Tells at the head of a note that the studio wrote when its sources have changed since, and offers to take that over; offers to have scripts spoken. */
export class MadeNoteLens implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #notebooks: NotebooksByKey;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #disposables: vscode.Disposable;

  readonly onDidChangeCodeLenses = this.#changed.event;

  constructor(notebooks: NotebooksByKey) {
    this.#notebooks = notebooks;
    this.#disposables = vscode.Disposable.from(
      this.#changed,
      notebooks.onDidChange(() => {
        this.#changed.fire();
      }),
      vscode.languages.registerCodeLensProvider({ scheme: NOTE_SCHEME, language: 'markdown' }, this),
    );
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    return [...(await this.#changes(document.uri)), ...audio(document)];
  }

  async #changes(uri: vscode.Uri): Promise<vscode.CodeLens[]> {
    const title = titleOfUri(uri);
    if (title === undefined) return [];
    const states = await this.#notebooks.client(uri.authority).call('madeNotes', {});
    const state = states.find((one) => one.title === title);
    if (state === undefined) return [];
    const { added, changed, removed } = state.difference;
    if (added + changed + removed === 0) return [];
    return [
      new vscode.CodeLens(TOP, {
        title: `${tellDifference(state.difference)} ${vscode.l10n.t('Bring Up to Date')}`,
        tooltip: vscode.l10n.t('Shows what changes in this {0} before anything is kept', state.name),
        command: 'openNotebook.bringUpToDate',
        arguments: [uri],
      }),
    ];
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}

/** Offers to have a script spoken. */
function audio(document: vscode.TextDocument): vscode.CodeLens[] {
  if (!isScript(document.getText(HEAD))) return [];
  return [
    new vscode.CodeLens(TOP, {
      title: vscode.l10n.t('Make Audio…'),
      tooltip: vscode.l10n.t('Has this script spoken by an endpoint, and saves it as MP3 or WAV'),
      command: 'openNotebook.makeAudio',
      arguments: [document.uri],
    }),
  ];
}

/** How sources differ from what something was made of, in a sentence. */
function tellDifference({ added, changed, removed }: MadeDifference): string {
  const parts = [
    ...(changed > 0 ? [vscode.l10n.t('{0} changed', changed)] : []),
    ...(added > 0 ? [vscode.l10n.t('{0} new', added)] : []),
    ...(removed > 0 ? [vscode.l10n.t('{0} removed', removed)] : []),
  ];
  return vscode.l10n.t('The sources have changed: {0}.', parts.join(', '));
}
