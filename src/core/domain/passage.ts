import type { Span } from '../language/span.ts';
import { cutUnits, type TextFormat, type Unit } from '../language/units.ts';

/** Unit that is indexed and retrieved: a span of a document under its heading path. */
export interface Passage extends Span {
  readonly headings: readonly string[];
  /** Other spans of the document that also match searches for it: the header and the caption of its table. */
  readonly context?: readonly Span[];
}

/** Parts of a passage's score by signal, without unused signals. */
export interface PlaceSignals {
  /** Words of the passage. */
  readonly words: number;
  /** Words of its section, or of the passage that it was narrowed from. */
  readonly section?: number;
  readonly headings?: number;
  /** Row of a table with a column for a year in the question. */
  readonly table?: number;
  /** Similarity of meaning. */
  readonly meaning?: number;
  /** A sentence of the passage begins with the whole topic of the question. */
  readonly begins?: number;
  /**
   * `true` if it contains the quoted text word for word, which ranks it above the others without adding to the score.
   */
  readonly quoted?: true;
}

/** Passage found by a question, with all data to quote, cite, and show it. */
export interface FoundPassage extends Passage {
  readonly passageId: number;
  readonly documentId: number;
  readonly sourceId: string;
  readonly score: number;
  /**
   * Cosine similarity to the question, from its embedding; 1 for the same meaning. Undefined if it wasn't found by
   * meaning.
   */
  readonly nearness?: number;
  /**
   * Excess of that over the similarity of the notebook's passages to each other, in standard deviations; undefined if
   * there are too few passages.
   */
  readonly zScore?: number;
  /** Parts of the score, if the passage was ranked. */
  readonly signals?: PlaceSignals;
  /** The document's text in `[start, end)`. */
  readonly text: string;
  /** Headings in the passage, as spans of the document, in order. */
  readonly headingSpans: readonly Span[];
  readonly format: TextFormat;
  readonly languageId: string | undefined;
  readonly sourceTitle: string;
  readonly documentTitle: string;
  /** Key of the document within its source, for example a path below a folder; '' if there is only one document. */
  readonly documentKey: string;
}

/** Returns the units of a found passage, as spans of its text. */
export function cutPassage({ text, format, start, headingSpans }: FoundPassage): Unit[] {
  const headings = headingSpans.map((span) => ({
    start: Math.max(0, span.start - start),
    end: Math.min(text.length, span.end - start),
  }));
  return cutUnits(
    text,
    format,
    headings.filter((span) => span.start < span.end),
  );
}

/** Whole passages to read for a question, best first. `isAll` if they are all passages, in document order. */
export interface Gathered {
  readonly passages: readonly FoundPassage[];
  readonly isAll: boolean;
}

/** Part of a section that matches a question. */
export interface FoundPlace {
  /** The part as a passage, under the section's headings. */
  readonly passage: FoundPassage;
  readonly section: Span;
  /**
   * Sentences or lines of code that best match the question, as spans of the document: first the best one, then the
   * others in order.
   */
  readonly marks: readonly Span[];
}

/** Span of a document, in UTF-16 code units. */
export interface PassagePlace {
  readonly documentId: number;
  readonly span: Span;
}
