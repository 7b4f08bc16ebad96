import type { ArtifactOrigin } from '../../../core/domain/artifact.ts';
import type {
  Card,
  CardAction,
  CardEntry,
  CardGrade,
  CardReview,
  CardSchedule,
  CardText,
  Deck,
  DeckEntry,
  NewCard,
  Quiz,
  QuizEntry,
  QuizOrigin,
  QuizQuestion,
} from '../model.ts';

/** Cards for the deck with this title, which is created if necessary. */
export interface CardsToAdd {
  readonly title: string;
  readonly origin?: ArtifactOrigin | undefined;
  readonly cards: readonly NewCard[];
}

/** Numbers of cards that were added, and of cards that the deck already had. */
export interface AddedCards {
  readonly deckId: string;
  readonly added: number;
  readonly existing: number;
}

/** Current time, and start of the user's day, in milliseconds since 1970. */
export interface CardClock {
  readonly now: number;
  readonly dayStart: number;
}

/** Parameters for the next card. */
export interface NextCardOptions {
  readonly deckId: string;
  /** `true` to include new cards beyond today's limit. */
  readonly addsNew: boolean;
  /** Currently shown card, which stays as long as it may be reviewed. */
  readonly shownCardId?: string | undefined;
}

/** Next card of a deck, with the deck's state. */
export interface NextCard {
  readonly deck: DeckEntry;
  readonly card?: Card | undefined;
  /** Due time of the next card, if none is due now. */
  readonly nextDue?: number | undefined;
  /** Number of new cards left for later days. */
  readonly later: number;
  readonly suspended: number;
  /** Last action, which can be undone. */
  readonly lastAction?: CardAction | undefined;
}

/** Review to save. */
export interface ReviewedCard {
  readonly cardId: string;
  readonly grade: CardGrade;
  readonly at: number;
  /** Schedule at the time when the card was shown. */
  readonly before: CardSchedule;
  readonly after: CardSchedule;
}

/** Deck with its cards and review history. */
export interface WholeDeck {
  readonly deck: Deck;
  readonly cards: readonly Card[];
  readonly reviews: readonly CardReview[];
}

/** Card API of the index worker. Errors are those of `Cards`. */
export interface CardsApi {
  /** Sorted by title. */
  readonly decks: (params: CardClock) => readonly DeckEntry[];
  readonly addCards: (params: CardsToAdd) => AddedCards;
  readonly renameDeck: (params: { readonly deckId: string; readonly title: string }) => void;
  readonly removeDeck: (params: { readonly deckId: string }) => void;
  /** Returns the cards of a deck in order. */
  readonly cards: (params: { readonly deckId: string }) => readonly CardEntry[];
  readonly card: (params: { readonly cardId: string }) => Card;
  readonly nextCard: (params: CardClock & NextCardOptions) => NextCard;
  /** @throws NotebookError `conflict` if another window reviewed it meanwhile */
  readonly reviewCard: (params: ReviewedCard) => void;
  readonly editCard: (params: Omit<CardText, 'kind'> & { readonly cardId: string }) => void;
  readonly suspendCards: (params: {
    readonly cardIds: readonly string[];
    readonly isSuspended: boolean;
  }) => void;
  readonly removeCards: (params: { readonly cardIds: readonly string[] }) => void;
  /** Undoes the last action on a deck's cards; returns the ID of the affected card. */
  readonly undoCard: (params: { readonly deckId: string }) => string | undefined;
  readonly wholeDeck: (params: { readonly deckId: string }) => WholeDeck;

  /** Returns all quizzes, the latest first. */
  readonly quizzes: () => readonly QuizEntry[];
  readonly addQuiz: (params: {
    readonly title: string;
    readonly origin?: QuizOrigin | undefined;
    readonly questions: readonly QuizQuestion[];
  }) => string;
  readonly quiz: (params: { readonly quizId: string }) => Quiz;
  /** Returns the sources cited by the cards of a deck, or by the questions of a quiz. */
  readonly citedSources: (params: {
    readonly kind: 'deck' | 'quiz';
    readonly id: string;
  }) => readonly string[];
  /** Saves an answer to a question; without a question, clears all answers. */
  readonly replyToQuiz: (params: {
    readonly quizId: string;
    readonly question?: number;
    readonly choice?: number;
  }) => void;
  readonly removeQuiz: (params: { readonly quizId: string }) => void;
}
