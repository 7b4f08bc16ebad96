import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { DrawnFigure, FigureLimits } from '../../../core/rpc/figure.ts';
import type { HostApi, PanelApi, PanelState } from '../protocol.ts';
import type { Client, Params } from '../../../core/rpc/rpc.ts';
import type { Citation } from '../../../core/domain/answer.ts';
import { StateSender } from '../../../core/rpc/shared-state.ts';
import { setContextKey } from '../../../platform/menu-contexts.ts';
import type { ModelChoices } from '../../models/editor/model-choice.ts';
import type { FactCheckConsent } from './fact-check-consent.ts';
import { applyTurnUpdates, type TurnUpdate } from '../model/turn-updates.ts';
import { findCitationChanges } from './citation-changes.ts';
import type { ModelOffer } from './model-offer.ts';
import { panelHandlers, type PanelParts } from './panel-handlers.ts';
import type { SemanticSearchOffer } from './semantic-search-offer.ts';
import type { ScopeChoice } from '../../sources/editor/scope-choice.ts';
import { webviewHtml, webviewOptions } from '../../../platform/webview-page.ts';
import { Disposable } from '../../../platform/disposable.ts';

export const CHAT_VIEW_ID = 'openNotebook.chat';

/**
 * Maximum time for the view to appear if something must be drawn in it, and the interval of checks, in milliseconds.
 */
const VIEW_TIMEOUT_MS = 10_000;
const CHECK_INTERVAL_MS = 100;

/** State that the chat shows, and services that handle its requests. */
interface ChatParts extends PanelParts {
  readonly models: ModelChoices;
  readonly modelOffer: ModelOffer;
  readonly semanticSearchOffer: SemanticSearchOffer;
  readonly factCheckConsent: FactCheckConsent;
  readonly scopes: ScopeChoice;
}

/** Location of a chat page: VS Code's view or an editor tab. */
interface ChatPlace extends Pick<vscode.WebviewView, 'webview' | 'onDidDispose' | 'visible'> {
  /** Fires if the page may have been hidden or shown. */
  readonly onDidChange: vscode.Event<unknown>;
  /** Reveals the page and gives it the focus. */
  readonly show: () => void | Promise<void>;
  /** Column for citations that aren't opened to the side. */
  readonly citationColumn: () => vscode.ViewColumn;
}

interface ChatPage {
  readonly place: ChatPlace;
  /** Set when the page reports that it is ready; each reloaded page does so again. */
  remote: Client<PanelApi> | undefined;
  readonly state: StateSender<PanelState, TurnUpdate>;
  /** `true` if the input gets the focus when the page is ready. */
  wantsFocus: boolean;
  /** Rank of the page's last use; greater than that of pages used before it. */
  used: number;
}

/** Pages of the chat. They all show one conversation live: a question in one page appears in all of them. */
export class ChatPages extends Disposable {
  readonly #parts: ChatParts;
  readonly #pages = new Set<ChatPage>();
  #used = 0;
  /** `true` if the first page that opens gets the focus. */
  #wantsFocus = false;

