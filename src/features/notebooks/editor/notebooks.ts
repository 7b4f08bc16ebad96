import { existsSync, unwatchFile, watchFile } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import {
  ABOUT,
  type NotebookFolders,
  type TrashedNotebook,
} from '../../../index/library/notebook-folders.ts';
import { NotebookError } from '../../../core/domain/errors.ts';
import type { NotebookEntry } from '../../../core/domain/notebook.ts';
import type { NotebookCounts } from '../../../index/library/library-api.ts';
import type { Library } from '../../../platform/library.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import { inform } from '../../../platform/dialogs.ts';
import { Disposable } from '../../../platform/disposable.ts';

const KEY = 'notebook';

/** Time after its last use that a notebook other than the current one stays open, in milliseconds. */
const IDLE_TIME = 60_000;

/** Interval at which the window checks whether another window renamed the notebook. */
const NAME_INTERVAL_MS = 2_000;

interface NotebooksOptions {
  readonly folders: NotebookFolders;
  /** ID of the workspace's own notebook. */
  readonly ownId: string;
  readonly workspaceState: vscode.Memento;
  readonly library: Library;
  /** Creates the client of a notebook. */
  readonly clientFor: (notebook: { readonly key: string; readonly directory: string }) => NotebookClient;
}

/** Returns the name of the workspace's own notebook until the user renames it: the workspace's name. */
export function defaultName(): string {
  return vscode.workspace.name ?? vscode.l10n.t('Default Notebook');
}

/** Changed extraction table, and the key of its notebook. */
interface TableChange {
  readonly key: string;
  readonly tableId: string;
}

interface Other {
  readonly client: NotebookClient;
  timer: NodeJS.Timeout;
}

/**
 * The notebook that the window shows: the workspace's own, or a named one that any window can open. Everything that
 * holds state of a notebook releases it before a switch and loads it again afterwards. A notebook's key is its ID, or
 * '' for the workspace's own.
 */
export class Notebooks extends Disposable {
  readonly folders: NotebookFolders;
  /** Notebook that the window shows. */
  readonly shown: NotebookClient;
  readonly #options: NotebooksOptions;
  readonly #named = this._register(new vscode.EventEmitter<void>());
  readonly #changed = this._register(new vscode.EventEmitter<NotebookClient>());
  readonly #tableChanged = this._register(new vscode.EventEmitter<TableChange>());
  readonly #others = new Map<string, Other>();
  readonly #leaving: (() => Promise<unknown>)[] = [];
  #name: string | undefined;
  #stopWatching = (): void => undefined;
  #switching: Promise<void> = Promise.resolve();

  /** Fires when the name of the current notebook may have changed. */
  readonly onDidChangeName = this.#named.event;
  /** Fires when sources or notes of the current notebook, or of another notebook in use, changed. */
  readonly onDidChange = this.#changed.event;
  /** Fires when an extraction table of such a notebook changed. */
  readonly onDidChangeTable = this.#tableChanged.event;

