import * as vscode from 'vscode';
import type { Source } from '../../../core/domain/source.ts';
import { isIgnoreFile } from '../../../parsers/ignore-rules.ts';
import { isInExcludedFolder } from '../../../core/domain/excluded-folders.ts';
import { ChangeSettler, type ChangeTiming, type Changes } from './change-settler.ts';
import { ignorePlacesAbove } from './folder-files.ts';
import { belongsToRecording, captionsStem, isRecordingName } from '../../../core/domain/recordings.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import type { SourceReader } from './source-reader.ts';
import { escapeGlob, lastSegment } from '../../../platform/workspace-files.ts';
import { Disposable } from '../../../platform/disposable.ts';

/** Watchers of a source, and its location when they were created. */
interface Watched {
  readonly uri: string;
  readonly watchers: vscode.Disposable[];
}

/** Reads files and folders again when they change on disk. Watches only sources that the user added. */
export class SourceWatcher extends Disposable {
  readonly #notebook: NotebookClient;
  readonly #reader: SourceReader;
  readonly #watched = new Map<string, Watched>();
  readonly #settler: ChangeSettler;

  constructor(notebook: NotebookClient, reader: SourceReader, timing?: Partial<ChangeTiming>) {
    super();
    this.#notebook = notebook;
    this.#reader = reader;
    this.#settler = this._register(new ChangeSettler((id, changes) => this.#readAgain(id, changes), timing));
    this._register(notebook.onDidChange(() => void this.#followChange()));
  }

  /** Number of watched sources. */
  get watching(): number {
    return this.#watched.size;
  }

  /**
   * Updates the watchers to match the notebook's sources.
   * @returns the IDs of newly watched sources
   */
  async update(): Promise<string[]> {
    const sources = await this.#notebook.call('sources', {});
    const places = new Map(sources.map(({ id, origin }) => [id, 'uri' in origin ? origin.uri : undefined]));
    for (const [id, watched] of this.#watched) {
      if (places.get(id) === watched.uri) continue;
      this.#end(id, watched);
      if (!places.has(id)) this.#settler.forget(id);
    }
    const unwatched = sources.filter(({ id }) => !this.#watched.has(id));
    await Promise.all(unwatched.map((source) => this.#watch(source)));
    return unwatched.map(({ id }) => id).filter((id) => this.#watched.has(id));
  }

  /**
   * Watches new sources. A source that was read before it was watched is checked again, because it may have changed
   * meanwhile.
   */
  async #followChange(): Promise<void> {
    const watched = await this.update();
    if (watched.length === 0) return;
    for (const { id, state } of await this.#notebook.call('sources', {}))
      if (state.kind === 'ready' && watched.includes(id)) this.#settler.recordChange(id, undefined);
  }

  override dispose(): void {
    for (const [id, watched] of this.#watched) this.#end(id, watched);
    super.dispose();
  }

  #end(id: string, { watchers }: Watched): void {
    this.#watched.delete(id);
    for (const watcher of watchers) watcher.dispose();
  }

  async #watch({ id, origin }: Source): Promise<void> {
    if (origin.kind !== 'file' && origin.kind !== 'folder') return;
    const uri = vscode.Uri.parse(origin.uri);
    const name = lastSegment(uri);
    const pattern =
      origin.kind === 'folder'
        ? new vscode.RelativePattern(uri, '**/*')
        : new vscode.RelativePattern(
            vscode.Uri.joinPath(uri, '..'),
            isRecordingName(name) ? `${escapeGlob(captionsStem(name))}*` : escapeGlob(name),
          );
    const onChange = (changed: vscode.Uri): void => {
      if (origin.kind === 'file' && changed.path !== uri.path) {
        if (belongsToRecording(lastSegment(changed), name)) this.#settler.recordChange(id, undefined);
        return;
      }
      const path = changed.path.slice(uri.path.length).replace(/^\//, '');
      if (isInExcludedFolder(path)) return;
      // After a change to an ignore file, only a full check finds the files that it excluded.
      this.#settler.recordChange(id, isIgnoreFile(lastSegment(changed)) ? undefined : path);
    };
    const watched: Watched = { uri: origin.uri, watchers: watch(pattern, onChange) };
    this.#watched.set(id, watched);
    if (origin.kind === 'folder') await this.#watchAbove(id, uri, watched);
  }

  /** Watches the ignore files above a folder that apply to it, so that a change to their rules takes effect. */
  async #watchAbove(id: string, folder: vscode.Uri, watched: Watched): Promise<void> {
    const above = Map.groupBy(await ignorePlacesAbove(folder), ({ directory }) => directory.toString());
    // The source may have been removed meanwhile.
    if (this.#watched.get(id) !== watched) return;
    for (const [directory, places] of above) {
      const names = places.map(({ name }) => name);
      const pattern = new vscode.RelativePattern(vscode.Uri.parse(directory), `{${names.join(',')}}`);
      watched.watchers.push(...watch(pattern, () => this.#settler.recordChange(id, undefined)));
    }
  }

  async #readAgain(sourceId: string, changes: Changes): Promise<void> {
    await this.#reader.waitUntilIdle(sourceId);
    const source = (await this.#notebook.call('sources', {})).find(({ id }) => id === sourceId);
    // Changes from before the user stopped the reading must not restart it.
    if (source !== undefined && source.state.kind !== 'stopped') await this.#reader.read(source, changes);
  }
}

/** Calls back for any change to files that match a pattern. */
function watch(
  pattern: vscode.RelativePattern,
  onChange: (changed: vscode.Uri) => void,
): vscode.Disposable[] {
  const watcher = vscode.workspace.createFileSystemWatcher(pattern);
  return [
    watcher,
    watcher.onDidChange(onChange),
    watcher.onDidCreate(onChange),
    watcher.onDidDelete(onChange),
  ];
}
