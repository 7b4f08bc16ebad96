import * as vscode from 'vscode';
import type { DeckChanges, OutdatedCard, QuestionRequest } from '../store/generation-api.ts';
import { questionCards } from '../service/generated-cards.ts';
import { quizOfChoices, quizOfDefinitions } from '../service/quiz.ts';
import { changedQuestions, quizChanges, type QuizChange } from '../service/quiz-changes.ts';
import { clozeParts } from '../../../core/language/cloze.ts';
import type { CardText, QuizQuestion } from '../model.ts';
import { NotebookError } from '../../../core/domain/errors.ts';
import type { StudyArtifactKind } from '../../../core/domain/artifact.ts';
import type { GeneratedQuestion } from '../../questions/service/make-questions.ts';
import type { QuestionPair } from '../../questions/service/pairs.ts';
import { passageFinder } from '../../../answers/retrieving/notebook-finder.ts';
import { requireModel, type QuestionParts } from '../../questions/editor/export-questions.ts';
import { offerCheck, type StudyCheckParts } from './check-questions.ts';
import { existingPair, cardPairs, writeQuestions } from './generate.ts';
import { withGenerationProgress } from '../../artifacts/editor/generate-artifact.ts';
import { inform } from '../../../platform/dialogs.ts';
import { literalText } from '../../../platform/literal-text.ts';

/** Maximum length of a card or a question in the list of changes. */
const MAX_SHOWN_LENGTH = 240;

/** Change and its text in the list. */
interface ShownChange<T> {
  readonly kind: 'added' | 'changed' | 'gone';
  readonly words: string;
  /** Previous text. */
  readonly before?: string | undefined;
  readonly value: T;
}

/** Updates a deck from its sources: shows the changes, and saves those that the user leaves checked. */
export async function refreshDeck(
  parts: QuestionParts & StudyCheckParts,
  deckId: string,
  title: string,
): Promise<void> {
  const { notebook } = parts;
  const plan = await withGenerationProgress(refreshing(title), (options) =>
    notebook.call('planDeck', { deckId }, options),
  );
  if (plan === undefined) return;
  const written = await withWritten(parts, plan.changes, plan.request, title);
  if (written === undefined) return;
  const { changes, questions } = written;
  const { reworded, added, outdated, unchangedCards } = changes;
  const accepted = await chooseChanges<object>(title, [
    ...reworded.map((card) => ({
      ...{ kind: 'changed' as const, value: card },
      words: shownCard(card),
      before: shownCard(card.before),
    })),
    ...added.map((card) => ({ kind: 'added' as const, words: shownCard(card), value: card })),
    ...outdated.map((card) => ({ kind: 'gone' as const, words: shownCard(card), value: card })),
  ]);
  if (accepted === undefined) return;
  const isAccepted = (change: object): boolean => accepted.has(change);
  const outdatedCards = [...reworded, ...outdated].filter((card) => !isAccepted(card));
  await notebook.call('keepDeckChanges', {
    ...changes,
    reworded: reworded.filter(isAccepted),
    added: added.filter(isAccepted),
    outdated: outdated.filter(isAccepted),
    // Cards that the user leaves unchanged are marked as having a changed source.
    unchangedCards: [...unchangedCards, ...outdatedCards.map(({ cardId }) => ({ cardId }))],
  });
  showRefreshed(title, {
    changed: reworded.filter(isAccepted).length,
    added: added.filter(isAccepted).length,
    gone: outdated.filter(isAccepted).length,
    stale: unchangedCards.filter(({ citation }) => citation === undefined).length + outdatedCards.length,
    same: unchangedCards.filter(({ citation }) => citation !== undefined).length,
  });
  offerCheck(parts, { kind: 'deck', id: deckId, title, questions });
}

