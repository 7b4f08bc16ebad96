import type { LanguageModel } from '../../answering/models/language-model.ts';
import type { PassageFinder } from '../../answering/retrieving/passage-finder.ts';
import { doubtfulStatements } from '../../notebook/answer.ts';
import { errorMessage, isCancelled } from '../../notebook/errors.ts';
import type { TokenUsage } from '../../notebook/usage.ts';
import type { Conversation } from './conversation.ts';
import { together, type Subscription } from '../emitter.ts';
import type { Log } from '../log.ts';

/** What checks need of the conversation whose answers are checked. */
type CheckedConversation = Pick<
  Conversation,
  'addUsage' | 'amend' | 'id' | 'onDidChangeTurn' | 'onDidReplace' | 'showAgain' | 'turns'
>;

interface AnswerChecksParts {
  readonly conversation: CheckedConversation;
  /** What writes the answers of a conversation, where a model does; `onUsage` gets what each of its requests takes and gives. */
  readonly model: (
    conversationId: string,
    onUsage: (usage: TokenUsage) => void,
  ) => Promise<{ readonly model: LanguageModel | undefined }>;
  /** Where the passages are found that a model holds statements against. */
  readonly passages: () => PassageFinder;
  /** Whether the user wants every answer checked. */
  readonly checksAll: () => boolean;
  readonly log: Log;
}

/**
 * Checks of answers with the model, one at a time for each answer. Nothing is asked before the user wants it: by a click,
 * or by the setting that has every answer checked.
 */
export class AnswerChecks implements Subscription {
  readonly #parts: AnswerChecksParts;
  readonly #conversation: CheckedConversation;
  /** The turns that are being answered. */
  readonly #answering = new Set<string>();
  /** The checks under way, each with the version of the answer that it is of. */
  readonly #running = new Map<
    string,
    { readonly controller: AbortController; readonly version: number | undefined }
  >();
  readonly #subscriptions: Subscription;

  constructor(parts: AnswerChecksParts) {
    this.#parts = parts;
    const { conversation } = parts;
    this.#conversation = conversation;
    this.#subscriptions = together(
      conversation.onDidChangeTurn(({ id, state, version }) => {
        if (this.#running.has(id) && this.#running.get(id)?.version !== version?.number) this.stop(id);
        if (state.kind === 'answering') {
          this.stop(id);
          this.#answering.add(id);
        } else if (this.#answering.delete(id) && state.kind === 'done' && parts.checksAll())
          void this.check(id).catch((error: unknown) =>
            parts.log.warn('Checking an answer:', errorMessage(error)),
          );
      }),
      conversation.onDidReplace(() => void this.#stopThoseGone()),
    );
  }

  /**
   * Asks the model that is picked about the doubtful statements of an answer; what it says is kept as it comes.
   * @throws NotebookError where the model does not answer.
   */
  async check(turnId: string): Promise<void> {
    const turn = (await this.#conversation.turns()).find(({ id }) => id === turnId);
    if (turn?.answer === undefined || this.#running.has(turnId)) return;
    const controller = new AbortController();
    const { signal } = controller;
    this.#running.set(turnId, { controller, version: turn.version?.number });
    let kept: Promise<void> = Promise.resolve();
    try {
      const { model } = await this.#parts.model(await this.#conversation.id(), (usage) => {
        kept = kept.then(() => this.#conversation.addUsage(turnId, usage));
      });
      if (model === undefined || doubtfulStatements(turn.answer, model.name).length === 0) return;
      const { checkWithModel } = await import('../../answering/checking/check-with-model.ts');
      await checkWithModel({
        answer: turn.answer,
        model,
        passages: this.#parts.passages(),
        signal,
        emit: (event) => {
          kept = kept.then(() => (signal.aborted ? undefined : this.#conversation.amend(turnId, event)));
        },
      });
    } catch (error) {
      if (!isCancelled(error)) throw error;
    } finally {
      this.#running.delete(turnId);
      try {
        await kept;
      } finally {
        await this.#conversation.showAgain(turnId);
      }
    }
  }

  stop(turnId: string): void {
    this.#running.get(turnId)?.controller.abort();
  }

  dispose(): void {
    this.#stopAll();
    this.#subscriptions.dispose();
  }

  /** Another conversation may have taken the place of the one whose answers are checked. */
  async #stopThoseGone(): Promise<void> {
    const turns = await this.#conversation.turns().catch(() => []);
    for (const [turnId, { controller }] of this.#running)
      if (!turns.some(({ id }) => id === turnId)) controller.abort();
  }

  #stopAll(): void {
    for (const { controller } of this.#running.values()) controller.abort();
  }
}
