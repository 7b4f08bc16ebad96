import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '@vscode/l10n';
import type { ChatState } from './state.ts';
import { TurnView } from './turn-view.tsx';
import { useEarlierTurns } from './use-earlier-turns.ts';

export interface ConversationProps {
  readonly state: ChatState;
  /** Grows with each question asked here; the newest turn is then brought into view, as one is that comes from elsewhere. */
  readonly asked: number;
}

/** Counts as the bottom: less than this many pixels below the last visible one. */
const nearBottom = 16;

/** The turns, oldest first. The view follows an answer that grows until the reader scrolls up. */
export function Conversation({ state, asked }: ConversationProps): JSX.Element {
  const view = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const following = useRef(true);
  const newest = state.turns.at(-1)?.id;

  useLayoutEffect(() => {
    following.current = true;
    toBottom(view.current);
  }, [asked, newest]);
  const earlier = useEarlierTurns(state, view, following);

  useLayoutEffect(() => {
    const scroller = view.current;
    if (scroller === null || content.current === null) return;
    let lastTop = scroller.scrollTop;
    const onScroll = (): void => {
      const { scrollTop, scrollHeight, clientHeight } = scroller;
      const atBottom = scrollHeight - scrollTop - clientHeight < nearBottom;
      // Growth moves the bottom away without a move of the reader's: only going up stops following.
      if (atBottom) following.current = true;
      else if (scrollTop < lastTop) following.current = false;
      lastTop = scrollTop;
    };
    const sizes = new ResizeObserver(() => {
      if (following.current) toBottom(scroller);
    });
    scroller.addEventListener('scroll', onScroll, { passive: true });
    sizes.observe(content.current);
    sizes.observe(scroller);
    return () => {
      scroller.removeEventListener('scroll', onScroll);
      sizes.disconnect();
    };
  }, []);

  return (
    <div
      class="conversation"
      ref={view}
      role="log"
      aria-live="off"
      aria-label={t('Conversation')}
      tabIndex={0}
    >
      <div class="turns" ref={content}>
        {state.earlier > 0 && (
          <button type="button" class="link earlier" ref={earlier.button} onClick={earlier.show}>
            {t('Show earlier questions ({0})', state.earlier.toLocaleString())}
          </button>
        )}
        {state.turns.map((turn, index) => (
          <TurnView
            key={turn.id}
            turn={turn}
            status={state.statuses.get(turn.id)}
            model={state.model}
            isLast={index === state.turns.length - 1}
          />
        ))}
      </div>
    </div>
  );
}

function toBottom(scroller: HTMLElement | null): void {
  if (scroller !== null) scroller.scrollTop = scroller.scrollHeight;
}
