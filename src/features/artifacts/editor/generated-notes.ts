import * as vscode from 'vscode';
import { isChanged } from '../../../core/domain/artifact.ts';
import { isOtherTemplate, TEMPLATE_FOLDER, type Template } from '../../../core/domain/template.ts';
import { isScript } from '../service/is-script.ts';
import { NOTE_SCHEME, titleOfUri, type NotebooksByKey } from '../../notes/editor/note-files.ts';
import { describeDrift } from './show-sources.ts';
import { Disposable } from '../../../platform/disposable.ts';

const TOP = new vscode.Range(0, 0, 0, 0);
/** First lines of a note, which show whether it is a script. */
const HEAD = new vscode.Range(0, 0, 200, 0);

/**
 * Shows at the top of a generated note that its sources or its template changed, and offers to update it; offers to
 * generate audio from scripts.
 */
export class GeneratedNoteCodeLens extends Disposable implements vscode.CodeLensProvider {
  readonly #notebooks: NotebooksByKey;
  readonly #extensionUri: vscode.Uri;
  readonly #changed = new vscode.EventEmitter<void>();

  readonly onDidChangeCodeLenses = this.#changed.event;

  constructor(notebooks: NotebooksByKey, extensionUri: vscode.Uri) {
    super();
    this.#notebooks = notebooks;
    this.#extensionUri = extensionUri;
    const changed = (): void => this.#changed.fire();
    const templates = vscode.workspace.createFileSystemWatcher(`**/${TEMPLATE_FOLDER.join('/')}/*.md`);
    this._register(
      this.#changed,
      notebooks.onDidChange(changed),
      templates,
      templates.onDidChange(changed),
      templates.onDidCreate(changed),
      vscode.languages.registerCodeLensProvider({ scheme: NOTE_SCHEME, language: 'markdown' }, this),
    );
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    return [...(await this.#changes(document.uri)), ...audio(document)];
  }

  async #changes(uri: vscode.Uri): Promise<vscode.CodeLens[]> {
    const title = titleOfUri(uri);
    if (title === undefined) return [];
    const states = await this.#notebooks.client(uri.authority).call('generatedNotes', {});
    const state = states.find((candidate) => candidate.title === title);
    if (state === undefined) return [];
    const changes = [
      ...(isChanged(state.difference) ? [describeDrift(state.difference)] : []),
      ...((await this.#isTemplateChanged(state.template))
        ? [vscode.l10n.t('The template has changed.')]
        : []),
    ];
    if (changes.length === 0) return [];
    return [
      new vscode.CodeLens(TOP, {
        title: [...changes, vscode.l10n.t('Update from Sources')].join(' '),
        tooltip: vscode.l10n.t('Review the changes to this {0} before you keep them', state.name),
        command: 'openNotebook.bringUpToDate',
        arguments: [uri],
      }),
    ];
  }

  /**
   * Reports whether the template changed. A missing or unreadable one counts as unchanged, because updating the note
   * reports it.
   */
  async #isTemplateChanged(template: Template | undefined): Promise<boolean> {
    if (template === undefined) return false;
    const { templateNow } = await import('./templates.ts');
    const current = await templateNow(this.#extensionUri, template.name);
    return current.kind === 'there' && isOtherTemplate(template, current.template);
  }
}

/** Offers to generate audio from a script. */
function audio(document: vscode.TextDocument): vscode.CodeLens[] {
  if (!isScript(document.getText(HEAD))) return [];
  return [
    new vscode.CodeLens(TOP, {
      title: vscode.l10n.t('Generate Audio…'),
      tooltip: vscode.l10n.t('Generates speech from this script and saves it as MP3 or WAV'),
      command: 'openNotebook.makeAudio',
      arguments: [document.uri],
    }),
  ];
}
