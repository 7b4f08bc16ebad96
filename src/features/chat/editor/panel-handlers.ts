import * as vscode from 'vscode';
import type { HostApi, MentionableSource, PanelCommand } from '../protocol.ts';
import type { Handlers } from '../../../core/rpc/rpc.ts';
import type { Source } from '../../../core/domain/source.ts';
import type { AnswerChecks } from './answer-checks.ts';
import { citedTextHandlers, type CitedTextParts, type CitedTexts, type CitingPlace } from './cited-text.ts';
import type { Conversation } from './conversation.ts';
import { confirmedAddresses } from '../../sources/editor/drop-consent.ts';
import { urisInList, type DroppedSources } from '../../sources/editor/dropped-sources.ts';
import type { ModelFigures } from './model-figures.ts';
import { pickWayToAdd } from './pick-way-to-add.ts';
import type { ModelChoices } from '../../models/editor/model-choice.ts';
import type { ModelOffer } from './model-offer.ts';
import type { SemanticSearchOffer } from './semantic-search-offer.ts';
import type { SuggestedQuestions } from './suggested-questions.ts';
import { localAddress } from '../../../platform/webview-page.ts';
import { standingCitations, type Citation } from '../../../core/domain/answer.ts';
import { selectedPart } from '../../../core/domain/question-parts.ts';
import { showErrors } from '../../../platform/show-errors.ts';
import { isConfirmed, offerAction } from '../../../platform/dialogs.ts';
import { answerAsMarkdown } from '../../../core/domain/answer-markdown.ts';
import { verdictMarkStyle } from '../../../platform/settings.ts';
import { answerToSave } from './save-as-note.ts';

/** Services that handle the panel's requests. */
export interface PanelParts extends CitedTextParts {
  readonly conversation: Conversation;
  readonly modelFigures: Pick<ModelFigures, 'agree'>;
  readonly checks: AnswerChecks;
  readonly suggested: SuggestedQuestions;
  readonly droppedSources: DroppedSources;
  readonly models: Pick<ModelChoices, 'of'>;
  readonly modelOffer: Pick<ModelOffer, 'decline'>;
  readonly semanticSearchOffer: Pick<SemanticSearchOffer, 'accept' | 'cancel' | 'dismiss'>;
}

