import type { FoundPassage, FoundPlace, Gathered, PassagePlace } from '../../core/domain/passage.ts';
import type { Within } from '../store/sources/sources-api.ts';
import type { QuestionVector } from './vectors/embeddings-api.ts';

/** Words to search; with their vector, also uses semantic search. */
export interface SearchLine {
  readonly words: string;
  readonly vector?: QuestionVector | undefined;
}

/** Search API of the index worker. */
export interface SearchApi {
  readonly search: (params: {
    readonly question: string;
    readonly limit: number;
    /** If set, also uses semantic search. */
    readonly vector?: QuestionVector | undefined;
    /** If set, limits the search. */
    readonly within?: Within | undefined;
    /** Leaves out passages that touch this place, and doesn't compare others with them. */
    readonly without?: PassagePlace | undefined;
  }) => readonly FoundPassage[];
  /**
   * Returns whole passages of about `tokens` tokens (see `estimateTokens`) for all searches together, best first.
   * Returns everything in scope, in document order, if it fits.
   */
  readonly gather: (params: {
    readonly searches: readonly SearchLine[];
    readonly tokens: number;
    /** If set, limits the search. */
    readonly within?: Within | undefined;
  }) => Gathered;
  /** Returns the most relevant places for a question, best first, without overlap. */
  readonly places: (
    params: SearchLine & {
      /** If set, limits the search. */
      readonly within?: Within | undefined;
    },
  ) => readonly FoundPlace[];
  /**
   * Returns the text at the given places, cut to the bounds of the documents. Leaves out places that no longer exist.
   */
  readonly passagesAt: (params: { readonly places: readonly PassagePlace[] }) => readonly FoundPassage[];
  /** Returns passages that describe the documents, starting with the first documents and their beginnings. */
  readonly overview: (params: {
    /** Name of a source or document; '' for all. */
    readonly about: string;
    readonly limit: number;
    /** If set, limits the overview. */
    readonly within?: Within | undefined;
  }) => readonly FoundPassage[];
}
