import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import * as vscode from 'vscode';
import type {
  CitationCard,
  CitationReference,
  HostApi,
  MentionableSource,
  PanelCommand,
} from '../../messages/panel.ts';
import type { Citation } from '../../notebook/answer.ts';
import type { Handlers } from '../../messages/rpc.ts';
import { NotebookError } from '../../notebook/errors.ts';
import type { Source } from '../../notebook/source.ts';
import type { AnswerChecks } from './answer-checks.ts';
import type { CitationOpener } from '../citations/citation-opener.ts';
import type { Conversation } from './conversation.ts';
import { agreedAddresses } from '../sources/given-consent.ts';
import type { GivenSources } from '../sources/given-sources.ts';
import { urisInList } from '../sources/given-sources.ts';
import type { InsertTarget } from './insert-target.ts';
import type { LinkHandler } from '../citations/link-handler.ts';
import type { ModelChoices } from '../models/model-choice.ts';
import type { MeaningOffer } from './meaning-offer.ts';
import type { ModelOffer } from './model-offer.ts';
import type { NotebookClient } from '../notebook-client.ts';
import { openLink } from '../citations/page-viewer.ts';
import { firstSuggestions, followUps, standingCitationsOf } from './turn-suggestions.ts';
import { addressHere } from '../webview-page.ts';

/** What the panel's requests are passed on to. */
export interface PanelParts {
  readonly extensionUri: vscode.Uri;
  readonly notebook: NotebookClient;
  readonly conversation: Conversation;
  readonly opener: CitationOpener;
  readonly checks: AnswerChecks;
  readonly insertTarget: InsertTarget;
  readonly given: GivenSources;
  readonly links: LinkHandler;
  readonly models: Pick<ModelChoices, 'of'>;
  readonly modelOffer: Pick<ModelOffer, 'decline'>;
  readonly meaningOffer: Pick<MeaningOffer, 'decline'>;
}

/** What is to be known of where a page stands. */
interface PanelPlace {
  readonly webview: vscode.Webview;
  /** Where a citation is opened that is not asked to stand beside. */
  readonly citationColumn: () => vscode.ViewColumn;
}

const commands: Readonly<Record<PanelCommand, string>> = {
  addFiles: 'openNotebook.addFiles',
  addPage: 'openNotebook.addWebPage',
  addSources: 'openNotebook.addFiles',
  addText: 'openNotebook.addText',
  findByMeaning: 'openNotebook.findByMeaning',
  openSettings: 'openNotebook.openSettings',
  pickModel: 'openNotebook.pickModel',
  pickScope: 'openNotebook.pickScope',
  setApiKey: 'openNotebook.setApiKey',
  showLog: 'openNotebook.showLog',
  trySample: 'openNotebook.trySample',
};

