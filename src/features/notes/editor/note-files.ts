import * as vscode from 'vscode';
import { CITATION_FOLDER } from '../../../core/domain/citation-links.ts';
import { NotebookError } from '../../../core/domain/errors.ts';
import { citationOfPicture, PICTURE_FOLDER } from '../../../core/domain/note-pictures.ts';
import type { NoteEntry } from '../../../core/domain/note.ts';
import { targetOfPreviewLink } from '../model/preview-links.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import { Disposable } from '../../../platform/disposable.ts';

/** URI scheme of notes: `open-notebook-note://NOTEBOOK/TITLE.md`, without a notebook for the workspace's own. */
export const NOTE_SCHEME = 'open-notebook-note';

/** Documents that VS Code treats as notes. */
export const NOTES: vscode.DocumentSelector = { scheme: NOTE_SCHEME, language: 'markdown' };

const ENDING = '.md';

const READ_ONLY = vscode.FilePermission.Readonly;

/** Notebooks whose notes are files. */
export interface NotebooksByKey {
  /** Returns a notebook of this or another window, by its key. @throws NotebookError `not-found` */
  client(key: string): NotebookClient;
  /** Fires when the notes of a notebook changed. */
  readonly onDidChange: vscode.Event<NotebookClient>;
}

/** Returns the URI of a note's file in a notebook. */
export function noteUri(title: string, { key }: Pick<NotebookClient, 'key'>): vscode.Uri {
  return vscode.Uri.from({ scheme: NOTE_SCHEME, authority: key, path: `/${title}${ENDING}` });
}

/** Returns the title of the note that a URI names; undefined if it names none. */
export function titleOfUri({ scheme, path }: vscode.Uri): string | undefined {
  const title = path.slice(1, -ENDING.length);
  const isNote = scheme === NOTE_SCHEME && path.endsWith(ENDING) && title !== '' && !title.includes('/');
  return isNote ? title : undefined;
}

/** Returns the ID of the citation that a URI names; undefined if it names none. */
export function citationOfUri({ scheme, path }: vscode.Uri): string | undefined {
  const [, folder, id, ...below] = path.split('/');
  return scheme === NOTE_SCHEME && folder === CITATION_FOLDER && below.length === 0 ? id : undefined;
}

/**
 * The notes of a notebook as Markdown files in one folder, so that every feature of the editor works on them. The
 * folder also contains the citations that their links name, each as a read-only file with its quote. A file stays with
 * its notebook while the window shows another one.
 */
export class NoteFiles extends Disposable implements vscode.FileSystemProvider {
  readonly #notebooks: NotebooksByKey;
  readonly #changed = this._register(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
  /** Times of change of the last listed notes, by title, for each notebook. */
  readonly #known = new Map<string, ReadonlyMap<string, number>>();

  /** Fires when notes were created, changed, renamed, or deleted, in this window or another. */
  readonly onDidChangeFile = this.#changed.event;