  constructor(options: NotebooksOptions) {
    super();
    this.#options = options;
    this.folders = options.folders;
    this.shown = this._register(options.clientFor(this.#findPlace(this.#lastShownKey())));
    this._register(
      this.shown.onDidChange(() => {
        this.#changed.fire(this.shown);
      }),
      this.shown.onDidChangeTable((tableId) => {
        this.#tableChanged.fire({ key: this.shown.key, tableId });
      }),
      this.shown.onDidOpen(() => {
        this.#watchName();
        void this.refresh();
        // Tidying runs again the next time.
        void this.folders.tidy().catch(() => undefined);
      }),
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused && this.shown.isOpen) void this.refresh();
      }),
    );
  }

  /** Name of the current notebook in every view, list, and export. */
  get name(): string {
    return this.#name ?? defaultName();
  }

  /** Registers work to do before the current notebook is left. */
  beforeLeaving(leave: () => Promise<unknown>): void {
    this.#leaving.push(leave);
  }

  toKey(id: string): string {
    return id === this.#options.ownId ? '' : id;
  }

  toId(key: string): string {
    return key === '' ? this.#options.ownId : key;
  }

  /** Returns the folder of a notebook on disk, which may not exist. */
  directoryFor(key: string): string {
    return this.folders.directoryFor(this.toId(key));
  }

  /** Returns the notebook with a key, which may not be the current one. @throws NotebookError `not-found` */
  client(key: string): NotebookClient {
    if (key === this.shown.key) return this.shown;
    const directory = this.directoryFor(key);
    if (!existsSync(join(directory, 'notebook.sqlite')))
      throw new NotebookError(
        'not-found',
        vscode.l10n.t('The notebook that contains this item no longer exists. It may have been deleted.'),
      );
    const other = this.#others.get(key) ?? this.#openOther(key, directory);
    other.timer.refresh();
    return other.client;
  }

  /** Shows another notebook. @throws NotebookError `not-found`, and errors of opening it */
  switchTo(key: string): Promise<void> {
    const switched = this.#switching.then(() => this.#switch(key));
    // The caller gets the error. It must not block the next switch.
    this.#switching = switched.catch(() => undefined);
    return switched;
  }

  /** Deletes a notebook other than the workspace's own, to which the window switches if the deleted one was shown. */
  async remove(entry: NotebookEntry): Promise<TrashedNotebook> {
    const key = this.toKey(entry.id);
    if (key === this.shown.key) await this.switchTo('');
    await this.#closeOther(key);
    const trashed = await this.folders.remove(entry.id);
    await this.refresh();
    return trashed;
  }

  async rename(id: string, name: string): Promise<void> {
    await this.folders.rename(id, name);
    await this.refresh();
  }

  /** Reads the names again, which another window may have changed. Leaves a notebook that another window deleted. */
  async refresh(): Promise<void> {
    const { name } = this;
    if (await this.#readNames()) return;
    await this.switchTo('');
    inform(
      vscode.l10n.t(
        'The notebook “{0}” was deleted. Open Notebook switched to this workspace’s default notebook.',
        name,
      ),
    );
  }

  /** Returns the counts of notebooks by their keys; notebooks that can't be opened are missing. */
  async counts(keys: readonly string[]): Promise<ReadonlyMap<string, NotebookCounts>> {
    const counts = await this.#options.library.ask('counts', {
      directories: keys.map((key) => this.directoryFor(key)),
    });
    return new Map(
      keys.flatMap((key, index) => {
        const counted = counts[index];
        return counted === undefined ? [] : [[key, counted] as const];
      }),
    );
  }

  async close(): Promise<void> {
    await this.shown.close();
    for (const key of [...this.#others.keys()]) await this.#closeOther(key);
  }

  override dispose(): void {
    void this.close();
    this.#stopWatching();
    super.dispose();
  }

  async #switch(key: string): Promise<void> {
    if (key === this.shown.key) return;
    const place = this.#findPlace(key);
    if (key !== '' && !this.folders.has(key))
      throw new NotebookError(
        'not-found',
        vscode.l10n.t('This notebook no longer exists. It may have been deleted.'),
      );
    for (const leave of this.#leaving) await leave();
    await this.#closeOther(key);
    // If the other notebook can't be opened, the views show why and the user can choose another.
    const opened = this.shown.switchTo(place);
    await this.#options.workspaceState.update(KEY, key === '' ? undefined : key);
    try {
      await opened;
    } finally {
      this.#watchName();
      await this.folders.use(this.toId(key));
      await this.#readNames();
    }
  }

  /** Follows a rename in another window, even while this window doesn't have the focus. */
  #watchName(): void {
    this.#stopWatching();
    const path = join(this.directoryFor(this.shown.key), ABOUT);
    // The next check of the file refreshes the name.
    const refresh = (): void => void this.refresh().catch(() => undefined);
    // Polls one file, because VS Code's watchers don't report every file outside of the workspace.
    watchFile(path, { interval: NAME_INTERVAL_MS, persistent: false }, refresh);
    this.#stopWatching = () => unwatchFile(path, refresh);
  }

  /** Reads the names; returns whether the current notebook still exists. */
  async #readNames(): Promise<boolean> {
    const { key } = this.shown;
    const entries = await this.folders.list();
    // The window switched to another notebook meanwhile, which reads the names itself.
    if (key !== this.shown.key) return true;
    const shown = entries.find(({ id }) => id === this.toId(key));
    if (shown === undefined && key !== '') return false;
    this.#name = shown?.name;
    this.#named.fire();
    return true;
  }

  #openOther(key: string, directory: string): Other {
    const client = this.#options.clientFor({ key, directory });
    client.onDidChange(() => {
      this.#changed.fire(client);
    });
    client.onDidChangeTable((tableId) => {
      this.#tableChanged.fire({ key, tableId });
    });
    const timer = setTimeout(() => void this.#closeOther(key), IDLE_TIME);
    const other = { client, timer };
    this.#others.set(key, other);
    return other;
  }

  async #closeOther(key: string): Promise<void> {
    const other = this.#others.get(key);
    if (other === undefined) return;
    this.#others.delete(key);
    clearTimeout(other.timer);
    await other.client.close();
    other.client.dispose();
  }

  /** Returns the notebook that this workspace showed last, if it still exists. */
  #lastShownKey(): string {
    const savedKey: unknown = this.#options.workspaceState.get(KEY);
    try {
      return typeof savedKey === 'string' && this.folders.has(savedKey) ? savedKey : '';
    } catch {
      // The saved key isn't a valid name of a folder.
      return '';
    }
  }

  #findPlace(key: string): { readonly key: string; readonly directory: string } {
    return { key, directory: this.directoryFor(key) };
  }
}

/** Storage of a workspace for the current notebook; each notebook has its own values. */
export class NotebookMemento implements vscode.Memento {
  readonly #memento: vscode.Memento;
  readonly #notebook: Pick<NotebookClient, 'key'>;

  constructor(memento: vscode.Memento, notebook: Pick<NotebookClient, 'key'>) {
    this.#memento = memento;
    this.#notebook = notebook;
  }

  keys(): readonly string[] {
    const ending = this.#toOwnKey('');
    return this.#memento
      .keys()
      .filter((key) => key.endsWith(ending))
      .map((key) => key.slice(0, key.length - ending.length));
  }

  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- The editor's own signature.
  get<T>(key: string): T | undefined;
  get<T>(key: string, otherwise: T): T;
  get<T>(key: string, otherwise?: T): T | undefined {
    return otherwise === undefined
      ? this.#memento.get<T>(this.#toOwnKey(key))
      : this.#memento.get<T>(this.#toOwnKey(key), otherwise);
  }

  async update(key: string, value: unknown): Promise<void> {
    await this.#memento.update(this.#toOwnKey(key), value);
  }

  #toOwnKey(key: string): string {
    return this.#notebook.key === '' ? key : `${key}@${this.#notebook.key}`;
  }
}
