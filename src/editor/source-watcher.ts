import * as vscode from 'vscode';
import type { Source } from '../notebook/source.ts';
import type { NotebookClient } from './notebook-client.ts';
import type { SourceReader } from './source-reader.ts';

/** How long a file or folder must be quiet before it is read again, in milliseconds. */
const SETTLE_TIME = 800;

/** Paths whose changes are never a reason to read a folder again. */
const NEVER_READ = /(^|\/)(\.git|node_modules)\//;

/** Reads files and folders again by itself when they change on disk. Nothing is watched but what the user added. */
export class SourceWatcher implements vscode.Disposable {
  readonly #notebook: NotebookClient;
  readonly #reader: SourceReader;
  readonly #watched = new Map<string, vscode.Disposable>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #following: vscode.Disposable;

  constructor(notebook: NotebookClient, reader: SourceReader) {
    this.#notebook = notebook;
    this.#reader = reader;
    this.#following = notebook.onDidChange(() => void this.update());
  }

  /** Brings what is watched in line with the notebook's sources. */
  async update(): Promise<void> {
    const sources = await this.#notebook.call('sources', {});
    const present = new Set(sources.map(({ id }) => id));
    for (const [id, watcher] of this.#watched) {
      if (present.has(id)) continue;
      watcher.dispose();
      this.#watched.delete(id);
      clearTimeout(this.#timers.get(id));
    }
    for (const source of sources) if (!this.#watched.has(source.id)) this.#watch(source);
  }

  dispose(): void {
    this.#following.dispose();
    for (const watcher of this.#watched.values()) watcher.dispose();
    for (const timer of this.#timers.values()) clearTimeout(timer);
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
      if (NEVER_READ.test(changed.path.slice(uri.path.length))) return;
      clearTimeout(this.#timers.get(id));
      this.#timers.set(
        id,
        setTimeout(() => void this.#readAgain(id), SETTLE_TIME),
      );
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

  async #readAgain(sourceId: string): Promise<void> {
    this.#timers.delete(sourceId);
    const source = (await this.#notebook.call('sources', {})).find(({ id }) => id === sourceId);
    if (source !== undefined) await this.#reader.read(source);
  }
}

function escapeGlob(name: string): string {
  return name.replaceAll(/[*?{}[\]]/g, '[$&]');
}
