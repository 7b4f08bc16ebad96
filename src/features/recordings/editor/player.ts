import * as v from 'valibot';
import * as vscode from 'vscode';
import type { Span } from '../../../core/language/span.ts';
import type { PlayerApi, PlayerHostApi, PlayerState, PlayerView } from '../protocol.ts';
import type { Client } from '../../../core/rpc/rpc.ts';
import { chaptersOfHeadings, pauseChapters } from '../model/recording-chapters.ts';
import type { RecordingDetails } from '../../../core/domain/recordings.ts';
import { timeLink } from '../model/time-link.ts';
import type { DocumentEntry } from '../../../core/domain/source.ts';
import type { ReadRequest } from '../../../parsers/api.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import { showOptions, type EditorPlace } from '../../../platform/open-file.ts';
import type { connectToPage as ConnectToPage } from '../../../platform/webview-channel.ts';
import { webviewHtml, webviewOptions } from '../../../platform/webview-page.ts';
import type { FileTranscript } from './read-transcript.ts';
import { hasGeneratedChapters } from './stored-chapters.ts';
import { lastSegment, openFile, openLink, readContent, statFile } from '../../../platform/workspace-files.ts';
import { PreviewTab } from '../../../platform/preview-tab.ts';

const VIEW_TYPE = 'openNotebook.player';

const playerState = v.union([
  v.object({ documentId: v.number(), notebook: v.string() }),
  v.object({ file: v.string() }),
]);

/** Recording of a notebook, by the notebook's key, or a file outside of notebooks, by its URI. */
type Played = v.InferOutput<typeof playerState>;

interface OpenPlayer {
  readonly panel: vscode.WebviewPanel;
  readonly page: Client<PlayerApi>;
}

/** Recording and its transcript. */
interface Recording extends FileTranscript {
  readonly uri: string;
  readonly title: string;
  /** Document in a notebook; undefined for a file outside of notebooks. */
  readonly entry?: DocumentEntry;
}

interface PlayerParts {
  readonly extensionUri: vscode.Uri;
  readonly notebooks: { readonly client: (key: string) => NotebookClient };
  /** Returns the duration and the tracks of a recording. @throws NotebookError */
  readonly describeRecording: (file: Pick<ReadRequest, 'content' | 'name'>) => Promise<RecordingDetails>;
  /** Returns the transcript of a file. @throws NotebookError as reading it does */
  readonly readFile: (uri: vscode.Uri) => Promise<FileTranscript>;
  /** Reports whether a notebook, by its key, is the open one. */
  readonly isOpen: (key: string) => boolean;
  /** Generates chapters of a recording of the open notebook. */
  readonly generateChapters: (recording: Pick<DocumentEntry, 'sourceId' | 'uri'>) => Promise<void>;
  /** Removes the generated chapters of a recording of the open notebook after the user confirmed it. */
  readonly removeChapters: (recording: Pick<DocumentEntry, 'sourceId' | 'uri'>) => Promise<void>;
  /** Asks for new names of the speakers in a recording of the open notebook. */
  readonly renameSpeakers: (recording: Pick<DocumentEntry, 'sourceId' | 'uri'>) => Promise<void>;
  /** Saves a part of a transcript in a note. */
  readonly saveClip: (notebook: NotebookClient, documentId: number, span: Span) => Promise<void>;
}

