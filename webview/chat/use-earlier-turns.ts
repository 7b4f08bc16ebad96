import type { RefObject } from 'preact';
import { useContext, useLayoutEffect, useRef } from 'preact/hooks';
import { HostContext } from './host.ts';
import type { ChatState } from './state.ts';

/** Distance from the first turn at which earlier ones are loaded, in pixels. */
const AHEAD = 600;

/**
 * Loads earlier turns when the reader comes near the first one, without moving the visible text. The browser's scroll
 * anchoring does that and lets a scroll in progress continue. At the very top it does nothing, so this hook moves the
 * view.
 */
export function useEarlierTurns(
  { turns, earlier }: ChatState,
  view: RefObject<HTMLDivElement | null>,
  isFollowing: () => boolean,
): { readonly button: RefObject<HTMLButtonElement | null>; readonly show: () => void } {
  const host = useContext(HostContext);
  const button = useRef<HTMLButtonElement>(null);
  const isLoading = useRef(false);
  const first = turns[0]?.id;
  const before = view.current === null ? undefined : firstTurnAt(view.current);
  const show = (): void => {
    if (isLoading.current) return;
    isLoading.current = true;
    if (document.activeElement === button.current) view.current?.focus({ preventScroll: true });
    host.start('showEarlier', {}, () => {
      isLoading.current = false;
    });
  };

  useLayoutEffect(() => {
    isLoading.current = false;
    if (before?.scrollTop === 0 && before.article.isConnected && view.current?.scrollTop === 0)
      view.current.scrollTop = before.article.getBoundingClientRect().top - before.top;
  }, [first]);

  useLayoutEffect(() => {
    if (view.current === null || button.current === null) return;
    const nearTop = new IntersectionObserver(
      (entries) => {
        if (!isFollowing() && entries.some(({ isIntersecting }) => isIntersecting)) show();
      },
      { root: view.current, rootMargin: `${String(AHEAD)}px 0px 0px` },
    );
    nearTop.observe(button.current);
    return () => nearTop.disconnect();
  }, [earlier]);
  return { button, show };
}

/** Returns the first visible turn and its position: pixels from the window's top, at a scroll position of the view. */
function firstTurnAt(
  view: HTMLElement,
): { readonly article: Element; readonly top: number; readonly scrollTop: number } | undefined {
  const article = view.querySelector('article.turn');
  return article === null
    ? undefined
    : { article, top: article.getBoundingClientRect().top, scrollTop: view.scrollTop };
}
