// The RPC library needs its browser half before the first connection.
import 'vscode-jsonrpc/browser';
import { PAGE_BEGINS } from '../../src/core/rpc/page-begins.ts';
import { isTranslation, setTranslation } from '../../src/core/rpc/translation.ts';
import { connect, type Api, type Channel, type Handlers, type Port } from '../../src/core/rpc/rpc.ts';

/** State of this webview, saved while it is hidden and across restarts of the window. */
export interface Memory<T> {
  recall(): T | undefined;
  keep(value: T): void;
}

/**
 * Connects this webview with the extension and applies its language. Must be called once, before anything is shown,
 * because VS Code provides its API only once.
 */
export function connectHost<Local extends Api<Local>, Remote extends Api<Remote>, Stored = never>(
  handlers: Handlers<Local>,
): Channel<Remote> & { readonly memory: Memory<Stored> } {
  const words: unknown = JSON.parse(document.querySelector('#translation')?.textContent ?? '{}');
  if (isTranslation(words)) setTranslation(words);
  const vscode = acquireVsCodeApi();
  vscode.postMessage(PAGE_BEGINS);
  const port: Port = {
    postMessage(message) {
      vscode.postMessage(message);
    },
    onMessage(listener) {
      window.addEventListener('message', (event) => {
        listener(event.data);
      });
    },
    onClose(listener) {
      window.addEventListener('pagehide', listener);
    },
  };
  const channel = connect<Local, Remote>(port, handlers);
  const memory: Memory<Stored> = {
    recall: () => vscode.getState() as Stored | undefined,
    keep(value) {
      vscode.setState(value);
    },
  };
  return { ...channel, memory };
}
