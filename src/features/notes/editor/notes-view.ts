import * as vscode from 'vscode';
import { foldedName } from '../../../core/domain/note-links.ts';
import { isChanged } from '../../../core/domain/artifact.ts';
import type { TableEntry } from '../../types.ts';
import type { NoteEntry } from '../../../core/domain/note.ts';
import { noteUri, type NoteFiles } from './note-files.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import { ago } from '../../../platform/relative-time.ts';
import { whyNothing } from '../../../platform/view-message.ts';
import { Disposable } from '../../../platform/disposable.ts';

/** Interval at which "3 min ago" is updated, in milliseconds. */
const CLOCK_INTERVAL = 60_000;

/** Item of the view. */
type NotesNode = TableEntry | NoteEntry;

/**
 * Notes view: all extraction tables and notes, or the notes with a tag, most recently changed first. Below each note
 * are the notes that link to it.
 */
export class NotesView extends Disposable implements vscode.TreeDataProvider<NotesNode> {
  readonly #notebook: NotebookClient;
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly #view: vscode.TreeView<NotesNode>;
  #linked: ReadonlyMap<string, number> = new Map();
  #tag: string | undefined;
  /** Titles of the listed extraction tables. */
  #tableTitles = '';
  /** Generated notes by title, and whether their sources have changed since. */
  #generatedTitles = new Map<string, boolean>();

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(notebook: NotebookClient, files: NoteFiles) {
    super();
    this.#notebook = notebook;
    this.#view = vscode.window.createTreeView('openNotebook.notes', { treeDataProvider: this });
    const refresh = (): void => this.#changed.fire(undefined);
    const clock = setInterval(() => {
      if (this.#view.visible) refresh();
    }, CLOCK_INTERVAL);
    this._register(
      this.#view,
      this.#changed,
      files.onDidChangeFile(refresh),
      notebook.onDidOpen(refresh),
      notebook.onDidSwitch(() => {
        this.filter(undefined);
      }),
      // The sources of generated notes may have changed.
      notebook.onDidChange(() => {
        if (this.#generatedTitles.size > 0) refresh();
        else
          void this.#areTablesOther().then(
            (isOther) => isOther && refresh(),
            () => undefined,
          );
      }),
      {
        dispose: () => {
          clearInterval(clock);
        },
      },
    );
  }

  /** Note that the user selected in the view. */
  get selected(): NoteEntry | undefined {
    return this.#view.selection.find((node): node is NoteEntry => !isTable(node));
  }

  /** Shows only the notes with a tag; undefined shows all. */
  filter(tag: string | undefined): void {
    this.#tag = tag;
    this.#view.description = tag === undefined ? '' : `#${tag}`;
    this.#changed.fire(undefined);
  }

  async getChildren(parent?: NotesNode): Promise<NotesNode[]> {
    if (parent !== undefined) {
      if (isTable(parent)) return [];
      const linking = await this.#notebook.call('backlinks', { title: parent.title });
      // The same note may appear below several notes.
      return linking.map((entry) => ({ ...entry, id: `${parent.id} ${entry.id}` }));
    }
    try {
      const tag = this.#tag;
      const [notes, { linked }, generatedNotes, tables] = await Promise.all([
        tag === undefined ? this.#notebook.call('notes', {}) : this.#notebook.call('taggedNotes', { tag }),
        this.#notebook.call('noteMarks', {}),
        this.#notebook.call('generatedNotes', {}),
        tag === undefined ? this.#notebook.call('tables', {}) : [],
      ]);
      this.#linked = linked;
      this.#generatedTitles = new Map(
        generatedNotes.map(({ title, difference }) => [title, isChanged(difference)]),
      );
      this.#view.message =
        tag !== undefined && notes.length === 0 ? vscode.l10n.t('No notes have the tag #{0}.', tag) : '';
      this.#tableTitles = joinTitles(tables);
      return [...tables, ...notes];
    } catch (error) {
      // The view shows why there are no notes.
      this.#view.message = whyNothing(error);
      throw error;
    }
  }

  getTreeItem(node: NotesNode): vscode.TreeItem {
    if (isTable(node)) return tableItem(node);
    const { id, title, changedAt, changedBy, isTorn } = node;
    const isBelow = id.includes(' ');
    const links = isBelow ? 0 : (this.#linked.get(foldedName(title)) ?? 0);
    const item = new vscode.TreeItem(
      title,
      links > 0 ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.None,
    );
    item.id = id;
    const isOutdated = isBelow ? undefined : this.#generatedTitles.get(title);
    item.description = [
      isBelow ? vscode.l10n.t('links here') : ago(changedAt),
      ...(links === 0 ? [] : [links === 1 ? vscode.l10n.t('1 link') : vscode.l10n.t('{0} links', links)]),
      ...(isOutdated === true ? [vscode.l10n.t('out of date')] : []),
      ...(isTorn === true ? [vscode.l10n.t('conflict')] : []),
    ].join(' · ');
    const changed = new Date(changedAt).toLocaleString();
    item.tooltip = [
      title,
      changedBy === undefined
        ? vscode.l10n.t('Changed {0}', changed)
        : vscode.l10n.t('Changed by {0}, {1}', changedBy, changed),
    ].join('\n');
    item.accessibilityInformation = { label: `${title}, ${item.description}` };
    const uri = noteUri(title, this.#notebook);
    item.resourceUri = uri;
    item.iconPath = vscode.ThemeIcon.File;
    item.contextValue = isOutdated === undefined ? 'note' : isOutdated ? 'note made outdated' : 'note made';
    item.command = {
      command: 'vscode.open',
      title: vscode.l10n.t('Open'),
      arguments: [uri],
    };
    return item;
  }

  async #areTablesOther(): Promise<boolean> {
    if (this.#tag !== undefined) return false;
    return joinTitles(await this.#notebook.call('tables', {})) !== this.#tableTitles;
  }
}

function isTable(node: NotesNode): node is TableEntry {
  return 'rowKind' in node;
}

function joinTitles(tables: readonly TableEntry[]): string {
  return tables.map(({ id, title }) => `${id} ${title}`).join('\n');
}

function tableItem(entry: TableEntry): vscode.TreeItem {
  const { id, title, changedAt } = entry;
  const item = new vscode.TreeItem(title);
  item.id = id;
  item.description = [vscode.l10n.t('extraction table'), ago(changedAt)].join(' · ');
  item.tooltip = [title, vscode.l10n.t('Changed {0}', new Date(changedAt).toLocaleString())].join('\n');
  item.accessibilityInformation = { label: `${title}, ${item.description}` };
  item.iconPath = new vscode.ThemeIcon('table');
  item.contextValue = 'matrix';
  item.command = { command: 'openNotebook.openMatrix', title: vscode.l10n.t('Open'), arguments: [entry] };
  return item;
}
