import { applyAnswerEvents, type Answer, type AnswerEvent, type Turn } from '../../../core/domain/answer.ts';

/** Message of the extension about one turn: a new turn or a new state of it, or an event of its answer. */
export type TurnUpdate =
  | { readonly kind: 'turn'; readonly turn: Turn }
  | { readonly kind: 'event'; readonly turnId: string; readonly event: AnswerEvent };

/** Returns the turns after messages. Applies consecutive events of a turn at once, because each time copies its answer. */
export function applyTurnUpdates(turns: readonly Turn[], updates: readonly TurnUpdate[]): readonly Turn[] {
  let after = turns;
  let events: AnswerEvent[] = [];
  for (const [index, update] of updates.entries()) {
    if (update.kind === 'turn') {
      after = replaceTurn(after, update.turn);
      continue;
    }
    events.push(update.event);
    const next = updates[index + 1];
    if (next?.kind === 'event' && next.turnId === update.turnId) continue;
    after = applyEvents(after, update.turnId, events);
    events = [];
  }
  return after;
}

function replaceTurn(turns: readonly Turn[], turn: Turn): readonly Turn[] {
  return turns.some(({ id }) => id === turn.id)
    ? turns.map((old) => (old.id === turn.id ? { ...turn, answer: answerAfter(old, turn) } : old))
    : [...turns, turn];
}

/** Returns the answer after an update. A turn that ends without an answer of its own keeps the streamed one. */
function answerAfter(old: Turn, turn: Turn): Answer | undefined {
  const hasEnded = old.state.kind === 'answering' && turn.state.kind !== 'answering';
  return turn.answer ?? (hasEnded ? old.answer : undefined);
}

function applyEvents(
  turns: readonly Turn[],
  turnId: string,
  events: readonly AnswerEvent[],
): readonly Turn[] {
  if (events.every(({ kind }) => kind === 'status')) return turns;
  return turns.map((turn) =>
    turn.id === turnId ? { ...turn, answer: applyAnswerEvents(turn.answer, events) } : turn,
  );
}
