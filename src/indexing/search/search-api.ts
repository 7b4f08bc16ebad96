import type { FoundPassage, FoundPlace, Gathered, PassagePlace } from '../../notebook/passage.ts';
import type { Within } from '../store/sources/sources-api.ts';
import type { QuestionVector } from './vectors/embeddings-api.ts';

/** A line of words to look for; with its vector passages are found by their meaning, too. */
export interface SearchLine {
  readonly words: string;
  readonly vector?: QuestionVector | undefined;
}

/** What the index worker is asked to find. */
export interface SearchApi {
  readonly search: (params: {
    readonly question: string;
    readonly limit: number;
    /** Where it is given, passages are found by their meaning, too. */
    readonly vector?: QuestionVector | undefined;
    /** Where it is given, only there. */
    readonly within?: Within | undefined;
    /** Passages that touch this place are left out, and nothing is measured by them. */
    readonly without?: PassagePlace | undefined;
  }) => readonly FoundPassage[];
  /**
   * Whole passages of about so many tokens (see `estimateTokens`) for all searches together, best first; everything that
   * could be searched, in its order, where that is no more.
   */
  readonly gather: (params: {
    readonly searches: readonly SearchLine[];
    readonly tokens: number;
    /** Where it is given, only there. */
    readonly within?: Within | undefined;
  }) => Gathered;
  /** The places that say most to a question, best first, none overlapping another. */
  readonly places: (
    params: SearchLine & {
      /** Where it is given, only there. */
      readonly within?: Within | undefined;
    },
  ) => readonly FoundPlace[];
  /** What stands at places, cut to where the documents end; those that are gone are left out. */
  readonly passagesAt: (params: { readonly places: readonly PassagePlace[] }) => readonly FoundPassage[];
  /** Passages that tell what documents are about, those of the first documents and of their beginnings first. */
  readonly overview: (params: {
    /** The name of a source or document; '' for all. */
    readonly about: string;
    readonly limit: number;
    /** Where it is given, only there. */
    readonly within?: Within | undefined;
  }) => readonly FoundPassage[];
}
