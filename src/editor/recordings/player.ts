import * as v from 'valibot';
import * as vscode from 'vscode';
import type { Span } from '../../language/span.ts';
import type { PlayerApi, PlayerHostApi, PlayerView } from '../../messages/player.ts';
import type { Client } from '../../messages/rpc.ts';
import type { RecordingDetails } from '../../notebook/recordings.ts';
import type { DocumentEntry } from '../../notebook/source.ts';
import type { ReadRequest } from '../../reading/api.ts';
import type { NotebookClient } from '../notebook-client.ts';
import { showOptions, type EditorPlace } from '../open-file.ts';
import type { connectToPage as ConnectToPage } from '../webview-channel.ts';
import { webviewHtml, webviewOptions } from '../webview-page.ts';
import { lastSegment, openFile, readContent, statFile } from '../workspace-files.ts';

const VIEW_TYPE = 'openNotebook.player';

const playerState = v.object({ documentId: v.number(), notebook: v.string() });

/** Recording of a notebook, by the notebook's key. */
interface PlayedDocument {
  readonly key: string;
  readonly documentId: number;
}

interface OpenPlayer {
  readonly panel: vscode.WebviewPanel;
  readonly page: Client<PlayerApi>;
}

interface PlayerParts {
  readonly extensionUri: vscode.Uri;
  readonly notebooks: { readonly client: (key: string) => NotebookClient };
  /** Returns the duration and the tracks of a recording. @throws NotebookError */
  readonly describeRecording: (file: Pick<ReadRequest, 'content' | 'name'>) => Promise<RecordingDetails>;
  /** Reports whether a notebook, by its key, is the open one. */
  readonly isOpen: (key: string) => boolean;
  /** Asks for new names of the speakers in a recording of the open notebook. */
  readonly renameSpeakers: (recording: Pick<DocumentEntry, 'sourceId' | 'uri'>) => Promise<void>;
  /** Saves a part of a transcript in a note. */
  readonly saveClip: (notebook: NotebookClient, documentId: number, span: Span) => Promise<void>;
}

/** Plays recordings in tabs of the editor, with their transcripts. */
export class Player implements vscode.WebviewPanelSerializer, vscode.Disposable {
  readonly #parts: PlayerParts;
  readonly #registration: vscode.Disposable;
  /** Open players by notebook and document. */
  readonly #open = new Map<string, OpenPlayer>();
  /** Preview tab, which the next preview replaces. */
  #preview: vscode.WebviewPanel | undefined;

  constructor(parts: PlayerParts) {
    this.#parts = parts;
    this.#registration = vscode.window.registerWebviewPanelSerializer(VIEW_TYPE, this);
  }

  /** Opens the recording of a document, at a mark if one is given. @throws NotebookError `not-found` */
  async show(
    notebook: Pick<NotebookClient, 'call' | 'key'>,
    documentId: number,
    mark: Span | undefined,
    column: EditorPlace,
  ): Promise<void> {
    const { viewColumn = vscode.ViewColumn.Active, preserveFocus = false, preview } = showOptions(column);
    const played = { key: notebook.key, documentId };
    const [{ entry }, { connectToPage }] = await Promise.all([
      notebook.call('document', { documentId }),
      import('../webview-channel.ts'),
    ]);
    // A double click opens the recording twice, so nothing may wait between this and the new panel.
    const open = this.#open.get(nameOf(played));
    if (open !== undefined) {
      open.panel.reveal(undefined, preserveFocus);
      if (preview !== true) this.#keepOpen(open.panel);
      if (mark !== undefined) open.page.notify('reveal', { mark });
      return;
    }
    const panel = vscode.window.createWebviewPanel(
      VIEW_TYPE,
      titleOf(entry),
      { viewColumn, preserveFocus },
      this.#options(entry.uri),
    );
    // Keep the page while it is hidden, so that the sound continues.
    this.#fill(connectToPage, panel, played, mark);
    if (preview !== true) return;
    this.#preview?.dispose();
    this.#preview = panel;
    panel.onDidDispose(() => {
      this.#keepOpen(panel);
    });
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const parsed = v.safeParse(playerState, state);
    if (!parsed.success) {
      panel.dispose();
      return;
    }
    const { notebook: key, documentId } = parsed.output;
    const stored = await this.#parts.notebooks
      .client(key)
      .call('document', { documentId })
      .catch(() => undefined);
    const { connectToPage } = await import('../webview-channel.ts');
    panel.webview.options = this.#options(stored?.entry.uri ?? '');
    this.#fill(connectToPage, panel, { key, documentId }, undefined);
  }

