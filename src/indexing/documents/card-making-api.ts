import type { Report } from '../../messages/rpc.ts';
import type { Citation } from '../../notebook/answer.ts';
import type { CardText, DeckMade, NewCard, Quiz, QuizMade, QuizQuestion } from '../../notebook/cards.ts';
import type { PassagePlace } from '../../notebook/passage.ts';
import type { StudioScope } from '../../notebook/studio.ts';
import type { AddedCards } from '../store/made/cards-api.ts';
import type { StudioProgress } from './studio-api.ts';

/** A term with a definition of it, gaps where the term stands. */
export interface CitedDefinition {
  readonly term: string;
  /** Markdown. */
  readonly front: string;
  readonly citation: Citation;
}

/** Questions that a model is to ask of documents that changed or came. */
export interface WantedQuestions {
  readonly count: number;
  /** What they may be asked of, of each document in turn. */
  readonly places: readonly PassagePlace[];
}

/** A card whose words the sources have no more, or otherwise. */
export interface OutdatedCard extends CardText {
  readonly cardId: string;
  readonly key: string;
}

/** A card that is to say something else. */
export interface RewordedCard extends Pick<NewCard, 'back' | 'citation' | 'front'> {
  readonly cardId: string;
  readonly before: Pick<CardText, 'back' | 'front'>;
}

/** What bringing a deck up to date does to it. */
export interface DeckChanges {
  readonly deckId: string;
  /** What it is made of then; undefined of one that the user began. */
  readonly made: DeckMade | undefined;
  readonly reworded: readonly RewordedCard[];
  readonly added: readonly NewCard[];
  /** Cards that were made of words which the sources have no more. */
  readonly gone: readonly OutdatedCard[];
  /** Cards that stay, with where their words stand now; without a place where they don't any more. */
  readonly kept: readonly { readonly cardId: string; readonly citation?: Citation | undefined }[];
}

/** What is to become of a deck, before a model was asked. */
export interface DeckPlan {
  readonly changes: DeckChanges;
  /** Undefined where its cards were not written by a model, or nothing is to be asked. */
  readonly wanted: WantedQuestions | undefined;
}

/** What is to become of a quiz, before its questions are made. */
export interface QuizPlan {
  readonly kind: 'known';
  readonly quiz: Quiz;
  readonly made: QuizMade;
  /** Its questions with where their words stand now; null in the place of those whose words the sources have no more. */
  readonly questions: readonly (QuizQuestion | null)[];
  readonly wanted: WantedQuestions;
  /** Of a quiz of definitions, all that there are, and of which documents questions are made. */
  readonly definitions: readonly CitedDefinition[];
  readonly askedOf: readonly number[];
}

/** What the index worker makes cards of without a model. */
export interface CardMakingApi {
  /** @throws NotebookError `empty` where the sources define nothing. */
  readonly makeCards: (
    params: StudioScope & { readonly title: string },
    report: Report<StudioProgress>,
  ) => AddedCards;
  /** What bringing a deck up to date does; nothing of it is kept. */
  readonly planDeck: (params: { readonly deckId: string }, report: Report<StudioProgress>) => DeckPlan;
  /** @throws NotebookError `conflict` where the sources are others by now than it was planned by */
  readonly keepDeckChanges: (params: DeckChanges) => void;
  /** What bringing a quiz up to date does; `unknown` where it does not say what it was made of. */
  readonly planQuiz: (
    params: { readonly quizId: string },
    report: Report<StudioProgress>,
  ) => QuizPlan | { readonly kind: 'unknown' };
  /** @throws NotebookError `conflict` where the sources, or the questions, are others by now */
  readonly keepQuizChanges: (params: {
    readonly quizId: string;
    readonly before: readonly QuizQuestion[];
    readonly questions: readonly QuizQuestion[];
    readonly made: QuizMade;
  }) => void;
  /** Words as they stand in the document at a URI, nearest to an offset; undefined where they don't. */
  readonly citeWords: (params: {
    readonly uri: string;
    readonly words: string;
    readonly near: number;
  }) => Citation | undefined;
  readonly definitions: (params: StudioScope, report: Report<StudioProgress>) => readonly CitedDefinition[];
}
