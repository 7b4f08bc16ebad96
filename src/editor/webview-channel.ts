// Gives the channel its timers and streams of Node, also where no worker was started before a page is shown.
import 'vscode-jsonrpc/node';
import type * as vscode from 'vscode';
import { connect, type Api, type Channel, type Handlers } from '../messages/rpc.ts';

/** Connects to the page in a view or panel of VS Code, for as long as that is there. */
export function connectToPage<Local extends Api<Local>, Remote extends Api<Remote>>(
  { webview, onDidDispose }: Pick<vscode.WebviewView, 'webview' | 'onDidDispose'>,
  handlers: Handlers<Local>,
): Channel<Remote> {
  return connect<Local, Remote>(
    {
      postMessage: (message) => void webview.postMessage(message),
      onMessage: (listener) => webview.onDidReceiveMessage(listener),
      onClose: (listener) => onDidDispose(listener),
    },
    handlers,
  );
}
