import type { FileHandle } from 'node:fs/promises';
import * as vscode from 'vscode';
import { NotebookError } from '../../notebook/errors.ts';
import type { PdfHostApi, PdfMarks, PdfSelection, PdfView, PdfViewerApi } from '../../messages/viewer.ts';
import type { Channel } from '../../messages/rpc.ts';
import { PasswordOfOne } from './pdf-passwords.ts';
import type { Passwords } from './with-password.ts';
import { connectToPage } from '../webview-channel.ts';
import { webviewHtml, webviewOptions } from '../webview-page.ts';
import { escapeGlob, lastSegment, statFile } from '../workspace-files.ts';
import { openRegularFile } from '../../notebook/regular-file.ts';
import { gone } from '../gone.ts';
import { isPictureName } from '../../notebook/media-types.ts';
import type { NotebookClient } from '../notebook-client.ts';

/** Where it is kept whether pages are shown in dark colours in dark themes. */
const INVERTED_KEY = 'openNotebook.pdfInverted';

/** A file of so many bytes at most is handed over as a whole. */
const MOST_AT_ONCE = 4 * 2 ** 20;

/** What of a larger one is handed over first, in bytes; a multiple of what the viewer asks for at once. */
const FIRST_BYTES = 2 ** 18;

/** How long a file has to stay as it is before it is shown anew, in milliseconds. */
const SETTLES_AFTER = 400;

export interface PdfParts {
  readonly extensionUri: vscode.Uri;
  readonly passwords: Passwords;
  readonly memory: vscode.Memento;
  readonly notebook: NotebookClient;
  /** A picture as the PDF that it is shown as. */
  readonly pdfOfPicture: (uri: vscode.Uri) => Promise<Uint8Array>;
}

/** A PDF in its editor. It is shown anew when its file changes. */
export class OpenPdf implements vscode.Disposable {
  readonly uri: vscode.Uri;
  readonly #panel: vscode.WebviewPanel;
  readonly #parts: PdfParts;
  readonly #watcher: vscode.FileSystemWatcher;
  readonly #closed = new AbortController();
  readonly #asked: PasswordOfOne;
  #channel: Channel<PdfViewerApi> | undefined;
  #bytes: PdfBytes | undefined;
  /** The file as it was opened. */
  #shown: vscode.FileStat | undefined;
  #marks: PdfMarks | undefined;
  #isReady = false;
  #settling: NodeJS.Timeout | undefined;

  constructor(uri: vscode.Uri, panel: vscode.WebviewPanel, parts: PdfParts) {
    this.uri = uri;
    this.#panel = panel;
    this.#parts = parts;
    this.#asked = new PasswordOfOne(parts.passwords, uri.toString(), this.#closed.signal);
    panel.webview.options = webviewOptions(parts.extensionUri);
    const folder = vscode.Uri.joinPath(uri, '..');
    this.#watcher = vscode.workspace.createFileSystemWatcher(
      new vscode.RelativePattern(folder, escapeGlob(lastSegment(uri))),
    );
    const settle = (): void => {
      clearTimeout(this.#settling);
      this.#settling = setTimeout(() => void this.#loadAgain(), SETTLES_AFTER);
    };
    this.#watcher.onDidChange(settle);
    this.#watcher.onDidCreate(settle);
  }

  get isActive(): boolean {
    return this.#panel.active;
  }

