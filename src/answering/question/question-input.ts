import type { AnswerEvent, Citation, FiguresOffered } from '../../notebook/answer.ts';
import type { LanguageModel, ModelImage } from '../models/language-model.ts';
import type { PassageFinder } from '../retrieving/passage-finder.ts';
import type { PastTurn } from './past-turns.ts';

/** What became of figures that a model is to be shown, and their pictures where it gets them. */
export interface ShownFigures {
  readonly told: FiguresOffered;
  readonly images: readonly ModelImage[];
}

/** What it takes to answer a question. */
export interface QuestionInput {
  readonly question: string;
  /** What is searched for, where it is not the whole question. */
  readonly words?: string | undefined;
  /** What was asked, in a few words such as a file's name, where it was not the whole notebook. */
  readonly place?: string | undefined;
  /** The titles of the sources that are asked. */
  readonly titles: readonly string[];
  /** The conversation so far, oldest first. */
  readonly history: readonly PastTurn[];
  readonly passages: PassageFinder;
  /** Without a model, places of the sources are shown. */
  readonly model: LanguageModel | undefined;
  /** Whether the model also writes searches, before it answers. */
  readonly writesSearches: boolean;
  /** How many tokens of passages the model reads; undefined for what fits its window. */
  readonly tokens?: number | undefined;
  /** Draws figures for the model, where it may be shown some: by citations that have one. */
  readonly showFigures?:
    | ((figures: readonly Citation[], signal: AbortSignal) => Promise<ShownFigures | undefined>)
    | undefined;
  /** How the model is told to answer; '' for the default. */
  readonly instructions: string;
  readonly signal: AbortSignal;
  readonly emit: (event: AnswerEvent) => void;
}
