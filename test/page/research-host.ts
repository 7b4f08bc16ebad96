import type { ResearchPanelState } from '../../src/features/research/protocol.ts';
import { sendChange, type HostScript, type NotifyingScript } from './page-host.ts';

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
    latestRecords: () => ({ records: [], hasEarlier: false }),
    redo: () => undefined,
    removeComment: () => undefined,
    run: () => undefined,
    stepPlan: () => undefined,
    take: () => undefined,
    ask: () => undefined,
    ...(typeof more === 'function' ? more(remote) : more),
  });
}
