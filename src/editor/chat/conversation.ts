import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { AnswerEvent, Citation, Rating, Turn } from '../../notebook/answer.ts';
import { applyAnswerEvent } from '../../notebook/answer.ts';
import { NotebookError } from '../../notebook/errors.ts';
import type { Scope } from '../../notebook/scope.ts';
import type { TokenUsage } from '../../notebook/usage.ts';
import { addedUsage } from '../../notebook/usage.ts';
import type { TurnAnswerer } from './answer-turn.ts';
import { DraftKeeper } from './draft-keeper.ts';
import type { HowToAnswer } from './kept-turn.ts';
import { answerAndKeep } from './kept-turn.ts';
import type { LoadedConversation } from './loaded-conversation.ts';
import { interrupted, loadConversation } from './loaded-conversation.ts';
import type { NotebookClient } from '../notebook-client.ts';
import type { ScopeChoice } from '../sources/scope-choice.ts';

/** So much of the words that others like them are looked for is shown as the question, in UTF-16 code units. */
const LONGEST_SHOWN = 80;

interface Running {
  readonly turnId: string;
  readonly controller: AbortController;
}

/** How a question is asked again. */
export interface Retry {
  /** Another question in its place. */
  readonly question?: string;
  /** Of the whole notebook, whatever it was asked of before. */
  readonly whole?: boolean;
}

