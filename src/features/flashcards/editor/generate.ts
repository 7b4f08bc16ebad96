import * as vscode from 'vscode';
import type { CardsState } from '../protocol.ts';
import type { LanguageModel } from '../../../answers/models/language-model.ts';
import { questionCards } from '../service/generated-cards.ts';
import { quizOfChoices, quizOfDefinitions } from '../service/quiz.ts';
import type { Citation } from '../../../core/domain/answer.ts';
import type { Card } from '../model.ts';
import { NotebookError } from '../../../core/domain/errors.ts';
import type { FoundPassage } from '../../../core/domain/passage.ts';
import type { StudyArtifactKind } from '../../../core/domain/artifact.ts';
import {
  makeQuestions,
  QuestionsCutShort,
  type GeneratedQuestions,
} from '../../questions/service/make-questions.ts';
import type { QuestionKind, QuestionPair } from '../../questions/service/pairs.ts';
import { artifactLabels } from '../../artifacts/model/names.ts';
import { passageFinder } from '../../../answers/retrieving/notebook-finder.ts';
import { withNotification, inform } from '../../../platform/dialogs.ts';
import type { QuestionParts } from '../../questions/editor/export-questions.ts';
import { offerCheck } from './check-questions.ts';
import { spreadPassages } from '../../questions/editor/spread-passages.ts';
import { withGenerationProgress, type ArtifactRequest } from '../../artifacts/editor/generate-artifact.ts';
import { showFailure } from '../../artifacts/editor/show-failure.ts';

/** Tabs of decks and quizzes, one for each. */
export interface CardTabs {
  show(state: CardsState, title: string): Promise<void>;
  close(state: CardsState): void;
}

/** Services that generate and show cards and quizzes. */
export interface StudyParts extends QuestionParts {
  readonly cards: CardTabs;
}

type StudyRequest = ArtifactRequest & { readonly artifact: StudyArtifactKind };

/** Maximum number of questions, and the suggested number. */
const MAX_QUESTIONS = 300;
const USUAL_QUESTIONS = 20;

/** Generates cards or a quiz, with a model if the user wants that, and shows them. @throws NotebookError `empty` */
export async function generateStudyArtifact(parts: StudyParts, wish: StudyRequest): Promise<void> {
  const model = await parts.model();
  const way = model === undefined ? 'definitions' : await askForMethod(wish);
  if (way === undefined) return;
  const count = way === 'definitions' && wish.artifact === 'cards' ? 0 : await askForCount(wish);
  if (count === undefined) return;
  if (model !== undefined && way === 'model') await tryWithModel(parts, wish, count);
  else if (wish.artifact === 'cards') await generateFromDefinitions(parts, wish);
  else await quizDefinitions(parts, wish, count);
}

async function generateFromDefinitions(parts: StudyParts, { title, sourceIds }: StudyRequest): Promise<void> {
  const { notebook } = parts;
  const added = await withGenerationProgress(vscode.l10n.t('Generating “{0}”', title), (options) =>
    notebook.call('makeCards', { title, sourceIds }, options),
  );
  if (added === undefined) return;
  showAdded(title, added.added, added.existing);
  await show(parts, 'deck', added.deckId, title);
}

async function quizDefinitions(
  parts: StudyParts,
  { title, sourceIds }: StudyRequest,
  count: number,
): Promise<void> {
  const { notebook } = parts;
  const documents = await notebook.call('currentVersions', { sourceIds });
  const definitions = await withGenerationProgress(vscode.l10n.t('Generating “{0}”', title), (options) =>
    notebook.call('definitions', { sourceIds }, options),
  );
  if (definitions === undefined) return;
  const questions = quizOfDefinitions(definitions, count, Math.random);
  if (questions.length === 0) throw new NotebookError('empty', artifactLabels('quiz').empty);
  if (questions.length < count)
    inform(
      vscode.l10n.t('Questions generated: {0}. The sources don’t define any more terms.', questions.length),
    );
  const origin = { sourceIds, documents, maker: 'definition' as const };
  await show(parts, 'quiz', await notebook.call('addQuiz', { title, origin, questions }), title);
}

/** Generates cards or a quiz with the picked model. Failures are shown with a button that helps. */
async function tryWithModel(parts: StudyParts, wish: StudyRequest, count: number): Promise<void> {
  const model = await parts.model();
  if (model === undefined) return;
  try {
    await makeWithModel(parts, model, wish, count);
  } catch (error) {
    showFailure(error, () => tryWithModel(parts, wish, count));
  }
}

