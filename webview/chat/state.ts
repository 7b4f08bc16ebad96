import { applyChange, type Change } from '../../src/core/rpc/shared-state.ts';
import type { PanelState } from '../../src/features/chat/protocol.ts';
import { applyTurnUpdates, type TurnUpdate } from '../../src/features/chat/model/turn-updates.ts';

/** State of the panel: the extension's state, and the status of answers in progress, by turn. */
export interface ChatState extends PanelState {
  readonly statuses: ReadonlyMap<string, string>;
}

/** Message of the extension. */
export type Update = TurnUpdate | { readonly kind: 'state'; readonly change: Change };

/** Returns the state after more messages. Without a state, ignores them up to the first whole state. */
export function applyUpdates(
  state: ChatState | undefined,
  updates: readonly Update[],
): ChatState | undefined {
  let after = state;
  let turnUpdates: TurnUpdate[] = [];
  for (const [index, update] of updates.entries())
    if (update.kind === 'state') after = withChange(after, update.change);
    else {
      turnUpdates.push(update);
      if (updates[index + 1] !== undefined && updates[index + 1]?.kind !== 'state') continue;
      if (after !== undefined) after = withTurnUpdates(after, turnUpdates);
      turnUpdates = [];
    }
  return after;
}

function withChange(state: ChatState | undefined, change: Change): ChatState | undefined {
  // A change without a state was for the page before a reload.
  if (state === undefined && !('value' in change)) return undefined;
  const panel = applyChange(state, change) as PanelState;
  return { ...panel, statuses: state?.statuses ?? new Map() };
}

function withTurnUpdates(state: ChatState, updates: readonly TurnUpdate[]): ChatState {
  const statuses = new Map(state.statuses);
  for (const update of updates)
    if (update.kind === 'event') {
      if (update.event.kind === 'status') statuses.set(update.turnId, update.event.text);
    } else if (update.turn.state.kind !== 'answering') statuses.delete(update.turn.id);
  return { ...state, statuses, turns: applyTurnUpdates(state.turns, updates) };
}
