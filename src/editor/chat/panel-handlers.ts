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
import type { Handlers } from '../../messages/rpc.ts';
import { NotebookError } from '../../notebook/errors.ts';
import type { Source } from '../../notebook/source.ts';
import type { AnswerChecks } from './answer-checks.ts';
import type { FigureSources } from '../citations/figure-sources.ts';
import type { CitationOpener } from '../citations/citation-opener.ts';
import type { Conversation } from './conversation.ts';
import { agreedAddresses } from '../sources/given-consent.ts';
import { urisInList, type GivenSources } from '../sources/given-sources.ts';
import type { InsertTarget } from './insert-target.ts';
import type { LinkHandler } from '../citations/link-handler.ts';
import type { ModelFigures } from './model-figures.ts';
import type { ModelChoices } from '../models/model-choice.ts';
import type { MeaningOffer } from './meaning-offer.ts';
import type { ModelOffer } from './model-offer.ts';
import type { NotebookClient } from '../notebook-client.ts';
import { openLink } from '../citations/page-viewer.ts';
import { addressHere } from '../webview-page.ts';
import { standingCitations, type Citation } from '../../notebook/answer.ts';
import { followUpQuestions, suggestedQuestions } from '../../notebook/suggestions.ts';

/** What the panel's requests are passed on to. */
export interface PanelParts {
  readonly extensionUri: vscode.Uri;
  readonly notebook: NotebookClient;
  readonly conversation: Conversation;
  readonly opener: CitationOpener;
  readonly figures: FigureSources;
  readonly modelFigures: Pick<ModelFigures, 'agree'>;
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
    figures,
    modelFigures,
    checks,
    insertTarget,
    given,
    links,
    models,
    modelOffer,
    meaningOffer,
  } = parts;
  return {
    draftChanged: ({ draft }) => conversation.setDraft(draft),
    ask: async ({ question }) => {
      // Where the notebook can't be opened, the panel says so and gives the question back.
      await conversation.turns();
      void conversation.ask(question);
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
        await runCommand('openNotebook.addToNotebook', vscode.Uri.parse(turn.scope.uri));
    },
    stop: () => conversation.stop(),
    retry: ({ turnId, whole }) => void conversation.retry(turnId, { whole: whole === true }),
    haveWritten: async ({ turnId }) => {
      await runCommand(commands.pickModel);
      const { current } = await models.of(await conversation.id());
      if (current.kind !== 'quotes') void conversation.retry(turnId);
    },
    declineModel: () => modelOffer.decline(),
    declineMeaning: () => meaningOffer.decline(),
    edit: async ({ turnId, question }) => {
      await conversation.turns();
      void conversation.retry(turnId, { question });
    },
    rate: ({ turnId, rating }) => conversation.rate(turnId, rating),
    removeTurn: ({ turnId }) => removeTurn(conversation, turnId),
    showEarlier: () => conversation.showEarlier(),
    openCitation: ({ beside, ...reference }) =>
      openCitation(parts, reference, beside ? vscode.ViewColumn.Beside : citationColumn()),
    findMoreLike: async ({ turnId, citation }) => {
      void conversation.findMoreLike(await conversation.citation(turnId, citation));
    },
    citationCard: ({ turnId, citation }) =>
      conversation.citation(turnId, citation).then((cited) => citationCard(notebook, cited)),
    figure: async ({ turnId, citation }) =>
      figures.open(await conversation.citation(turnId, citation), webview),
    figureBytes: (wanted) => figures.bytes(wanted),
    openFigure: ({ beside, ...reference }) =>
      openFigure(parts, reference, beside ? vscode.ViewColumn.Beside : citationColumn()),
    sendFigures: async ({ turnId }) => {
      const told = (await conversation.turns()).find(({ id }) => id === turnId)?.answer?.figures;
      if (told?.kind !== 'offered') return;
      await modelFigures.agree(told.to);
      void conversation.retry(turnId);
    },
    checkWithModel: ({ turnId }) => checks.check(turnId),
    stopCheck: ({ turnId }) => checks.stop(turnId),
    showRead: ({ turnId }) => runCommand('openNotebook.showWhatWasRead', turnId),
    saveAsNote: ({ turnId }) => runCommand('openNotebook.saveAsNote', turnId),
    addAnswer: ({ turnId }) => runCommand('openNotebook.addAnswer', turnId),
    insertCode: ({ code }) => insertTarget.insert(code),
    diagramProgram: () => diagramProgram(extensionUri),
    copy: ({ text }) => vscode.env.clipboard.writeText(text),
    copyLink: async ({ turnId, citation }) => {
      const cited = await conversation.citation(turnId, citation);
      await vscode.env.clipboard.writeText(links.toCitation(cited));
    },
    openLink: ({ url }) => openLink(url),
    run: ({ command }) => runCommand(commands[command]),
  };
}

/** Runs a command; what it gives stays here. */
async function runCommand(command: string, ...given: readonly unknown[]): Promise<void> {
  await vscode.commands.executeCommand(command, ...given);
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

/** Opens the figure of a citation at its caption. */
async function openFigure(
  { conversation, figures, opener }: PanelParts,
  { turnId, citation }: CitationReference,
  column: vscode.ViewColumn,
): Promise<void> {
  try {
    const cited = await conversation.citation(turnId, citation);
    const { span, quote, locator } = await figures.placed(cited);
    await opener.open({ ...cited, span, quote, locator }, column);
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
    doubtful: [],
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

/** What may be asked first, by what the sources are about. */
async function firstSuggestions(notebook: NotebookClient): Promise<readonly string[]> {
  return suggestedQuestions(await notebook.call('outlines', {}));
}

/** What may be asked after a turn, by what surrounds the places that its answer cites. */
async function followUps(
  notebook: NotebookClient,
  conversation: Conversation,
  turnId: string,
): Promise<readonly string[]> {
  const turns = await conversation.turns();
  const citations = await standingCitationsOf(conversation, turnId);
  const documentIds = [...new Set(citations.map(({ documentId }) => documentId))];
  return followUpQuestions(
    await notebook.call('outlines', { documentIds }),
    citations,
    turns.map(({ question }) => question),
  );
}

/** The citations of a turn's answer, without those that a check took back. */
async function standingCitationsOf(conversation: Conversation, turnId: string): Promise<readonly Citation[]> {
  const turns = await conversation.turns();
  const answer = turns.find(({ id }) => id === turnId)?.answer;
  return answer === undefined
    ? []
    : standingCitations(answer).flatMap((index) => answer.citations[index] ?? []);
}