/** Returns the changes of a deck with the questions that a model writes; undefined if it was stopped. */
async function withWritten(
  parts: QuestionParts,
  changes: DeckChanges,
  request: QuestionRequest | undefined,
  title: string,
): Promise<{ readonly changes: DeckChanges; readonly questions: readonly GeneratedQuestion[] } | undefined> {
  if (request === undefined) return { changes, questions: [] };
  const outdated = new Map(changes.outdated.map((card) => [card.key, card]));
  const ids = new Set(changes.outdated.map(({ cardId }) => cardId));
  const { cards } = await parts.notebook.call('wholeDeck', { deckId: changes.deckId });
  const existing = cardPairs(cards.filter(({ id }) => !ids.has(id)));
  const questions = await regenerateQuestions(parts, request, { artifact: 'cards', title, existing });
  if (questions === undefined) return undefined;
  const written = questionCards(questions).map((card) => ({ card, was: outdated.get(card.key) }));
  const again = new Set(written.flatMap(({ was }) => was ?? []));
  return {
    questions,
    changes: {
      ...changes,
      reworded: [
        ...changes.reworded,
        ...written.flatMap(({ card: { front, back, citation }, was }) =>
          was === undefined ? [] : [{ cardId: was.cardId, before: was, front, back, citation }],
        ),
      ],
      added: [...changes.added, ...written.flatMap(({ card, was }) => (was === undefined ? [card] : []))],
      outdated: changes.outdated.filter((card) => !again.has(card)),
    },
  };
}

/**
 * Updates a quiz from its sources: shows the changes, and saves those that the user leaves checked.
 * @throws NotebookError `not-found` if its sources weren't recorded
 */
export async function refreshQuiz(
  parts: QuestionParts & StudyCheckParts,
  quizId: string,
  title: string,
): Promise<void> {
  const { notebook } = parts;
  const plan = await withGenerationProgress(refreshing(title), (options) =>
    notebook.call('planQuiz', { quizId }, options),
  );
  if (plan === undefined) return;
  if (plan.kind === 'unknown')
    throw new NotebookError(
      'not-found',
      vscode.l10n.t(
        'Can’t update this quiz because its sources weren’t recorded. Generate a new quiz instead.',
      ),
    );
  const { quiz, origin, questions, request, definitions, documentIds } = plan;
  let fresh: readonly QuizQuestion[] = [];
  let generated: readonly GeneratedQuestion[] = [];
  const existingQuestions = questions.flatMap((question) => question ?? []);
  if (origin.maker === 'definition') {
    const terms = new Set(existingQuestions.map(({ choices, right }) => choices[right]?.toLowerCase()));
    const usedDefinitions = definitions.filter(
      ({ term, citation }) => documentIds.includes(citation.documentId) && !terms.has(term.toLowerCase()),
    );
    // Terms that were asked before come first if their definition changed.
    const lostKeys = new Set(
      quiz.questions.flatMap(({ choices, right }, at) =>
        questions[at] === null ? (choices[right]?.toLowerCase() ?? []) : [],
      ),
    );
    const again = usedDefinitions.filter(({ term }) => lostKeys.has(term.toLowerCase()));
    const others = usedDefinitions.filter(({ term }) => !lostKeys.has(term.toLowerCase()));
    const reworded = quizOfDefinitions(definitions, request.count, Math.random, again);
    const more = Math.max(0, request.count - reworded.length);
    fresh = [...reworded, ...quizOfDefinitions(definitions, more, Math.random, others)];
  } else if (request.places.length > 0) {
    const existing = existingQuestions.map(({ question, choices, right, citation }) =>
      existingPair('choice', question, choices[right] ?? '', citation),
    );
    const written = await regenerateQuestions(parts, request, { artifact: 'quiz', title, existing });
    if (written === undefined) return;
    generated = written;
    fresh = quizOfChoices(written);
  }
  const changes = quizChanges(quiz.questions, questions, fresh);
  const accepted = await chooseChanges<QuizChange>(title, changes.map(shownChange));
  if (accepted === undefined) return;
  const after = changedQuestions(
    quiz.questions,
    questions,
    changes.filter((change) => accepted.has(change)),
  );
  await notebook.call('keepQuizChanges', {
    quizId,
    before: quiz.questions,
    questions: after,
    origin,
  });
  const count = (kind: QuizChange['kind']): number =>
    changes.filter((change) => change.kind === kind && accepted.has(change)).length;
  const staleCount = changes.filter((change) => change.kind !== 'added' && !accepted.has(change)).length;
  const counts = { changed: count('changed'), added: count('added'), gone: count('gone') };
  showRefreshed(title, { ...counts, stale: staleCount, same: existingQuestions.length });
  offerCheck(parts, { kind: 'quiz', id: quizId, title, questions: generated });
}

