import type { Citation } from '../../core/domain/answer.ts';
import type { FoundPassage, FoundPlace, Gathered, PassagePlace } from '../../core/domain/passage.ts';
import type { Span } from '../../core/language/span.ts';

export interface CitationRequest {
  readonly number: number;
  readonly passage: FoundPassage;
  /** Supporting text, a non-empty span of the document within the passage. */
  readonly span: Span;
}

/** Index queries for answering. */
export interface PassageFinder {
  /** Returns the best passages for a question, best first. */
  find(question: string, limit: number, signal: AbortSignal): Promise<readonly FoundPassage[]>;
  /** Returns whole passages of about `tokens` tokens for all searches together, or everything if it isn't more. */
  gather(searches: readonly string[], tokens: number, signal: AbortSignal): Promise<Gathered>;
  /** Returns the best excerpts for a question, best first, without overlaps. */
  places(question: string, signal: AbortSignal): Promise<readonly FoundPlace[]>;
  /** Does the same in the whole notebook; set if the search scope is a part of it. */
  readonly placesElsewhere?:
    | ((question: string, signal: AbortSignal) => Promise<readonly FoundPlace[]>)
    | undefined;
  /**
   * Returns passages that show the topics of the documents, most informative first. With a name, returns those of the
   * source or document with that name; empty if there is none.
   */
  overview(about: string, limit: number): Promise<readonly FoundPassage[]>;
  /** Returns the passages at locations in documents, in order, without those that are gone. */
  at(places: readonly PassagePlace[]): Promise<readonly FoundPassage[]>;
  /** Returns the citations of spans of found passages, in the order of the requests. */
  cite(requests: readonly CitationRequest[]): Promise<readonly Citation[]>;
}
