import * as vscode from 'vscode';
import { doubtfulStatements } from '../../notebook/answer.ts';
import { isCancelled } from '../../notebook/errors.ts';
import type { TurnAnswerer } from './answer-turn.ts';
import type { Conversation } from './conversation.ts';
import { checksWithModel } from '../settings.ts';
import { finderOf } from '../agents/notebook-finder.ts';

/**
 * Checks of answers with the model, one at a time for each answer. Nothing is asked before the user wants it: by a click,
 * or by the setting that has every answer checked.
 */
export class AnswerChecks implements vscode.Disposable {
  readonly #answerer: TurnAnswerer;
  readonly #conversation: Conversation;
  readonly #log: vscode.LogOutputChannel;
  /** The turns that are being answered. */
  readonly #answering = new Set<string>();
  readonly #running = new Map<string, AbortController>();
  readonly #subscriptions: vscode.Disposable;

  constructor(answerer: TurnAnswerer, conversation: Conversation, log: vscode.LogOutputChannel) {
    this.#answerer = answerer;
    this.#conversation = conversation;
    this.#log = log;
    this.#subscriptions = vscode.Disposable.from(
      conversation.onDidChangeTurn(({ id, state }) => {
        if (state.kind === 'answering') {
          this.stop(id);
          this.#answering.add(id);
        } else if (this.#answering.delete(id) && state.kind === 'done' && checksWithModel())
          void this.check(id).catch((error: unknown) => {
            this.#log.warn('Checking an answer:', error instanceof Error ? error.message : String(error));
          });
      }),
      conversation.onDidReplace(() => {
        void this.#stopThoseGone();
      }),
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
    this.#running.set(turnId, controller);
    let kept: Promise<void> = Promise.resolve();
    try {
      const { model } = await this.#answerer.model(await this.#conversation.id(), (usage) => {
        kept = kept.then(() => this.#conversation.addUsage(turnId, usage));
      });
      if (model === undefined || doubtfulStatements(turn.answer, model.name).length === 0) return;
      const { checkWithModel } = await import('../../answering/checking/check-with-model.ts');
      await checkWithModel({
        answer: turn.answer,
        model,
        passages: finderOf(this.#answerer.notebook, this.#answerer.embedder),
        signal,
        emit: (event) => {
          if (!signal.aborted) kept = kept.then(() => this.#conversation.amend(turnId, event));
        },
      });
    } catch (error) {
      if (!isCancelled(error)) throw error;
    } finally {
      this.#running.delete(turnId);
      await kept.finally(() => this.#conversation.showAgain(turnId));
    }
  }

  stop(turnId: string): void {
    this.#running.get(turnId)?.abort();
  }

  dispose(): void {
    this.#stopAll();
    this.#subscriptions.dispose();
  }

  /** Another conversation may have taken the place of the one whose answers are checked. */
  async #stopThoseGone(): Promise<void> {
    const turns = await this.#conversation.turns().catch(() => []);
    for (const [turnId, controller] of this.#running)
      if (!turns.some(({ id }) => id === turnId)) controller.abort();
  }

  #stopAll(): void {
    for (const controller of this.#running.values()) controller.abort();
  }
}
