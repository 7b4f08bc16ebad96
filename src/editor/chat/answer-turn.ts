import * as vscode from 'vscode';
import type { LanguageModel } from '../../answering/models/language-model.ts';
import type { Within } from '../../indexing/store/sources/sources-api.ts';
import { quotesAtFirst, type Answer } from '../../notebook/answer.ts';
import type { Prices, TokenUsage } from '../../notebook/usage.ts';
import { readMentions, type Scope } from '../../notebook/scope.ts';
import type { Source } from '../../notebook/source.ts';
import type { Embedder } from '../models/embedder.ts';
import type { NotebookClient } from '../notebook-client.ts';
import type { TurnInput } from './saved-turn.ts';
import type { FigureReceiver, ModelFigures } from './model-figures.ts';
import { similarFinder, passageFinder } from '../../finding/notebook-finder.ts';
import { searchedPart, sourcesToAsk } from '../sources/scope-choice.ts';
import { moveFormerSettings, tokensPerAnswer, writesSearches } from '../settings.ts';

/** Turns that a model is told of. */
const TURNS_REMEMBERED = 6;

export interface AnswerModel {
  readonly model: LanguageModel | undefined;
  readonly instructions: string;
  /** True if a request may cost something. */
  readonly isMetered: boolean;
  /** What the model costs, where that is known. */
  readonly prices?: Prices | undefined;
  /** Who is shown figures, where a model is picked that may take them. */
  readonly figures?: FigureReceiver | undefined;
}

/** What answers a turn of a conversation. */
export interface TurnAnswerer {
  readonly notebook: NotebookClient;
  readonly embedder: Embedder;
  /** What writes the answers of a conversation; `onUsage` gets what each of its requests takes and gives. */
  readonly model: (conversationId: string, onUsage: (usage: TokenUsage) => void) => Promise<AnswerModel>;
  readonly modelFigures: Pick<ModelFigures, 'shower'>;
}

/** Answers the question of a turn from what it is asked of. @throws NotebookError */
export async function answerTurn(
  { notebook, embedder, model: pickedModel, modelFigures }: TurnAnswerer,
  { conversationId, turn, before, like, signal, emit, onUsage }: TurnInput,
): Promise<void> {
  const sources = await sourcesToAsk(notebook);
  const within = await searchedPart(notebook, turn.scope, sources);
  emit({ kind: 'status', text: searching(within, sources) });
  const passages = passageFinder(notebook, embedder, within);
  if (like !== undefined) {
    const find = similarFinder(notebook, embedder, like);
    const { findMoreLike } = await import('../../answering/places/more-like.ts');
    await findMoreLike({ like, find, passages, signal, emit });
    return;
  }
  await moveFormerSettings();
  const { model, instructions, figures } = await pickedModel(conversationId, onUsage);
  const { answerQuestion } = await import('../../answering/answer-question.ts');
  await answerQuestion({
    question: turn.question,
    words: searched(turn.question, sources),
    history: before.slice(-TURNS_REMEMBERED).map(({ question, answer }) => ({
      question: searched(question, sources),
      answer: answer?.text ?? '',
      quotes: answer?.kind === 'quotes' ? shownTexts(answer) : undefined,
    })),
    place: describePlace(turn.scope, sources),
    titles: sourcesWithin(within, sources).map(({ title }) => title),
    passages,
    model,
    tokens: tokensPerAnswer(),
    writesSearches: writesSearches(),
    showFigures: figures && modelFigures.shower(figures),
    instructions,
    signal,
    emit,
  });
}

/** A question without the sources that it mentions, which say where to search and not for what. */
function searched(question: string, sources: readonly Source[]): string {
  const { rest } = readMentions(question, sources);
  return /[\p{L}\p{N}]/u.test(rest) ? rest : question;
}

function describePlace(scope: Scope | undefined, sources: readonly Source[]): string | undefined {
  if (scope === undefined) return undefined;
  if (scope.kind === 'file') return scope.title;
  const asked = sources.filter(({ id }) => scope.sourceIds.includes(id));
  return asked.length === 1
    ? asked[0]?.title
    : vscode.l10n.t('the {0} sources in the search scope', asked.length.toLocaleString(vscode.env.language));
}

/** The sources that are asked; of one file, which may be of several, none. */
function sourcesWithin(within: Within | undefined, sources: readonly Source[]): readonly Source[] {
  if (within === undefined) return sources;
  return within.kind === 'sources' ? sources.filter(({ id }) => within.sourceIds.includes(id)) : [];
}

function searching(within: Within | undefined, sources: readonly Source[]): string {
  if (within?.kind === 'documents') return vscode.l10n.t('Searching the open file…');
  const count = within?.sourceIds.length ?? sources.length;
  return count === 1
    ? vscode.l10n.t('Searching 1 source…')
    : vscode.l10n.t('Searching {0} sources…', count.toLocaleString(vscode.env.language));
}

/** What an answer in quotes showed. */
function shownTexts(answer: Extract<Answer, { kind: 'quotes' }>): string[] {
  return quotesAtFirst(answer).map(
    ({ citation, around }) => around?.text ?? answer.citations[citation]?.quote ?? '',
  );
}