/** Lets the model write questions about changed passages; undefined if it was stopped. @throws NotebookError */
async function regenerateQuestions(
  parts: QuestionParts,
  { count, places }: QuestionRequest,
  wish: {
    readonly artifact: StudyArtifactKind;
    readonly title: string;
    readonly existing: readonly QuestionPair[];
  },
): Promise<readonly GeneratedQuestion[] | undefined> {
  const { artifact, title, existing } = wish;
  const model = await requireModel(parts);
  const finder = passageFinder(parts.notebook, parts.embedder);
  const passages = () => finder.at(places);
  const { generated: newQuestions, ended } = await writeQuestions(parts, model, refreshing(title), {
    ...{ artifact, count, existing, passages },
  });
  return ended === 'stopped' ? undefined : newQuestions;
}

/** Lists the changes, all of them checked. Returns the checked ones, or undefined if the user cancels. */
async function chooseChanges<T>(
  title: string,
  changes: readonly ShownChange<T>[],
): Promise<ReadonlySet<T> | undefined> {
  if (changes.length === 0) return new Set();
  interface Item extends vscode.QuickPickItem {
    readonly change?: ShownChange<T>;
  }
  const groups = [
    { kind: 'changed' as const, label: vscode.l10n.t('Changed'), icon: 'edit' },
    { kind: 'added' as const, label: vscode.l10n.t('New'), icon: 'add' },
    { kind: 'gone' as const, label: vscode.l10n.t('Removed: no longer in the sources'), icon: 'trash' },
  ];
  const items = groups.flatMap(({ kind, label, icon }): Item[] => {
    const own = changes.filter((change) => change.kind === kind);
    if (own.length === 0) return [];
    return [
      { label, kind: vscode.QuickPickItemKind.Separator },
      ...own.map((change) => ({
        label: literalText(change.words),
        ...(change.before !== undefined && {
          detail: literalText(vscode.l10n.t('Before: {0}', change.before)),
        }),
        iconPath: new vscode.ThemeIcon(icon),
        picked: true,
        change,
      })),
    ];
  });
  const picked = await vscode.window.showQuickPick<Item>(items, {
    title: vscode.l10n.t('Changes to “{0}”', title),
    placeHolder: vscode.l10n.t('Press Enter to apply the selected changes, or Escape to discard them all'),
    canPickMany: true,
    ignoreFocusOut: true,
  });
  return picked && new Set(picked.flatMap(({ change }) => change?.value ?? []));
}

function shownChange(change: QuizChange): ShownChange<QuizChange> {
  const words = shownQuestion(change.kind === 'gone' ? change.before : change.after);
  const before = change.kind === 'changed' ? shownQuestion(change.before) : undefined;
  return { kind: change.kind, words, before, value: change };
}

function shownQuestion({ question, choices, right }: QuizQuestion): string {
  return shortenSide(`${question} – ${choices[right] ?? ''}`);
}

function shownCard({ front, back }: Pick<CardText | OutdatedCard, 'back' | 'front'>): string {
  const words = clozeParts(front).map((part) => part.words);
  return shortenSide([words.join(''), back].filter((side) => side !== '').join(' – '));
}

/** Returns Markdown on a single line. */
function shortenSide(text: string): string {
  const plain = text.replaceAll(/[*`#>\\]+/g, '').replaceAll(/\s+/g, ' ');
  return plain.length > MAX_SHOWN_LENGTH ? `${plain.slice(0, MAX_SHOWN_LENGTH).toWellFormed()}…` : plain;
}

/** Reports the result of an update. */
function showRefreshed(
  title: string,
  counts: Readonly<Record<'added' | 'changed' | 'gone' | 'same' | 'stale', number>>,
): void {
  const { changed, added, gone: outdated, stale, same } = counts;
  const parts = [
    ...(changed > 0 ? [vscode.l10n.t('{0} changed', changed)] : []),
    ...(added > 0 ? [vscode.l10n.t('{0} new', added)] : []),
    ...(outdated > 0 ? [vscode.l10n.t('{0} removed', outdated)] : []),
    ...(stale > 0 ? [vscode.l10n.t('{0} no longer supported by the sources', stale)] : []),
    vscode.l10n.t('{0} unchanged', same),
  ];
  inform(vscode.l10n.t('“{0}” is up to date: {1}.', title, parts.join(', ')));
}

function refreshing(title: string): string {
  return vscode.l10n.t('Updating “{0}”', title);
}
