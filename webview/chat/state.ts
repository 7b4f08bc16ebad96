import { applyAnswerEvents, type Answer, type AnswerEvent, type Turn } from '../../src/core/domain/answer.ts';
import type { PanelState, SemanticSearchOffer } from '../../src/features/chat/protocol.ts';

/** State of the panel: the extension's state, and the status of answers in progress, by turn. */
export interface ChatState extends PanelState {
  readonly statuses: ReadonlyMap<string, string>;
}

/** Message of the extension. */
export type Update =
  | { readonly kind: 'state'; readonly panel: PanelState }
  | { readonly kind: 'turn'; readonly turn: Turn }
  | { readonly kind: 'semanticSearchOffer'; readonly offer: SemanticSearchOffer | undefined }
  | { readonly kind: 'event'; readonly turnId: string; readonly event: AnswerEvent };

/**
 * Returns the state after more messages. Applies consecutive events of a turn at once, because each time copies its
 * answer.
 */
export function applyUpdates(state: ChatState, updates: readonly Update[]): ChatState {
  let after = state;
  let events: AnswerEvent[] = [];
  for (const [i, update] of updates.entries()) {
    switch (update.kind) {
      case 'state':
        after = { ...update.panel, statuses: after.statuses };
        break;
      case 'turn':
        after = withTurn(after, update.turn);
        break;
      case 'semanticSearchOffer':
        after = { ...after, semanticSearchOffer: update.offer };
        break;
      case 'event': {
        events.push(update.event);
        const next = updates[i + 1];
        if (next?.kind === 'event' && next.turnId === update.turnId) break;
        after = withEvents(after, update.turnId, events);
        events = [];
      }
    }
  }
  return after;
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

/** Returns the answer after an update. A turn that ends without an answer of its own keeps the streamed one. */
function answerAfter(old: Turn, turn: Turn): Answer | undefined {
  const hasEnded = old.state.kind === 'answering' && turn.state.kind !== 'answering';
  return turn.answer ?? (hasEnded ? old.answer : undefined);
}

function withEvents(state: ChatState, turnId: string, events: readonly AnswerEvent[]): ChatState {
  const status = events.findLast((event) => event.kind === 'status');
  const statuses = status === undefined ? state.statuses : new Map(state.statuses).set(turnId, status.text);
  if (events.every(({ kind }) => kind === 'status')) return { ...state, statuses };
  const turns = state.turns.map((turn) =>
    turn.id === turnId ? { ...turn, answer: applyAnswerEvents(turn.answer, events) } : turn,
  );
  return { ...state, statuses, turns };
}