  dispose(): void {
    this.#registration.dispose();
  }

  /** Returns the options of a player: it may load the extension's build, and files beside the recording. */
  #options(uri: string): vscode.WebviewOptions & vscode.WebviewPanelOptions {
    const options = webviewOptions(this.#parts.extensionUri);
    const folder = fileOf(uri) && vscode.Uri.joinPath(vscode.Uri.parse(uri), '..');
    return {
      ...options,
      localResourceRoots: [...(options.localResourceRoots ?? []), ...(folder ? [folder] : [])],
      retainContextWhenHidden: true,
    };
  }

  #keepOpen(panel: vscode.WebviewPanel): void {
    if (this.#preview === panel) this.#preview = undefined;
  }

  #fill(
    connectToPage: typeof ConnectToPage,
    panel: vscode.WebviewPanel,
    played: PlayedDocument,
    mark: Span | undefined,
  ): void {
    const { extensionUri, notebooks, renameSpeakers, saveClip } = this.#parts;
    const { key, documentId } = played;
    const notebook = notebooks.client(key);
    let readAt: number | undefined;
    const view = async (marked: Span | undefined): Promise<PlayerView> => {
      const { entry, shown } = await this.#view(panel.webview, played, marked);
      ({ readAt } = entry);
      return shown;
    };
    const channel = connectToPage<PlayerHostApi, PlayerApi>(panel, {
      ready: () => view(mark),
      used: () => this.#keepOpen(panel),
      openFile: async () => {
        const { entry } = await notebook.call('document', { documentId });
        const file = fileOf(entry.uri);
        if (file !== undefined) await openFile(file);
      },
      saveClip: ({ span }) => saveClip(notebook, documentId, span),
      renameSpeakers: async () => {
        const { entry } = await notebook.call('document', { documentId });
        await renameSpeakers(entry);
      },
    });
    this.#open.set(nameOf(played), { panel, page: channel.remote });
    const update = async (): Promise<void> => {
      const entry = await notebook.call('documentEntry', { documentId });
      if (readAt === undefined || entry === undefined || entry.readAt === readAt) return;
      channel.remote.notify('update', { view: await view(undefined) });
    };
    const changes = notebook.onDidChange(() => void update().catch(() => undefined));
    panel.onDidDispose(() => {
      changes.dispose();
      channel.dispose();
      this.#open.delete(nameOf(played));
    });
    panel.webview.html = webviewHtml(panel.webview, extensionUri, 'player');
  }

  async #view(
    webview: vscode.Webview,
    { key, documentId }: PlayedDocument,
    mark: Span | undefined,
  ): Promise<{ readonly entry: DocumentEntry; readonly shown: PlayerView }> {
    const { notebooks, describeRecording, isOpen } = this.#parts;
    const { entry, text, spoken } = await notebooks.client(key).call('document', { documentId });
    const file = fileOf(entry.uri);
    const isThere = file !== undefined && (await statFile(file)) !== undefined;
    const details = isThere
      ? await describeRecording({ content: await readContent(file), name: lastSegment(file) }).catch(
          () => undefined,
        )
      : undefined;
    const shown: PlayerView = {
      state: { documentId, notebook: key },
      title: titleOf(entry),
      media: isThere ? webview.asWebviewUri(file).toString() : undefined,
      isVideo: entry.mediaType.startsWith('video/'),
      codecs: details?.codecs ?? {},
      duration: details?.duration,
      text,
      starts: [...(spoken?.starts ?? [])],
      from: [...(spoken?.from ?? [])],
      to: [...(spoken?.to ?? [])],
      mark,
      canRename: isThere && isOpen(key),
    };
    return { entry, shown };
  }
}

/** Returns the file of a recording; undefined for text from elsewhere. */
function fileOf(uri: string): vscode.Uri | undefined {
  return uri === '' || /^https?:/i.test(uri) ? undefined : vscode.Uri.parse(uri);
}

/** Returns the title of a recording, or the name of its file if it has none. */
function titleOf({ title, uri }: { readonly title: string; readonly uri: string }): string {
  const file = fileOf(uri);
  return title === '' && file !== undefined ? lastSegment(file) : title;
}

function nameOf({ key, documentId }: PlayedDocument): string {
  return `${key}/${String(documentId)}`;
}
