import type { RefObject } from 'preact';
import { useContext, useLayoutEffect, useRef } from 'preact/hooks';
import { HostContext } from './host.ts';
import type { ChatState } from './state.ts';

/** Earlier turns are asked for so many pixels before the first is reached. */
const ahead = 600;

/** Earlier turns are shown when the reader comes near the first one; what is read stays where it is. */
export function useEarlierTurns(
  { turns, earlier }: ChatState,
  view: RefObject<HTMLDivElement | null>,
  following: RefObject<boolean>,
): { readonly button: RefObject<HTMLButtonElement | null>; readonly show: () => void } {
  const host = useContext(HostContext);
  const button = useRef<HTMLButtonElement>(null);
  const anchor = useRef<{ readonly article: Element; readonly top: number } | undefined>(undefined);
  const first = turns[0]?.id;
  const show = (): void => {
    const article = view.current?.querySelector('article.turn');
    if (article === null || article === undefined) return;
    anchor.current = { article, top: article.getBoundingClientRect().top };
    if (document.activeElement === button.current) view.current?.focus({ preventScroll: true });
    host.start('showEarlier', {});
  };

  useLayoutEffect(() => {
    if (view.current !== null && anchor.current?.article.isConnected === true)
      view.current.scrollTop += anchor.current.article.getBoundingClientRect().top - anchor.current.top;
    anchor.current = undefined;
  }, [first]);

  useLayoutEffect(() => {
    if (view.current === null || button.current === null) return;
    const nearTop = new IntersectionObserver(
      (entries) => {
        if (
          !following.current &&
          anchor.current === undefined &&
          entries.some(({ isIntersecting }) => isIntersecting)
        )
          show();
      },
      { root: view.current, rootMargin: `${String(ahead)}px 0px 0px` },
    );
    nearTop.observe(button.current);
    return () => {
      nearTop.disconnect();
    };
  }, [earlier]);
  return { button, show };
}
