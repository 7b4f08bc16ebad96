import * as v from 'valibot';
import * as vscode from 'vscode';
import type { SavedPageApi, SavedPageHostApi, StoredPassage } from '../../pdf/protocol.ts';
import type { Client, Handlers } from '../../../core/rpc/rpc.ts';
import { fenceText } from '../../../core/language/markdown-lines.ts';
import { hasOwnEnding } from '../../../core/domain/media-types.ts';
import type { DocumentEntry } from '../../../core/domain/source.ts';
import type { Span } from '../../../core/language/span.ts';
import type { NotebooksByKey } from '../../notes/editor/note-files.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import { showOptions, type EditorPlace } from '../../../platform/open-file.ts';
import type { connectToPage as connectChannel } from '../../../platform/webview-channel.ts';
import { webviewHtml, webviewOptions } from '../../../platform/webview-page.ts';
import { lastSegment, openFile, openLink } from '../../../platform/workspace-files.ts';
import { PreviewTab } from '../../../platform/preview-tab.ts';

/** Loaded with the first page. */
type Connect = typeof connectChannel;

const VIEW_TYPE = 'openNotebook.page';

const position = v.pipe(v.number(), v.integer(), v.minValue(0));
const pageState = v.union([
  v.object({ documentId: v.number(), notebook: v.optional(v.string(), '') }),
  v.object({
    stored: v.object({
      title: v.string(),
      place: v.string(),
      uri: v.string(),
      notice: v.string(),
      text: v.string(),
      mark: v.object({ start: position, end: position }),
      format: v.picklist(['code', 'markdown', 'prose']),
      languageId: v.optional(v.string()),
    }),
  }),
]);

/** Document of a notebook, by the notebook's key. */
interface NotebookDocument {
  readonly key: string;
  readonly documentId: number;
}

interface OpenPage {
  readonly panel: vscode.WebviewPanel;
  readonly viewer: Client<SavedPageApi>;
}

/** Reading view of saved web pages, pasted texts, and files that VS Code has no view for. */
export class PageViewer implements vscode.WebviewPanelSerializer, vscode.Disposable {
  readonly #extensionUri: vscode.Uri;
  readonly #notebooks: Pick<NotebooksByKey, 'client'>;
  readonly #registration: vscode.Disposable;
  /** Open pages by notebook and document. */
  readonly #open = new Map<string, OpenPage>();
  readonly #preview = new PreviewTab();

  constructor(extensionUri: vscode.Uri, notebooks: Pick<NotebooksByKey, 'client'>) {
    this.#extensionUri = extensionUri;
    this.#notebooks = notebooks;
    this.#registration = vscode.window.registerWebviewPanelSerializer(VIEW_TYPE, this);
  }

  /** Opens the extracted text of a document, at a mark if one is given. @throws NotebookError `not-found` */
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
      if (preview !== true) this.#preview.keepOpen(open.panel);
      if (mark !== undefined) open.viewer.notify('reveal', { mark });
      return;
    }
    const [{ entry }, { connectToPage }] = await Promise.all([
      notebook.call('document', { documentId }),
      import('../../../platform/webview-channel.ts'),
    ]);
    // A double click would open the page twice.
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
    if (preview === true) this.#preview.show(panel);
  }

  /** Shows a passage as it was when it was cited. */
  async showStored(stored: StoredPassage, column: EditorPlace): Promise<void> {
    const { viewColumn = vscode.ViewColumn.Active, preserveFocus = false } = showOptions(column);
    const name = JSON.stringify(stored);
    const { connectToPage } = await import('../../../platform/webview-channel.ts');
    const open = this.#open.get(name);
    if (open !== undefined) {
      open.panel.reveal(undefined, preserveFocus);
      return;
    }
    const panel = vscode.window.createWebviewPanel(
      VIEW_TYPE,
      stored.title,
      { viewColumn, preserveFocus },
      { ...webviewOptions(this.#extensionUri), enableFindWidget: true },
    );
    this.#fillStored(panel, stored, connectToPage);
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const parsed = v.safeParse(pageState, state);
    if (parsed.success) {
      panel.webview.options = webviewOptions(this.#extensionUri);
      const { connectToPage } = await import('../../../platform/webview-channel.ts');
      const { output } = parsed;
      if ('stored' in output) this.#fillStored(panel, output.stored, connectToPage);
      else
        this.#fill(panel, { key: output.notebook, documentId: output.documentId }, undefined, connectToPage);
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
    this.#connect(panel, nameOfPage(page), connectToPage, {
      ready: async () => {
        const { entry, text } = await this.#notebooks.client(key).call('document', { documentId });
        const url = /^https?:/.test(entry.uri) ? entry.uri : undefined;
        const fileName =
          entry.uri === '' || url !== undefined || !isOpenedBySystem(entry)
            ? undefined
            : lastSegment(vscode.Uri.parse(entry.uri));
        return {
          state: { documentId, notebook: key },
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
        this.#preview.keepOpen(panel);
      },
      openFile: async () => {
        const { entry } = await this.#notebooks.client(key).call('document', { documentId });
        if (isOpenedBySystem(entry)) await openFile(vscode.Uri.parse(entry.uri));
      },
      openLink: ({ url }) => openLink(url),
    });
  }

  #fillStored(panel: vscode.WebviewPanel, stored: StoredPassage, connectToPage: Connect): void {
    const { title, place, uri, notice, text, mark, format, languageId } = stored;
    const url = /^https?:/.test(uri) ? uri : undefined;
    // Shows code as a code block, after its opening line.
    const markdown = format === 'code' ? fenceText(text, languageId) : text;
    const shift = format === 'code' ? markdown.indexOf('\n') + 1 : 0;
    this.#connect(panel, JSON.stringify(stored), connectToPage, {
      ready: () => ({
        state: { stored },
        title: place === '' ? title : `${title}, ${place}`,
        notice,
        url,
        fileName: uri === '' || url !== undefined ? undefined : lastSegment(vscode.Uri.parse(uri)),
        savedAt: undefined,
        byline: undefined,
        markdown,
        mark: { start: mark.start + shift, end: mark.end + shift },
      }),
      used: () => undefined,
      openFile: async () => {
        if (uri !== '' && url === undefined)
          await vscode.commands.executeCommand('vscode.open', vscode.Uri.parse(uri));
      },
      openLink: (link) => openLink(link.url),
    });
  }

  #connect(
    panel: vscode.WebviewPanel,
    name: string,
    connectToPage: Connect,
    handlers: Handlers<SavedPageHostApi>,
  ): void {
    const channel = connectToPage<SavedPageHostApi, SavedPageApi>(panel, handlers);
    this.#open.set(name, { panel, viewer: channel.remote });
    panel.onDidDispose(() => {
      channel.dispose();
      this.#open.delete(name);
    });
    panel.webview.html = webviewHtml(panel.webview, this.#extensionUri, 'page');
  }
}

/** Reports whether the system opens a file. The system decides by the extension of its name how it handles the file. */
function isOpenedBySystem({ uri, mediaType }: DocumentEntry): boolean {
  return hasOwnEnding(mediaType, vscode.Uri.parse(uri).path);
}

function nameOfPage({ key, documentId }: NotebookDocument): string {
  return `${key}/${String(documentId)}`;
}
