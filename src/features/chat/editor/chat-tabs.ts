import * as vscode from 'vscode';
import { CHAT_TAB_TYPE } from '../../../platform/open-file.ts';
import { webviewOptions } from '../../../platform/webview-page.ts';
import type { ChatPages } from './chat-pages.ts';

/** Chat in editor tabs, which can be moved like all tabs, also to their own windows. */
export class ChatTabs implements vscode.WebviewPanelSerializer, vscode.Disposable {
  readonly #extensionUri: vscode.Uri;
  readonly #pages: ChatPages;
  readonly #registration: vscode.Disposable;
  readonly #tabs = new Set<vscode.WebviewPanel>();

  constructor(extensionUri: vscode.Uri, pages: ChatPages) {
    this.#extensionUri = extensionUri;
    this.#pages = pages;
    this.#registration = vscode.window.registerWebviewPanelSerializer(CHAT_TAB_TYPE, this);
  }

  /** Shows the chat in a tab of the active group, and creates the tab if there is none. */
  async open(): Promise<void> {
    const { viewColumn } = vscode.window.tabGroups.activeTabGroup;
    const openTab = [...this.#tabs].find((tab) => tab.viewColumn === viewColumn);
    const tab = openTab ?? (await this.#make());
    await this.#pages.focusAt(({ webview }) => webview === tab.webview);
  }

  /** Shows the chat in a new window. */
  async openInNewWindow(): Promise<void> {
    const tab = await this.#make();
    await this.#pages.focusAt(({ webview }) => webview === tab.webview);
    await vscode.commands.executeCommand('workbench.action.moveEditorToNewWindow');
  }

  async deserializeWebviewPanel(tab: vscode.WebviewPanel): Promise<void> {
    await this.#fill(tab);
  }

  dispose(): void {
    this.#registration.dispose();
  }

  async #make(): Promise<vscode.WebviewPanel> {
    const tab = vscode.window.createWebviewPanel(
      CHAT_TAB_TYPE,
      vscode.l10n.t('Notebook Chat'),
      vscode.ViewColumn.Active,
      { ...webviewOptions(this.#extensionUri), enableFindWidget: true },
    );
    await this.#fill(tab);
    return tab;
  }

  async #fill(tab: vscode.WebviewPanel): Promise<void> {
    this.#tabs.add(tab);
    tab.onDidDispose(() => this.#tabs.delete(tab));
    const media = vscode.Uri.joinPath(this.#extensionUri, 'media');
    tab.iconPath = {
      light: vscode.Uri.joinPath(media, 'notebook-light.svg'),
      dark: vscode.Uri.joinPath(media, 'notebook.svg'),
    };
    await this.#pages.open({
      webview: tab.webview,
      get visible() {
        return tab.visible;
      },
      onDidDispose: tab.onDidDispose,
      onDidChange: tab.onDidChangeViewState,
      show: () => tab.reveal(),
      citationColumn: () => columnBeside(tab),
    });
  }
}

/** Returns the group next to a tab's own, or a new one, so that a citation doesn't cover the chat. */
export function columnBeside({
  viewColumn: own = vscode.ViewColumn.Active,
}: vscode.WebviewPanel): vscode.ViewColumn {
  const others = vscode.window.tabGroups.all
    .map(({ viewColumn }) => viewColumn)
    .filter((column) => column !== own);
  const [nearest] = others.sort((a, b) => Math.abs(a - own) - Math.abs(b - own));
  return nearest ?? vscode.ViewColumn.Beside;
}
