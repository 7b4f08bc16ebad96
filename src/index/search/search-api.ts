import type { Report } from '../../core/rpc/rpc.ts';
import type { FoundPassage, FoundPlace, Gathered, PassagePlace } from '../../core/domain/passage.ts';
import type { Within } from '../store/sources/sources-api.ts';
import type { QuestionVector } from './vectors/embeddings-api.ts';

/** Words to search; with their vector, also uses semantic search. */
export interface SearchLine {
  readonly words: string;
  readonly vector?: QuestionVector | undefined;
}

/** Search that doesn't have to wait until a missing or damaged index is rebuilt. */
export interface AcceptedSearch {
  /** `true` to search what is indexed so far, with the documents that have the words of the question first. */
  readonly acceptsIncomplete?: boolean;
}

/** Progress of a search whose results may lack passages, because the index is being rebuilt. */
export interface IncompleteSearch {
  readonly isIncomplete: true;
}

/** Search API of the index worker. Searches wait for the end of a rebuild unless they accept an incomplete index. */
export interface SearchApi {
  readonly search: (
    params: AcceptedSearch & {
      readonly question: string;
      readonly limit: number;
      /** If set, also uses semantic search. */
      readonly vector?: QuestionVector | undefined;
      /** If set, limits the search. */
      readonly within?: Within | undefined;
      /** Leaves out passages that touch this place, and doesn't compare others with them. */
      readonly without?: PassagePlace | undefined;
    },
    report: Report<IncompleteSearch>,
  ) => readonly FoundPassage[];
  /**
   * Returns whole passages of about `tokens` tokens (see `estimateTokens`) for all searches together, best first.
   * Returns everything in scope, in document order, if it fits.
   */
  readonly gather: (
    params: AcceptedSearch & {
      readonly searches: readonly SearchLine[];
      readonly tokens: number;
      /** If set, limits the search. */
      readonly within?: Within | undefined;
    },
    report: Report<IncompleteSearch>,
  ) => Gathered;
  /** Returns the most relevant places for a question, best first, without overlap. */
  readonly places: (
    params: AcceptedSearch &
      SearchLine & {
        /** If set, limits the search. */
        readonly within?: Within | undefined;
      },
    report: Report<IncompleteSearch>,
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