  constructor(notebooks: NotebooksByKey) {
    super();
    this.#notebooks = notebooks;
    // The next change lists the notes again.
    this._register(notebooks.onDidChange((notebook) => this.#list(notebook).catch(() => undefined)));
  }

  watch(): vscode.Disposable {
    // All notes are watched anyway.
    return new vscode.Disposable(() => undefined);
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    if (uri.path === '/' || uri.path === `/${CITATION_FOLDER}` || uri.path === `/${PICTURE_FOLDER}`)
      return { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };
    if (targetOfPreviewLink(uri.path) !== undefined)
      return { type: vscode.FileType.File, ctime: 0, mtime: 0, size: 0, permissions: READ_ONLY };
    if (citationOfUri(uri) !== undefined || citationOfPicture(uri.path) !== undefined) {
      const { length: size } = await this.readFile(uri);
      return { type: vscode.FileType.File, ctime: 0, mtime: 0, size, permissions: READ_ONLY };
    }
    const entry = (await this.#telling(uri, (notebook) => this.#list(notebook))).find(
      ({ title }) => title === titleOfUri(uri),
    );
    if (entry === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    const { createdAt: ctime, changedAt: mtime, size } = entry;
    return { type: vscode.FileType.File, ctime, mtime, size };
  }

  async readDirectory(uri: vscode.Uri): Promise<[string, vscode.FileType][]> {
    if (uri.path !== '/') throw vscode.FileSystemError.FileNotFound(uri);
    const notes = await this.#telling(uri, (notebook) => this.#list(notebook));
    return notes.map(({ title }) => [title + ENDING, vscode.FileType.File]);
  }

  createDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(vscode.l10n.t('Notes can’t be in folders: {0}', uri.path));
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    if (targetOfPreviewLink(uri.path) !== undefined) return new Uint8Array();
    const pictured = citationOfPicture(uri.path);
    const citation = pictured ?? citationOfUri(uri);
    if (citation !== undefined) {
      const [storedCitation] = await this.#telling(uri, (notebook) =>
        notebook.call('noteCitations', { ids: [citation] }),
      );
      const { quote, picture } = storedCitation?.citation ?? {};
      if (pictured !== undefined && picture !== undefined) return Buffer.from(picture.data, 'base64');
      if (quote === undefined || pictured !== undefined) throw vscode.FileSystemError.FileNotFound(uri);
      return Buffer.from(quote);
    }
    const title = titleOfUri(uri);
    if (title === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    const { text } = await this.#telling(uri, (notebook) => notebook.call('note', { title }));
    return Buffer.from(text);
  }

  async writeFile(
    uri: vscode.Uri,
    content: Uint8Array,
    { create, overwrite }: { readonly create: boolean; readonly overwrite: boolean },
  ): Promise<void> {
    const title = writableTitle(uri);
    const text = decodeText(content);
    await this.#telling(uri, (notebook) => notebook.call('writeNote', { title, text, create, overwrite }));
  }

  async delete(uri: vscode.Uri): Promise<void> {
    const title = writableTitle(uri);
    await this.#telling(uri, (notebook) => notebook.call('removeNote', { title }));
  }

  async rename(
    from: vscode.Uri,
    to: vscode.Uri,
    { overwrite }: { readonly overwrite: boolean },
  ): Promise<void> {
    const titles = { from: writableTitle(from), to: writableTitle(to) };
    if (from.authority !== to.authority)
      throw vscode.FileSystemError.NoPermissions(
        vscode.l10n.t('Can’t move a note to another notebook. Copy its text instead.'),
      );
    await this.#telling(from, (notebook) => notebook.call('renameNote', { ...titles, overwrite }));
  }

  /** Lists the notes, and reports changes since the last list. */
  async #list(notebook: NotebookClient): Promise<readonly NoteEntry[]> {
    const { key } = notebook;
    const notes = await notebook.call('notes', {});
    // The window switched to another notebook meanwhile, whose notes these may be.
    if (notebook.key !== key) return this.#list(notebook);
    const before = this.#known.get(key) ?? new Map<string, number>();
    const changeTimes = new Map(notes.map(({ title, changedAt }) => [title, changedAt]));
    this.#known.set(key, changeTimes);
    const events = eventsBetween(before, changeTimes, notebook);
    if (events.length > 0) this.#changed.fire(events);
    return notes;
  }

  /** Calls the notebook of a URI and converts its errors to file system errors. */
  async #telling<T>(uri: vscode.Uri, ask: (notebook: NotebookClient) => Promise<T>): Promise<T> {
    try {
      return await ask(this.#notebooks.client(uri.authority));
    } catch (error) {
      throw fileError(uri, error);
    }
  }
}

/** Returns the changes between two lists of notes, which map titles to times of change. */
function eventsBetween(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
  notebook: NotebookClient,
): vscode.FileChangeEvent[] {
  const events: vscode.FileChangeEvent[] = [];
  for (const [title, changedAt] of after) {
    const changedBefore = before.get(title);
    if (changedBefore === changedAt) continue;
    const type = changedBefore === undefined ? vscode.FileChangeType.Created : vscode.FileChangeType.Changed;
    events.push({ type, uri: noteUri(title, notebook) });
  }
  for (const title of before.keys())
    if (!after.has(title))
      events.push({ type: vscode.FileChangeType.Deleted, uri: noteUri(title, notebook) });
  return events;
}

function writableTitle(uri: vscode.Uri): string {
  const title = titleOfUri(uri);
  if (title === undefined)
    throw vscode.FileSystemError.NoPermissions(
      vscode.l10n.t('Notes must be Markdown files outside of folders. Use a name that ends in .md.'),
    );
  return title;
}

function decodeText(content: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    // The decoder has no other error than invalid bytes.
    throw vscode.FileSystemError.Unavailable(
      vscode.l10n.t('Notes must be encoded as UTF-8. Save this note with that encoding.'),
    );
  }
}

function fileError(uri: vscode.Uri, error: unknown): unknown {
  if (!(error instanceof NotebookError)) return error;
  switch (error.code) {
    case 'not-found':
      return vscode.FileSystemError.FileNotFound(uri);
    case 'exists':
      return vscode.FileSystemError.FileExists(error.message);
    case 'newer-database':
      return vscode.FileSystemError.NoPermissions(error.message);
    default:
      return vscode.FileSystemError.Unavailable(error.message);
  }
}
