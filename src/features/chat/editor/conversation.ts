import { randomUUID } from 'node:crypto';
import { t } from '@vscode/l10n';
import {
  applyAnswerEvents,
  type ContextSelection,
  type AnswerEvent,
  type Citation,
  type Rating,
  type Turn,
  type WordsAt,
} from '../../../core/domain/answer.ts';
import { NotebookError } from '../../../core/domain/errors.ts';
import type { Scope } from '../../../core/domain/scope.ts';
import { addedUsage, type TokenUsage } from '../../../core/domain/usage.ts';
import { Emitter, type Event } from '../../../platform/emitter.ts';
import { answerAndSave, type TurnInput } from './saved-turn.ts';
import {
  updateLoadedConversation,
  withInterruption,
  loadConversation,
  type LoadedConversation,
} from './loaded-conversation.ts';
import type { Log } from '../../../platform/log.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import type { ScopeChoice } from '../../sources/editor/scope-choice.ts';
import { Disposable } from '../../../platform/disposable.ts';

/** Maximum length of the text that is shown as the question of a search for similar passages, in UTF-16 code units. */
const MAX_SHOWN_LENGTH = 80;

interface Running {
  readonly turnId: string;
  readonly controller: AbortController;
}

interface AskOptions {
  /** Search scope of the turn; the whole notebook if it is missing. */
  readonly scope?: (() => Promise<Scope | undefined> | Scope | undefined) | undefined;
  /** Text to find similar passages for, instead of answering a question. */
  readonly like?: WordsAt | undefined;
  /** `true` if the question is repeated; its previous answer is saved as an earlier version. */
  readonly isAgain?: boolean;
}

/** Changes for a repeated question. */
interface Retry {
  /** New question that replaces the previous one. */
  readonly question?: string;
  /** `true` to search the whole notebook, whatever the previous search scope was. */
  readonly whole?: boolean;
}

interface ConversationParts {
  readonly notebook: Pick<NotebookClient, 'call'> & { readonly onDidSwitch: Event<void> };
  readonly scopes: Pick<ScopeChoice, 'scopeFor'>;
  /** Answers a turn's question. @throws NotebookError */
  readonly answer: (input: TurnInput) => Promise<void>;
  readonly log: Log;
}

