import * as vscode from 'vscode';
import type { SavedPageApi, SavedPageHostApi } from '../messages/viewer.ts';
import type { Client } from '../messages/rpc.ts';
import { connect } from '../messages/rpc.ts';
import type { Span } from '../notebook/span.ts';
import type { NotebookClient } from './notebook-client.ts';
import { portOfWebview, webviewHtml, webviewOptions } from './webview-page.ts';
import { nameOf } from './workspace-files.ts';

const viewType = 'openNotebook.page';

interface OpenPage {
  readonly panel: vscode.WebviewPanel;
  readonly viewer: Client<SavedPageApi>;
}

/** The reading view of saved web pages, pasted texts and files that the editor has no view of. */
export class PageViewer implements vscode.WebviewPanelSerializer, vscode.Disposable {
  readonly #extensionUri: vscode.Uri;
  readonly #notebook: NotebookClient;
  readonly #registration: vscode.Disposable;
  readonly #open = new Map<number, OpenPage>();

  constructor(extensionUri: vscode.Uri, notebook: NotebookClient) {
    this.#extensionUri = extensionUri;
    this.#notebook = notebook;
    this.#registration = vscode.window.registerWebviewPanelSerializer(viewType, this);
  }

  /** Opens a document's copy, at a mark where one is given. @throws NotebookError `not-found` */
  async show(documentId: number, mark: Span | undefined, column: vscode.ViewColumn): Promise<void> {
    const open = this.#open.get(documentId);
    if (open !== undefined) {
      open.panel.reveal();
      if (mark !== undefined) open.viewer.notify('reveal', { mark });
      return;
    }
    const { entry } = await this.#notebook.call('document', { documentId });
    // A double click asks twice.
    if (this.#open.has(documentId)) {
      await this.show(documentId, mark, column);
      return;
    }
    const panel = vscode.window.createWebviewPanel(viewType, entry.title, column, {
      ...webviewOptions(this.#extensionUri),
      enableFindWidget: true,
    });
    this.#fill(panel, documentId, mark);
  }

  deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    if (isPageState(state)) {
      panel.webview.options = webviewOptions(this.#extensionUri);
      this.#fill(panel, state.documentId, undefined);
    } else panel.dispose();
    return Promise.resolve();
  }

  dispose(): void {
    this.#registration.dispose();
  }

  #fill(panel: vscode.WebviewPanel, documentId: number, mark: Span | undefined): void {
    const channel = connect<SavedPageHostApi, SavedPageApi>(
      portOfWebview(panel.webview, panel.onDidDispose),
      {
        ready: async () => {
          const { entry, text } = await this.#notebook.call('document', { documentId });
          const url = /^https?:/.test(entry.uri) ? entry.uri : undefined;
          const fileName =
            entry.uri === '' || url !== undefined ? undefined : nameOf(vscode.Uri.parse(entry.uri));
          return {
            documentId,
            title: entry.title,
            url,
            fileName,
            savedAt: entry.readAt,
            byline: entry.byline,
            markdown: text,
            mark,
          };
        },
        openFile: async () => {
          const { entry } = await this.#notebook.call('document', { documentId });
          await openFile(vscode.Uri.parse(entry.uri));
          return null;
        },
        openLink: async ({ url }) => {
          await openLink(url);
          return null;
        },
      },
    );
    this.#open.set(documentId, { panel, viewer: channel.remote });
    panel.onDidDispose(() => {
      channel.dispose();
      this.#open.delete(documentId);
    });
    panel.webview.html = webviewHtml(panel.webview, this.#extensionUri, 'page');
  }
}

/** Opens a file with the system's program for it; with the editor where that runs on another machine than the file lies. */
async function openFile(uri: vscode.Uri): Promise<void> {
  const isHere = uri.scheme === 'file' && vscode.env.remoteName === undefined;
  if (!isHere || !(await vscode.env.openExternal(uri)))
    await vscode.commands.executeCommand('vscode.open', uri);
}

/** Opens a web address outside the editor; any other kind of address is left alone. */
export async function openLink(url: string): Promise<void> {
  const protocol = URL.parse(url)?.protocol;
  if (protocol === 'http:' || protocol === 'https:' || protocol === 'mailto:')
    await vscode.env.openExternal(vscode.Uri.parse(url, true));
}

function isPageState(state: unknown): state is { readonly documentId: number } {
  return (
    typeof state === 'object' &&
    state !== null &&
    'documentId' in state &&
    typeof state.documentId === 'number'
  );
}
