import type { Turn } from '../../../core/domain/answer.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';

/** Conversation with its last turns. */
export interface LoadedConversation {
  readonly id: string;
  readonly turns: Turn[];
  /** Number of turns before the loaded ones. */
  earlier: number;
  /** Text that was entered but not sent yet. */
  draft: string;
}

/** Loads a conversation; without an ID, the one that was used last. */
export async function loadConversation(
  notebook: Pick<NotebookClient, 'call'>,
  id: string | undefined,
): Promise<LoadedConversation> {
  const stored = await notebook.call('conversation', { id });
  return { ...stored, turns: await Promise.all(stored.turns.map(markInterrupted)) };
}

/** Marks a turn as `interrupted` does, and the text that nobody checked in its answer. */
async function markInterrupted(turn: Turn): Promise<Turn> {
  if (turn.state.kind !== 'answering') return turn;
  const { withUncheckedEnd } = await import('../../../answers/checking/unchecked-end.ts');
  return { ...withInterruption(turn), answer: withUncheckedEnd(turn.answer) };
}

/** Updates an open conversation from its stored version, without replacing turns that are open here. */
export function updateLoadedConversation(
  open: LoadedConversation,
  loaded: LoadedConversation,
): LoadedConversation {
  const own = new Map(open.turns.map((turn) => [turn.id, turn]));
  const turns = loaded.turns.map((turn) => own.get(turn.id) ?? turn);
  const unsaved = open.turns.filter(
    ({ id, state }) => state.kind === 'answering' && turns.every((turn) => turn.id !== id),
  );
  open.turns.splice(0, open.turns.length, ...turns, ...unsaved);
  open.earlier = loaded.earlier;
  return open;
}

/** Returns a turn left by a closed window. If it was being answered, it is marked as interrupted. */
export function withInterruption(turn: Turn): Turn {
  return turn.state.kind === 'answering' ? { ...turn, state: { kind: 'interrupted' } } : turn;
}
