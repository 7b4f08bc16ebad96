import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

/** One of the pages that the build makes in `dist/webview`. */
type WebviewPage = 'cards' | 'chat' | 'matrix' | 'page' | 'pdf' | 'research' | 'studio';

/** What a webview may load: the extension's own build, nothing else. */
export function webviewOptions(extensionUri: vscode.Uri): vscode.WebviewOptions {
  return { enableScripts: true, localResourceRoots: [vscode.Uri.joinPath(extensionUri, 'dist')] };
}

/** The HTML around a page's script, under a policy that lets it reach nothing outside the extension. */
export function webviewHtml(webview: vscode.Webview, extensionUri: vscode.Uri, page: WebviewPage): string {
  const nonce = randomBytes(16).toString('base64');
  const address = (file: string): string =>
    webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, 'dist', 'webview', file)).toString();
  const own = webview.cspSource;
  // Cited figures of PDFs are drawn where they are cited: their worker runs from a copy of our own file, and unpacks images by WebAssembly.
  const drawsFigures = page === 'chat' || page === 'research';
  const drawsPdfs = drawsFigures || page === 'pdf';
  const policy = [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}' ${own}${page === 'pdf' ? ' blob:' : ''}${drawsPdfs ? " 'wasm-unsafe-eval'" : ''}`,
    `style-src ${own} 'nonce-${nonce}'`,
    `font-src ${own}${page === 'pdf' ? ' blob: data:' : ''}`,
    // Drawn diagrams are pictures within their address.
    `img-src ${own}${drawsPdfs ? ' blob: data:' : ''}`,
    ...(page === 'pdf' ? [`connect-src ${own} blob: data:`, `worker-src blob: ${own}`] : []),
    ...(drawsFigures ? [`connect-src ${own}`, 'worker-src blob:'] : []),
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${vscode.env.language}">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta http-equiv="Content-Security-Policy" content="${policy}">
  <title>Open Notebook</title>
  <link rel="stylesheet" href="${address(`${page}.css`)}">
</head>
<body>
  <script type="application/json" id="translation">${translation()}</script>
  <div id="root"></div>
  <script type="module" nonce="${nonce}" src="${address(`${page}.js`)}"></script>
</body>
</html>`;
}

/** The words of the editor's language as data of the page; nothing in them ends their element. */
function translation(): string {
  return JSON.stringify(vscode.l10n.bundle ?? {}).replaceAll('<', '\\u003c');
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
