import { Cards } from '../../src/features/flashcards/store/cards.ts';
import type { NotebookIndex } from '../../src/index/worker/notebook-index.ts';

/** Returns the decks, cards, and quizzes of a notebook. */
export function cardsOf({ sql }: Pick<NotebookIndex, 'sql'>): Cards {
  return new Cards(sql);
}
