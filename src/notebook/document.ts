import type { TextFormat } from '../language/units.ts';
import type { Bibliography, LibraryEntry } from './bibliography.ts';

/** A place in a text file: zero-based line, and zero-based UTF-16 code unit within it. */
export interface Position {
  readonly line: number;
  readonly character: number;
}

/**
 * A heading of a document: where its section begins, how deep it stands (1 is outermost), and its words. Without words
 * it ends the section before: what follows stands under the headings above its level.
 */
export interface Heading {
  readonly offset: number;
  readonly level: number;
  readonly title: string;
}

/** One page of a PDF: its size in PDF points, its printed label, and where its text begins. */
export interface PdfPage {
  readonly width: number;
  readonly height: number;
  readonly label: string | undefined;
  readonly start: number;
}

/** The direction in which the characters of a run advance. */
export const RunDirection = { leftToRight: 0, rightToLeft: 1, topToBottom: 2, bottomToTop: 3 } as const;

/**
 * Where stretches of a text come from, in a few words: `slide 3: Costs`, `Prices!A2:D2`. Stretch `i` goes from `starts[i]`
 * to the beginning of the next.
 */
export interface Places {
  readonly starts: Uint32Array;
  readonly labels: readonly string[];
}

/** Runs of a text that stand, letter for letter, at a line and character of their original. Runs ascend and do not overlap. */
export interface AlignedRuns {
  readonly starts: Uint32Array;
  readonly lengths: Uint32Array;
  readonly lines: Uint32Array;
  readonly characters: Uint32Array;
}

/**
 * The way from offsets of the canonical text back to the original.
 * - `text`: the canonical text is the original's own text, beginning at `origin` in the file.
 * - `aligned`: runs of the canonical text that stand at a line and character of the original file.
 * - `cells`: runs that stand at a line and character of a cell of a Jupyter notebook, by its zero-based number, or of
 *   what it put out: `outputs` is 0 for what the cell says itself, else which of its outputs, counted from one.
 * - `pdf`: runs of the canonical text with their rectangle. `boxes` holds x, y, width, height of run `i` at
 *   `4 * i`, in PDF points of the unrotated page, origin at the lower left; `findPage` is zero-based. Where some of it was
 *   recognised in scans, `confidences` tells how sure that is of each run, from 0 to 100; 100 for what the file says itself.
 * - `saved`: the canonical text is itself what is opened (a saved web page, pasted text, what an Office file says).
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
  | { readonly kind: 'saved'; readonly places?: Places | undefined };

/** What a web page says of itself. */
export interface Byline {
  readonly author: string | undefined;
  /** When it was published, as an ISO date. */
  readonly published: string | undefined;
  /** Its address as it names it itself, for what is reached at several. */
  readonly canonicalUrl: string | undefined;
  /** As BCP 47 names it. */
  readonly language: string | undefined;
}

/** What a reader makes of some bytes: the canonical text and the way back to the original. */
export interface ReadDocument {
  readonly title: string | undefined;
  /** Of the original, for example `application/pdf`. */
  readonly mediaType: string;
  readonly format: TextFormat;
  /** The editor's language identifier where the text is code, for example `typescript`. */
  readonly languageId: string | undefined;
  readonly text: string;
  readonly map: OffsetMap;
  readonly headings: readonly Heading[];
  /** One sentence each: what could not be read although the document as a whole could. */
  readonly warnings: readonly string[];
  readonly byline?: Byline | undefined;
  /** What it says of itself as a work. */
  readonly bibliography?: Bibliography | undefined;
  /** The works that it lists, where it is a library. */
  readonly library?: readonly LibraryEntry[] | undefined;
  /** The pages, counted from one, whose text is yet to be recognised; undefined of a document that has no such pages. */
  readonly unrecognised?: readonly number[] | undefined;
}
