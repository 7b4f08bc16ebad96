import type { PassageFinder } from '../../../answers/retrieving/passage-finder.ts';
import { standingCitations, type Turn } from '../../../core/domain/answer.ts';
import { errorMessage, isCanceled } from '../../../core/domain/errors.ts';
import type { Outline, SuggestingModels } from '../../../core/domain/suggestions.ts';
import type { TokenUsage } from '../../../core/domain/usage.ts';
import { Emitter } from '../../../platform/emitter.ts';
import type { Log } from '../../../platform/log.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import type { AnswerModel } from './answer-turn.ts';
import type { Conversation } from './conversation.ts';
import { Disposable } from '../../../platform/disposable.ts';

/** Maximum number of passages that show a model the topics of the documents of an empty conversation. */
const MAX_PASSAGES = 6;
/** Number of cached suggestions, so that another page or a redraw sends no new request. */
const MAX_CACHED_SUGGESTIONS = 20;

interface SuggestedQuestionsParts {
  readonly notebook: Pick<NotebookClient, 'call' | 'onDidChange'>;
  readonly conversation: Pick<
    Conversation,
    'addUsage' | 'id' | 'onDidChangeTurn' | 'onDidReplace' | 'showAgain' | 'turns'
  >;
  /** Returns the model that writes the answers of a conversation; `onUsage` gets the usage of each request. */
  readonly model: (
    conversationId: string,
    onUsage: (usage: TokenUsage) => void,
  ) => Promise<Pick<AnswerModel, 'isMetered' | 'model'>>;
  readonly passages: () => Pick<PassageFinder, 'overview'>;
  readonly suggestingModels: () => SuggestingModels;
  readonly log: Log;
}

/**
 * Questions that the chat suggests: by the model, if it costs nothing or the user allows it, otherwise from headings of
 * the sources. A request to the model ends when the user asks something.
 */
export class SuggestedQuestions extends Disposable {
  readonly #parts: SuggestedQuestionsParts;
  readonly #written = new Map<string, Promise<readonly string[]>>();
  readonly #changed = this._register(new Emitter<void>());
  #running = new AbortController();
  /** Documents of the questions that were last shown. */
  #documents: readonly number[] = [];

  /** Fires when the suggestions may be about a source that was removed. */
  readonly onDidChange = this.#changed.event;

  constructor(parts: SuggestedQuestionsParts) {
    super();
    this.#parts = parts;
    const { notebook, conversation } = parts;
    this._register(
      conversation.onDidChangeTurn(({ state }) => {
        if (state.kind === 'answering') this.#stop();
      }),
      conversation.onDidReplace(() => {
        this.#stop();
      }),
      // The next change checks again.
      notebook.onDidChange(() => void this.#findRemoved().catch(() => undefined)),
    );
  }

  /** Returns follow-up questions for a turn. Without a turn, returns questions to start a conversation. */
  async of(turnId: string | undefined): Promise<readonly string[]> {
    const { notebook, conversation } = this.#parts;
    const turns = await conversation.turns();
    const turn = turns.find(({ id }) => id === turnId);
    const citations = turn === undefined ? [] : citationsOf(turn);
    if (turnId !== undefined && citations.length === 0) return [];
    const documentIds = [...new Set(citations.map(({ documentId }) => documentId))];
    const outlines = await notebook.call('outlines', turnId === undefined ? {} : { documentIds });
    this.#documents = outlines.map(({ documentId }) => documentId);
    if (outlines.length === 0) return [];
    const written = await this.#requestOnce(turn, turns, outlines);
    if (written.length > 0) return written;
    // Loads the words of all languages, which activation doesn't need.
    const { followUpQuestions, suggestedQuestions } = await import('../../../core/domain/suggestions.ts');
    return turn === undefined
      ? suggestedQuestions(outlines)
      : followUpQuestions(
          outlines,
          citations,
          turns.map(({ question }) => question),
        );
  }

  override dispose(): void {
    this.#stop();
    super.dispose();
  }

  #stop(): void {
    this.#running.abort();
    this.#running = new AbortController();
  }

  /** Requests suggestions once for the same turn and documents. A failed request is repeated the next time. */
  async #requestOnce(
    turn: Turn | undefined,
    turns: readonly Turn[],
    outlines: readonly Outline[],
  ): Promise<readonly string[]> {
    const { conversation, log } = this.#parts;
    const models = this.#parts.suggestingModels();
    if (models === 'never') return [];
    let key = '';
    try {
      const conversationId = await conversation.id();
      const { model, isMetered } = await this.#parts.model(conversationId, (usage) => {
        if (turn !== undefined) void this.#addUsage(turn.id, usage);
      });
      if (model === undefined || (isMetered && models === 'free')) return [];
      const documents = outlines.map(({ documentId }) => documentId);
      key = JSON.stringify([conversationId, turn?.id, turn?.state, model.name, documents]);
      const written = this.#written.get(key) ?? this.#write(model, turns, outlines);
      this.#written.set(key, written);
      for (const old of [...this.#written.keys()].slice(0, -MAX_CACHED_SUGGESTIONS))
        this.#written.delete(old);
      return await written;
    } catch (error) {
      this.#written.delete(key);
      if (!isCanceled(error)) log.warn('Suggesting questions:', errorMessage(error));
      return [];
    }
  }

  async #write(
    model: NonNullable<AnswerModel['model']>,
    turns: readonly Turn[],
    outlines: readonly Outline[],
  ): Promise<readonly string[]> {
    const { signal } = this.#running;
    const isThere = new Set(outlines.map(({ documentId }) => documentId));
    const { suggestQuestions } = await import('../../../answers/question/suggested-questions.ts');
    return suggestQuestions({
      titles: outlines.map(({ title }) => title),
      headings: outlines.flatMap(({ headings }) => headings.map(({ title }) => title)),
      passages: turns.length > 0 ? [] : await this.#parts.passages().overview('', MAX_PASSAGES),
      // Turns that are only about removed sources would suggest these again.
      history: turns
        .filter((turn) => citationsOf(turn).some(({ documentId }) => isThere.has(documentId)))
        .map(({ question, answer }) => ({ question, answer: answer?.text ?? '' })),
      model,
      signal,
    });
  }

  async #addUsage(turnId: string, usage: TokenUsage): Promise<void> {
    const { conversation, log } = this.#parts;
    try {
      await conversation.addUsage(turnId, usage);
      await conversation.showAgain(turnId);
    } catch (error) {
      log.warn('Adding the usage of suggestions:', errorMessage(error));
    }
  }

  async #findRemoved(): Promise<void> {
    const documentIds = this.#documents;
    if (documentIds.length === 0) return;
    const outlines = await this.#parts.notebook.call('outlines', { documentIds });
    if (outlines.length < documentIds.length && documentIds === this.#documents) this.#changed.fire();
  }
}

/** Returns the citations of a turn's answer, without those that a check removed. */
function citationsOf({
  answer,
}: Turn): { readonly documentId: number; readonly span: { readonly start: number; readonly end: number } }[] {
  return answer === undefined
    ? []
    : standingCitations(answer).flatMap((index) => answer.citations[index] ?? []);
}
