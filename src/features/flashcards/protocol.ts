import type { Card, CardEntry, CardGrade, CardAction, CardSchedule, DeckEntry, Quiz } from './model.ts';

/** State of a deck's or quiz's page, which restores it after a reload. */
export interface CardsState {
  /** Key of its notebook. */
  readonly notebook: string;
  readonly kind: 'deck' | 'quiz';
  readonly id: string;
}

/** Card with the interval until its next review for each grade, in a few words. */
export interface ShownCard {
  readonly card: Card;
  readonly spans: Readonly<Record<CardGrade, string>>;
}

/** Heading of a deck or a quiz. */
interface OfSources {
  /** Sources of the deck or quiz, as a sentence; empty if there are none. */
  readonly of: string;
  /** Changes of these sources since the deck or quiz was generated, as a sentence. */
  readonly outdated?: string | undefined;
}

/** Current study session. */
export interface StudyState extends OfSources {
  readonly deck: DeckEntry;
  readonly shown?: ShownCard | undefined;
  /** Time until the next due card, in words, if none is due now. */
  readonly next?: string | undefined;
  /** Number of new cards for other days; `suspended` is the number of suspended cards. */
  readonly later: number;
  readonly suspended: number;
  readonly lastAction?: CardAction | undefined;
}

export interface ShownQuiz extends OfSources {
  readonly quiz: Quiz;
}

export type CardsView =
  | { readonly kind: 'deck'; readonly state: CardsState; readonly learning: StudyState }
  | { readonly kind: 'quiz'; readonly state: CardsState; readonly shown: ShownQuiz };

/** Requests of a deck's or quiz's page to the extension. */
export interface CardsHostApi {
  readonly ready: () => CardsView;
  /**
   * Returns the next card. `addsNew` adds new cards beyond today's limit; the card `shownCardId` stays as long as it can be
   * studied.
   */
  readonly next: (params: {
    readonly addsNew: boolean;
    readonly shownCardId?: string | undefined;
  }) => StudyState;
  /** Saves a review of a card. `before` is its schedule before the review. */
  readonly grade: (params: {
    readonly cardId: string;
    readonly grade: CardGrade;
    readonly before: CardSchedule;
  }) => void;
  readonly undo: () => void;
  readonly edit: (params: { readonly cardId: string; readonly front: string; readonly back: string }) => void;
  readonly suspend: (params: { readonly cardIds: readonly string[]; readonly isSuspended: boolean }) => void;
  readonly remove: (params: { readonly cardIds: readonly string[] }) => void;
  readonly cards: () => readonly CardEntry[];
  readonly card: (params: { readonly cardId: string }) => Card;
  /** Opens the cited text of a card or a quiz question. */
  readonly open: (params: { readonly of: string | number; readonly beside: boolean }) => void;
  readonly openLink: (params: { readonly url: string }) => void;
  readonly updateFromSources: () => void;
  readonly export: () => void;
  /** Selects a choice in the quiz. */
  readonly reply: (params: { readonly question: number; readonly choice: number }) => void;
  readonly again: () => void;
  readonly quiz: () => ShownQuiz;
  /** Creates cards from the questions with a wrong answer. */
  readonly learnWrong: () => void;
}

/** Requests of the extension to the page. */
export interface CardsPageApi {
  /** Reports that the cards or their sources changed. */
  readonly changed: () => void;
}