/** The conversation with the notebook: asks, streams, saves what arrives, and can be stopped. */
export class Conversation implements vscode.Disposable {
  readonly #notebook: NotebookClient;
  readonly #answerer: TurnAnswerer;
  readonly #scopes: ScopeChoice;
  readonly #log: vscode.LogOutputChannel;
  readonly #drafts: DraftKeeper;
  readonly #turnChanged = new vscode.EventEmitter<Turn>();
  readonly #answerEvents = new vscode.EventEmitter<{
    readonly turnId: string;
    readonly event: AnswerEvent;
  }>();
  readonly #replaced = new vscode.EventEmitter<void>();
  readonly #following: vscode.Disposable;
  #loaded: Promise<LoadedConversation> | undefined;
  #answering: Promise<void> = Promise.resolve();
  #running: Running | undefined;

  /** A turn was added, or its state changed. */
  readonly onDidChangeTurn = this.#turnChanged.event;
  /** An answer grew. */
  readonly onDidAnswer = this.#answerEvents.event;
  /** Another conversation took this one's place. */
  readonly onDidReplace = this.#replaced.event;

  constructor(answerer: TurnAnswerer, scopes: ScopeChoice, log: vscode.LogOutputChannel) {
    this.#notebook = answerer.notebook;
    this.#answerer = answerer;
    this.#scopes = scopes;
    this.#log = log;
    this.#drafts = new DraftKeeper(answerer.notebook, log);
    this.#following = answerer.notebook.onDidSwitch(() => {
      this.#loaded = undefined;
      this.#replaced.fire();
    });
  }

  async turns(): Promise<readonly Turn[]> {
    return (await this.#load()).turns;
  }

  /** How many turns come before those that are loaded. */
  async earlier(): Promise<number> {
    return (await this.#load()).earlier;
  }

  /** What was typed and not asked yet. */
  async draft(): Promise<string> {
    return (await this.#load()).draft;
  }

  /** Keeps what is being typed, a moment after the last key. */
  async setDraft(draft: string): Promise<void> {
    const conversation = await this.#load();
    conversation.draft = draft;
    this.#drafts.keep(conversation);
  }

  /** Asks a question after stopping the answer under way. Resolves when the answer has ended. */
  async ask(question: string): Promise<void> {
    await this.#answer({ ...newTurn(question), scope: await this.#scopeOf(question) });
  }

  /** Looks for other passages that say what a citation says, as a turn of its own. */
  async findMoreLike({ documentId, span, quote }: Citation): Promise<void> {
    const words = quote.replaceAll(/\s+/g, ' ').trim();
    const shown = words.length > LONGEST_SHOWN ? `${words.slice(0, LONGEST_SHOWN).trimEnd()}…` : words;
    const turn = newTurn(vscode.l10n.t('More like “{0}”', shown));
    await this.#answer(turn, { like: { documentId, span, quote } });
  }

  /** Asks a turn's question again, or another one, in its place. */
  async retry(turnId: string, { question, whole = false }: Retry = {}): Promise<void> {
    const { turns } = await this.#load();
    const turn = turns.find(({ id }) => id === turnId);
    if (turn === undefined) return;
    const { id, askedAt } = turn;
    const isSame = question === undefined || question === turn.question;
    const scope = isSame ? turn.scope : await this.#scopeOf(question, turn);
    await this.#answer(
      {
        id,
        question: question ?? turn.question,
        askedAt,
        state: { kind: 'answering' },
        answer: undefined,
        scope: whole ? undefined : scope,
      },
      { like: isSame ? turn.answer?.like : undefined },
    );
  }

  /** Keeps what the user thinks of an answer; undefined takes it back. */
  async rate(turnId: string, rating: Rating | undefined): Promise<void> {
    const turn = await this.#change(turnId, (before) => ({ ...before, rating }));
    if (turn !== undefined) this.#turnChanged.fire(turn);
  }

  /** Changes an answer that has ended, and keeps the change. */
  async amend(turnId: string, event: AnswerEvent): Promise<void> {
    this.#answerEvents.fire({ turnId, event });
    if (event.kind === 'status') return;
    await this.#change(turnId, (before) => ({ ...before, answer: applyAnswerEvent(before.answer, event) }));
  }

  /** Adds what a model took and gave for an answer that has ended. */
  async addUsage(turnId: string, usage: TokenUsage): Promise<void> {
    await this.#change(turnId, (before) => ({ ...before, usage: addedUsage(before.usage, usage) }));
  }

  /** Shows a turn as it is; what was told of work on it is over. */
  async showAgain(turnId: string): Promise<void> {
    const turn = (await this.#load()).turns.find(({ id }) => id === turnId);
    if (turn !== undefined) this.#turnChanged.fire(turn);
  }

  /** Deletes a question and its answer. Resolves to the way back, or to undefined where there is no such turn. */
  async removeTurn(turnId: string): Promise<{ undo(): Promise<void> } | undefined> {
    if (this.#running?.turnId === turnId) this.stop();
    const { id: conversationId, turns } = await this.#load();
    const index = turns.findIndex(({ id }) => id === turnId);
    const [turn] = index < 0 ? [] : turns.splice(index, 1);
    if (turn === undefined) return undefined;
    await this.#notebook.call('removeTurn', { turnId });
    this.#replaced.fire();
    return {
      undo: async () => {
        await this.#notebook.call('putTurn', { conversationId, turn: interrupted(turn) });
        await this.open(conversationId);
      },
    };
  }

  /** Loads turns before the first one that is loaded. */
  async showEarlier(): Promise<void> {
    const conversation = await this.#load();
    const { id: conversationId, earlier: before } = conversation;
    const { turns, earlier } = await this.#notebook.call('earlierTurns', { conversationId, before });
    conversation.turns.unshift(...turns.map(interrupted));
    conversation.earlier = earlier;
    this.#replaced.fire();
  }

  /** The id of the conversation that is shown. */
  async id(): Promise<string> {
    return (await this.#load()).id;
  }

  /** Shows another conversation; an answer under way is stopped and kept. */
  async open(id: string): Promise<void> {
    await this.#show(id);
  }

  /** Shows the conversation that was used last. */
  async openNewest(): Promise<void> {
    await this.#show(undefined);
  }

  stop(): void {
    this.#running?.controller.abort();
  }

  /** Stops, and saves all that there is, before the notebook is left. */
  async leave(): Promise<void> {
    this.stop();
    await Promise.all([this.#answering, this.#drafts.flush()]);
  }

  async startNew(): Promise<void> {
    this.stop();
    const current = await this.#load();
    if (current.turns.length === 0) return;
    const { id } = await this.#notebook.call('newConversation', {});
    this.#loaded = Promise.resolve({ id, turns: [], earlier: 0, draft: '' });
    this.#replaced.fire();
  }

  /** @throws NotebookError `not-found` */
  async citation(turnId: string, index: number): Promise<Citation> {
    const { turns } = await this.#load();
    const citation = turns.find(({ id }) => id === turnId)?.answer?.citations[index];
    if (citation === undefined)
      throw new NotebookError('not-found', vscode.l10n.t('This citation is no longer in the conversation.'));
    return citation;
  }

  dispose(): void {
    this.stop();
    this.#following.dispose();
    this.#turnChanged.dispose();
    this.#answerEvents.dispose();
    this.#replaced.dispose();
  }

  /** Keeps a turn as it is after a change; undefined where there is no such turn. */
  async #change(turnId: string, change: (turn: Turn) => Turn): Promise<Turn | undefined> {
    const { id: conversationId, turns } = await this.#load();
    const index = turns.findIndex(({ id }) => id === turnId);
    const before = turns[index];
    if (before === undefined) return undefined;
    const turn = change(before);
    turns[index] = turn;
    await this.#notebook.call('putTurn', { conversationId, turn });
    return turn;
  }

  async #show(id: string | undefined): Promise<void> {
    this.stop();
    this.#loaded = undefined;
    await this.#load(id);
    this.#replaced.fire();
  }

  #answer(turn: Turn, how: HowToAnswer = {}): Promise<void> {
    const answering = this.#answerNow(turn, how);
    this.#answering = Promise.allSettled([this.#answering, answering]).then(() => undefined);
    return answering;
  }

  async #answerNow(turn: Turn, how: HowToAnswer): Promise<void> {
    this.stop();
    const conversation = await this.#load();
    const controller = new AbortController();
    this.#running = { turnId: turn.id, controller };
    await answerAndKeep({
      answerer: this.#answerer,
      conversation,
      turn,
      how,
      signal: controller.signal,
      log: this.#log,
      onTurn: (changed) => {
        this.#turnChanged.fire(changed);
      },
      onAnswer: (answered) => {
        this.#answerEvents.fire(answered);
      },
    });
    if (this.#running.controller === controller) this.#running = undefined;
  }

  async #scopeOf(question: string, before?: Turn): Promise<Scope | undefined> {
    return this.#scopes.of(question, await this.#notebook.call('sources', {}), before);
  }

  #load(id?: string): Promise<LoadedConversation> {
    this.#loaded ??= loadConversation(this.#notebook, id).catch((error: unknown) => {
      this.#loaded = undefined;
      throw error;
    });
    return this.#loaded;
  }
}

function newTurn(question: string): Turn {
  return {
    id: randomUUID(),
    question,
    askedAt: Date.now(),
    state: { kind: 'answering' },
    answer: undefined,
  };
}
