import * as vscode from 'vscode';
import type { NoteEntry } from '../../notebook/note.ts';
import { noteUri, type NoteFiles } from './note-files.ts';
import type { NotebookClient } from '../notebook-client.ts';
import { ago } from '../relative-time.ts';
import { whyNothing } from '../view-message.ts';

/** How often "3 min ago" is brought up to date, in milliseconds. */
const CLOCK_INTERVAL = 60_000;

/** The Notes view: every note, the last changed first. */
export class NotesView implements vscode.TreeDataProvider<NoteEntry>, vscode.Disposable {
  readonly #notebook: NotebookClient;
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly #view: vscode.TreeView<NoteEntry>;
  readonly #disposables: readonly { dispose(): unknown }[];

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(notebook: NotebookClient, files: NoteFiles) {
    this.#notebook = notebook;
    this.#view = vscode.window.createTreeView('openNotebook.notes', { treeDataProvider: this });
    const refresh = (): void => {
      this.#changed.fire(undefined);
    };
    const clock = setInterval(() => {
      if (this.#view.visible) refresh();
    }, CLOCK_INTERVAL);
    this.#disposables = [
      this.#view,
      this.#changed,
      files.onDidChangeFile(refresh),
      notebook.onDidOpen(refresh),
      notebook.onDidSwitch(refresh),
      {
        dispose: () => {
          clearInterval(clock);
        },
      },
    ];
  }

  /** The note that the user selected in the view. */
  get selected(): NoteEntry | undefined {
    return this.#view.selection[0];
  }

  async getChildren(parent?: NoteEntry): Promise<NoteEntry[]> {
    if (parent !== undefined) return [];
    try {
      const notes = await this.#notebook.call('notes', {});
      this.#view.message = '';
      return [...notes];
    } catch (error) {
      // Where notes would stand it says why there are none.
      this.#view.message = whyNothing(error);
      throw error;
    }
  }

  getTreeItem({ id, title, changedAt }: NoteEntry): vscode.TreeItem {
    const item = new vscode.TreeItem(title);
    item.id = id;
    item.description = ago(changedAt);
    item.tooltip = [title, vscode.l10n.t('Changed {0}', new Date(changedAt).toLocaleString())].join('\n');
    item.accessibilityInformation = { label: `${title}, ${item.description}` };
    const uri = noteUri(title, this.#notebook);
    item.resourceUri = uri;
    item.iconPath = vscode.ThemeIcon.File;
    item.contextValue = 'note';
    item.command = {
      command: 'vscode.open',
      title: vscode.l10n.t('Open'),
      arguments: [uri],
    };
    return item;
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }
}
