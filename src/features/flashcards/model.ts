import type { Citation } from '../../core/domain/answer.ts';
import type { ArtifactOrigin, SourceDrift } from '../../core/domain/artifact.ts';

/** Grades of a review: not at all, barely, well, without effort. */
export const CARD_GRADES = [1, 2, 3, 4] as const;
export type CardGrade = (typeof CARD_GRADES)[number];

/** A sentence with gaps, or a question with its answer. */
export const CARD_KINDS = ['cloze', 'question'] as const;
export type CardKind = (typeof CARD_KINDS)[number];

/** Origins of cards: a definition in the sources, a model, the user, or a wrong answer in a quiz. */
export const CARD_MAKERS = ['definition', 'model', 'hand', 'quiz'] as const;
export type CardMaker = (typeof CARD_MAKERS)[number];

/**
 * Text of a card in Markdown. A cloze card has its gaps on the front, as `{{c1::words}}`, and a comment on the back.
 */
export interface CardText {
  readonly kind: CardKind;
  readonly front: string;
  readonly back: string;
}

/** Progress of a card and its due date in FSRS terms; times in milliseconds since 1970, intervals in days. */
export interface CardSchedule {
  /** New, learning, review, relearning. */
  readonly state: 0 | 1 | 2 | 3;
  readonly due: number;
  readonly stability: number;
  readonly difficulty: number;
  readonly scheduledDays: number;
  /** Current learning step. */
  readonly step: number;
  readonly reviews: number;
  readonly lapses: number;
  readonly reviewedAt?: number | undefined;
}

/** Schedule of a card without reviews. */
export const NEW_CARD: CardSchedule = {
  state: 0,
  due: 0,
  stability: 0,
  difficulty: 0,
  scheduledDays: 0,
  step: 0,
  reviews: 0,
  lapses: 0,
};

/** State of the cited text in its source; `none` for a card without a citation. */
export type CardSource = 'changed' | 'none' | 'same';

export interface Card extends CardText {
  readonly id: string;
  readonly deckId: string;
  readonly maker: CardMaker;
  readonly citation?: Citation | undefined;
  readonly schedule: CardSchedule;
  readonly isSuspended: boolean;
  /** `true` if the user edited it. Changes in its source don't overwrite the edit. */
  readonly isEdited: boolean;
  readonly source: CardSource;
}

/** A card to add. */
export interface NewCard extends CardText {
  /** Identifies it in its deck. A deck doesn't add a card with a key that it has or that was deleted. */
  readonly key: string;
  readonly maker: CardMaker;
  readonly citation?: Citation | undefined;
  /** Set for a card that was imported. */
  readonly schedule?: CardSchedule | undefined;
  readonly isSuspended?: boolean | undefined;
  readonly isEdited?: boolean | undefined;
}

/** A card in a list. */
export interface CardEntry extends Pick<Card, 'id' | 'isSuspended' | 'kind' | 'maker' | 'source'> {
  /** Beginnings of the texts on both sides. */
  readonly front: string;
  readonly back: string;
  readonly state: CardSchedule['state'];
  readonly due: number;
}

export interface Deck {
  readonly id: string;
  readonly title: string;
  /** Sources of a generated deck; undefined for a deck that the user created. */
  readonly origin?: ArtifactOrigin | undefined;
}

/** Deck with its counts. */
export interface DeckEntry extends Deck {
  readonly cards: number;
  /** Learned cards that are due again. */
  readonly due: number;
  /** New cards for today. */
  readonly fresh: number;
  /** Cards with changed documents. */
  readonly changed: number;
  /** Changes of its sources since it was generated; undefined for a deck that the user created. */
  readonly difference?: SourceDrift | undefined;
}

/** Maximum number of new cards a day. */
export const NEW_A_DAY = 20;

/** Action on a card that can be undone. */
export type CardAction = 'edit' | 'remove' | 'review' | 'suspend';

export interface CardReview {
  readonly cardId: string;
  readonly at: number;
  readonly grade: CardGrade;
  readonly before: CardSchedule;
}

/** A question with choices. */
export interface QuizQuestion {
  readonly question: string;
  readonly choices: readonly string[];
  /** Index of the right choice. */
  readonly right: number;
  /** Reason why it's right, in one sentence. */
  readonly reason: string;
  readonly citation?: Citation | undefined;
}

/** Origins of quiz questions. */
export const QUIZ_MAKERS = ['definition', 'model'] as const satisfies readonly CardMaker[];

/** Sources of a quiz, and the origin of its questions. */
export interface QuizOrigin extends ArtifactOrigin {
  readonly maker: (typeof QUIZ_MAKERS)[number];
}

export interface Quiz {
  readonly id: string;
  readonly title: string;
  /** Undefined for a quiz of a version that didn't store it. */
  readonly origin?: QuizOrigin | undefined;
  readonly questions: readonly QuizQuestion[];
  /** Selected choices by the index of their question. */
  readonly replies: readonly (number | null)[];
}

export interface QuizEntry {
  readonly id: string;
  readonly title: string;
  readonly questions: number;
  readonly answered: number;
  readonly right: number;
  readonly difference?: SourceDrift | undefined;
}

/** Returns the selected choices after the questions of a quiz changed: each choice stays with its question. */
export function repliesAfter(
  { questions, replies }: Pick<Quiz, 'questions' | 'replies'>,
  after: readonly QuizQuestion[],
): (number | null)[] {
  const key = ({ question, choices, right }: QuizQuestion): string =>
    JSON.stringify([question, choices, right]);
  const repliesByQuestion = new Map(
    questions.map((question, index) => [key(question), replies[index] ?? null]),
  );
  return after.map((question) => repliesByQuestion.get(key(question)) ?? null);
}

/** Kinds of synced entities, as in `things.kind` of the team's database. */
export type FlashcardEntityKind = 'card' | 'deck' | 'quiz';
