import type { CheckInput } from '../../../answers/checking/check-with-model.ts';
import type { PassageFinder } from '../../../answers/retrieving/passage-finder.ts';
import { statementsToCheck, type Answer } from '../../../core/domain/answer.ts';
import { errorMessage, isCanceled, NotebookError } from '../../../core/domain/errors.ts';
import type { FactCheckFailure, ProposedCorrection } from '../protocol.ts';
import { estimateCost, type TokenUsage } from '../../../core/domain/usage.ts';
import type { FactChecker } from './answer-model.ts';
import type { Conversation } from './conversation.ts';
import { correctionModels, Corrections, undoneCorrection, type WrittenAnswer } from './corrections.ts';
import type { FactCheckConsent } from './fact-check-consent.ts';
import type { Log } from '../../../platform/log.ts';
import { Disposable } from '../../../platform/disposable.ts';
import { Emitter } from '../../../platform/emitter.ts';

/** Parts of a conversation that the checks of its answers use. */
type CheckedConversation = Pick<
  Conversation,
  'addUsage' | 'amend' | 'id' | 'onDidChangeTurn' | 'onDidReplace' | 'showAgain' | 'turns'
>;

interface AnswerChecksParts {
  readonly conversation: CheckedConversation;
  /**
   * Returns the model that checks the answers of a conversation; undefined if no model writes them. `onUsage` gets the
   * token usage of each request.
   */
  readonly checker: (
    conversationId: string,
    onUsage: (usage: TokenUsage) => void,
  ) => Promise<FactChecker | undefined>;
  readonly consent: Pick<FactCheckConsent, 'ask' | 'decide'>;
  /** Finds the passages that statements are checked against. */
  readonly passages: () => PassageFinder;
  /** Reports whether the user wants every answer checked. */
  readonly checksAll: () => boolean;
  readonly log: Log;
}

/**
 * Checks each completed answer with a model, one check at a time for each answer. A model that may cost money checks
 * only after the user's consent, or if the user requests the check of an answer.
 */
export class AnswerChecks extends Disposable {
  readonly #parts: AnswerChecksParts;
  readonly #conversation: CheckedConversation;
  /** Turns that are being answered. */
  readonly #answering = new Set<string>();
  /** Running checks by turn, each with the version of its answer. */
  readonly #running = new Map<
    string,
    {
      readonly controller: AbortController;
      readonly version: number | undefined;
      readonly isAutomatic: boolean;
    }
  >();
  /** Turns whose checks were postponed for another answer. */
  readonly #postponed = new Set<string>();
  readonly #corrections = new Corrections();
  readonly #failureChanged = this._register(new Emitter<void>());
  #failure: FactCheckFailure | undefined;

  /** Fires if the automatic check of an answer failed, or is tried again. */
  readonly onDidChangeFailure = this.#failureChanged.event;

  constructor(parts: AnswerChecksParts) {
    super();
    this.#parts = parts;
    const { conversation } = parts;
    this.#conversation = conversation;
    this._register(
      conversation.onDidChangeTurn(({ id, state, version }) => {
        if (this.#running.has(id) && this.#running.get(id)?.version !== version?.number) this.stop(id);
        if (state.kind === 'answering') {
          this.stop(id);
          this.#postponeOthers();
          this.#answering.add(id);
        } else if (this.#answering.delete(id)) {
          const isDue = state.kind === 'done' && parts.checksAll();
          const due = [...(isDue ? [id] : []), ...this.#postponed];
          this.#postponed.clear();
          void this.#runAll(due);
        }
      }),
      conversation.onDidReplace(() => void this.#stopThoseGone()),
    );
  }

  /** Reason why the last automatic check failed; undefined if it didn't. */
  get failure(): FactCheckFailure | undefined {
    return this.#failure;
  }

  /**
   * Checks the statements of an answer at the user's request; saves each verdict as it arrives.
   * @throws NotebookError if the model can't be reached or gives no usable verdict
   */
  async check(turnId: string): Promise<void> {
    await this.#run(turnId, false);
  }

  /**
   * Saves whether a model that may cost money checks every answer. If so, starts with the answer that shows the
   * question.
   */
  async decide(agrees: boolean): Promise<void> {
    const offer = await this.#parts.consent.decide(agrees);
    if (agrees && offer !== undefined) await this.check(offer.turnId);
  }

  /**
   * Corrects a statement of an answer with a model, and checks the correction. Nothing changes until it's applied.
   * @throws NotebookError if the model can't be reached or gives no usable correction
   */
  async correct(turnId: string, index: number, signal: AbortSignal): Promise<ProposedCorrection> {
    const { question, answer } = await this.#writtenTurn(turnId);
    let saved: Promise<void> = Promise.resolve();
    const checker = await this.#parts.checker(await this.#conversation.id(), (usage) => {
      saved = saved.then(() => this.#conversation.addUsage(turnId, usage));
    });
    const passages = this.#parts.passages();
    try {
      return await this.#corrections.propose(turnId, {
        ...{ question, answer, index, models: await correctionModels(checker), passages, signal },
      });
    } finally {
      await saved;
    }
  }

