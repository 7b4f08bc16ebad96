import type { AnswerEvent, Citation, FiguresOffered } from '../../core/domain/answer.ts';
import type { LanguageModel, ModelImage } from '../models/language-model.ts';
import type { PassageFinder } from '../retrieving/passage-finder.ts';
import type { PastTurn } from './past-turns.ts';

/** Outcome for the figures that a model should see, and their pictures if it gets them. */
export interface ShownFigures {
  readonly outcome: FiguresOffered;
  readonly images: readonly ModelImage[];
}

/** Input for answering a question. */
export interface QuestionInput {
  readonly question: string;
  /** Words to search for, if they aren't the whole question. */
  readonly words?: string | undefined;
  /** Search scope in a few words such as a file's name; undefined for the whole notebook. */
  readonly place?: string | undefined;
  /** Titles of the included sources. */
  readonly titles: readonly string[];
  /** Conversation so far, oldest first. */
  readonly history: readonly PastTurn[];
  readonly passages: PassageFinder;
  /** Undefined to show excerpts only. */
  readonly model: LanguageModel | undefined;
  /** `true` to let the model write searches before it answers. */
  readonly writesSearches: boolean;
  /** Number of tokens of passages for the model to read; undefined for a number that fits its context window. */
  readonly tokens?: number | undefined;
  /** Draws figures for the model, by their citations; undefined if it can't see any. */
  readonly showFigures?:
    | ((figures: readonly Citation[], signal: AbortSignal) => Promise<ShownFigures | undefined>)
    | undefined;
  /** Instructions for the model; '' for the default. */
  readonly instructions: string;
  readonly signal: AbortSignal;
  readonly emit: (event: AnswerEvent) => void;
}
