import * as vscode from 'vscode';
import type { HostApi, PanelApi, PanelState } from '../../messages/panel.ts';
import type { Client } from '../../messages/rpc.ts';
import { tellMenus } from '../menu-contexts.ts';
import type { ModelChoices } from '../models/model-choice.ts';
import { panelHandlers, type PanelParts } from './panel-handlers.ts';
import type { ScopeChoice } from '../sources/scope-choice.ts';
import { webviewHtml, webviewOptions } from '../webview-page.ts';

const viewId = 'openNotebook.chat';

/** What the panel shows, and what its requests are passed on to. */
export interface ChatParts extends PanelParts {
  readonly models: ModelChoices;
  readonly scopes: ScopeChoice;
}

/** The chat panel: shows the conversation and passes on what the user does in it. */
export class ChatView implements vscode.WebviewViewProvider, vscode.Disposable {
  readonly #parts: ChatParts;
  readonly #disposables: vscode.Disposable[];
  #view: vscode.WebviewView | undefined;
  /** Set once the panel's page has said that it is ready. */
  #panel: Client<PanelApi> | undefined;

  constructor(parts: ChatParts) {
    this.#parts = parts;
    const { notebook, conversation, models, scopes, insertTarget } = parts;
    const refresh = (): void => {
      void this.#refresh();
    };
    this.#disposables = [
      vscode.window.registerWebviewViewProvider(viewId, this),
      conversation.onDidChangeTurn((turn) => {
        void tellMenus('hasTurns', true);
        this.#panel?.notify('turnChanged', { turn });
      }),
      conversation.onDidAnswer((answered) => this.#panel?.notify('answerEvent', answered)),
      conversation.onDidReplace(refresh),
      notebook.onDidChange(refresh),
      notebook.onDidSwitch(() => {
        this.#reload();
      }),
      models.onDidChange(refresh),
      scopes.onDidChange(refresh),
      insertTarget.onDidChange(() => {
        this.#panel?.notify('insertTargetChanged', { insertTarget: insertTarget.name });
      }),
    ];
  }

  /** Shows the panel and puts the cursor into its input. */
  async focus(): Promise<void> {
    await vscode.commands.executeCommand(`${viewId}.focus`);
    this.#panel?.notify('focusInput', {});
  }

  async resolveWebviewView(view: vscode.WebviewView): Promise<void> {
    this.#view = view;
    const { extensionUri, conversation, insertTarget } = this.#parts;
    view.webview.options = webviewOptions(extensionUri);
    const { connectToPage } = await import('../webview-channel.ts');
    const channel = connectToPage<HostApi, PanelApi>(view, {
      ready: async () => {
        const [state, draft] = await Promise.all([this.#state(), conversation.draft()]);
        this.#panel = channel.remote;
        return { state, draft, insertTarget: insertTarget.name };
      },
      ...panelHandlers(this.#parts, view.webview),
    });
    view.onDidDispose(() => {
      channel.dispose();
      this.#panel = undefined;
      this.#view = undefined;
    });
    view.onDidChangeVisibility(() => {
      // A hidden panel's page is gone; the next one says that it is ready itself.
      if (!view.visible) this.#panel = undefined;
    });
    this.#reload();
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }

  /** Begins the page anew, which then asks for all that it shows. */
  #reload(): void {
    this.#panel = undefined;
    if (this.#view !== undefined)
      this.#view.webview.html = webviewHtml(this.#view.webview, this.#parts.extensionUri, 'chat');
  }

  async #refresh(): Promise<void> {
    if (this.#panel === undefined || !this.#view?.visible) return;
    const state = await this.#state();
    this.#panel.notify('stateChanged', state);
  }

  async #state(): Promise<PanelState> {
    const { notebook, conversation, models, scopes } = this.#parts;
    const [sources, turns, earlier, { current }] = await Promise.all([
      notebook.call('sources', {}),
      conversation.turns(),
      conversation.earlier(),
      models.of(await conversation.id()),
    ]);
    void tellMenus('hasTurns', turns.length > 0);
    const working = sources.filter(({ state }) => state.kind === 'queued' || state.kind === 'reading').length;
    const ready = sources.filter(({ passages }) => passages > 0).length;
    return {
      turns,
      earlier,
      sources: { ready, working },
      model: current.kind === 'quotes' ? undefined : current.name,
      scope: scopes.shown(sources),
    };
  }
}
