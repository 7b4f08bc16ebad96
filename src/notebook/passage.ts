import type { Span } from '../language/span.ts';
import { cutUnits, type TextFormat, type Unit } from '../language/units.ts';

/** The unit that is indexed and retrieved: a span of a document under its heading path. */
export interface Passage extends Span {
  readonly headings: readonly string[];
  /** Stretches of the document elsewhere that it is found by, too: the header and the caption of a table that it is cut out of. */
  readonly context?: readonly Span[];
}

/** What a found passage is ranked by, each as the part of its score that it makes; what was not looked at is left out. */
export interface PlaceSignals {
  /** Its own words. */
  readonly words: number;
  /** The words of its section, or of the passage that it was narrowed from. */
  readonly section?: number;
  readonly headings?: number;
  /** A row of a table with a column of a year that is asked for. */
  readonly table?: number;
  /** How near it is in its meaning. */
  readonly meaning?: number;
  /** That a sentence of it begins with all that is asked for. */
  readonly begins?: number;
  /** It holds, to the word, what is quoted, and so goes before what does not: no part of the score. */
  readonly quoted?: true;
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
  readonly zScore?: number;
  /** What its score is made of, where it was ranked. */
  readonly signals?: PlaceSignals;
  /** The document's text in `[start, end)`. */
  readonly text: string;
  /** Where headings are written in it, as spans of the document, in their order. */
  readonly headingSpans: readonly Span[];
  readonly format: TextFormat;
  readonly languageId: string | undefined;
  readonly sourceTitle: string;
  readonly documentTitle: string;
  /** The document's key within its source, for example a path below a folder; '' where there is one document only. */
  readonly documentKey: string;
}

/** The units of a found passage, as spans of its text. */
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

/** Whole passages to be read for a question, best first. `isAll` where they are all that there is, in its order. */
export interface Gathered {
  readonly passages: readonly FoundPassage[];
  readonly isAll: boolean;
}

/** A part of a section that says something to a question. */
export interface FoundPlace {
  /** The part, as a passage, under the section's headings. */
  readonly passage: FoundPassage;
  readonly section: Span;
  /**
   * The sentences, or lines of code, that hold most of the question, as spans of the document: the one that holds most,
   * then the others in their order.
   */
  readonly marks: readonly Span[];
}

/** A stretch of a document, in UTF-16 code units. */
export interface PassagePlace {
  readonly documentId: number;
  readonly span: Span;
}
