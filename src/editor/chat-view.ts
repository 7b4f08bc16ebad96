import * as vscode from 'vscode';
import type {
  CitationReference,
  HostApi,
  MentionableSource,
  PanelApi,
  PanelCommand,
  PanelState,
} from '../messages/panel.ts';
import type { Client } from '../messages/rpc.ts';
import { NotebookError } from '../notebook/errors.ts';
import type { Source } from '../notebook/source.ts';
import type { AnswerChecks } from './answer-checks.ts';
import { diagramProgram } from './diagram-program.ts';
import type { GivenSources } from './given-sources.ts';
import { urisInList } from './given-sources.ts';
import type { LinkHandler } from './link-handler.ts';
import type { InsertTarget } from './insert-target.ts';
import { citationCard } from './citation-card.ts';
import type { CitationOpener } from './citation-opener.ts';
import type { Conversation } from './conversation.ts';
import { tellMenus } from './menu-contexts.ts';
import type { ModelChoices } from './model-choice.ts';
import type { NotebookClient } from './notebook-client.ts';
import { openLink } from './page-viewer.ts';
import type { ScopeChoice } from './scope-choice.ts';
import { firstSuggestions, followUps, standingCitationsOf } from './turn-suggestions.ts';
import { portOfWebview, webviewHtml, webviewOptions } from './webview-page.ts';

const viewId = 'openNotebook.chat';

const commands: Readonly<Record<PanelCommand, string>> = {
  addFiles: 'openNotebook.addFiles',
  addPage: 'openNotebook.addWebPage',
  addSources: 'openNotebook.addFiles',
  addText: 'openNotebook.addText',
  openSettings: 'openNotebook.openSettings',
  pickModel: 'openNotebook.pickModel',
  pickScope: 'openNotebook.pickScope',
  setApiKey: 'openNotebook.setApiKey',
  showLog: 'openNotebook.showLog',
  trySample: 'openNotebook.trySample',
};

/** The chat panel: shows the conversation and passes on what the user does in it. */
export class ChatView implements vscode.WebviewViewProvider, vscode.Disposable {
  readonly #extensionUri: vscode.Uri;
  readonly #notebook: NotebookClient;
  readonly #conversation: Conversation;
  readonly #models: ModelChoices;
  readonly #scopes: ScopeChoice;
  readonly #opener: CitationOpener;
  readonly #checks: AnswerChecks;
  readonly #insertTarget: InsertTarget;
  readonly #given: GivenSources;
  readonly #links: LinkHandler;
  readonly #disposables: vscode.Disposable[];
  #view: vscode.WebviewView | undefined;
  /** Set once the panel's page has said that it is ready. */
  #panel: Client<PanelApi> | undefined;

