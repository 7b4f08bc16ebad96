import type {
  Card,
  CardEntry,
  CardGrade,
  CardAction,
  CardSchedule,
  DeckEntry,
  Quiz,
} from '../notebook/cards.ts';

/** Kept by the page of a deck or a quiz as its state, by which it is restored after a reload. */
export interface CardsState {
  /** The key of the notebook that it is of. */
  readonly notebook: string;
  readonly kind: 'deck' | 'quiz';
  readonly id: string;
}

/** A card with what each grade would make of it: when it comes back, in a few words. */
export interface ShownCard {
  readonly card: Card;
  readonly spans: Readonly<Record<CardGrade, string>>;
}

/** What stands at the head of a deck or a quiz. */
interface OfSources {
  /** Which sources it is of, as a sentence; empty where it is of none. */
  readonly of: string;
  /** How these differ from what it was made of, as a sentence. */
  readonly outdated?: string | undefined;
}

/** What to learn now. */
export interface Learning extends OfSources {
  readonly deck: DeckEntry;
  readonly shown?: ShownCard | undefined;
  /** Where nothing is due: when something will be, in words. */
  readonly next?: string | undefined;
  /** New cards for other days, and cards that are left out. */
  readonly later: number;
  readonly suspended: number;
  readonly lastDeed?: CardAction | undefined;
}

export interface ShownQuiz extends OfSources {
  readonly quiz: Quiz;
}

export type CardsView =
  | { readonly kind: 'deck'; readonly state: CardsState; readonly learning: Learning }
  | { readonly kind: 'quiz'; readonly state: CardsState; readonly shown: ShownQuiz };

/** What the page of a deck or a quiz asks of the extension. */
export interface CardsHostApi {
  readonly ready: () => CardsView;
  /** With `goesOn` new cards beyond those for today, too; the one that is `shown` stays as long as it may be learnt. */
  readonly next: (params: { readonly goesOn: boolean; readonly shown?: string | undefined }) => Learning;
  /** Keeps a review of a card that was scheduled as it was `before`. */
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
  /** Opens the words that a card, or a question of the quiz, rests on. */
  readonly open: (params: { readonly of: string | number; readonly beside: boolean }) => void;
  readonly openLink: (params: { readonly url: string }) => void;
  readonly bringUpToDate: () => void;
  readonly export: () => void;
  /** A choice in the quiz. */
  readonly reply: (params: { readonly question: number; readonly choice: number }) => void;
  readonly again: () => void;
  readonly quiz: () => ShownQuiz;
  /** Makes cards of the questions that were answered wrongly. */
  readonly learnWrong: () => void;
}

/** What the extension tells the page. */
export interface CardsPageApi {
  /** The cards, or what they rest on, changed. */
  readonly changed: () => void;
}
