// Installs Node's timers and streams for the channel, because a page may appear before a worker has started.
import 'vscode-jsonrpc/node';
import type * as vscode from 'vscode';
import { isPageBeginning } from '../core/rpc/page-begins.ts';
import { connect, type Api, type Channel, type Handlers } from '../core/rpc/rpc.ts';

/** Connection with one page of a webview. */
interface PageConnection<Remote extends Api<Remote>> {
  readonly channel: Channel<Remote>;
  receive(message: unknown): void;
  /** Stops sending to the page and fails its pending requests. */
  end(): void;
}

/**
 * Connects to the page in a view or panel of VS Code until it is disposed of. A page that replaces another one gets
 * no answers to requests of the previous page.
 */
export function connectToPage<Local extends Api<Local>, Remote extends Api<Remote>>(
  { webview, onDidDispose }: Pick<vscode.WebviewView, 'webview' | 'onDidDispose'>,
  handlers: Handlers<Local>,
): Channel<Remote> {
  const begin = (): PageConnection<Remote> => connectOne<Local, Remote>(webview, handlers);
  let page = begin();
  const listening = webview.onDidReceiveMessage((message: unknown) => {
    if (isPageBeginning(message)) {
      page.end();
      page = begin();
    } else page.receive(message);
  });
  const dispose = (): void => {
    listening.dispose();
    page.end();
  };
  onDidDispose(dispose);
  return {
    remote: {
      call: (method, params, options) => page.channel.remote.call(method, params, options),
      notify: (method, params) => page.channel.remote.notify(method, params),
    },
    dispose,
  };
}

function connectOne<Local extends Api<Local>, Remote extends Api<Remote>>(
  webview: vscode.Webview,
  handlers: Handlers<Local>,
): PageConnection<Remote> {
  let isOpen = true;
  let receive: (message: unknown) => void = () => undefined;
  let close: () => void = () => undefined;
  const channel = connect<Local, Remote>(
    {
      postMessage(message) {
        if (isOpen) void webview.postMessage(message);
      },
      onMessage(listener) {
        receive = listener;
      },
      onClose(listener) {
        close = listener;
      },
    },
    handlers,
  );
  return {
    channel,
    receive: (message) => receive(message),
    end() {
      isOpen = false;
      close();
    },
  };
}
