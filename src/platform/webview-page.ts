import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { webviewHtml as surroundedHtml, type WebviewPage } from './webview-html.ts';

/** Returns the options of webviews: they may load only the extension's own build. */
export function webviewOptions(extensionUri: vscode.Uri): vscode.WebviewOptions {
  return { enableScripts: true, localResourceRoots: [vscode.Uri.joinPath(extensionUri, 'dist')] };
}

/** Returns the HTML of a page for a webview, in VS Code's display language. */
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
 * Returns an address in the extension's form. In a remote window, pages see the files of the remote machine as
 * `vscode-remote:`, which are plain files here. Addresses of other machines stay unchanged.
 */
export function localAddress(webview: vscode.Webview, address: string): string {
  if (!/^vscode-remote:/i.test(address) || !URL.canParse(address)) return address;
  const uri = vscode.Uri.parse(address);
  const file = vscode.Uri.from({ scheme: 'file', path: uri.path });
  // Only the form in which pages load a file identifies the machine of this window.
  const isOfWindow = String(webview.asWebviewUri(file)) === String(webview.asWebviewUri(uri));
  return isOfWindow ? file.toString() : address;
}