/** Plays recordings in tabs of the editor, with their transcripts. */
export class Player implements vscode.WebviewPanelSerializer, vscode.Disposable {
  readonly #parts: PlayerParts;
  readonly #registration: vscode.Disposable;
  /** Open players by their recordings. */
  readonly #open = new Map<string, OpenPlayer>();
  readonly #preview = new PreviewTab();

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
    await this.#show({ notebook: notebook.key, documentId }, mark, column);
  }

  /** Opens a recording that is in no notebook, with its stored transcript. @throws NotebookError `not-found` */
  async showFile(uri: vscode.Uri): Promise<void> {
    await this.#show({ file: uri.toString() }, undefined, vscode.ViewColumn.Active);
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const parsed = v.safeParse(playerState, state);
    if (!parsed.success) {
      panel.dispose();
      return;
    }
    const uri = await this.#uriOf(parsed.output).catch(() => '');
    const { connectToPage } = await import('../../../platform/webview-channel.ts');
    panel.webview.options = this.#options(uri);
    this.#fill(connectToPage, panel, parsed.output, undefined);
  }

  dispose(): void {
    this.#registration.dispose();
  }

  async #show(played: Played, mark: Span | undefined, column: EditorPlace): Promise<void> {
    const { viewColumn = vscode.ViewColumn.Active, preserveFocus = false, preview } = showOptions(column);
    const [recording, { connectToPage }] = await Promise.all([
      this.#load(played),
      import('../../../platform/webview-channel.ts'),
    ]);
    // A double click opens the recording twice, so nothing may wait between this and the new panel.
    const open = this.#open.get(nameOf(played));
    if (open !== undefined) {
      open.panel.reveal(undefined, preserveFocus);
      if (preview !== true) this.#preview.keepOpen(open.panel);
      if (mark !== undefined) open.page.notify('reveal', { mark });
      return;
    }
    const panel = vscode.window.createWebviewPanel(
      VIEW_TYPE,
      recording.title,
      { viewColumn, preserveFocus },
      this.#options(recording.uri),
    );
    // Keep the page while it is hidden, so that the sound continues.
    this.#fill(connectToPage, panel, played, mark);
    if (preview === true) this.#preview.show(panel);
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

  #fill(
    connectToPage: typeof ConnectToPage,
    panel: vscode.WebviewPanel,
    played: Played,
    mark: Span | undefined,
  ): void {
    const { extensionUri, notebooks, generateChapters, removeChapters, renameSpeakers, saveClip } =
      this.#parts;
    const document = 'documentId' in played ? played : undefined;
    const notebook = document && notebooks.client(document.notebook);
    let readAt: number | undefined;
    const view = async (marked: Span | undefined): Promise<PlayerView> => {
      const recording = await this.#load(played);
      readAt = recording.entry?.readAt;
      return await this.#view(panel.webview, played, recording, marked);
    };
    const channel = connectToPage<PlayerHostApi, PlayerApi>(panel, {
      ready: () => view(mark),
      used: () => this.#preview.keepOpen(panel),
      openFile: async () => {
        const file = fileOf(await this.#uriOf(played));
        if (file !== undefined) await openFile(file);
      },
      openPage: async ({ seconds }) => {
        const uri = await this.#uriOf(played);
        if (isWeb(uri)) await openLink(timeLink(uri, seconds));
      },
      saveClip: async ({ span }) => {
        if (document !== undefined && notebook !== undefined)
          await saveClip(notebook, document.documentId, span);
      },
      generateChapters: async () => {
        const { entry } = await this.#load(played);
        if (entry !== undefined) await generateChapters(entry);
      },
      removeChapters: async () => {
        const { entry } = await this.#load(played);
        if (entry !== undefined) await removeChapters(entry);
      },
      renameSpeakers: async () => {
        const { entry } = await this.#load(played);
        if (entry !== undefined) await renameSpeakers(entry);
      },
    });
    this.#open.set(nameOf(played), { panel, page: channel.remote });
    const update = async (): Promise<void> => {
      if (document === undefined || readAt === undefined) return;
      const entry = await notebook?.call('documentEntry', { documentId: document.documentId });
      if (entry === undefined || entry.readAt === readAt) return;
      channel.remote.notify('update', { view: await view(undefined) });
    };
    // The next change updates the page.
    const changes = notebook?.onDidChange(() => void update().catch(() => undefined));
    panel.onDidDispose(() => {
      changes?.dispose();
      channel.dispose();
      this.#open.delete(nameOf(played));
    });
    panel.webview.html = webviewHtml(panel.webview, extensionUri, 'player');
  }

  async #uriOf(played: Played): Promise<string> {
    if ('file' in played) return played.file;
    const { documentId, notebook } = played;
    const entry = await this.#parts.notebooks.client(notebook).call('documentEntry', { documentId });
    return entry?.uri ?? '';
  }

  /** @throws NotebookError `not-found` if the document was removed */
  async #load(played: Played): Promise<Recording> {
    const { notebooks, readFile } = this.#parts;
    if ('file' in played) {
      const uri = vscode.Uri.parse(played.file);
      return { uri: played.file, title: lastSegment(uri), ...(await readFile(uri)) };
    }
    const { documentId } = played;
    const notebook = notebooks.client(played.notebook);
    const { entry, text, spoken } = await notebook.call('document', { documentId });
    const [outline] = await notebook.call('outlines', { documentIds: [documentId] });
    const { uri, mediaType } = entry;
    return { uri, title: titleOf(entry), mediaType, text, spoken, headings: outline?.headings ?? [], entry };
  }

  async #view(
    webview: vscode.Webview,
    played: Played,
    { uri, title, mediaType, text, spoken, headings, entry }: Recording,
    mark: Span | undefined,
  ): Promise<PlayerView> {
    const { describeRecording, isOpen, notebooks } = this.#parts;
    const file = fileOf(uri);
    const isThere = file !== undefined && (await statFile(file)) !== undefined;
    const details = isThere
      ? await describeRecording({ content: await readContent(file), name: lastSegment(file) }).catch(
          () => undefined,
        )
      : undefined;
    const chapters = spoken === undefined ? [] : chaptersOfHeadings(headings, spoken);
    const state: PlayerState = played;
    return {
      state,
      title,
      media: isThere ? webview.asWebviewUri(file).toString() : undefined,
      page: isWeb(uri) ? uri : undefined,
      isVideo: mediaType.startsWith('video/'),
      codecs: details?.codecs ?? {},
      duration: details?.duration,
      text,
      starts: [...(spoken?.starts ?? [])],
      from: [...(spoken?.from ?? [])],
      to: [...(spoken?.to ?? [])],
      chapters: chapters.length > 0 || spoken === undefined ? chapters : pauseChapters(text, spoken),
      headings: headings.map(({ offset, title: heading }) => ({ start: offset, title: heading })),
      mark,
      canChange: isThere && 'notebook' in played && isOpen(played.notebook),
      hasGeneratedChapters:
        entry !== undefined &&
        'notebook' in played &&
        (await hasGeneratedChapters(notebooks.client(played.notebook), entry)),
      canSaveClips: entry !== undefined,
    };
  }
}

/** Returns the file of a recording; undefined for text from elsewhere. */
function fileOf(uri: string): vscode.Uri | undefined {
  return uri === '' || isWeb(uri) ? undefined : vscode.Uri.parse(uri);
}

function isWeb(uri: string): boolean {
  return /^https?:/i.test(uri);
}

/** Returns the title of a recording, or the name of its file if it has none. */
function titleOf({ title, uri }: { readonly title: string; readonly uri: string }): string {
  const file = fileOf(uri);
  return title === '' && file !== undefined ? lastSegment(file) : title;
}

function nameOf(played: Played): string {
  return 'file' in played ? played.file : `${played.notebook}/${String(played.documentId)}`;
}
