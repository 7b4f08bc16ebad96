import type { ResearchPanelState } from '../../src/messages/research.ts';
import type { HostScript } from './page-host.ts';

/** Answers the research page as the extension does for a state that nothing changes; `more` replaces answers. */
export function researchHost(
  state: ResearchPanelState,
  more: HostScript<'research'> = {},
): HostScript<'research'> {
  return {
    ready: () => state,
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
    handIn: () => undefined,
    openCitation: () => undefined,
    openPlace: () => undefined,
    records: () => [],
    redo: () => undefined,
    removeComment: () => undefined,
    run: () => undefined,
    stepPlan: () => undefined,
    take: () => undefined,
    ask: () => undefined,
    ...more,
  };
}
