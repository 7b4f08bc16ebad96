import * as vscode from 'vscode';
import { NotebookError } from '../../../core/domain/errors.ts';
import type { NoteEntry } from '../../../core/domain/note.ts';
import { SHARED_FILE, SHARED_FOLDER, sharedKey, type SharedNotebook } from '../model/shared-notebook.ts';
import type { Source } from '../../../core/domain/source.ts';
import { readSharedNotebook } from './shared-files.ts';
import {
  addShared,
  missingFrom,
  notesWith,
  shareNotebook,
  sourcesWith,
  type SharingParts,
} from './shared-notebook.ts';
import { inform, offer, showInformation } from '../../../platform/dialogs.ts';
import { Disposable } from '../../../platform/disposable.ts';

const KEY = 'shared';

/** Changes in the sources and notes that a repository shares. */
interface Changes {
  /** Number of shared sources and notes that the notebook doesn't contain. */
  readonly added: number;
  /** Sources and notes of the notebook that are no longer shared. */
  readonly left: { readonly sources: readonly Source[]; readonly notes: readonly NoteEntry[] };
}

/**
 * Watches the shared notebooks of the workspace's repositories. Notifies users who have shared or added items about
 * additions and removals. Nothing is added, downloaded, or removed without a click, and only the command writes
 * files.
 */
export class SharedFollower extends Disposable {
  readonly #parts: SharingParts;
  readonly #memento: vscode.Memento;
  #looking: Promise<void> = Promise.resolve();

  constructor(parts: SharingParts, memento: vscode.Memento) {
    super();
    this.#parts = parts;
    this.#memento = memento;
    const look = (): void => {
      // The next change of the file checks again.
      this.#looking = this.#looking.then(() => this.#look()).catch(() => undefined);
    };
    for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
      const pattern = new vscode.RelativePattern(uri, `${SHARED_FOLDER}/${SHARED_FILE}`);
      const watcher = vscode.workspace.createFileSystemWatcher(pattern);
      this._register(
        watcher,
        watcher.onDidChange(look),
        watcher.onDidCreate(look),
        watcher.onDidDelete(look),
      );
    }
    this._register(parts.notebook.onDidOpen(look));
    look();
  }

  /** Shares the items that the user picks, in a repository that they choose. */
  async share(): Promise<void> {
    const root = await chooseFolder(vscode.workspace.workspaceFolders ?? []);
    if (root === undefined) return;
    if (await shareNotebook(root, this.#parts)) await this.#know(root, await readSharedNotebook(root));
  }

  /**
   * Adds the shared items of a repository that the user picks.
   * @throws NotebookError `empty` if no folder shares anything
   */
  async add(): Promise<void> {
    const folders: vscode.WorkspaceFolder[] = [];
    for (const folder of vscode.workspace.workspaceFolders ?? [])
      if ((await readSharedNotebook(folder.uri)) !== undefined) folders.push(folder);
    if (folders.length === 0)
      throw new NotebookError(
        'empty',
        vscode.l10n.t('No folder in this workspace contains a shared notebook.'),
      );
    const root = await chooseFolder(folders);
    const shared = root && (await readSharedNotebook(root));
    if (root === undefined || shared === undefined) return;
    if (await addShared(root, shared, this.#parts)) await this.#know(root, shared);
  }

  async #look(): Promise<void> {
    let isThere = false;
    for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
      // An unreadable list is reported when the user opens it.
      const shared = await readSharedNotebook(uri).catch(() => ({ sources: [], notes: [] }));
      isThere ||= shared !== undefined;
      const known = this.#readKnown(uri);
      if (known !== undefined && shared !== undefined && this.#parts.notebook.isOpen)
        void this.#notify(await this.#changesIn(uri, shared, known));
    }
    await vscode.commands.executeCommand('setContext', 'openNotebook.hasShared', isThere);
  }

  /** Returns the additions and removals since the user last looked. Reports each change only once. */
  async #changesIn(root: vscode.Uri, shared: SharedNotebook, known: ReadonlySet<string>): Promise<Changes> {
    const { notebook } = this.#parts;
    const missing = await missingFrom(root, shared, notebook);
    const added = [...missing.sources, ...missing.notes].filter((item) => !known.has(sharedKey(item)));
    const keys = new Set([...shared.sources, ...shared.notes].map((item) => sharedKey(item)));
    const removed = new Set([...known].filter((key) => !keys.has(key)));
    const removedItems = {
      sources: sourcesWith(removed, await notebook.call('sources', {}), root),
      notes: notesWith(removed, await notebook.call('notes', {})),
    };
    await this.#know(root, shared);
    return { added: added.length, left: removedItems };
  }

  async #notify({ added, left }: Changes): Promise<void> {
    if (added > 0) {
      const message =
        added === 1
          ? vscode.l10n.t('This repository shares 1 more source or note.')
          : vscode.l10n.t('This repository shares {0} more sources and notes.', added);
      void offer(message, vscode.l10n.t('Add…'), () =>
        vscode.commands.executeCommand('openNotebook.addSharedSources'),
      );
    }
    await this.#offerToRemove(left);
  }

  async #offerToRemove({ sources, notes }: Changes['left']): Promise<void> {
    if (sources.length + notes.length === 0) return;
    const { notebook } = this.#parts;
    const { key } = notebook;
    const remove = vscode.l10n.t('Remove');
    const titles = [...sources, ...notes].map(({ title }) => title).join(', ');
    const question = vscode.l10n.t(
      'No longer shared in this repository: {0}. Remove from your notebook?',
      titles,
    );
    const keep = vscode.l10n.t('Keep');
    if ((await showInformation(question, [remove, keep])) !== remove) return;
    if (notebook.key !== key) {
      inform(vscode.l10n.t('You switched to another notebook. Switch back, then remove {0} there.', titles));
      return;
    }
    await notebook.call('removeSources', { sourceIds: sources.map(({ id }) => id) });
    for (const { title } of notes) await notebook.call('removeNote', { title });
  }

  /** Returns the shared items of a folder that the user already knows; undefined if they never shared or added any. */
  #readKnown(root: vscode.Uri): ReadonlySet<string> | undefined {
    const stored: unknown = this.#memento.get(`${KEY} ${root.toString()}`);
    return Array.isArray(stored)
      ? new Set(stored.filter((key): key is string => typeof key === 'string'))
      : undefined;
  }

  async #know(root: vscode.Uri, shared: SharedNotebook | undefined): Promise<void> {
    const keys = shared && [...shared.sources, ...shared.notes].map((item) => sharedKey(item));
    await this.#memento.update(`${KEY} ${root.toString()}`, keys);
  }
}

/** Returns the repository folder; asks if there are several. @throws NotebookError `empty` */
async function chooseFolder(folders: readonly vscode.WorkspaceFolder[]): Promise<vscode.Uri | undefined> {
  const [first] = folders;
  if (first === undefined) throw new NotebookError('empty', vscode.l10n.t('Open a repository folder first.'));
  if (folders.length === 1) return first.uri;
  const items = folders.map(({ name, uri }) => ({ label: name, uri }));
  return (await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Choose Repository') }))?.uri;
}
