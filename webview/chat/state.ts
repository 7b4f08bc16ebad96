import { applyAnswerEvent, type Answer, type AnswerEvent, type Turn } from '../../src/notebook/answer.ts';
import type { PanelState } from '../../src/messages/panel.ts';

/** What the panel shows: the extension's state, and what answers under way are doing, by turn. */
export interface ChatState extends PanelState {
  readonly statuses: ReadonlyMap<string, string>;
}

/** One message of the extension. */
export type Update =
  | { readonly kind: 'state'; readonly panel: PanelState }
  | { readonly kind: 'turn'; readonly turn: Turn }
  | { readonly kind: 'event'; readonly turnId: string; readonly event: AnswerEvent };

/** The state after one more message. */
export function applyUpdate(state: ChatState, update: Update): ChatState {
  switch (update.kind) {
    case 'state':
      return { ...update.panel, statuses: state.statuses };
    case 'turn':
      return withTurn(state, update.turn);
    case 'event':
      return withEvent(state, update.turnId, update.event);
  }
}

function withTurn(state: ChatState, turn: Turn): ChatState {
  const known = state.turns.some(({ id }) => id === turn.id);
  const turns = known
    ? state.turns.map((old) => (old.id === turn.id ? { ...turn, answer: answerAfter(old, turn) } : old))
    : [...state.turns, turn];
  if (turn.state.kind === 'answering') return { ...state, turns };
  const statuses = new Map(state.statuses);
  statuses.delete(turn.id);
  return { ...state, turns, statuses };
}

/** A turn that ends without an answer of its own keeps what was streamed; one that begins anew begins empty. */
function answerAfter(old: Turn, turn: Turn): Answer | undefined {
  return turn.answer ?? (turn.state.kind === 'answering' ? undefined : old.answer);
}

function withEvent(state: ChatState, turnId: string, event: AnswerEvent): ChatState {
  if (event.kind === 'status') return { ...state, statuses: new Map(state.statuses).set(turnId, event.text) };
  const turns = state.turns.map((turn) =>
    turn.id === turnId ? { ...turn, answer: applyAnswerEvent(turn.answer, event) } : turn,
  );
  return { ...state, turns };
}
