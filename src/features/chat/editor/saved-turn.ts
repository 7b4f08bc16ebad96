import { t } from '@vscode/l10n';
import { Throttle } from '../../../core/rpc/throttle.ts';
import {
  applyAnswerEvents,
  type Answer,
  type AnswerEvent,
  type Turn,
  type TurnState,
  type WordsAt,
} from '../../../core/domain/answer.ts';
import { isCanceled, NotebookError, throwIfCanceled } from '../../../core/domain/errors.ts';
import { addedUsage, type TokenUsage } from '../../../core/domain/usage.ts';
import type { LoadedConversation } from './loaded-conversation.ts';
import type { Log } from '../../../platform/log.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';

/** Interval at which a streaming answer is saved, in milliseconds. */
const SAVE_INTERVAL = 500;

/** Maximum time for a stopped answer to end by itself, in milliseconds. */
const STOP_TIMEOUT_MS = 500;

/** Turn to answer, and its options. */
export interface TurnInput {
  readonly conversationId: string;
  readonly turn: Turn;
  /** Turns before it, oldest first. */
  readonly before: readonly Turn[];
  /** Text to find similar passages for, instead of answering a question. */
  readonly like: WordsAt | undefined;
  readonly signal: AbortSignal;
  readonly emit: (event: AnswerEvent) => void;
  readonly onUsage: (usage: TokenUsage) => void;
}

interface StoredTurnInput extends Pick<TurnInput, 'like' | 'signal' | 'turn'> {
  readonly notebook: Pick<NotebookClient, 'call'>;
  /** `true` if the question is repeated; its previous answer is then saved as an earlier version. */
  readonly isAgain?: boolean;
  /** Answers the turn's question. @throws NotebookError */
  readonly answer: (input: TurnInput) => Promise<void>;
  /** Conversation that gets the turn, or already contains it. */
  readonly conversation: LoadedConversation;
  readonly log: Log;
  readonly onTurn: (turn: Turn) => void;
  readonly onAnswer: (answered: { readonly turnId: string; readonly event: AnswerEvent }) => void;
}

/**
 * Answers a turn of a conversation and saves it: first the question, then the growing answer, and finally its state.
 */
export async function answerAndSave({
  notebook,
  answer: answerTurn,
  conversation,
  turn: newTurn,
  isAgain = false,
  like,
  signal,
  log,
  onTurn,
  onAnswer,
}: StoredTurnInput): Promise<void> {
  const started = performance.now();
  let turn = newTurn;
  // The previous answer must be saved as an earlier version before it is replaced.
  let maySave = !isAgain;
  let answer: Answer | undefined;
  const events: AnswerEvent[] = [];
  let usage: TokenUsage | undefined;
  let saving: Promise<unknown> = Promise.resolve();

  let isAdded = false;
  const current = (): number => conversation.turns.findIndex(({ id }) => id === turn.id);
  /** Shows the state of the turn, unless it was deleted meanwhile. */
  const set = (state: TurnState): Turn | undefined => {
    const changed: Turn = {
      ...turn,
      state,
      // Combines the events only on access, not at every event, because that copies the whole answer each time.
      get answer() {
        return (answer = applyAnswerEvents(answer, events.splice(0)));
      },
      usage,
    };
    const index = current();
    if (index >= 0) conversation.turns[index] = changed;
    else if (isAdded) return undefined;
    else conversation.turns.push(changed);
    isAdded = true;
    return changed;
  };
  const setState = (state: TurnState): void => {
    const changed = set(state);
    if (changed !== undefined) onTurn(changed);
  };
  const save = (): void => {
    if (!maySave) return;
    saving = saving
      // This also saves changes whose earlier save failed.
      .catch(() => undefined)
      .then(async () => {
        // Saves the latest state. A turn that was deleted meanwhile isn't restored.
        const storedTurn = conversation.turns[current()];
        if (storedTurn !== undefined)
          await notebook.call('putTurn', { conversationId: conversation.id, turn: storedTurn });
      });
  };

  const saved = new Throttle(save, SAVE_INTERVAL);

  setState({ kind: 'answering' });
  saved.ask();
  let state: TurnState;
  try {
    // Saves the question before any request is sent.
    if (isAgain) {
      turn = await notebook.call('askAgain', { turn: { ...newTurn, state: { kind: 'answering' } } });
      maySave = true;
      set({ kind: 'answering' });
    }
    await saving;
    throwIfCanceled(signal);
    const { id: conversationId, turns } = conversation;
    const before = turns.slice(0, current());
    const emit = (event: AnswerEvent): void => {
      if (signal.aborted) return;
      events.push(event);
      set({ kind: 'answering' });
      onAnswer({ turnId: turn.id, event });
      if (event.kind !== 'status') saved.ask();
    };
    const onUsage = (used: TokenUsage): void => {
      usage = addedUsage(usage, used);
    };
    const stopped = Promise.withResolvers<undefined>();
    signal.addEventListener('abort', () => setTimeout(stopped.resolve, STOP_TIMEOUT_MS, undefined));
    const answering = answerTurn({ conversationId, turn, before, like, signal, emit, onUsage });
    await Promise.race([answering, stopped.promise]);
    throwIfCanceled(signal);
    state = { kind: 'done', milliseconds: Math.round(performance.now() - started) };
  } catch (error) {
    state = signal.aborted || isCanceled(error) ? { kind: 'stopped' } : describeFailure(error, log);
  }
  saved.dispose();
  if (state.kind !== 'done') {
    const { withUncheckedEnd } = await import('../../../answers/checking/unchecked-end.ts');
    answer = withUncheckedEnd(applyAnswerEvents(answer, events.splice(0)));
  }
  setState(state);
  save();
  await saving.catch((error: unknown) =>
    log.error('Saving an answer:', error instanceof Error ? error : String(error)),
  );
}

/** Returns the state of a turn whose question failed: one sentence with a way out. */
function describeFailure(error: unknown, log: Log): TurnState {
  if (error instanceof NotebookError)
    return { kind: 'failed', failure: { message: error.message, action: error.action } };
  log.error('Answering:', error instanceof Error ? error : String(error));
  return {
    kind: 'failed',
    failure: {
      message: t('Couldn’t answer the question. See the log for details.'),
      action: 'showLog',
    },
  };
}
