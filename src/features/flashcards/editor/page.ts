import * as vscode from 'vscode';
import { schedules } from '../service/schedule.ts';
import { wrongCards } from '../service/quiz.ts';
import type { CardsHostApi, CardsPageApi, CardsState, StudyState, ShownQuiz } from '../protocol.ts';
import type { Citation } from '../../../core/domain/answer.ts';
import {
  CARD_GRADES,
  type Card,
  type CardGrade,
  type CardSchedule,
  type Deck,
  type DeckEntry,
  type Quiz,
} from '../model.ts';
import { compareVersions, isChanged, type SourceDrift } from '../../../core/domain/artifact.ts';
import type { CitationOpener } from '../../citations/editor/citation-opener.ts';
import { openLink } from '../../../platform/workspace-files.ts';
import { columnBeside } from '../../chat/editor/chat-tabs.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import type { NoteExporter } from '../../notes/editor/note-exporter.ts';
import type { NotebooksByKey } from '../../notes/editor/note-files.ts';
import type { QuestionParts } from '../../questions/editor/export-questions.ts';
import { connectToPage } from '../../../platform/webview-channel.ts';
import { webviewHtml } from '../../../platform/webview-page.ts';
import { clock } from './clock.ts';
import { exportDeck } from './export-deck.ts';
import { refreshDeck, refreshQuiz } from './update.ts';
import { describeDrift, showSources } from '../../artifacts/editor/show-sources.ts';

/** Services for the pages of decks and quizzes. */
export interface CardPageParts {
  readonly extensionUri: vscode.Uri;
  readonly notebooks: NotebooksByKey;
  readonly opener: CitationOpener;
  readonly exporter: NoteExporter;
  /** Services that generate new questions when a deck or a quiz is updated. */
  readonly questions: QuestionParts;
  readonly reportError: (error: unknown) => void;
}

/** Shows the page of a deck or a quiz in a panel; `show` opens another one. */
export function fillCardPage(
  parts: CardPageParts,
  panel: vscode.WebviewPanel,
  state: CardsState,
  show: (state: CardsState, title: string) => Promise<void>,
): void {
  const { extensionUri, notebooks, opener, exporter, questions, reportError: tellError } = parts;
  const { id } = state;
  const notebook = notebooks.client(state.notebook);
  /** VS Code shows an error, and the page continues with its current state. */
  const reportingErrors = async (work: Promise<unknown>): Promise<void> => {
    try {
      await work;
    } catch (error) {
      tellError(error);
    }
  };
  const quiz = () => notebook.call('quiz', { quizId: id });
  const describeOrigin = async (origin: Quiz['origin'] | Deck['origin']): Promise<string> => {
    const sourceIds =
      origin === undefined ? await notebook.call('citedSources', { kind: state.kind, id }) : origin.sourceIds;
    const named = await showSources(notebook, sourceIds);
    return named === '' ? '' : vscode.l10n.t('Sources: {0}.', named);
  };
  const shownQuiz = async (): Promise<ShownQuiz> => {
    const shown = await quiz();
    const { origin, title } = shown;
    panel.title = title;
    const difference =
      origin &&
      compareVersions(
        origin.documents,
        await notebook.call('currentVersions', { sourceIds: origin.sourceIds }),
      );
    return { quiz: shown, of: await describeOrigin(origin), outdated: describeOutdated(difference) };
  };
  const learning = async (addsNew = false, shownCardId?: string): Promise<StudyState> => {
    const next = await notebook.call('nextCard', { deckId: id, addsNew, shownCardId, ...clock() });
    const { card, nextDue, ...rest } = next;
    panel.title = next.deck.title;
    return {
      ...rest,
      of: await describeOrigin(next.deck.origin),
      outdated: describeOutdated(next.deck.difference) ?? describeChanged(next.deck),
      shown: card && { card: await withSource(notebook, card), spans: gradeSpans(card) },
      next: nextDue === undefined ? undefined : inWords(nextDue - Date.now()),
    };
  };
  const channel = connectToPage<CardsHostApi, CardsPageApi>(panel, {
    ready: async () => {
      if (state.kind === 'deck') return { kind: 'deck', state, learning: await learning() };
      return { kind: 'quiz', state, shown: await shownQuiz() };
    },
    next: ({ addsNew, shownCardId }) => learning(addsNew, shownCardId),
    grade: ({ cardId, grade, before }) => {
      const at = Date.now();
      const after = schedules(cardId, before, at)[grade];
      return reportingErrors(notebook.call('reviewCard', { cardId, grade, at, before, after }));
    },
    undo: () => reportingErrors(notebook.call('undoCard', { deckId: id })),
    edit: (edited) => reportingErrors(notebook.call('editCard', edited)),
    suspend: (request) => reportingErrors(notebook.call('suspendCards', request)),
    remove: (request) => reportingErrors(notebook.call('removeCards', request)),
    cards: () => notebook.call('cards', { deckId: id }),
    card: async ({ cardId }) => withSource(notebook, await notebook.call('card', { cardId })),
    open: ({ of, beside }) =>
      reportingErrors(
        (async () => {
          const citation =
            typeof of === 'string'
              ? (await notebook.call('card', { cardId: of })).citation
              : (await quiz()).questions[of]?.citation;
          if (citation !== undefined) await openCitation(citation, beside);
        })(),
      ),
    openLink: ({ url }) => reportingErrors(openLink(url)),
    updateFromSources: () =>
      reportingErrors(
        (state.kind === 'deck' ? refreshDeck : refreshQuiz)(
          { ...questions, notebook, cards: { close: () => void panel.dispose() } },
          id,
          panel.title,
        ),
      ),
    export: () => reportingErrors(exportDeck({ notebook, exporter }, id)),
    reply: ({ question, choice }) =>
      reportingErrors(notebook.call('replyToQuiz', { quizId: id, question, choice })),
    again: () => reportingErrors(notebook.call('replyToQuiz', { quizId: id })),
    quiz: shownQuiz,
    learnWrong: () =>
      reportingErrors(
        (async () => {
          const { title, questions: quizQuestions, replies } = await quiz();
          const cards = wrongCards(quizQuestions, replies);
          const deckTitle = vscode.l10n.t('Wrong answers: {0}', title);
          const { deckId } = await notebook.call('addCards', { title: deckTitle, cards });
          await show({ notebook: state.notebook, kind: 'deck', id: deckId }, deckTitle);
        })(),
      ),
  });
  const openCitation = (citation: Citation, beside: boolean): Promise<void> =>
    opener.in(notebook).open(citation, beside ? columnBeside(panel) : vscode.ViewColumn.Active);
  const following = notebooks.onDidChange(({ key }) => {
    if (key === state.notebook) channel.remote.notify('changed', {});
  });
  panel.onDidDispose(() => {
    following.dispose();
    channel.dispose();
  });
  panel.webview.html = webviewHtml(panel.webview, extensionUri, 'flashcards');
}

