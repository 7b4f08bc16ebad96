/** Page that the build creates in `dist/webview`. */
export type WebviewPage = 'chat' | 'flashcards' | 'page' | 'pdf' | 'player' | 'research' | 'maps' | 'tables';

/** Environment of a page: the URLs of its files, and its language. */
interface WebviewSurroundings {
  /** Origin of the extension's files for a content security policy. */
  readonly cspSource: string;
  /** Random value, new for each page. */
  readonly nonce: string;
  /** Language tag, for example `zh-cn`. */
  readonly language: string;
  /** Translations of English strings. */
  readonly translation: unknown;
  /** Returns the URL of a file in `dist/webview`. */
  readonly address: (file: string) => string;
}

/** Returns the HTML around a page's script, with a policy under which it loads nothing from outside the extension. */
export function webviewHtml(page: WebviewPage, surroundings: WebviewSurroundings): string {
  const { address, cspSource, language, nonce } = surroundings;
  // Cited figures of PDFs are drawn in the page: their worker runs from a copy of our own file, and decodes images
  // with WebAssembly.
  const drawsFigures = page === 'chat' || page === 'research';
  const drawsPdfs = drawsFigures || page === 'pdf';
  const policy = [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}' ${cspSource}${page === 'pdf' ? ' blob:' : ''}${drawsPdfs ? " 'wasm-unsafe-eval'" : ''}`,
    `style-src ${cspSource} 'nonce-${nonce}'`,
    `font-src ${cspSource}${page === 'pdf' ? ' blob: data:' : ''}`,
    ...(page === 'player' ? [`media-src ${cspSource}`] : []),
    // Drawn diagrams are images in data URLs.
    `img-src ${cspSource}${drawsPdfs ? ' blob: data:' : ''}`,
    ...(page === 'pdf' ? [`connect-src ${cspSource} blob: data:`, `worker-src blob: ${cspSource}`] : []),
    ...(drawsFigures ? [`connect-src ${cspSource}`, 'worker-src blob:'] : []),
  ].join('; ');
  // Escapes `<`, so that a translation can't end the script element.
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