  constructor(
    extensionUri: vscode.Uri,
    notebook: NotebookClient,
    conversation: Conversation,
    models: ModelChoices,
    scopes: ScopeChoice,
    opener: CitationOpener,
    checks: AnswerChecks,
    insertTarget: InsertTarget,
    given: GivenSources,
    links: LinkHandler,
  ) {
    this.#extensionUri = extensionUri;
    this.#notebook = notebook;
    this.#conversation = conversation;
    this.#models = models;
    this.#scopes = scopes;
    this.#opener = opener;
    this.#checks = checks;
    this.#insertTarget = insertTarget;
    this.#given = given;
    this.#links = links;
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
    view.webview.options = webviewOptions(this.#extensionUri);
    const { connect } = await import('../messages/rpc.ts');
    const channel = connect<HostApi, PanelApi>(portOfWebview(view.webview, view.onDidDispose), {
      ready: async () => {
        const [state, draft] = await Promise.all([this.#state(), this.#conversation.draft()]);
        this.#panel = channel.remote;
        return { state, draft, insertTarget: this.#insertTarget.name };
      },
      draftChanged: async ({ draft }) => {
        await this.#conversation.setDraft(draft);
        return null;
      },
      ask: async ({ question }) => {
        // Where the notebook can't be opened, the panel says so and gives the question back.
        await this.#conversation.turns();
        void this.#conversation.ask(question);
        return null;
      },
      mentionable: async () => {
        const sources = await this.#notebook.call('sources', {});
        return sources.map(mentionable);
      },
      addGiven: async ({ uriList = '', files = [], text }) => {
        const sources = await this.#given.addToMention({ uris: urisInList(uriList), files, text });
        return sources.map(mentionable);
      },
      suggestions: ({ turnId }) =>
        turnId === undefined
          ? firstSuggestions(this.#notebook)
          : followUps(this.#notebook, this.#conversation, turnId),
      addAskedFile: async ({ turnId }) => {
        const turn = (await this.#conversation.turns()).find(({ id }) => id === turnId);
        if (turn?.scope?.kind === 'file')
          await vscode.commands.executeCommand(
            'openNotebook.addToNotebook',
            vscode.Uri.parse(turn.scope.uri),
          );
        return null;
      },
      stop: () => {
        this.#conversation.stop();
        return null;
      },
      retry: ({ turnId, whole, anyway }) => {
        void this.#conversation.retry(turnId, { whole: whole === true, anyway: anyway === true });
        return null;
      },
      edit: async ({ turnId, question }) => {
        await this.#conversation.turns();
        void this.#conversation.retry(turnId, { question });
        return null;
      },
      rate: async ({ turnId, rating }) => {
        await this.#conversation.rate(turnId, rating);
        return null;
      },
      removeTurn: async ({ turnId }) => {
        await this.#removeTurn(turnId);
        return null;
      },
      showEarlier: async () => {
        await this.#conversation.showEarlier();
        return null;
      },
      openCitation: async ({ beside, ...reference }) => {
        await this.#openCitation(reference, beside);
        return null;
      },
      findMoreLike: async ({ turnId, citation }) => {
        void this.#conversation.findMoreLike(await this.#conversation.citation(turnId, citation));
        return null;
      },
      citationCard: ({ turnId, citation }) =>
        this.#conversation.citation(turnId, citation).then((cited) => citationCard(this.#notebook, cited)),
      checkWithModel: async ({ turnId }) => {
        await this.#checks.check(turnId);
        return null;
      },
      stopCheck: ({ turnId }) => {
        this.#checks.stop(turnId);
        return null;
      },
      showRead: async ({ turnId }) => {
        await vscode.commands.executeCommand('openNotebook.showWhatWasRead', turnId);
        return null;
      },
      saveAsNote: async ({ turnId }) => {
        await vscode.commands.executeCommand('openNotebook.saveAsNote', turnId);
        return null;
      },
      addAnswer: async ({ turnId }) => {
        await vscode.commands.executeCommand('openNotebook.addAnswer', turnId);
        return null;
      },
      insertCode: async ({ code }) => {
        await this.#insertTarget.insert(code);
        return null;
      },
      diagramProgram: () => diagramProgram(this.#extensionUri),
      copy: async ({ text }) => {
        await vscode.env.clipboard.writeText(text);
        return null;
      },
      copyLink: async ({ turnId, citation }) => {
        const cited = await this.#conversation.citation(turnId, citation);
        await vscode.env.clipboard.writeText(this.#links.toCitation(cited));
        return null;
      },
      openLink: async ({ url }) => {
        await openLink(url);
        return null;
      },
      run: async ({ command }) => {
        await vscode.commands.executeCommand(commands[command]);
        return null;
      },
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
      this.#view.webview.html = webviewHtml(this.#view.webview, this.#extensionUri, 'chat');
  }

  async #refresh(): Promise<void> {
    if (this.#panel === undefined || !this.#view?.visible) return;
    const state = await this.#state();
    this.#panel.notify('stateChanged', state);
  }

  async #state(): Promise<PanelState> {
    const [sources, turns, earlier, { current }] = await Promise.all([
      this.#notebook.call('sources', {}),
      this.#conversation.turns(),
      this.#conversation.earlier(),
      this.#models.of(await this.#conversation.id()),
    ]);
    void tellMenus('hasTurns', turns.length > 0);
    const working = sources.filter(({ state }) => state.kind === 'queued' || state.kind === 'reading').length;
    const ready = sources.filter(({ passages }) => passages > 0).length;
    return {
      turns,
      earlier,
      sources: { ready, working },
      model: current.kind === 'quotes' ? undefined : current.name,
      scope: this.#scopes.shown(sources),
    };
  }

  async #removeTurn(turnId: string): Promise<void> {
    const removed = await this.#conversation.removeTurn(turnId);
    if (removed === undefined) return;
    const undo = vscode.l10n.t('Undo');
    const chosen = await vscode.window.showInformationMessage(
      vscode.l10n.t('The question and its answer were deleted.'),
      undo,
    );
    if (chosen === undo) await removed.undo();
  }

  async #openCitation({ turnId, citation }: CitationReference, beside: boolean): Promise<void> {
    try {
      const cited = await this.#conversation.citation(turnId, citation);
      await this.#opener.open(cited, beside, await standingCitationsOf(this.#conversation, turnId));
    } catch (error) {
      if (!(error instanceof NotebookError)) throw error;
      void vscode.window.showErrorMessage(error.message);
    }
  }
}

function mentionable({ title, origin }: Source): MentionableSource {
  return { title, kind: origin.kind };
}
