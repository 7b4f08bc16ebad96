import type * as vscode from 'vscode';
import type { Answer, AnswerEvent, Turn, TurnState } from '../../notebook/answer.ts';
import { applyAnswerEvent } from '../../notebook/answer.ts';
import { isCancelled } from '../../notebook/errors.ts';
import type { TokenUsage } from '../../notebook/usage.ts';
import { addedUsage } from '../../notebook/usage.ts';
import type { TurnAnswerer, TurnInput } from './answer-turn.ts';
import { answerTurn, failureOf } from './answer-turn.ts';
import type { LoadedConversation } from './loaded-conversation.ts';

/** How often an answer that streams is saved, in milliseconds. */
const SAVE_INTERVAL = 500;

/** What is done for a turn besides answering its question as it is. */
export type HowToAnswer = Partial<Pick<TurnInput, 'like'>>;

interface KeptTurnInput {
  readonly answerer: TurnAnswerer;
  /** Gets the turn, or has it in its place already. */
  readonly conversation: LoadedConversation;
  readonly turn: Turn;
  readonly how: HowToAnswer;
  readonly signal: AbortSignal;
  readonly log: vscode.LogOutputChannel;
  readonly onTurn: (turn: Turn) => void;
  readonly onAnswer: (answered: { readonly turnId: string; readonly event: AnswerEvent }) => void;
}

/** Answers a turn of a conversation and saves it: the question first, the answer as it grows, and how it ended. */
export async function answerAndKeep({
  answerer,
  conversation,
  turn,
  how: { like },
  signal,
  log,
  onTurn,
  onAnswer,
}: KeptTurnInput): Promise<void> {
  const started = performance.now();
  let answer: Answer | undefined;
  let usage: TokenUsage | undefined;
  let savedAt = 0;
  let saving: Promise<unknown> = Promise.resolve();

  const set = (state: TurnState): Turn => {
    const changed: Turn = { ...turn, state, answer, usage };
    const index = conversation.turns.findIndex(({ id }) => id === turn.id);
    if (index < 0) conversation.turns.push(changed);
    else conversation.turns[index] = changed;
    return changed;
  };
  const save = (): void => {
    const current = conversation.turns.find(({ id }) => id === turn.id);
    if (current === undefined) return;
    savedAt = performance.now();
    saving = saving.then(() =>
      answerer.notebook.call('putTurn', { conversationId: conversation.id, turn: current }),
    );
  };

  onTurn(set({ kind: 'answering' }));
  save();
  let state: TurnState;
  try {
    // The question is kept before anything is asked of anybody.
    await saving;
    const { id: conversationId, turns } = conversation;
    const before = turns.slice(
      0,
      turns.findIndex(({ id }) => id === turn.id),
    );
    const emit = (event: AnswerEvent): void => {
      if (signal.aborted) return;
      answer = applyAnswerEvent(answer, event);
      set({ kind: 'answering' });
      onAnswer({ turnId: turn.id, event });
      if (event.kind !== 'status' && performance.now() - savedAt > SAVE_INTERVAL) save();
    };
    const onUsage = (used: TokenUsage): void => {
      usage = addedUsage(usage, used);
    };
    await answerTurn(answerer, { conversationId, turn, before, like, signal, emit, onUsage });
    state = { kind: 'done', milliseconds: Math.round(performance.now() - started) };
  } catch (error) {
    state = signal.aborted || isCancelled(error) ? { kind: 'stopped' } : failureOf(error, log);
  }
  onTurn(set(state));
  save();
  await saving.catch((error: unknown) => {
    log.error('Saving an answer:', error instanceof Error ? error : String(error));
  });
}