async function makeWithModel(
  parts: StudyParts,
  model: LanguageModel,
  wish: StudyRequest,
  count: number,
): Promise<void> {
  const { notebook } = parts;
  const { artifact, title, sourceIds } = wish;
  const documents = await notebook.call('currentVersions', { sourceIds });
  const passages = (signal: AbortSignal): Promise<readonly FoundPassage[]> =>
    spreadPassages(parts, count, signal, { sourceIds });
  const existing = artifact === 'cards' ? await findPairs(parts, title) : [];
  let questions: GeneratedQuestions;
  let failure: unknown;
  try {
    const request = { artifact, count, existing, passages };
    questions = await writeQuestions(parts, model, vscode.l10n.t('Generating “{0}”', title), request);
  } catch (error) {
    if (!(error instanceof QuestionsCutShort)) throw error;
    questions = error.newQuestions;
    failure = error.cause;
  }
  const { generated: newQuestions, ended } = questions;
  if (newQuestions.length > 0) {
    if (artifact === 'cards') {
      const cards = questionCards(newQuestions);
      const toAdd = { title, origin: { sourceIds, documents }, cards };
      const { deckId, added, existing } = await notebook.call('addCards', toAdd);
      showAdded(title, added, existing);
      await show(parts, 'deck', deckId, title);
      offerCheck(parts, { kind: 'deck', id: deckId, title, questions: newQuestions });
    } else {
      const quiz = await notebook.call('addQuiz', {
        title,
        origin: { sourceIds, documents, maker: 'model' },
        questions: quizOfChoices(newQuestions),
      });
      if (newQuestions.length < count) showFewer(newQuestions.length);
      await show(parts, 'quiz', quiz, title);
      offerCheck(parts, { kind: 'quiz', id: quiz, title, questions: newQuestions });
    }
  }
  // Questions that were generated before a failure are saved.
  if (failure instanceof Error) throw failure;
  if (newQuestions.length === 0 && ended !== 'stopped')
    throw new NotebookError(
      'empty',
      vscode.l10n.t(
        'The model wrote no questions that the sources support. Choose other sources or another model.',
      ),
    );
}

/** Questions to write. */
interface WritingRequest {
  readonly artifact: StudyArtifactKind;
  /** Number of questions in addition to existing ones. */
  readonly count: number;
  readonly existing: readonly QuestionPair[];
  readonly passages: (signal: AbortSignal) => Promise<readonly FoundPassage[]>;
}

/** Generates questions with a model, with progress. @throws QuestionsCutShort, NotebookError of the model */
export async function writeQuestions(
  { notebook, embedder, checker: openChecker }: QuestionParts,
  model: LanguageModel,
  progressTitle: string,
  { artifact, count: more, existing, passages: find }: WritingRequest,
): Promise<GeneratedQuestions> {
  const kinds: readonly QuestionKind[] = artifact === 'cards' ? ['short', 'long'] : ['choice'];
  const count = existing.length + more;
  return await withNotification(progressTitle, async (signal, report) => {
    const onProgress = (existingCount: number): void => {
      const written = existingCount - existing.length;
      report(vscode.l10n.t('{0} of {1}', written, more), (100 * written) / Math.max(1, more));
    };
    onProgress(existing.length);
    const finder = passageFinder(notebook, embedder);
    const passages = await find(signal);
    const checker = await openChecker();
    return await makeQuestions({
      ...{ passages, kinds, count, existing, model, checker, finder, signal, onProgress },
    });
  });
}

/** Returns the questions of the deck with a title, which aren't generated again. */
async function findPairs({ notebook }: StudyParts, title: string): Promise<QuestionPair[]> {
  const decks = await notebook.call('decks', { now: 0, dayStart: 0 });
  const deck = decks.find((candidate) => candidate.title === title);
  if (deck === undefined) return [];
  return cardPairs((await notebook.call('wholeDeck', { deckId: deck.id })).cards);
}

/** Returns the questions on cards. */
export function cardPairs(cards: readonly Card[]): QuestionPair[] {
  return cards
    .filter(({ kind }) => kind === 'question')
    .map(({ front, back, citation }) => existingPair('short', front, back, citation));
}

/** Returns an existing question as a pair. */
export function existingPair(
  kind: QuestionKind,
  question: string,
  answer: string,
  citation: Citation | undefined,
): QuestionPair {
  return {
    ...{ kind, question, answer, headings: [] },
    source: citation?.title ?? '',
    place: citation?.place ?? '',
    quote: citation?.quote ?? '',
  };
}

async function askForMethod({ artifact }: StudyRequest): Promise<'definitions' | 'model' | undefined> {
  const items = [
    {
      way: 'definitions' as const,
      label: vscode.l10n.t('From Definitions'),
      detail: vscode.l10n.t('Generated instantly from terms that the sources define'),
    },
    {
      way: 'model' as const,
      label: vscode.l10n.t('Written by the Model'),
      detail: vscode.l10n.t(
        'Covers everything in the sources, and checks each question against its cited text',
      ),
    },
  ];
  const title = artifactLabels(artifact).name;
  return (await vscode.window.showQuickPick(items, { title }))?.way;
}

async function askForCount({ artifact }: StudyRequest): Promise<number | undefined> {
  const typed = await vscode.window.showInputBox({
    title: artifactLabels(artifact).name,
    prompt: vscode.l10n.t('Number of questions'),
    value: String(USUAL_QUESTIONS),
    validateInput: (value) =>
      /^\s*\d{1,3}\s*$/.test(value) && Number(value) >= 1 && Number(value) <= MAX_QUESTIONS
        ? undefined
        : vscode.l10n.t('Enter a number from 1 to {0}.', MAX_QUESTIONS),
  });
  return typed === undefined ? undefined : Number(typed);
}

function showAdded(title: string, added: number, known: number): void {
  if (known === 0) return;
  inform(vscode.l10n.t('Cards added to “{1}”: {0}. Already in the deck: {2}.', added, title, known));
}

function showFewer(count: number): void {
  inform(vscode.l10n.t('Questions generated: {0}. The sources have no more material for questions.', count));
}

async function show(
  { cards, notebook }: StudyParts,
  kind: CardsState['kind'],
  id: string,
  title: string,
): Promise<void> {
  await cards.show({ notebook: notebook.key, kind, id }, title);
}
