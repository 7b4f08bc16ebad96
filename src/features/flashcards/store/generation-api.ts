import type { Report } from '../../../core/rpc/rpc.ts';
import type { Citation } from '../../../core/domain/answer.ts';
import type { CardText, NewCard, Quiz, QuizOrigin, QuizQuestion } from '../model.ts';
import type { PassagePlace } from '../../../core/domain/passage.ts';
import type { ArtifactOrigin, ArtifactScope } from '../../../core/domain/artifact.ts';
import type { AddedCards } from './cards-api.ts';
import type { GenerationProgress } from '../../artifacts/store/artifacts-api.ts';

/** Term and its definition, with gaps in place of the term. */
export interface CitedDefinition {
  readonly term: string;
  /** Markdown. */
  readonly front: string;
  readonly citation: Citation;
}

/** Questions for a model to ask about new or changed documents. */
export interface QuestionRequest {
  readonly count: number;
  /** Passages for the questions, alternating between documents. */
  readonly places: readonly PassagePlace[];
}

/** Card whose cited text changed or is no longer in the sources. */
export interface OutdatedCard extends CardText {
  readonly cardId: string;
  readonly key: string;
}

/** Card that gets a new text. */
export interface RewordedCard extends Pick<NewCard, 'back' | 'citation' | 'front'> {
  readonly cardId: string;
  readonly before: Pick<CardText, 'back' | 'front'>;
}

/** Changes to a deck when it's updated from its sources. */
export interface DeckChanges {
  readonly deckId: string;
  /** Sources after the update; undefined for a deck that the user started. */
  readonly origin: ArtifactOrigin | undefined;
  readonly reworded: readonly RewordedCard[];
  readonly added: readonly NewCard[];
  /** Cards whose cited text is no longer in the sources. */
  readonly outdated: readonly OutdatedCard[];
  /** Remaining cards with their current citations; without a citation if the text is gone. */
  readonly unchangedCards: readonly { readonly cardId: string; readonly citation?: Citation | undefined }[];
}

/** Changes to a deck before the model is called. */
export interface DeckPlan {
  readonly changes: DeckChanges;
  /** Undefined if no model wrote its cards, or there is nothing to generate. */
  readonly request: QuestionRequest | undefined;
}

/** Changes to a quiz before its questions are generated. */
export interface QuizPlan {
  readonly kind: 'known';
  readonly quiz: Quiz;
  readonly origin: QuizOrigin;
  /** Questions with their current citations; null for each one whose cited text is gone. */
  readonly questions: readonly (QuizQuestion | null)[];
  readonly request: QuestionRequest;
  /** All definitions, if the quiz consists of definitions, and the documents for new questions. */
  readonly definitions: readonly CitedDefinition[];
  readonly documentIds: readonly number[];
}

/** Card API of the index worker, which needs no model. */
export interface CardGenerationApi {
  /** @throws NotebookError `empty` if the sources define nothing */
  readonly makeCards: (
    params: ArtifactScope & { readonly title: string },
    report: Report<GenerationProgress>,
  ) => AddedCards;
  /** Plans the update of a deck without saving it. */
  readonly planDeck: (params: { readonly deckId: string }, report: Report<GenerationProgress>) => DeckPlan;
  /** @throws NotebookError `conflict` if the sources changed after the plan */
  readonly keepDeckChanges: (params: DeckChanges) => void;
  /** Plans the update of a quiz; `unknown` if its sources weren't recorded. */
  readonly planQuiz: (
    params: { readonly quizId: string },
    report: Report<GenerationProgress>,
  ) => QuizPlan | { readonly kind: 'unknown' };
  /** @throws NotebookError `conflict` if the sources or the questions changed after the plan */
  readonly keepQuizChanges: (params: {
    readonly quizId: string;
    readonly before: readonly QuizQuestion[];
    readonly questions: readonly QuizQuestion[];
    /** Sources after an update; undefined if the quiz wasn't updated from its sources. */
    readonly origin?: QuizOrigin | undefined;
  }) => void;
  /**
   * Returns the citation of words in the document at a URI, nearest to an offset; undefined if it doesn't contain them.
   */
  readonly citeWords: (params: {
    readonly uri: string;
    readonly words: string;
    readonly near: number;
  }) => Citation | undefined;
  readonly definitions: (
    params: ArtifactScope,
    report: Report<GenerationProgress>,
  ) => readonly CitedDefinition[];
}
