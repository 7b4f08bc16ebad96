import type { BrowserContext } from '@playwright/test';

/** Host that webviews use for their files. VS Code's service worker answers it, and nothing leaves the machine. */
const virtualHost = '.vscode-resource.vscode-cdn.net';

const loopback = new Set(['127.0.0.1', 'localhost', '[::1]']);

/**
 * Watches the requests of a browser's pages.
 * @returns a function that lists the addresses outside this machine that were requested so far
 */
export function watchNetwork(context: BrowserContext): () => readonly string[] {
  const outside: string[] = [];
  context.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (/^(https?|wss?):$/.test(protocol) && !loopback.has(hostname) && !hostname.endsWith(virtualHost))
      outside.push(request.url());
  });
  context.on('response', (response) => {
    const isVirtual = new URL(response.url()).hostname.endsWith(virtualHost);
    if (isVirtual && !response.fromServiceWorker()) outside.push(response.url());
  });
  return () => outside;
}