/** Conversation with the notebook: sends questions, streams and saves answers, and can be stopped. */
export class Conversation extends Disposable {
  readonly #parts: ConversationParts;
  readonly #notebook: ConversationParts['notebook'];
  readonly #drafts: DraftKeeper;
  readonly #turnChanged = this._register(new Emitter<Turn>());
  readonly #answerEvents = this._register(
    new Emitter<{
      readonly turnId: string;
      readonly event: AnswerEvent;
    }>(),
  );
  readonly #replaced = this._register(new Emitter<void>());
  #loaded: Promise<LoadedConversation> | undefined;
  #answering: Promise<void> = Promise.resolve();
  #running: Running | undefined;
  /** Conversation that receives the answer in progress. */
  #answeredIn: LoadedConversation | undefined;

  /** Fires when a turn was added or its state changed. */
  readonly onDidChangeTurn = this.#turnChanged.event;
  /** Fires when an answer grew. */
  readonly onDidAnswer = this.#answerEvents.event;
  /** Fires when another conversation is shown. */
  readonly onDidReplace = this.#replaced.event;

  constructor(parts: ConversationParts) {
    super();
    this.#parts = parts;
    this.#notebook = parts.notebook;
    this.#drafts = new DraftKeeper(parts.notebook, parts.log);
    this._register(
      parts.notebook.onDidSwitch(() => {
        this.#loaded = undefined;
        this.#replaced.fire();
      }),
    );
  }

  /** Returns the turns of the current conversation, oldest first. */
  async turns(): Promise<readonly Turn[]> {
    return (await this.#load()).turns;
  }

  /** Returns the number of turns before the loaded ones. */
  async countEarlier(): Promise<number> {
    return (await this.#load()).earlier;
  }

  /** Returns the text that was entered but not sent yet. */
  async draft(): Promise<string> {
    return (await this.#load()).draft;
  }

  /** Saves the text in the input, shortly after the last key. */
  async setDraft(draft: string): Promise<void> {
    const conversation = await this.#load();
    conversation.draft = draft;
    this.#drafts.keep(conversation);
  }

  /**
   * Asks a question in the current conversation, after stopping the answer in progress. Resolves when the answer has
   * ended.
   * @param selection location of the selected text at the end of the question
   */
  async ask(question: string, selection?: ContextSelection): Promise<void> {
    const turn = { ...newTurn(question), ...(selection && { selection }) };
    await this.#answer(turn, { scope: () => this.#scopeFor(question) });
  }

  /** Finds passages similar to a citation, as a new turn. */
  async findMoreLike({ documentId, span, quote }: Citation): Promise<void> {
    const words = quote.replaceAll(/\s+/g, ' ').trim();
    const shown = words.length > MAX_SHOWN_LENGTH ? `${words.slice(0, MAX_SHOWN_LENGTH).trimEnd()}…` : words;
    const turn = newTurn(t('Passages similar to “{0}”', shown));
    await this.#answer(turn, { like: { documentId, span, quote } });
  }

  /** Asks a turn's question again, or replaces it. The previous answer is saved as an earlier version. */
  async retry(turnId: string, { question, whole = false }: Retry = {}): Promise<void> {
    const { turns } = await this.#load();
    const turn = turns.find(({ id }) => id === turnId);
    if (turn === undefined) return;
    const isSame = question === undefined || question === turn.question;
    const scope = isSame ? () => turn.scope : () => this.#scopeFor(question, turn);
    await this.#answer(
      {
        ...turn,
        question: question ?? turn.question,
        state: { kind: 'answering' },
        answer: undefined,
        rating: undefined,
        usage: undefined,
      },
      { scope: whole ? undefined : scope, like: isSame ? turn.answer?.like : undefined, isAgain: true },
    );
  }

  /** Shows one of a turn's answers by its position, from 1 on. Does nothing while the turn is being answered. */
  async showVersion(turnId: string, position: number): Promise<void> {
    if (this.#running?.turnId === turnId) return;
    const { turns } = await this.#load();
    const shown = await this.#notebook.call('showVersion', { turnId, position });
    const index = turns.findIndex(({ id }) => id === turnId);
    if (shown === undefined || index < 0) return;
    turns[index] = withInterruption(shown);
    this.#turnChanged.fire(turns[index]);
  }

  /** Saves the user's rating of an answer; undefined removes it. */
  async rate(turnId: string, rating: Rating | undefined): Promise<void> {
    const turn = await this.#change(turnId, (before) => ({ ...before, rating }));
    if (turn !== undefined) this.#turnChanged.fire(turn);
  }

  /** Changes a completed answer and saves the change. */
  async amend(turnId: string, event: AnswerEvent): Promise<void> {
    this.#answerEvents.fire({ turnId, event });
    if (event.kind === 'status') return;
    await this.#change(turnId, (before) => ({
      ...before,
      answer: applyAnswerEvents(before.answer, [event]),
    }));
  }

  /** Adds token usage to a completed answer. */
  async addUsage(turnId: string, usage: TokenUsage): Promise<void> {
    await this.#change(turnId, (before) => ({ ...before, usage: addedUsage(before.usage, usage) }));
  }

  /** Shows a turn in its current state, without the status of completed work. */
  async showAgain(turnId: string): Promise<void> {
    const turn = (await this.#load()).turns.find(({ id }) => id === turnId);
    if (turn !== undefined) this.#turnChanged.fire(turn);
  }

  /**
   * Deletes a question with all its answers. Resolves to a function that undoes it, or to undefined if there is no such
   * turn.
   */
  async removeTurn(turnId: string): Promise<{ readonly answers: number; undo(): Promise<void> } | undefined> {
    if (this.#running?.turnId === turnId) this.stop();
    const { id: conversationId, turns } = await this.#load();
    const turn = turns.find(({ id }) => id === turnId);
    if (turn === undefined) return undefined;
    const versions = await this.#notebook.call('removeTurn', { turnId });
    const index = turns.findIndex(({ id }) => id === turnId);
    if (index >= 0) turns.splice(index, 1);
    this.#replaced.fire();
    return {
      answers: versions.length + 1,
      undo: async () => {
        await this.#notebook.call('restoreTurn', { conversationId, turn: withInterruption(turn), versions });
        await this.show(conversationId);
      },
    };
  }

  /** Loads turns before the first loaded one. */
  async showEarlier(): Promise<void> {
    const conversation = await this.#load();
    const { id: conversationId, earlier: before } = conversation;
    const { turns, earlier } = await this.#notebook.call('earlierTurns', { conversationId, before });
    conversation.turns.unshift(...turns.map(withInterruption));
    conversation.earlier = earlier;
    this.#replaced.fire();
  }

  /** Returns the ID of the current conversation. */
  async id(): Promise<string> {
    return (await this.#load()).id;
  }

  /** Stops the answer in progress. */
  stop(): void {
    this.#running?.controller.abort();
  }

  /** Resolves when no answer is in progress. */
  async whenAnswered(): Promise<void> {
    while (this.#running !== undefined) await this.#answering;
  }

  /** Stops and saves everything before the window switches to another notebook. */
  async leave(): Promise<void> {
    this.stop();
    await Promise.all([this.#answering, this.#drafts.flush()]);
  }

  /** Stops the answer in progress and starts another conversation. */
  async startNew(): Promise<void> {
    this.stop();
    // Saves the pending question in this conversation before another conversation is shown.
    const [current] = await Promise.all([this.#load(), this.#answering]);
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
      throw new NotebookError('not-found', t('This citation is no longer in the conversation.'));
    return citation;
  }

  override dispose(): void {
    this.stop();
    super.dispose();
  }

  /** Saves a changed turn; returns undefined if the turn doesn't exist. */
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

  /** Shows another conversation, or the one that was used last. Stops and saves an answer in progress. */
  async show(id: string | undefined): Promise<void> {
    this.stop();
    this.#loaded = undefined;
    await this.#load(id);
    this.#replaced.fire();
  }

  /** Loads changes that other members of a team made to the conversation. An answer in progress here continues. */
  async followOthers(): Promise<void> {
    const open = await this.#load();
    const loaded = await loadConversation(this.#notebook, open.id);
    if (loaded.id !== open.id) {
      await this.show(undefined);
      return;
    }
    const before = open.turns.map(({ id }) => id).join(' ');
    updateLoadedConversation(open, loaded);
    if (open.turns.map(({ id }) => id).join(' ') !== before) this.#replaced.fire();
  }

  /**
   * Stops the answer in progress, then answers another turn. The new turn can be stopped immediately, even while it
   * waits. A turn that is stopped before it begins is saved as stopped.
   */
  #answer(turn: Turn, how: AskOptions): Promise<void> {
    this.stop();
    const running: Running = { turnId: turn.id, controller: new AbortController() };
    this.#running = running;
    const ready = Promise.all([this.#load(), this.#answering]);
    const answering = this.#answerIn(
      ready.then(([conversation]) => conversation),
      turn,
      how,
      running,
    ).finally(() => {
      if (this.#running === running) this.#running = undefined;
    });
    // The caller gets the error. It must not block the next answer.
    this.#answering = answering.catch(() => undefined);
    return answering;
  }

  async #answerIn(
    shown: Promise<LoadedConversation>,
    turn: Turn,
    { scope, like, isAgain = false }: AskOptions,
    { controller }: Running,
  ): Promise<void> {
    const conversation = await shown;
    this.#answeredIn = conversation;
    try {
      await answerAndSave({
        ...this.#parts,
        conversation,
        turn: { ...turn, scope: await scope?.() },
        isAgain,
        like,
        signal: controller.signal,
        onTurn: (changed) => this.#turnChanged.fire(changed),
        onAnswer: (answered) => this.#answerEvents.fire(answered),
      });
    } finally {
      this.#answeredIn = undefined;
    }
  }

  async #scopeFor(question: string, before?: Turn): Promise<Scope | undefined> {
    return this.#parts.scopes.scopeFor(question, await this.#notebook.call('sources', {}), before);
  }

  #load(id?: string): Promise<LoadedConversation> {
    // Reuses the open copy while its answer is ending, because the answer wouldn't reach another copy.
    const open = this.#answeredIn;
    this.#loaded ??= loadConversation(this.#notebook, id).then(
      (loaded) => (open?.id === loaded.id ? updateLoadedConversation(open, loaded) : loaded),
      (error: unknown) => {
        this.#loaded = undefined;
        throw error;
      },
    );
    return this.#loaded;
  }
}

let lastTurnAt = 0;

/** Turns are sorted by time, so no two turns of a window may have the same time. */
function laterThanBefore(now: number): number {
  lastTurnAt = Math.max(now, lastTurnAt + 1);
  return lastTurnAt;
}

function newTurn(question: string): Turn {
  return {
    id: randomUUID(),
    question,
    askedAt: laterThanBefore(Date.now()),
    state: { kind: 'answering' },
    answer: undefined,
  };
}

/** Delay between the last key and the saving of a draft, in milliseconds. */
const DELAY = 200;

/** Saves text that was entered but not sent yet. */
class DraftKeeper {
  readonly #notebook: Pick<NotebookClient, 'call'>;
  readonly #log: Log;
  #timer: NodeJS.Timeout | undefined;
  #unsaved: { readonly id: string; readonly draft: string } | undefined;

  constructor(notebook: Pick<NotebookClient, 'call'>, log: Log) {
    this.#notebook = notebook;
    this.#log = log;
  }

  /** Saves the draft of a conversation shortly after the last key. */
  keep(conversation: { readonly id: string; readonly draft: string }): void {
    clearTimeout(this.#timer);
    this.#unsaved = conversation;
    this.#timer = setTimeout(() => void this.flush(), DELAY);
  }

  /** Saves a pending draft now. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    const unsaved = this.#unsaved;
    this.#unsaved = undefined;
    if (unsaved === undefined) return;
    const { id: conversationId, draft } = unsaved;
    try {
      await this.#notebook.call('setDraft', { conversationId, draft });
    } catch (error) {
      this.#log.error('Saving a draft:', error instanceof Error ? error : String(error));
    }
  }
}
