import type { TextFormat } from './document.ts';
import type { Span } from './span.ts';

/** The unit that is indexed and retrieved: a span of a document under its heading path. */
export interface Passage extends Span {
  readonly headings: readonly string[];
}

/** A passage that a question found, with what is needed to quote, cite and show it. */
export interface FoundPassage extends Passage {
  readonly passageId: number;
  readonly documentId: number;
  readonly sourceId: string;
  readonly score: number;
  /** How near the passage is to the question in its meaning, where it was found by that: a cosine, 1 for the same. */
  readonly nearness?: number;
  /**
   * How much nearer that is than the notebook's passages are to each other, in standard deviations; none where they
   * are too few to tell.
   */
  readonly standsOut?: number;
  /** The document's text in `[start, end)`. */
  readonly text: string;
  readonly format: TextFormat;
  readonly languageId: string | undefined;
  readonly sourceTitle: string;
  readonly documentTitle: string;
  /** The document's key within its source, for example a path below a folder; '' where there is one document only. */
  readonly documentKey: string;
}
