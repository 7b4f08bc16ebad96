import type { Turn } from '../../src/core/domain/answer.ts';

/** Reading position before the page was hidden, unless at the end of the conversation. */
export interface ReadingPlace {
  /** First visible turn. */
  readonly turnId: string;
  /** Distance from the top of the view to the top of the turn, in pixels. */
  readonly top: number;
  /** ID of the last turn at that time. A later turn scrolls into view. */
  readonly newest: string;
}

/** Returns the reading position of a view of turns; undefined if no turn is visible. */
export function placeIn(view: HTMLElement, turns: readonly Turn[]): ReadingPlace | undefined {
  const { top } = view.getBoundingClientRect();
  const articles = [...view.querySelectorAll('article.turn')];
  const index = articles.findIndex((article) => article.getBoundingClientRect().bottom > top);
  const [first, newest] = [turns[index], turns.at(-1)];
  if (first === undefined || newest === undefined) return undefined;
  const offset = (articles[index]?.getBoundingClientRect().top ?? top) - top;
  return { turnId: first.id, top: offset, newest: newest.id };
}

/**
 * Scrolls a view of turns to a reading position.
 * @returns whether the turn still exists
 */
export function goTo(view: HTMLElement, turns: readonly Turn[], place: ReadingPlace): boolean {
  const index = turns.findIndex(({ id }) => id === place.turnId);
  const article = view.querySelectorAll('article.turn')[index];
  if (article === undefined || turns.at(-1)?.id !== place.newest) return false;
  const { top } = view.getBoundingClientRect();
  view.scrollTop += article.getBoundingClientRect().top - top - place.top;
  return true;
}