/** Does what the user asks for in the page that stands at a place. */
export function panelHandlers(
  parts: PanelParts,
  { webview, citationColumn }: PanelPlace,
): Omit<Handlers<HostApi>, 'ready' | 'used'> {
  const {
    extensionUri,
    notebook,
    conversation,
    checks,
    insertTarget,
    given,
    links,
    models,
    modelOffer,
    meaningOffer,
  } = parts;
  return {
    draftChanged: async ({ draft }) => {
      await conversation.setDraft(draft);
      return null;
    },
    ask: async ({ question }) => {
      // Where the notebook can't be opened, the panel says so and gives the question back.
      await conversation.turns();
      void conversation.ask(question);
      return null;
    },
    mentionable: async () => {
      const sources = await notebook.call('sources', {});
      return sources.map(mentionable);
    },
    addGiven: async ({ uriList = '', files = [], text }) => {
      const dropped = urisInList(uriList).map((address) => addressHere(webview, address));
      const uris = await agreedAddresses(dropped, await notebook.call('sources', {}));
      const sources = await given.addToMention({ uris, files, text });
      return sources.map(mentionable);
    },
    suggestions: ({ turnId }) =>
      turnId === undefined ? firstSuggestions(notebook) : followUps(notebook, conversation, turnId),
    addAskedFile: async ({ turnId }) => {
      const turn = (await conversation.turns()).find(({ id }) => id === turnId);
      if (turn?.scope?.kind === 'file')
        await vscode.commands.executeCommand('openNotebook.addToNotebook', vscode.Uri.parse(turn.scope.uri));
      return null;
    },
    stop: () => {
      conversation.stop();
      return null;
    },
    retry: ({ turnId, whole }) => {
      void conversation.retry(turnId, { whole: whole === true });
      return null;
    },
    haveWritten: async ({ turnId }) => {
      await vscode.commands.executeCommand(commands.pickModel);
      const { current } = await models.of(await conversation.id());
      if (current.kind !== 'quotes') void conversation.retry(turnId);
      return null;
    },
    declineModel: async () => {
      await modelOffer.decline();
      return null;
    },
    declineMeaning: async () => {
      await meaningOffer.decline();
      return null;
    },
    edit: async ({ turnId, question }) => {
      await conversation.turns();
      void conversation.retry(turnId, { question });
      return null;
    },
    rate: async ({ turnId, rating }) => {
      await conversation.rate(turnId, rating);
      return null;
    },
    removeTurn: async ({ turnId }) => {
      await removeTurn(conversation, turnId);
      return null;
    },
    showEarlier: async () => {
      await conversation.showEarlier();
      return null;
    },
    openCitation: async ({ beside, ...reference }) => {
      await openCitation(parts, reference, beside ? vscode.ViewColumn.Beside : citationColumn());
      return null;
    },
    findMoreLike: async ({ turnId, citation }) => {
      void conversation.findMoreLike(await conversation.citation(turnId, citation));
      return null;
    },
    citationCard: ({ turnId, citation }) =>
      conversation.citation(turnId, citation).then((cited) => citationCard(notebook, cited)),
    checkWithModel: async ({ turnId }) => {
      await checks.check(turnId);
      return null;
    },
    stopCheck: ({ turnId }) => {
      checks.stop(turnId);
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
      await insertTarget.insert(code);
      return null;
    },
    diagramProgram: () => diagramProgram(extensionUri),
    copy: async ({ text }) => {
      await vscode.env.clipboard.writeText(text);
      return null;
    },
    copyLink: async ({ turnId, citation }) => {
      const cited = await conversation.citation(turnId, citation);
      await vscode.env.clipboard.writeText(links.toCitation(cited));
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
  };
}

async function removeTurn(conversation: Conversation, turnId: string): Promise<void> {
  const removed = await conversation.removeTurn(turnId);
  if (removed === undefined) return;
  const undo = vscode.l10n.t('Undo');
  const chosen = await vscode.window.showInformationMessage(
    vscode.l10n.t('The question and its answer were deleted.'),
    undo,
  );
  if (chosen === undo) await removed.undo();
}

async function openCitation(
  { conversation, opener }: PanelParts,
  { turnId, citation }: CitationReference,
  column: vscode.ViewColumn,
): Promise<void> {
  try {
    const cited = await conversation.citation(turnId, citation);
    await opener.open(cited, column, await standingCitationsOf(conversation, turnId));
  } catch (error) {
    if (!(error instanceof NotebookError)) throw error;
    void vscode.window.showErrorMessage(error.message);
  }
}

function mentionable({ title, origin }: Source): MentionableSource {
  return { title, kind: origin.kind };
}

/** What a citation stands on, with what is around it; its words alone where the source has them no longer. */
async function citationCard(notebook: NotebookClient, cited: Citation): Promise<CitationCard> {
  const { documentId, sourceId, span, quote, title, place } = cited;
  const around = await notebook.call('surroundings', { documentId, sourceId, span, quote });
  if (around !== undefined) return { title, place, ...around, note: undefined };
  return {
    title,
    place,
    text: quote,
    mark: { start: 0, end: quote.length },
    format: 'prose',
    languageId: undefined,
    note: vscode.l10n.t(
      'The source has changed or was removed since; these are the words as they were cited.',
    ),
  };
}

/** The program that draws diagrams, to be run in a frame of its own. It is packed, as few need it. */
async function diagramProgram(extensionUri: vscode.Uri): Promise<string> {
  const packed = await vscode.workspace.fs.readFile(
    vscode.Uri.joinPath(extensionUri, 'dist', 'diagrams.js.br'),
  );
  return (await promisify(brotliDecompress)(packed)).toString('utf8');
}