  constructor(parts: ChatParts) {
    super();
    this.#parts = parts;
    const {
      notebook,
      conversation,
      suggested,
      models,
      modelOffer,
      semanticSearchOffer,
      factCheckConsent,
      checks,
      scopes,
      insertTarget,
    } = parts;
    const refresh = (): void => {
      for (const { remote, state } of this.#pages) {
        if (remote === undefined) continue;
        // Ignore a failure: the next change reads the state again, and the page shows errors of its own requests.
        state.send().catch(() => undefined);
      }
    };
    this._register(
      conversation.onDidChangeTurn((turn) => {
        void setContextKey('hasTurns', true);
        this.#notifyPages('turnChanged', { turn });
        this.#follow({ kind: 'turn', turn: { ...turn } });
        void semanticSearchOffer.consider(turn);
        // Citations of an earlier answer may have changed since.
        if (turn.version !== undefined && turn.state.kind !== 'answering') refresh();
      }),
      conversation.onDidAnswer((answered) => {
        this.#notifyPages('answerEvent', answered);
        this.#follow({ kind: 'event', ...answered });
      }),
      conversation.onDidReplace(refresh),
      notebook.onDidChange(refresh),
      suggested.onDidChange(() => this.#notifyPages('suggestionsChanged', {})),
      notebook.onDidSwitch(() => {
        for (const page of this.#pages) this.#load(page);
      }),
      models.onDidChange(refresh),
      modelOffer.onDidChange(refresh),
      semanticSearchOffer.onDidChange(() => {
        for (const { remote, state } of this.#pages)
          if (remote !== undefined) state.sendFields({ semanticSearchOffer: semanticSearchOffer.shown });
      }),
      factCheckConsent.onDidChange(refresh),
      checks.onDidChangeFailure(refresh),
      scopes.onDidChange(refresh),
      insertTarget.onDidChange(() => {
        this.#notifyPages('insertTargetChanged', { insertTarget: insertTarget.name });
      }),
    );
  }

  /** Shows a page of the chat at a place until the place is disposed of. */
  async open(place: ChatPlace): Promise<void> {
    const { extensionUri, conversation, insertTarget } = this.#parts;
    const page: ChatPage = {
      ...{ place, remote: undefined, wantsFocus: this.#wantsFocus, used: 0 },
      state: new StateSender({
        read: () => this.#state(),
        send: (change) => page.remote?.notify('stateChanged', { change }),
        // Turns change while their citations are compared with the sources.
        snapshot: (state) => ({
          ...state,
          turns: state.turns.map((turn) => ({ ...turn })),
          semanticSearchOffer: this.#parts.semanticSearchOffer.shown,
        }),
        applyUpdates: (state, updates) => ({ ...state, turns: applyTurnUpdates(state.turns, updates) }),
      }),
    };
    this.#wantsFocus = false;
    this.#pages.add(page);
    place.webview.options = webviewOptions(extensionUri);
    const { connectToPage } = await import('../../../platform/webview-channel.ts');
    const { draftChanged, ...handlers } = panelHandlers(this.#parts, place);
    const channel = connectToPage<HostApi, PanelApi>(place, {
      ready: async () => {
        const draft = await conversation.draft();
        page.remote = channel.remote;
        page.state.restart();
        await page.state.send();
        if (page.wantsFocus) this.#focusInput(page);
        return { draft, insertTarget: insertTarget.name };
      },
      used: () => {
        page.used = ++this.#used;
      },
      draftChanged: (params, context) => {
        for (const other of this.#pages) if (other !== page) other.remote?.notify('draftReplaced', params);
        return draftChanged(params, context);
      },
      ...handlers,
    });
    place.onDidDispose(() => {
      channel.dispose();
      this.#pages.delete(page);
    });
    place.onDidChange(() => {
      // VS Code unloads a hidden page. The next page reports itself when it is ready.
      if (!place.visible) page.remote = undefined;
    });
    this.#load(page);
  }

  /** Focuses the input of the visible page that was used last; if no page is visible, of the view. */
  async focus(): Promise<void> {
    const open = [...this.#pages].sort((a, b) => b.used - a.used);
    const page = open.find(({ place }) => place.visible) ?? open[0];
    if (page !== undefined) await this.#focus(page);
    else {
      this.#wantsFocus = true;
      await vscode.commands.executeCommand(`${CHAT_VIEW_ID}.focus`);
    }
  }

  /** Focuses the input of the page at one place. */
  async focusAt(isThere: (place: ChatPlace) => boolean): Promise<void> {
    const page = [...this.#pages].find(({ place }) => isThere(place));
    if (page !== undefined) await this.#focus(page);
  }

  /** Returns the text that is selected in the answers of the page that was used last; '' if there is none. */
  async selection(): Promise<string> {
    const open = [...this.#pages].sort((a, b) => b.used - a.used);
    const page = open.find(({ place, remote }) => place.visible && remote !== undefined);
    return (await page?.remote?.call('selection', {})) ?? '';
  }

  /** Draws the figure of a citation in a visible page; undefined if there is none. @throws NotebookError */
  async drawFigure(
    citation: Citation,
    limits: FigureLimits,
    signal: AbortSignal,
  ): Promise<DrawnFigure | undefined> {
    const open = [...this.#pages].sort((a, b) => b.used - a.used);
    const page = open.find(({ place, remote }) => place.visible && remote !== undefined);
    if (page?.remote === undefined) return undefined;
    const source = await this.#parts.figures.open(citation, page.place.webview);
    return await page.remote.call('drawFigure', { source, limits }, { signal });
  }

  /**
   * Draws the figure of a citation, and shows the view if no page is visible; undefined if the view doesn't load.
   * @throws NotebookError
   */
  async drawFigureShown(
    citation: Citation,
    limits: FigureLimits,
    signal: AbortSignal,
  ): Promise<DrawnFigure | undefined> {
    const isThere = (): boolean =>
      [...this.#pages].some(({ place, remote }) => place.visible && remote !== undefined);
    if (!isThere()) await vscode.commands.executeCommand(`${CHAT_VIEW_ID}.focus`);
    for (let waited = 0; !isThere() && waited < VIEW_TIMEOUT_MS; waited += CHECK_INTERVAL_MS)
      await sleep(CHECK_INTERVAL_MS, undefined, { signal });
    return await this.drawFigure(citation, limits, signal);
  }

  async #focus(page: ChatPage): Promise<void> {
    page.used = ++this.#used;
    await page.place.show();
    this.#focusInput(page);
  }

  #focusInput(page: ChatPage): void {
    page.wantsFocus = page.remote === undefined;
    page.remote?.notify('focusInput', {});
  }

  /** Reloads a page, which then requests its whole state. */
  #load(page: ChatPage): void {
    page.remote = undefined;
    const { webview } = page.place;
    webview.html = webviewHtml(webview, this.#parts.extensionUri, 'chat');
  }

  #notifyPages<M extends keyof PanelApi>(method: M, params: Params<PanelApi[M]>): void {
    for (const { remote } of this.#pages) remote?.notify(method, params);
  }

  /** Records a message about a turn that all pages got. */
  #follow(update: TurnUpdate): void {
    for (const { remote, state } of this.#pages) if (remote !== undefined) state.follow(update);
  }

  async #state(): Promise<PanelState> {
    const { notebook, conversation, models, modelOffer, semanticSearchOffer, factCheckConsent, scopes } =
      this.#parts;
    const sources = await notebook.call('sources', {});
    const [scope, turns, earlier, { current, isChosen }] = await Promise.all([
      scopes.describeScope(sources),
      conversation.turns(),
      conversation.countEarlier(),
      models.of(await conversation.id()),
    ]);
    void setContextKey('hasTurns', turns.length > 0);
    const working = sources.filter(({ state }) => state.kind === 'queued' || state.kind === 'reading').length;
    const ready = sources.filter(({ passages }) => passages > 0).length;
    return {
      turns,
      earlier,
      sources: { ready, working },
      model: current.name,
      offersModel: !isChosen && !modelOffer.isDeclined,
      semanticSearchOffer: semanticSearchOffer.shown,
      factCheckOffer: factCheckConsent.offer,
      factCheckFailure: this.#parts.checks.failure,
      scope,
      citationChanges: await findCitationChanges(notebook, turns),
    };
  }
}
