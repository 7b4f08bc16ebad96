import type { ResearchPanelApi, ResearchPanelState } from '../../src/features/research/protocol.ts';
import type { Client } from '../../src/core/rpc/rpc.ts';
import { changeOf } from '../../src/core/rpc/shared-state.ts';
import type { HostScript, NotifyingScript } from './page-host.ts';

/** Sends the change between two states to the research page; without an earlier one, the whole state. */
export function sendChange(
  remote: Client<ResearchPanelApi>,
  before: ResearchPanelState | undefined,
  after: ResearchPanelState,
): void {
  const change = changeOf(before, after);
  if (change !== undefined) remote.notify('stateChanged', { change });
}

/** Replies to the research page like the extension for a state that doesn't change; `more` replaces replies. */
export function researchHost(
  state: ResearchPanelState,
  more: HostScript<'research'> | NotifyingScript<'research'> = {},
): NotifyingScript<'research'> {
  return (remote) => ({
    ready: () => sendChange(remote, undefined, state),
    act: () => undefined,
    changeBounds: () => undefined,
    changeOptions: () => undefined,
    comment: () => undefined,
    draft: () => undefined,
    edit: ({ basedOn }: { readonly basedOn: number }) => ({
      planVersion: basedOn + 1,
      stepId: undefined,
      notes: [],
    }),
    forgetMemory: () => undefined,
    giveBack: () => undefined,
    submit: () => undefined,
    openCitation: () => undefined,
    openPlace: () => undefined,
    records: () => [],
    redo: () => undefined,
    removeComment: () => undefined,
    run: () => undefined,
    stepPlan: () => undefined,
    take: () => undefined,
    ask: () => undefined,
    ...(typeof more === 'function' ? more(remote) : more),
  });
}