const COMMANDS: Readonly<Record<Exclude<PanelCommand, 'pickWayToAdd'>, string>> = {
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

/** Returns the handlers for the requests of the page at a place. */
export function panelHandlers(
  parts: PanelParts,
  place: CitingPlace,
): Omit<Handlers<HostApi>, 'ready' | 'used'> {
  const { notebook, conversation, modelFigures, checks, suggested, droppedSources, models, modelOffer } =
    parts;
  const { semanticSearchOffer } = parts;
  const { webview } = place;
  return {
    draftChanged: ({ draft }) => conversation.setDraft(draft),
    ask: async ({ question }) => {
      // If the notebook can't be opened, the panel shows the error and restores the question.
      await conversation.turns();
      void conversation.ask(question);
    },
    mentionable: async () => {
      const sources = await notebook.call('sources', {});
      return sources.map(mentionable);
    },
    addDropped: async ({ uriList = '', files = [], text }) => {
      const dropped = urisInList(uriList).map((address) => localAddress(webview, address));
      const uris = await confirmedAddresses(dropped, await notebook.call('sources', {}));
      const sources = await droppedSources.addToMention({ uris, files, text });
      return sources.map(mentionable);
    },
    suggestions: ({ turnId }) => suggested.of(turnId),
    addAskedFile: async ({ turnId }) => {
      const turn = (await conversation.turns()).find(({ id }) => id === turnId);
      if (turn?.scope?.kind === 'file')
        await runCommand('openNotebook.addToNotebook', vscode.Uri.parse(turn.scope.uri));
    },
    stop: () => conversation.stop(),
    retry: ({ turnId, whole }) => void conversation.retry(turnId, { whole: whole === true }),
    haveWritten: async ({ turnId }) => {
      await runCommand(COMMANDS.pickModel);
      const { current } = await models.of(await conversation.id());
      if (current.kind !== 'quotes') void conversation.retry(turnId);
    },
    declineModel: () => modelOffer.decline(),
    acceptSemanticSearch: () => void semanticSearchOffer.accept(),
    cancelSemanticSearch: () => semanticSearchOffer.cancel(),
    dismissSemanticSearch: () => semanticSearchOffer.dismiss(),
    edit: async ({ turnId, question }) => {
      await conversation.turns();
      void conversation.retry(turnId, { question });
    },
    showVersion: ({ turnId, position }) => conversation.showVersion(turnId, position),
    rate: ({ turnId, rating }) => conversation.rate(turnId, rating),
    removeTurn: ({ turnId }) => removeTurn(conversation, turnId),
    showEarlier: () => conversation.showEarlier(),
    ...citedTextHandlers(parts, makeTexts(parts), place),
    sendFigures: async ({ turnId }) => {
      const figures = (await conversation.turns()).find(({ id }) => id === turnId)?.answer?.figures;
      if (figures?.kind !== 'offered') return;
      await modelFigures.agree(figures.to);
      void conversation.retry(turnId);
    },
    decideFactCheck: ({ agrees }) => checks.decide(agrees),
    checkWithModel: ({ turnId }) => checks.check(turnId),
    correctStatement: ({ turnId, statement }, { signal }) => checks.correct(turnId, statement, signal),
    applyCorrection: ({ turnId }) => checks.applyCorrection(turnId),
    undoCorrection: ({ turnId }) => checks.undoCorrection(turnId),
    stopCheck: ({ turnId }) => checks.stop(turnId),
    openSelection: ({ turnId }) =>
      showErrors(async () => {
        const turn = (await conversation.turns()).find(({ id }) => id === turnId);
        if (turn?.selection === undefined) return;
        const { text = '' } = selectedPart(turn.question) ?? {};
        await parts.opener.openContext(turn.selection, text, place.citationColumn());
      }),
    showRead: ({ turnId }) => runCommand('openNotebook.showWhatWasRead', turnId),
    copyAnswer: async ({ turnId }) => {
      const { answer } = await answerToSave(conversation, turnId);
      await vscode.env.clipboard.writeText(answerAsMarkdown(answer, verdictMarkStyle()));
    },
    saveAsNote: ({ turnId }) => runCommand('openNotebook.saveAsNote', turnId),
    research: ({ turnId }) => runCommand('openNotebook.research', turnId),
    addAnswer: ({ turnId }) => runCommand('openNotebook.addAnswer', turnId),
    run: async ({ command }) => {
      const chosen = command === 'pickWayToAdd' ? await pickWayToAdd() : COMMANDS[command];
      if (chosen !== undefined) await runCommand(chosen);
    },
  };
}

function makeTexts({ conversation }: PanelParts): CitedTexts {
  return {
    citation: (turnId, index) => conversation.citation(turnId, index),
    findStanding: (turnId) => findStanding(conversation, turnId),
    findMoreLike: (cited) => conversation.findMoreLike(cited),
  };
}

/** Runs a command and discards its result. */
async function runCommand(command: string, ...args: readonly unknown[]): Promise<void> {
  await vscode.commands.executeCommand(command, ...args);
}

async function removeTurn(conversation: Conversation, turnId: string): Promise<void> {
  const by = (await conversation.turns()).find(({ id }) => id === turnId)?.askedBy;
  if (by !== undefined) {
    const question = vscode.l10n.t('Delete {0}’s question?', by);
    const detail = vscode.l10n.t(
      'This deletes it for everyone with access to this conversation. You can’t undo this.',
    );
    if (await isConfirmed(question, vscode.l10n.t('Delete'), detail)) await conversation.removeTurn(turnId);
    return;
  }
  const removed = await conversation.removeTurn(turnId);
  if (removed === undefined) return;
  const message =
    removed.answers > 1
      ? vscode.l10n.t('Question and {0} answers deleted', removed.answers.toLocaleString(vscode.env.language))
      : vscode.l10n.t('Question and answer deleted');
  if (await offerAction(message, vscode.l10n.t('Undo'))) await removed.undo();
}

function mentionable({ title, origin }: Source): MentionableSource {
  return { title, kind: origin.kind };
}

/** Returns the citations of a turn's answer, without those that a check removed. */
async function findStanding(conversation: Conversation, turnId: string): Promise<readonly Citation[]> {
  const turns = await conversation.turns();
  const answer = turns.find(({ id }) => id === turnId)?.answer;
  return answer === undefined
    ? []
    : standingCitations(answer).flatMap((index) => answer.citations[index] ?? []);
}
