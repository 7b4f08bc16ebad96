import type { Card, CardReview, Deck } from '../model.ts';

/** Deck to export. */
export interface DeckExport {
  readonly deck: Deck;
  readonly cards: readonly Card[];
  readonly reviews: readonly CardReview[];
  /** Current time in milliseconds since 1970. */
  readonly now: number;
}

/** API of the export process for decks. */
export interface DeckExportApi {
  /** Returns a deck as an Anki package or as CSV. @throws NotebookError `disk-full` */
  readonly writeDeck: (request: DeckExport & { readonly format: 'apkg' | 'csv' }) => Uint8Array;
}
