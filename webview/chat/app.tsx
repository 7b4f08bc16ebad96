import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { t } from '@vscode/l10n';
import { OpenLink } from '../shared/render.tsx';
import type { Memory } from '../shared/port.ts';
import { InsertTarget } from '../cited/code-block.tsx';
import { Conversation } from './conversation.tsx';
import { CitingHostContext } from '../cited/host.ts';
import { HostContext, type Host } from './host.ts';
import { QuestionBox } from './question-box.tsx';
import type { ReadingPlace } from './reading-place.ts';
import type { ChatState } from './state.ts';
import { summary } from './words.ts';
import { Welcome } from './welcome.tsx';

interface AppProps {
  readonly state: ChatState | undefined;
  readonly host: Host;
  /** Why the last request failed, in one sentence. */
  readonly problem: string | undefined;
  /** Increases with each request to focus the input. */
  readonly focusRequests: number;
  readonly draft: string;
  /** Increases with each draft from another page of the chat. */
  readonly draftsReplaced: number;
  /** Name of the open file into which code can be inserted, if any. */
  readonly insertTarget: string | undefined;
  readonly onDraft: (draft: string) => void;
  /** Reading position when the page was last hidden. */
  readonly place: Memory<ReadingPlace | undefined>;
}

/** Shows the whole panel: the conversation, and the input below it. */
export function App({
  state,
  host,
  problem,
  focusRequests,
  draft,
  draftsReplaced,
  insertTarget,
  onDraft,
  place,
}: AppProps): JSX.Element {
  const openLink = useMemo(() => (url: string) => host.start('openLink', { url }), [host]);
  const [askCount, setAskCount] = useState(0);
  if (state === undefined)
    return (
      <p class="problem" role="alert">
        {problem}
      </p>
    );
  return (
    <HostContext.Provider value={host}>
      <CitingHostContext.Provider value={host}>
        <OpenLink.Provider value={openLink}>
          {state.turns.length === 0 ? (
            <Welcome sources={state.sources} />
          ) : (
            <InsertTarget.Provider value={insertTarget}>
              <Conversation state={state} askCount={askCount} place={place} />
            </InsertTarget.Provider>
          )}
          <p class="visually-hidden" role="status">
            {announcement(state)}
          </p>
          {problem !== undefined && (
            <p class="problem" role="alert">
              {problem}
            </p>
          )}
          <QuestionBox
            state={state}
            focusRequests={focusRequests}
            draft={draft}
            draftsReplaced={draftsReplaced}
            onDraft={onDraft}
            onSubmit={() => setAskCount((count) => count + 1)}
          />
        </OpenLink.Provider>
      </CitingHostContext.Provider>
    </HostContext.Provider>
  );
}

/** Returns the announcement of the newest answer for screen readers: its progress and its end, never its text. */
function announcement({ turns, statuses }: ChatState): string {
  const turn = turns.at(-1);
  if (turn === undefined) return '';
  switch (turn.state.kind) {
    case 'answering':
      return statuses.get(turn.id) ?? t('Answering…');
    case 'done':
      return statuses.get(turn.id) ?? t('Answered. {0}', summary(turn));
    case 'stopped':
      return t('Stopped.');
    case 'interrupted':
      return t('The answer was interrupted.');
    case 'failed':
      return turn.state.failure.message;
  }
}