  /** Applies the last correction of a turn to its answer. @throws NotebookError if the answer changed since */
  async applyCorrection(turnId: string): Promise<void> {
    await this.#exchange(turnId, (answer) => this.#corrections.apply(turnId, answer));
  }

  /** Restores the answer before the last correction. @throws NotebookError if the answer changed since */
  async undoCorrection(turnId: string): Promise<void> {
    await this.#exchange(turnId, undoneCorrection);
  }

  async #exchange(turnId: string, change: (current: WrittenAnswer | undefined) => Answer): Promise<void> {
    const answer = change((await this.#writtenTurn(turnId)).answer);
    await this.#conversation.amend(turnId, { kind: 'started', answer });
    await this.#conversation.showAgain(turnId);
  }

  /** Returns the question of a turn, and its answer if a model wrote it. */
  async #writtenTurn(
    turnId: string,
  ): Promise<{ readonly question: string | undefined; readonly answer: WrittenAnswer | undefined }> {
    const turn = (await this.#conversation.turns()).find(({ id }) => id === turnId);
    const answer = turn?.answer?.kind === 'written' ? turn.answer : undefined;
    return { question: turn?.question, answer };
  }

  async #run(turnId: string, isAutomatic: boolean): Promise<void> {
    const turn = (await this.#conversation.turns()).find(({ id }) => id === turnId);
    if (turn?.answer === undefined || this.#running.has(turnId)) return;
    if (statementsToCheck(turn.answer).length === 0) return;
    const controller = new AbortController();
    const { signal } = controller;
    this.#running.set(turnId, { controller, version: turn.version?.number, isAutomatic });
    this.#setFailure(undefined);
    let saved: Promise<void> = Promise.resolve();
    try {
      const checker = await this.#parts.checker(await this.#conversation.id(), (usage) => {
        saved = saved.then(() => this.#conversation.addUsage(turnId, usage));
      });
      if (checker === undefined) return;
      const passages = this.#parts.passages();
      if (isAutomatic && checker.isAllowed !== true) {
        if (checker.isAllowed === undefined)
          await this.#ask(turnId, turn.answer, checker, { passages, signal });
        return;
      }
      const { checkWithModel } = await import('../../../answers/checking/check-with-model.ts');
      await checkWithModel({
        answer: turn.answer,
        question: turn.question,
        model: checker.model,
        passages,
        signal,
        emit: (event) => {
          saved = saved.then(() => (signal.aborted ? undefined : this.#conversation.amend(turnId, event)));
        },
      });
    } catch (error) {
      if (!isCanceled(error)) throw error;
    } finally {
      this.#running.delete(turnId);
      try {
        await saved;
      } finally {
        await this.#conversation.showAgain(turnId);
      }
    }
  }

  /** Postpones checks of earlier answers, because a model on this machine would delay a new question until they end. */
  #postponeOthers(): void {
    for (const [turnId, { controller, isAutomatic }] of this.#running) {
      if (!isAutomatic || controller.signal.aborted) continue;
      this.#postponed.add(turnId);
      controller.abort();
    }
  }

  async #runAll(turnIds: readonly string[]): Promise<void> {
    for (const turnId of turnIds)
      await this.#run(turnId, true).catch((error: unknown) => {
        const message = errorMessage(error);
        this.#parts.log.warn('Checking an answer:', message);
        const action = error instanceof NotebookError ? error.action : undefined;
        this.#setFailure({ turnId, message, action });
      });
  }

  #setFailure(failure: FactCheckFailure | undefined): void {
    if (failure === this.#failure) return;
    this.#failure = failure;
    this.#failureChanged.fire();
  }

  /** Asks for consent with the cost of checking an answer. */
  async #ask(
    turnId: string,
    answer: Answer,
    { model, server, prices }: FactChecker,
    { passages, signal }: Pick<CheckInput, 'passages' | 'signal'>,
  ): Promise<void> {
    const { estimateCheck } = await import('../../../answers/checking/check-with-model.ts');
    const tokens = await estimateCheck(answer, passages, signal);
    if (signal.aborted) return;
    const cost = prices === undefined ? undefined : estimateCost(tokens, prices);
    this.#parts.consent.ask({
      turnId,
      model: model.name,
      server,
      tokens: tokens.input + tokens.output,
      cost,
    });
  }

  stop(turnId: string): void {
    this.#running.get(turnId)?.controller.abort();
  }

  override dispose(): void {
    this.#stopAll();
    super.dispose();
  }

  /** Stops checks of turns that are no longer in the current conversation. */
  async #stopThoseGone(): Promise<void> {
    const turns = await this.#conversation.turns().catch(() => []);
    for (const [turnId, { controller }] of this.#running)
      if (!turns.some(({ id }) => id === turnId)) controller.abort();
  }

  #stopAll(): void {
    for (const { controller } of this.#running.values()) controller.abort();
  }
}
