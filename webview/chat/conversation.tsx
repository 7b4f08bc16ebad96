import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '@vscode/l10n';
import type { Memory } from '../shared/port.ts';
import { changesOf } from './changed-sources.tsx';
import { goTo, placeIn, type ReadingPlace } from './reading-place.ts';
import type { ChatState } from './state.ts';
import { TurnView } from './turn-view.tsx';
import { useEarlierTurns } from './use-earlier-turns.ts';

interface ConversationProps {
  readonly state: ChatState;
  /**
   * Increases with each question on this page. The newest turn then scrolls into view, as does a turn from elsewhere.
   */
  readonly askCount: number;
  /** Reading position when the page was last hidden. */
  readonly place: Memory<ReadingPlace | undefined>;
}

/** Maximum distance from the bottom that counts as the bottom, in pixels. */
const NEAR_BOTTOM = 16;

/**
 * Scroll behavior when the content grows: show the newest question, follow the end of the answer, or stay at the
 * reader's position.
 */
type Follows = 'question' | 'end' | 'nothing';

/** Shows the turns, oldest first. A new question stays in view while its answer grows, unless the reader scrolls. */
export function Conversation({ state, askCount, place }: ConversationProps): JSX.Element {
  const view = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const follows = useRef<Follows>('question');
  /** The last scroll position, set by the reader or by `follow`, in pixels. */
  const lastTop = useRef(0);
  const turns = useRef(state.turns);
  turns.current = state.turns;
  const isBegun = useRef(false);
  const newest = state.turns.at(-1)?.id;

  const follow = (): void => {
    if (view.current === null || follows.current === 'nothing') return;
    view.current.scrollTop =
      follows.current === 'end' ? view.current.scrollHeight : topOfNewest(view.current);
    lastTop.current = view.current.scrollTop;
  };

  useLayoutEffect(() => {
    const savedPlace = isBegun.current ? undefined : place.recall();
    isBegun.current = true;
    const isBack =
      savedPlace !== undefined && view.current !== null && goTo(view.current, state.turns, savedPlace);
    follows.current = isBack ? 'nothing' : 'question';
    lastTop.current = view.current?.scrollTop ?? 0;
    follow();
  }, [askCount, newest]);
  const earlier = useEarlierTurns(state, view, () => follows.current !== 'nothing');

  useLayoutEffect(() => {
    const scroller = view.current;
    if (scroller === null || content.current === null) return;
    const onScroll = (): void => {
      const { scrollTop, scrollHeight, clientHeight } = scroller;
      const moved = scrollTop - lastTop.current;
      lastTop.current = scrollTop;
      const atBottom = scrollHeight - scrollTop - clientHeight < NEAR_BOTTOM;
      // At the bottom, the view also moves up when its content gets shorter.
      if (moved > 0 && atBottom) follows.current = 'end';
      else if ((moved < 0 && !atBottom) || (moved > 0 && follows.current === 'question'))
        follows.current = 'nothing';
    };
    const sizes = new ResizeObserver(follow);
    const onScrollEnd = (): void =>
      place.keep(follows.current === 'question' ? undefined : placeIn(scroller, turns.current));
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
      onKeyDown={(event) => {
        if (event.key !== 'End' || event.target !== view.current) return;
        // The browser would scroll smoothly, to the end before the answer grew.
        event.preventDefault();
        follows.current = 'end';
        follow();
      }}
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
            semanticSearchOffer={
              state.semanticSearchOffer?.turnId === turn.id ? state.semanticSearchOffer : undefined
            }
            factCheckOffer={state.factCheckOffer?.turnId === turn.id ? state.factCheckOffer : undefined}
            factCheckFailure={state.factCheckFailure?.turnId === turn.id ? state.factCheckFailure : undefined}
            isLast={index === state.turns.length - 1}
            changes={changesOf(turn, state.citationChanges)}
          />
        ))}
      </div>
    </div>
  );
}

/** Returns where to scroll to for the newest turn: its question is at the top, unless all of it fits into the view. */
function topOfNewest(view: HTMLElement): number {
  const newest = [...view.querySelectorAll('article.turn')].at(-1);
  if (newest === undefined) return 0;
  return view.scrollTop + newest.getBoundingClientRect().top - view.getBoundingClientRect().top;
}
