// An editor tab or view whose messages go to the page of a test, and a page that applies changes of a state.
import { EventEmitter } from 'node:events';
import type * as vscode from 'vscode';
import { PAGE_BEGINS } from '../../src/core/rpc/page-begins.ts';
import { connect, type Api, type Channel, type Handlers, type Port } from '../../src/core/rpc/rpc.ts';
import { applyChange, type Change } from '../../src/core/rpc/shared-state.ts';

/** Editor tab or view whose messages go to the page of a test. */
export class TestPanel extends EventEmitter {
  visible = true;
  title = '';
  readonly onDidDispose = this.#event('dispose');
  readonly onDidChangeViewState = this.#event('viewState');
  readonly webview = {
    html: '',
    options: {},
    cspSource: '',
    asWebviewUri: (uri: vscode.Uri): vscode.Uri => uri,
    onDidReceiveMessage: this.#event('fromPage'),
    postMessage: (message: unknown): Promise<boolean> =>
      Promise.resolve(this.emit('toPage', JSON.stringify(message))),
  };

  #event(name: string) {
    return (listener: (message: unknown) => void): vscode.Disposable => {
      this.on(name, listener);
      return { dispose: () => this.off(name, listener) };
    };
  }
}

/** Page in a tab that applies each change of its state as the page of the extension does. */
export class TestPage<State, HostApi extends Api<HostApi>, PageApi extends Api<PageApi>> {
  state: State | undefined;
  /** Lengths of all messages to the page, and whether each change was the whole state. */
  readonly lengths: number[] = [];
  readonly wholes: boolean[] = [];
  readonly channel: Channel<HostApi>;

  constructor(panel: TestPanel, handlers: Partial<Handlers<PageApi>> = {}) {
    panel.removeAllListeners('toPage');
    const port: Port = {
      postMessage: (message) => panel.emit('fromPage', JSON.parse(JSON.stringify(message))),
      onMessage: (listener) =>
        panel.on('toPage', (json: string) => {
          this.lengths.push(json.length);
          listener(JSON.parse(json));
        }),
      onClose: () => undefined,
    };
    panel.emit('fromPage', PAGE_BEGINS);
    const stateChanged = ({ change }: { readonly change: Change }): void => {
      this.wholes.push('value' in change);
      this.state = applyChange(this.state, change) as State;
    };
    this.channel = connect<PageApi, HostApi>(port, {
      stateChanged,
      ...handlers,
    } as unknown as Handlers<PageApi>);
  }
}
