import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '@vscode/l10n';
import type { Memory } from '../shared/port.ts';
import { goTo, placeIn, type ReadingPlace } from './reading-place.ts';
import type { ChatState } from './state.ts';
import { TurnView } from './turn-view.tsx';
import { useEarlierTurns } from './use-earlier-turns.ts';

interface ConversationProps {
  readonly state: ChatState;
  /** Grows with each question asked here; the newest turn is then brought into view, as one is that comes from elsewhere. */
  readonly asked: number;
  /** Where the reader was when the page was last hidden. */
  readonly place: Memory<ReadingPlace | undefined>;
}

/** Counts as the bottom: less than this many pixels below the last visible one. */
const NEAR_BOTTOM = 16;

/** The turns, oldest first. The view follows an answer that grows until the reader scrolls up. */
export function Conversation({ state, asked, place }: ConversationProps): JSX.Element {
  const view = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const following = useRef(true);
  const turns = useRef(state.turns);
  turns.current = state.turns;
  const isBegun = useRef(false);
  const newest = state.turns.at(-1)?.id;

  useLayoutEffect(() => {
    const kept = isBegun.current ? undefined : place.recall();
    isBegun.current = true;
    if (kept !== undefined && view.current !== null && goTo(view.current, state.turns, kept)) {
      following.current = false;
      return;
    }
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
      const atBottom = scrollHeight - scrollTop - clientHeight < NEAR_BOTTOM;
      // Growth moves the bottom away without a move of the reader's: only going up stops following.
      if (atBottom) following.current = true;
      else if (scrollTop < lastTop) following.current = false;
      lastTop = scrollTop;
    };
    const sizes = new ResizeObserver(() => {
      if (following.current) toBottom(scroller);
    });
    const onScrollEnd = (): void =>
      place.keep(following.current ? undefined : placeIn(scroller, turns.current));
    scroller.addEventListener('scroll', onScroll, { passive: true });
    scroller.addEventListener('scrollend', onScrollEnd, { passive: true });
    sizes.observe(content.current);
    sizes.observe(scroller);
    return () => {
      scroller.removeEventListener('scroll', onScroll);
      scroller.removeEventListener('scrollend', onScrollEnd);
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
            offersModel={state.offersModel}
            offersMeaning={state.meaningOfferedUnder === turn.id}
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
