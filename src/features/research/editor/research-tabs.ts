import * as vscode from 'vscode';
import type { ResearchHostApi, ResearchPanelApi, ResearchPanelState } from '../protocol.ts';
import type { Client } from '../../../core/rpc/rpc.ts';
import { StateSender } from '../../../core/rpc/shared-state.ts';
import { Throttle } from '../../../core/rpc/throttle.ts';
import { connectToPage } from '../../../platform/webview-channel.ts';
import { webviewHtml, webviewOptions } from '../../../platform/webview-page.ts';
import { offer } from '../../../platform/dialogs.ts';
import { columnBeside } from '../../chat/editor/chat-tabs.ts';
import { researchHandlers, type ResearchHandlerParts } from './research-handlers.ts';
import { RESEARCH_TAB_TYPE } from './research-page.ts';
import { Disposable } from '../../../platform/disposable.ts';

/** Interval within which changes are shown together, in milliseconds. */
const REFRESH_INTERVAL = 60;

/** Maximum length of a tab's title, in UTF-16 code units. */
const MAX_TITLE_LENGTH = 40;

interface Tab {
  readonly panel: vscode.WebviewPanel;
  researchId: string | undefined;
  /** Set when its page reports that it is ready. */
  remote: Client<ResearchPanelApi> | undefined;
  readonly state: StateSender<ResearchPanelState>;
  /** View to show first when the page is ready. */
  wish: TabRequest | undefined;
}

/** View to show: a project at one of its steps, or the page to start a project, with a goal. */
interface TabRequest {
  readonly researchId?: string | undefined;
  readonly stepId?: string | undefined;
  readonly goal?: string | undefined;
}

/** Editor tabs that each show one research project, live, or the page to start one. */
export class ResearchTabs extends Disposable {
  readonly #parts: ResearchHandlerParts;
  readonly #tabs = new Set<Tab>();

  constructor(parts: ResearchHandlerParts) {
    super();
    this.#parts = parts;
    const refresh = new Throttle(() => {
      for (const { remote, state } of this.#tabs)
        if (remote !== undefined)
          // The next change reads the state again. The page shows errors of its own requests.
          state.send().catch(() => undefined);
    }, REFRESH_INTERVAL);
    this._register(
      refresh,
      parts.researches.onDidChange(() => {
        refresh.gather();
      }),
      parts.researches.onDidWriteReport(({ researchId, title }) => {
        void this.#offerReport(researchId, title);
      }),
      parts.notebook.onDidSwitch(() => {
        for (const tab of this.#tabs) {
          tab.researchId = undefined;
          this.#load(tab);
        }
      }),
    );
  }

  /** Shows a research project, at a step if one is given, or the page to start one. */
  open(wish: TabRequest): void {
    const openTab = [...this.#tabs].find((tab) => tab.researchId === wish.researchId);
    if (openTab === undefined) {
      const panel = vscode.window.createWebviewPanel(
        RESEARCH_TAB_TYPE,
        vscode.l10n.t('Research'),
        vscode.ViewColumn.Active,
        { ...webviewOptions(this.#parts.extensionUri), enableFindWidget: true },
      );
      this.fill(panel, wish);
      return;
    }
    openTab.wish = wish;
    openTab.panel.reveal();
    this.#grant(openTab);
  }

  /** Shows a page in a tab until the tab is closed. */
  fill(panel: vscode.WebviewPanel, wish: TabRequest): void {
    const tab: Tab = {
      ...{ panel, researchId: wish.researchId, remote: undefined, wish },
      state: new StateSender({
        read: () => this.#state(tab),
        send: (change) => tab.remote?.notify('stateChanged', { change }),
      }),
    };
    this.#tabs.add(tab);
    const media = vscode.Uri.joinPath(this.#parts.extensionUri, 'media');
    panel.iconPath = {
      light: vscode.Uri.joinPath(media, 'notebook-light.svg'),
      dark: vscode.Uri.joinPath(media, 'notebook.svg'),
    };
    panel.webview.options = webviewOptions(this.#parts.extensionUri);
    const handlers = researchHandlers(this.#parts, {
      webview: panel.webview,
      citationColumn: () => columnBeside(panel),
      get researchId() {
        return tab.researchId;
      },
    });
    const channel = connectToPage<ResearchHostApi, ResearchPanelApi>(panel, {
      ...handlers,
      ready: async () => {
        tab.remote = channel.remote;
        tab.state.restart();
        await tab.state.send();
        this.#grant(tab);
      },
      show: ({ researchId: shown }) => {
        tab.researchId = shown;
        return tab.state.send();
      },
      begin: async (start) => {
        tab.researchId = await this.#parts.researches.begin(start);
        await tab.state.send();
      },
    });
    panel.onDidDispose(() => {
      channel.dispose();
      this.#tabs.delete(tab);
    });
    panel.onDidChangeViewState(() => {
      // VS Code unloads a hidden page. The next page reports itself when it is ready.
      if (!panel.visible) tab.remote = undefined;
    });
    this.#load(tab);
  }

  /** Shows the requested view in a page that is ready. */
  #grant(tab: Tab): void {
    const { remote, wish } = tab;
    if (remote === undefined || wish === undefined) return;
    tab.wish = undefined;
    remote.notify('focus', { stepId: wish.stepId, goal: wish.goal });
  }

  /** Offers to show a new report, unless it's on a visible page, which opens it by itself. */
  async #offerReport(researchId: string, title: string): Promise<void> {
    if ([...this.#tabs].some((tab) => tab.researchId === researchId && tab.panel.visible)) return;
    await offer(vscode.l10n.t('The report “{0}” is ready.', title), vscode.l10n.t('Open Report'), () => {
      this.open({ researchId });
    });
  }

  #load(tab: Tab): void {
    tab.remote = undefined;
    tab.panel.webview.html = webviewHtml(tab.panel.webview, this.#parts.extensionUri, 'research');
  }

  async #state(tab: Tab): Promise<ResearchPanelState> {
    const state = await this.#parts.researches.state(tab.researchId);
    const goal = state.research?.goal.replaceAll(/\s+/g, ' ') ?? '';
    const title = goal === '' ? vscode.l10n.t('Research') : goal;
    tab.panel.title =
      title.length > MAX_TITLE_LENGTH ? `${title.slice(0, MAX_TITLE_LENGTH).trimEnd()}…` : title;
    return state;
  }
}
