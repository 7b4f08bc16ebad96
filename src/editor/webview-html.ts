/** One of the pages that the build makes in `dist/webview`. */
export type WebviewPage = 'cards' | 'chat' | 'matrix' | 'page' | 'pdf' | 'research' | 'studio';

/** The surroundings of a page: the address of its files, and its language. */
interface WebviewSurroundings {
  /** The origin of the extension's files, as a content security policy names it. */
  readonly cspSource: string;
  /** Random, and new for each page. */
  readonly nonce: string;
  /** A language tag, for example `zh-cn`. */
  readonly language: string;
  /** The translations of English strings. */
  readonly translation: unknown;
  /** Returns the URL of a file in `dist/webview`. */
  readonly address: (file: string) => string;
}

/** Returns the HTML around a page's script, with a policy under which it loads nothing from outside the extension. */
export function webviewHtml(page: WebviewPage, surroundings: WebviewSurroundings): string {
  const { address, cspSource, language, nonce } = surroundings;
  // Cited figures of PDFs are drawn where they are cited: their worker runs from a copy of our own file, and unpacks images by WebAssembly.
  const drawsFigures = page === 'chat' || page === 'research';
  const drawsPdfs = drawsFigures || page === 'pdf';
  const policy = [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}' ${cspSource}${page === 'pdf' ? ' blob:' : ''}${drawsPdfs ? " 'wasm-unsafe-eval'" : ''}`,
    `style-src ${cspSource} 'nonce-${nonce}'`,
    `font-src ${cspSource}${page === 'pdf' ? ' blob: data:' : ''}`,
    // Drawn diagrams are pictures within their address.
    `img-src ${cspSource}${drawsPdfs ? ' blob: data:' : ''}`,
    ...(page === 'pdf' ? [`connect-src ${cspSource} blob: data:`, `worker-src blob: ${cspSource}`] : []),
    ...(drawsFigures ? [`connect-src ${cspSource}`, 'worker-src blob:'] : []),
  ].join('; ');
  // A string of the translation can't end the script element.
  const translation = JSON.stringify(surroundings.translation).replaceAll('<', '\\u003c');
  return `<!DOCTYPE html>
<html lang="${language}">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta http-equiv="Content-Security-Policy" content="${policy}">
  <title>Open Notebook</title>
  <link rel="stylesheet" href="${address(`${page}.css`)}">
</head>
<body>
  <script type="application/json" id="translation">${translation}</script>
  <div id="root"></div>
  <script type="module" nonce="${nonce}" src="${address(`${page}.js`)}"></script>
</body>
</html>`;
}
