import * as vscode from 'vscode';
import type { Source } from '../notebook/source.ts';
import { isNeverRead } from '../reading/folder-walker.ts';
import { isIgnoreFile } from '../reading/ignore-rules.ts';
import type { Changes } from './change-settler.ts';
import { ChangeSettler } from './change-settler.ts';
import type { NotebookClient } from './notebook-client.ts';
import type { SourceReader } from './source-reader.ts';
import { nameOf } from './workspace-files.ts';

/** Reads files and folders again by itself when they change on disk. Nothing is watched but what the user added. */
export class SourceWatcher implements vscode.Disposable {
  readonly #notebook: NotebookClient;
  readonly #reader: SourceReader;
  readonly #watched = new Map<string, vscode.Disposable>();
  readonly #settler: ChangeSettler;
  readonly #following: vscode.Disposable;

  constructor(notebook: NotebookClient, reader: SourceReader) {
    this.#notebook = notebook;
    this.#reader = reader;
    this.#settler = new ChangeSettler((id, changes) => this.#readAgain(id, changes));
    this.#following = notebook.onDidChange(() => void this.update());
  }

  /** The number of sources that are watched. */
  get watching(): number {
    return this.#watched.size;
  }

  /** Brings what is watched in line with the notebook's sources. */
  async update(): Promise<void> {
    const sources = await this.#notebook.call('sources', {});
    const present = new Set(sources.map(({ id }) => id));
    for (const [id, watcher] of this.#watched) {
      if (present.has(id)) continue;
      watcher.dispose();
      this.#watched.delete(id);
      this.#settler.forget(id);
    }
    for (const source of sources) if (!this.#watched.has(source.id)) this.#watch(source);
  }

  dispose(): void {
    this.#following.dispose();
    for (const watcher of this.#watched.values()) watcher.dispose();
    this.#settler.dispose();
  }

  #watch({ id, origin }: Source): void {
    if (origin.kind !== 'file' && origin.kind !== 'folder') return;
    const uri = vscode.Uri.parse(origin.uri);
    const pattern =
      origin.kind === 'folder'
        ? new vscode.RelativePattern(uri, '**/*')
        : new vscode.RelativePattern(
            vscode.Uri.joinPath(uri, '..'),
            escapeGlob(uri.path.slice(uri.path.lastIndexOf('/') + 1)),
          );
    const watcher = vscode.workspace.createFileSystemWatcher(pattern);
    const onChange = (changed: vscode.Uri): void => {
      const path = changed.path.slice(uri.path.length).replace(/^\//, '');
      if (isNeverRead(path)) return;
      // What an ignore file left out is found by looking at everything.
      this.#settler.changed(id, isIgnoreFile(nameOf(changed)) ? undefined : path);
    };
    this.#watched.set(
      id,
      vscode.Disposable.from(
        watcher,
        watcher.onDidChange(onChange),
        watcher.onDidCreate(onChange),
        watcher.onDidDelete(onChange),
      ),
    );
  }

  async #readAgain(sourceId: string, changes: Changes): Promise<void> {
    await this.#reader.idle(sourceId);
    const source = (await this.#notebook.call('sources', {})).find(({ id }) => id === sourceId);
    if (source !== undefined) await this.#reader.read(source, changes);
  }
}

function escapeGlob(name: string): string {
  return name.replaceAll(/[*?{}[\]]/g, '[$&]');
}
