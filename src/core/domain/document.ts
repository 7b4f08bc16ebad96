import type { TextFormat } from '../language/units.ts';
import type { Bibliography, LibraryEntry } from './bibliography.ts';

/** Position in a text file: zero-based line, and zero-based UTF-16 code unit within it. */
export interface Position {
  readonly line: number;
  readonly character: number;
}

/**
 * Heading of a document: the start of its section, its level (1 is outermost), and its text. An empty heading ends the
 * section before it: the text after it belongs to the headings above its level.
 */
export interface Heading {
  readonly offset: number;
  readonly level: number;
  readonly title: string;
}

/** Page of a PDF: its size in PDF points, its printed label, and the start of its text. */
export interface PdfPage {
  readonly width: number;
  readonly height: number;
  readonly label: string | undefined;
  readonly start: number;
}

/** The direction in which the characters of a run advance. */
export const RunDirection = { leftToRight: 0, rightToLeft: 1, topToBottom: 2, bottomToTop: 3 } as const;

/**
 * Origins of parts of a text, in a few words: `slide 3: Costs`, `Prices!A2:D2`. Part `i` reaches from `starts[i]` to
 * the start of the next.
 */
export interface Places {
  readonly starts: Uint32Array;
  readonly labels: readonly string[];
}

/**
 * Times at which parts of a transcript are spoken, in seconds. Part `i` reaches from `starts[i]` to the start of the
 * next. `from` ascends.
 */
export interface SpokenTimes {
  readonly starts: Uint32Array;
  readonly from: Float32Array;
  readonly to: Float32Array;
}

/**
 * Runs of a text that equal their original letter for letter at a line and character. Runs ascend and don't overlap.
 */
export interface AlignedRuns {
  readonly starts: Uint32Array;
  readonly lengths: Uint32Array;
  readonly lines: Uint32Array;
  readonly characters: Uint32Array;
}

/**
 * Mapping from offsets of the canonical text to the original.
 * - `text`: the canonical text is the original's text, from `origin` in the file.
 * - `aligned`: runs of the canonical text at a line and character of the original file.
 * - `cells`: runs at a line and character of a Jupyter notebook's cell, by its zero-based number. `outputs` is 0 for
 *   the cell's own text, or else the one-based number of its output.
 * - `pdf`: runs of the canonical text with their rectangle. `boxes` holds x, y, width, height of run `i` at `4 * i`, in
 *   PDF points of the unrotated page, origin at the lower left; `findPage` is zero-based. If text recognition read some
 *   runs, `confidences` has the confidence of each run, from 0 to 100; 100 for text of the file itself.
 * - `saved`: the editor opens the canonical text itself (a saved web page, pasted text, text of an Office file).
 *   `spoken` has the times of a recording's transcript.
 */
export type OffsetMap =
  | { readonly kind: 'text'; readonly origin: Position }
  | (AlignedRuns & { readonly kind: 'aligned'; readonly places?: Places | undefined })
  | (AlignedRuns & { readonly kind: 'cells'; readonly cells: Uint32Array; readonly outputs?: Uint32Array })
  | {
      readonly kind: 'pdf';
      readonly pages: readonly PdfPage[];
      readonly starts: Uint32Array;
      readonly ends: Uint32Array;
      readonly pageOf: Uint16Array;
      readonly boxes: Float32Array;
      readonly directions: Uint8Array;
      readonly confidences?: Uint8Array;
    }
  | {
      readonly kind: 'saved';
      readonly places?: Places | undefined;
      readonly spoken?: SpokenTimes | undefined;
    };

/** Metadata in a web page. */
export interface Byline {
  readonly author: string | undefined;
  /** Publication date in ISO format. */
  readonly published: string | undefined;
  /** The page's own address of itself, for pages with several addresses. */
  readonly canonicalUrl: string | undefined;
  /** Language tag (BCP 47). */
  readonly language: string | undefined;
}

/** Result of a document parser: the canonical text and the mapping to the original. */
export interface ReadDocument {
  readonly title?: string | undefined;
  /** Media type of the original, for example `application/pdf`. */
  readonly mediaType: string;
  readonly format: TextFormat;
  /** The editor's language identifier if the text is code, for example `typescript`. */
  readonly languageId?: string | undefined;
  readonly text: string;
  readonly map: OffsetMap;
  readonly headings: readonly Heading[];
  /** Parts that couldn't be read although the document as a whole could, one sentence each. */
  readonly warnings: readonly string[];
  readonly byline?: Byline | undefined;
  /** Metadata in the document itself. */
  readonly bibliography?: Bibliography | undefined;
  /** Works that the document lists, if it's a library. */
  readonly library?: readonly LibraryEntry[] | undefined;
  /** One-based numbers of the pages that still need text recognition; undefined if there are no such pages. */
  readonly unrecognised?: readonly number[] | undefined;
}
