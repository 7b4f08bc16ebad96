import * as vscode from 'vscode';
import type { PdfHostApi, PdfMarks, PdfSelection, PdfViewerApi } from '../messages/viewer.ts';
import type { Client } from '../messages/rpc.ts';
import { connect } from '../messages/rpc.ts';
import type { Passwords } from './with-password.ts';
import { portOfWebview, webviewHtml, webviewOptions } from './webview-page.ts';
import { nameOf } from './workspace-files.ts';

const viewType = 'openNotebook.pdf';

/** Where it is kept whether pages are shown in dark colours in dark themes. */
const invertedKey = 'openNotebook.pdfInverted';

/** The editor that shows a PDF, opened on a citation's words or by *Reopen Editor With…*. */
export class PdfViewer implements vscode.CustomReadonlyEditorProvider, vscode.Disposable {
  readonly #extensionUri: vscode.Uri;
  readonly #passwords: Passwords;
  readonly #memory: vscode.Memento;
  readonly #registration: vscode.Disposable;
  readonly #open = new Map<
    string,
    { readonly panel: vscode.WebviewPanel; readonly viewer: Client<PdfViewerApi> }
  >();
  /** What an editor that is still loading will show first, by the PDF's URI. */
  readonly #pending = new Map<string, PdfMarks>();

  constructor(extensionUri: vscode.Uri, passwords: Passwords, memory: vscode.Memento) {
    this.#extensionUri = extensionUri;
    this.#memory = memory;
    this.#passwords = passwords;
    this.#registration = vscode.window.registerCustomEditorProvider(viewType, this, {
      webviewOptions: { retainContextWhenHidden: true },
    });
  }

  /** Opens a PDF, at marked words where they are given. */
  async show(uri: vscode.Uri, marks: PdfMarks | undefined, column: vscode.ViewColumn): Promise<void> {
    const key = uri.toString();
    const open = this.#open.get(key);
    if (open !== undefined) {
      open.panel.reveal(open.panel.viewColumn);
      if (marks !== undefined) open.viewer.notify('reveal', marks);
      return;
    }
    if (marks !== undefined) this.#pending.set(key, marks);
    await vscode.commands.executeCommand('vscode.openWith', uri, viewType, column);
  }

  /** What is selected in the PDF whose editor is the active one; undefined where none is. */
  async selection(): Promise<(PdfSelection & { readonly uri: vscode.Uri }) | undefined> {
    for (const [key, { panel, viewer }] of this.#open)
      if (panel.active) return { ...(await viewer.call('selection', {})), uri: vscode.Uri.parse(key) };
    return undefined;
  }

  openCustomDocument(uri: vscode.Uri): vscode.CustomDocument {
    return { uri, dispose: () => undefined };
  }

  resolveCustomEditor({ uri }: vscode.CustomDocument, panel: vscode.WebviewPanel): void {
    const { webview } = panel;
    webview.options = webviewOptions(this.#extensionUri);
    const address = (path: string): string =>
      webview.asWebviewUri(vscode.Uri.joinPath(this.#extensionUri, 'dist', 'pdfjs', path)).toString();
    const key = uri.toString();
    const closed = new AbortController();
    const asked = new PasswordOfOne(this.#passwords, key, closed.signal);
    const channel = connect<PdfHostApi, PdfViewerApi>(portOfWebview(webview, panel.onDidDispose), {
      ready: async () => {
        // A plain array of bytes: Node's own kind would arrive in the webview as JSON.
        const data = new Uint8Array(await vscode.workspace.fs.readFile(uri));
        const marks = this.#pending.get(key);
        this.#pending.delete(key);
        this.#open.set(key, { panel, viewer: channel.remote });
        return {
          view: {
            title: nameOf(uri),
            data,
            workerUrl: address('pdf.worker.min.mjs'),
            characterMapsUrl: address('cmaps/'),
            standardFontsUrl: address('standard_fonts/'),
            wasmUrl: address('wasm/'),
          },
          marks,
          inverted: this.#memory.get<boolean>(invertedKey, false),
        };
      },
      setInverted: async ({ inverted }) => {
        await this.#memory.update(invertedKey, inverted);
        return null;
      },
      run: async ({ command }) => {
        await vscode.commands.executeCommand(`openNotebook.${command}`);
        return null;
      },
      password: async ({ wasWrong }) => (await asked.next(wasWrong)) ?? null,
      opened: () => {
        asked.opened();
        return null;
      },
    });
    panel.onDidDispose(() => {
      closed.abort();
      channel.dispose();
      this.#open.delete(key);
    });
    webview.html = webviewHtml(webview, this.#extensionUri, 'pdf');
  }

  dispose(): void {
    this.#registration.dispose();
  }
}

/** The passwords that one viewer tries on its PDF: first the kept one, then those that the user types. */
class PasswordOfOne {
  readonly #passwords: Passwords;
  readonly #file: string;
  readonly #closed: AbortSignal;
  #kept: string | undefined;
  #typed: string | undefined;

  constructor(passwords: Passwords, file: string, closed: AbortSignal) {
    this.#passwords = passwords;
    this.#file = file;
    this.#closed = closed;
  }

  async next(wasWrong: boolean): Promise<string | undefined> {
    if (!wasWrong) {
      this.#kept = await this.#passwords.kept(this.#file);
      if (this.#kept !== undefined) return this.#kept;
    } else if (this.#kept !== undefined) await this.#passwords.forget(this.#file);
    this.#kept = undefined;
    this.#typed = await this.#passwords.ask(this.#file, wasWrong, this.#closed);
    return this.#typed;
  }

  opened(): void {
    if (this.#typed !== undefined) this.#passwords.offerToKeep(this.#file, this.#typed);
    this.#typed = undefined;
  }
}
