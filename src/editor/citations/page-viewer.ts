import * as v from 'valibot';
import * as vscode from 'vscode';
import type { SavedPageApi, SavedPageHostApi } from '../../messages/viewer.ts';
import type { Client } from '../../messages/rpc.ts';
import { hasOwnEnding } from '../../notebook/media-types.ts';
import type { DocumentEntry } from '../../notebook/source.ts';
import type { Span } from '../../language/span.ts';
import type { NotebooksByKey } from '../notes/note-files.ts';
import type { NotebookClient } from '../notebook-client.ts';
import { showOptions, type EditorPlace } from '../open-file.ts';
import type { connectToPage as connectChannel } from '../webview-channel.ts';
import { webviewHtml, webviewOptions } from '../webview-page.ts';
import { lastSegment, openFile, openLink } from '../workspace-files.ts';

/** Loaded with the first page. */
type Connect = typeof connectChannel;

const VIEW_TYPE = 'openNotebook.page';

const pageState = v.object({ documentId: v.number(), notebook: v.exactOptional(v.string()) });

/** A document of a notebook, by the notebook's key. */
interface NotebookDocument {
  readonly key: string;
  readonly documentId: number;
}

interface OpenPage {
  readonly panel: vscode.WebviewPanel;
  readonly viewer: Client<SavedPageApi>;
}

/** The reading view of saved web pages, pasted texts and files that the editor has no view of. */
export class PageViewer implements vscode.WebviewPanelSerializer, vscode.Disposable {
  readonly #extensionUri: vscode.Uri;
  readonly #notebooks: Pick<NotebooksByKey, 'client'>;
  readonly #registration: vscode.Disposable;
  /** By notebook and document. */
  readonly #open = new Map<string, OpenPage>();
  /** The page whose place the next one takes that is only looked at. */
  #preview: vscode.WebviewPanel | undefined;

  constructor(extensionUri: vscode.Uri, notebooks: Pick<NotebooksByKey, 'client'>) {
    this.#extensionUri = extensionUri;
    this.#notebooks = notebooks;
    this.#registration = vscode.window.registerWebviewPanelSerializer(VIEW_TYPE, this);
  }

  /** Opens a document's copy, at a mark where one is given. @throws NotebookError `not-found` */
  async show(
    notebook: Pick<NotebookClient, 'call' | 'key'>,
    documentId: number,
    mark: Span | undefined,
    column: EditorPlace,
  ): Promise<void> {
    const { viewColumn = vscode.ViewColumn.Active, preserveFocus = false, preview } = showOptions(column);
    const page = { key: notebook.key, documentId };
    const open = this.#open.get(nameOfPage(page));
    if (open !== undefined) {
      open.panel.reveal(undefined, preserveFocus);
      if (preview !== true) this.#keepOpen(open.panel);
      if (mark !== undefined) open.viewer.notify('reveal', { mark });
      return;
    }
    const [{ entry }, { connectToPage }] = await Promise.all([
      notebook.call('document', { documentId }),
      import('../webview-channel.ts'),
    ]);
    // A double click asks twice.
    if (this.#open.has(nameOfPage(page))) {
      await this.show(notebook, documentId, mark, column);
      return;
    }
    const panel = vscode.window.createWebviewPanel(
      VIEW_TYPE,
      entry.title,
      { viewColumn, preserveFocus },
      { ...webviewOptions(this.#extensionUri), enableFindWidget: true },
    );
    this.#fill(panel, page, mark, connectToPage);
    if (preview === true) this.#setPreview(panel);
  }

  /** Closes the page that was only looked at before. One that the user clicks into stays. */
  #setPreview(panel: vscode.WebviewPanel): void {
    this.#preview?.dispose();
    this.#preview = panel;
    panel.onDidDispose(() => {
      this.#keepOpen(panel);
    });
  }

  #keepOpen(panel: vscode.WebviewPanel): void {
    if (this.#preview === panel) this.#preview = undefined;
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    if (v.is(pageState, state)) {
      panel.webview.options = webviewOptions(this.#extensionUri);
      const { connectToPage } = await import('../webview-channel.ts');
      this.#fill(
        panel,
        { key: state.notebook ?? '', documentId: state.documentId },
        undefined,
        connectToPage,
      );
    } else panel.dispose();
  }

  dispose(): void {
    this.#registration.dispose();
  }

  #fill(
    panel: vscode.WebviewPanel,
    page: NotebookDocument,
    mark: Span | undefined,
    connectToPage: Connect,
  ): void {
    const { key, documentId } = page;
    const channel = connectToPage<SavedPageHostApi, SavedPageApi>(panel, {
      ready: async () => {
        const { entry, text } = await this.#notebooks.client(key).call('document', { documentId });
        const url = /^https?:/.test(entry.uri) ? entry.uri : undefined;
        const fileName =
          entry.uri === '' || url !== undefined || !isOpenedBySystem(entry)
            ? undefined
            : lastSegment(vscode.Uri.parse(entry.uri));
        return {
          documentId,
          notebook: key,
          title: entry.title,
          url,
          fileName,
          savedAt: entry.readAt,
          byline: entry.byline,
          markdown: text,
          mark,
        };
      },
      used: () => {
        this.#keepOpen(panel);
      },
      openFile: async () => {
        const { entry } = await this.#notebooks.client(key).call('document', { documentId });
        if (isOpenedBySystem(entry)) await openFile(vscode.Uri.parse(entry.uri));
      },
      openLink: ({ url }) => openLink(url),
    });
    this.#open.set(nameOfPage(page), { panel, viewer: channel.remote });
    panel.onDidDispose(() => {
      channel.dispose();
      this.#open.delete(nameOfPage(page));
    });
    panel.webview.html = webviewHtml(panel.webview, this.#extensionUri, 'page');
  }
}

/** Whether a file is handed to the system: by its name alone that tells what it does with it. */
function isOpenedBySystem({ uri, mediaType }: DocumentEntry): boolean {
  return hasOwnEnding(mediaType, vscode.Uri.parse(uri).path);
}

function nameOfPage({ key, documentId }: NotebookDocument): string {
  return `${key}/${String(documentId)}`;
}
