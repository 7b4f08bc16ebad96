import * as vscode from 'vscode';
import type { LanguageModel } from '../../../answers/models/language-model.ts';
import type { Within } from '../../../index/store/sources/sources-api.ts';
import { quotesAtFirst, type Answer } from '../../../core/domain/answer.ts';
import type { Prices, TokenUsage } from '../../../core/domain/usage.ts';
import { readMentions, type Scope } from '../../../core/domain/scope.ts';
import type { Source } from '../../../core/domain/source.ts';
import type { Embedder } from '../../semantic-search/editor/embedder.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import type { TurnInput } from './saved-turn.ts';
import type { FigureReceiver, ModelFigures } from './model-figures.ts';
import { markIncomplete } from '../../../answers/incomplete-answers.ts';
import { similarFinder, passageFinder } from '../../../answers/retrieving/notebook-finder.ts';
import { searchedPart, sourcesToAsk } from '../../sources/editor/scope-choice.ts';
import { moveFormerSettings, tokensPerAnswer, writesSearches } from '../../../platform/settings.ts';

/** Number of earlier turns that a model sees. */
const TURNS_REMEMBERED = 6;

export interface AnswerModel {
  readonly model: LanguageModel | undefined;
  readonly instructions: string;
  /** `true` if a request may cost money. */
  readonly isMetered: boolean;
  /** Prices of the model, if known. */
  readonly prices?: Prices | undefined;
  /** Receiver of figures, if the picked model may support them. */
  readonly figures?: FigureReceiver | undefined;
}

/** Services that answer a turn of a conversation. */
export interface TurnAnswerer {
  readonly notebook: NotebookClient;
  readonly embedder: Embedder;
  /** Returns the model that writes the answers of a conversation. `onUsage` gets the token usage of each request. */
  readonly model: (conversationId: string, onUsage: (usage: TokenUsage) => void) => Promise<AnswerModel>;
  readonly modelFigures: Pick<ModelFigures, 'shower'>;
}

/** Answers the question of a turn from its search scope. @throws NotebookError */
export async function answerTurn(
  { notebook, embedder, model: pickedModel, modelFigures }: TurnAnswerer,
  { conversationId, turn, before, like, signal, emit: emitEvent, onUsage }: TurnInput,
): Promise<void> {
  const { emit, onIncomplete } = markIncomplete(emitEvent);
  const sources = await sourcesToAsk(notebook);
  const scope = await searchedPart(notebook, turn.scope, sources);
  emit({ kind: 'status', text: searching(scope, sources) });
  const passages = passageFinder(notebook, embedder, scope, onIncomplete);
  if (like !== undefined) {
    const find = similarFinder(notebook, embedder, like, onIncomplete);
    const { findMoreLike } = await import('../../../answers/places/more-like.ts');
    await findMoreLike({ like, find, passages, signal, emit });
    return;
  }
  await moveFormerSettings();
  const { model, instructions, figures } = await pickedModel(conversationId, onUsage);
  const { answerQuestion } = await import('../../../answers/answer-question.ts');
  await answerQuestion({
    question: turn.question,
    words: withoutMentions(turn.question, sources),
    history: before.slice(-TURNS_REMEMBERED).map(({ question, answer }) => ({
      question: withoutMentions(question, sources),
      answer: answer?.text ?? '',
      quotes: answer?.kind === 'quotes' ? shownTexts(answer) : undefined,
    })),
    place: describePlace(turn.scope, sources),
    titles: sourcesWithin(scope, sources).map(({ title }) => title),
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

/** Returns a question without the sources that it mentions, which only limit the search. */
function withoutMentions(question: string, sources: readonly Source[]): string {
  const { rest } = readMentions(question, sources);
  return /[\p{L}\p{N}]/u.test(rest) ? rest : question;
}

function describePlace(scope: Scope | undefined, sources: readonly Source[]): string | undefined {
  if (scope === undefined) return undefined;
  if (scope.kind === 'file') return scope.title;
  const scopeSources = sources.filter(({ id }) => scope.sourceIds.includes(id));
  return scopeSources.length === 1
    ? scopeSources[0]?.title
    : vscode.l10n.t(
        'the {0} sources in the search scope',
        scopeSources.length.toLocaleString(vscode.env.language),
      );
}

/** Returns the sources in the search scope; none for a single file, which may belong to several sources. */
function sourcesWithin(scope: Within | undefined, sources: readonly Source[]): readonly Source[] {
  if (scope === undefined) return sources;
  return scope.kind === 'sources' ? sources.filter(({ id }) => scope.sourceIds.includes(id)) : [];
}

function searching(scope: Within | undefined, sources: readonly Source[]): string {
  if (scope?.kind === 'documents') return vscode.l10n.t('Searching the open file…');
  const count = scope?.sourceIds.length ?? sources.length;
  return count === 1
    ? vscode.l10n.t('Searching 1 source…')
    : vscode.l10n.t('Searching {0} sources…', count.toLocaleString(vscode.env.language));
}

/** Returns the texts of the excerpts that an answer showed. */
function shownTexts(answer: Extract<Answer, { kind: 'quotes' }>): string[] {
  return quotesAtFirst(answer).map(
    ({ citation, around }) => around?.text ?? answer.citations[citation]?.quote ?? '',
  );
}
