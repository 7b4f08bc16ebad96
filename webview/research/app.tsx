import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { ResearchPanelState } from '../../src/features/research/protocol.ts';
import { CitingHostContext } from '../cited/host.ts';
import { OpenLink } from '../shared/render.tsx';
import { ResearchHostContext, type ResearchHost } from './host.ts';
import { ResearchView } from './research-view.tsx';
import { StartPage } from './start-page.tsx';
import { announcement } from './words.ts';
import type { Focus } from './focus.ts';

interface AppProps {
  readonly state: ResearchPanelState | undefined;
  readonly host: ResearchHost;
  /** Why the last request failed, in one sentence. */
  readonly problem: string | undefined;
  readonly focus: Focus;
}

/** Shows the whole page: a research project, or the start page. */
export function App({ state, host, problem, focus }: AppProps): JSX.Element {
  const openLink = useMemo(() => (url: string) => host.start('openLink', { url }), [host]);
  const failure = problem !== undefined && (
    <p class="problem" role="alert">
      {problem}
    </p>
  );
  if (state === undefined) return <>{failure}</>;
  const goTo = (researchId: string | undefined): void => host.start('show', { researchId });
  return (
    <ResearchHostContext.Provider value={host}>
      <CitingHostContext.Provider value={host}>
        <OpenLink.Provider value={openLink}>
          <p class="visually-hidden" role="status">
            {announcement(state)}
          </p>
          {state.research === undefined ? (
            <StartPage state={state} problem={failure} focus={focus} onOpen={goTo} />
          ) : (
            <ResearchView
              key={state.research.id}
              state={state}
              research={state.research}
              problem={failure}
              focus={focus}
              onOpen={goTo}
            />
          )}
        </OpenLink.Provider>
      </CitingHostContext.Provider>
    </ResearchHostContext.Provider>
  );
}