  /** Brings the editor to the front, and marked words into view where they are given. */
  show(marks: PdfMarks | undefined): void {
    this.#panel.reveal(this.#panel.viewColumn);
    if (marks === undefined) return;
    this.#marks = marks;
    if (this.#isReady) this.#channel?.remote.notify('reveal', marks);
  }

  /** Resolves to what is selected once the viewer has loaded. */
  async selection(): Promise<PdfSelection> {
    const remote = this.#isReady ? this.#channel?.remote : undefined;
    return (await remote?.call('selection', {})) ?? { text: '', pages: '', runs: [], labels: {} };
  }

  /** Loads the viewer, at marked words where they are given. */
  load(marks: PdfMarks | undefined): void {
    this.#marks = marks;
    this.#isReady = false;
    this.#channel?.dispose();
    const { webview } = this.#panel;
    this.#channel = connectToPage<PdfHostApi, PdfViewerApi>(this.#panel, {
      ready: async () => {
        const view = await this.#open();
        this.#isReady = true;
        return { view, marks: this.#marks, inverted: this.#parts.memory.get<boolean>(INVERTED_KEY, false) };
      },
      bytes: ({ begin, end }) => this.#read(begin, end),
      recognisedWords: ({ page }) =>
        this.#parts.notebook.call('recognisedWords', { uri: this.uri.toString(), page }),
      setInverted: ({ inverted }) => this.#parts.memory.update(INVERTED_KEY, inverted),
      run: async ({ command }) => {
        await vscode.commands.executeCommand(`openNotebook.${command}`);
      },
      password: async ({ wasWrong }) => (await this.#asked.next(wasWrong)) ?? null,
      opened: () => this.#asked.opened(),
    });
    webview.html = webviewHtml(webview, this.#parts.extensionUri, 'pdf');
  }

  dispose(): void {
    this.#closed.abort();
    clearTimeout(this.#settling);
    this.#watcher.dispose();
    this.#channel?.dispose();
    void this.#bytes?.close();
  }

  /** Opens the file anew: what was opened before may be another one by now. */
  async #open(): Promise<PdfView> {
    await this.#bytes?.close();
    this.#bytes = undefined;
    this.#shown = await statFile(this.uri);
    const bytes = await openBytes(this.uri, this.#parts.pdfOfPicture);
    if (this.#closed.signal.aborted) await bytes.close();
    else this.#bytes = bytes;
    const { webview } = this.#panel;
    const address = (path: string): string =>
      webview.asWebviewUri(vscode.Uri.joinPath(this.#parts.extensionUri, 'dist', 'pdfjs', path)).toString();
    return {
      title: lastSegment(this.uri),
      length: bytes.length,
      start: await this.#read(0, bytes.length <= MOST_AT_ONCE ? bytes.length : FIRST_BYTES),
      workerUrl: address('pdf.worker.min.mjs'),
      characterMapsUrl: address('cmaps/'),
      standardFontsUrl: address('standard_fonts/'),
      wasmUrl: address('wasm/'),
      // Without them the pages are shown all the same.
      recognised: await this.#parts.notebook
        .call('recognisedPages', { uri: this.uri.toString() })
        .catch(() => []),
    };
  }

  async #read(begin: number, end: number): Promise<Uint8Array> {
    if (this.#bytes === undefined)
      throw new NotebookError('broken-off', vscode.l10n.t('{0} is closed.', lastSegment(this.uri)));
    return this.#bytes.read(begin, end);
  }

  /** Shows the file anew where it has changed; its marks stood in the one before. */
  async #loadAgain(): Promise<void> {
    const now = await statFile(this.uri);
    const shown = this.#shown;
    if (now === undefined || this.#closed.signal.aborted) return;
    if (now.size !== shown?.size || now.mtime !== shown.mtime) this.load(undefined);
  }
}

/** The bytes of an open PDF, which are read as they are asked for. */
interface PdfBytes {
  readonly length: number;
  /** Those from `begin` on and before `end`; fewer where the file has become shorter. */
  read(begin: number, end: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

/**
 * Opens a PDF: one on this machine's disk to be read in parts, one of another file system as a whole.
 * @throws NotebookError `not-found`, `unsupported` for what is no file
 */
async function openBytes(
  uri: vscode.Uri,
  pdfOfPicture: (uri: vscode.Uri) => Promise<Uint8Array>,
): Promise<PdfBytes> {
  try {
    if (isPictureName(uri.path)) return wholeBytes(await pdfOfPicture(uri));
    return uri.scheme === 'file'
      ? await openFile(await openRegularFile(uri.fsPath))
      : wholeBytes(await vscode.workspace.fs.readFile(uri));
  } catch (cause) {
    if (cause instanceof NotebookError) throw cause;
    throw gone(lastSegment(uri), cause);
  }
}

async function openFile(file: FileHandle): Promise<PdfBytes> {
  const { size } = await file.stat();
  return {
    length: size,
    async read(begin, end) {
      // An array of its own: a part of a larger one would be sent with all of that.
      const bytes = new Uint8Array(Math.max(0, Math.min(end, size) - begin));
      const { bytesRead } = await file.read(bytes, 0, bytes.length, begin);
      return bytesRead === bytes.length ? bytes : bytes.slice(0, bytesRead);
    },
    close: () => file.close(),
  };
}

function wholeBytes(whole: Uint8Array): PdfBytes {
  return {
    length: whole.length,
    // A plain array: Node's own kind would arrive in the webview as JSON.
    read: (begin, end) => Promise.resolve(Uint8Array.from(whole.subarray(begin, end))),
    close: () => Promise.resolve(),
  };
}
