import * as vscode from 'vscode';
import { CHAT_VIEW_ID, type ChatPages } from './chat-pages.ts';

/** Chat in VS Code's view, beside Sources and Notes. */
export class ChatView implements vscode.WebviewViewProvider, vscode.Disposable {
  readonly #pages: ChatPages;
  readonly #registration: vscode.Disposable;
  #view: vscode.WebviewView | undefined;
  #description: string | undefined;

  constructor(pages: ChatPages) {
    this.#pages = pages;
    this.#registration = vscode.window.registerWebviewViewProvider(CHAT_VIEW_ID, this);
  }

  /** Shows the view and focuses its input. */
  async focus(): Promise<void> {
    if (this.#view === undefined) await show();
    await this.#pages.focusAt(({ webview }) => webview === this.#view?.webview);
  }

  async resolveWebviewView(view: vscode.WebviewView): Promise<void> {
    this.#view = view;
    view.description = this.#description ?? '';
    view.onDidDispose(() => {
      this.#view = undefined;
    });
    await this.#pages.open({
      webview: view.webview,
      get visible() {
        return view.visible;
      },
      onDidDispose: view.onDidDispose,
      onDidChange: view.onDidChangeVisibility,
      show,
      citationColumn: () => vscode.ViewColumn.Active,
    });
  }

  /** Sets the text beside the view's title. */
  describe(words: string | undefined): void {
    this.#description = words;
    if (this.#view !== undefined) this.#view.description = words ?? '';
  }

  dispose(): void {
    this.#registration.dispose();
  }
}

async function show(): Promise<void> {
  await vscode.commands.executeCommand(`${CHAT_VIEW_ID}.focus`);
}
