import type { Citation } from '../../notebook/answer.ts';
import type { FoundPassage, FoundPlace, Gathered, PassagePlace } from '../../notebook/passage.ts';
import type { Span } from '../../language/span.ts';

export interface CitationRequest {
  readonly number: number;
  readonly passage: FoundPassage;
  /** The supporting words, a non-empty span of the document within the passage. */
  readonly span: Span;
}

/** What answering asks of the index. */
export interface PassageFinder {
  /** The best passages for a question, best first. */
  find(question: string, limit: number, signal: AbortSignal): Promise<readonly FoundPassage[]>;
  /** Whole passages of about so many tokens for all searches together; everything where that is no more. */
  gather(searches: readonly string[], tokens: number, signal: AbortSignal): Promise<Gathered>;
  /** The places that say most to a question, best first, none overlapping another. */
  places(question: string, signal: AbortSignal): Promise<readonly FoundPlace[]>;
  /** The same in all of the notebook; given where what is asked is a part of it. */
  readonly placesElsewhere?:
    | ((question: string, signal: AbortSignal) => Promise<readonly FoundPlace[]>)
    | undefined;
  /**
   * Passages that tell what the documents are about, the most telling first; with a name those of the source or document
   * that goes by it, none where none does.
   */
  overview(about: string, limit: number): Promise<readonly FoundPassage[]>;
  /** What stands at places of documents, in their order; those that are gone are left out. */
  at(places: readonly PassagePlace[]): Promise<readonly FoundPassage[]>;
  /** The citations of spans of found passages, in the order asked. */
  cite(requests: readonly CitationRequest[]): Promise<readonly Citation[]>;
}