/** Returns a message if the sources of an artifact changed; undefined if they didn't. */
function describeOutdated(difference: SourceDrift | undefined): string | undefined {
  return difference !== undefined && isChanged(difference) ? describeDrift(difference) : undefined;
}

/** Returns a message if sources of cards changed, for a deck that the user created or cards that they added. */
function describeChanged({ changed }: DeckEntry): string | undefined {
  return changed > 0 ? vscode.l10n.t('Cards with changed sources: {0}.', changed) : undefined;
}

/** Returns a card with the state of its cited text. A document may have changed in other parts. */
async function withSource(notebook: NotebookClient, card: Card): Promise<Card> {
  const { citation, source } = card;
  if (citation === undefined || source !== 'changed') return card;
  const { documentId, span, quote } = citation;
  const whereabouts = await notebook.call('find', { documentId, span, quote });
  return whereabouts.kind === 'found' ? { ...card, source: 'same' } : card;
}

function gradeSpans({ id, schedule }: Card): Readonly<Record<CardGrade, string>> {
  const now = Date.now();
  const after = schedules(id, schedule, now);
  const span = (grade: CardGrade): string => inWords(untilDue(after[grade], now));
  const [again, hard, good, easy] = CARD_GRADES;
  return { [again]: span(again), [hard]: span(hard), [good]: span(good), [easy]: span(easy) };
}

function untilDue({ due }: CardSchedule, now: number): number {
  return due - now;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Returns a duration in a few words. */
function inWords(milliseconds: number): string {
  const round = (unit: number): number => Math.max(1, Math.round(milliseconds / unit));
  if (milliseconds < HOUR) return vscode.l10n.t('{0} min', round(MINUTE));
  if (milliseconds < DAY) return vscode.l10n.t('{0} h', round(HOUR));
  if (milliseconds < 60 * DAY) return vscode.l10n.t('{0} d', round(DAY));
  if (milliseconds < 730 * DAY) return vscode.l10n.t('{0} months', round(30.4 * DAY));
  return vscode.l10n.t('{0} years', round(365 * DAY));
}
