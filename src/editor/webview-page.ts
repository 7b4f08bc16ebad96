import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { webviewHtml as surroundedHtml, type WebviewPage } from './webview-html.ts';

/** What a webview may load: the extension's own build, nothing else. */
export function webviewOptions(extensionUri: vscode.Uri): vscode.WebviewOptions {
  return { enableScripts: true, localResourceRoots: [vscode.Uri.joinPath(extensionUri, 'dist')] };
}

/** Returns the HTML of a page for a webview of the editor, in the editor's language. */
export function webviewHtml(webview: vscode.Webview, extensionUri: vscode.Uri, page: WebviewPage): string {
  return surroundedHtml(page, {
    cspSource: webview.cspSource,
    nonce: randomBytes(16).toString('base64'),
    language: vscode.env.language,
    translation: vscode.l10n.bundle ?? {},
    address: (file) =>
      webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, 'dist', 'webview', file)).toString(),
  });
}

/**
 * An address as the extension knows it: in a window on another machine, pages are told of that machine's files by
 * `vscode-remote:`, which here are simply files. Those of still other machines stay what they are.
 */
export function localAddress(webview: vscode.Webview, address: string): string {
  if (!/^vscode-remote:/i.test(address) || !URL.canParse(address)) return address;
  const told = vscode.Uri.parse(address);
  const file = vscode.Uri.from({ scheme: 'file', path: told.path });
  // How pages load a file tells the machine of this window, which nothing else does.
  const isOfWindow = String(webview.asWebviewUri(file)) === String(webview.asWebviewUri(told));
  return isOfWindow ? file.toString() : address;
}
