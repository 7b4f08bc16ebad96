import type { Turn } from '../../notebook/answer.ts';
import type { NotebookClient } from '../notebook-client.ts';

/** A conversation with its last turns. */
export interface LoadedConversation {
  readonly id: string;
  readonly turns: Turn[];
  /** How many turns come before those that are loaded. */
  earlier: number;
  /** What was typed and not asked yet. */
  draft: string;
}

/** Loads a conversation; without an id the one that was used last. */
export async function loadConversation(
  notebook: Pick<NotebookClient, 'call'>,
  id: string | undefined,
): Promise<LoadedConversation> {
  const stored = await notebook.call('conversation', { id });
  return { ...stored, turns: stored.turns.map(interrupted) };
}

/** A turn as it was left by a window that is gone: one that was being answered was interrupted. */
export function interrupted(turn: Turn): Turn {
  return turn.state.kind === 'answering' ? { ...turn, state: { kind: 'interrupted' } } : turn;
}
