import type { Span } from '../language/span.ts';
import type { Locator } from './locator.ts';

/** Figure that cited text shows or names. */
export interface CitedFigure {
  /** Start of its caption, `Figure 3`; '' without a number. */
  readonly name: string;
  /** Caption of the figure, or else the description of its image. */
  readonly words: string;
  /** Start of its caption in the document, which identifies the figure in it. */
  readonly start: number;
}

/**
 * Origin of a figure's picture.
 * - `page`: the area beside its caption on a page of a PDF.
 * - `address`: an image that the text names, in the text itself (`data:`) or in a file beside the document's.
 * - `cell`: an output of a Jupyter notebook's cell, both counted from zero.
 * - `caption`: the image beside a caption in an Office file.
 */
export type FigurePicture =
  | { readonly kind: 'page'; readonly caption: Extract<Locator, { kind: 'pdf' }> }
  | { readonly kind: 'address'; readonly address: string }
  | { readonly kind: 'cell'; readonly cell: number; readonly output: number | undefined }
  | { readonly kind: 'caption'; readonly words: string };

/** Figure with its location: the text of its caption, and the origin of its picture. */
export interface PlacedFigure extends CitedFigure {
  readonly span: Span;
  /** The document's text in `span`. */
  readonly quote: string;
  readonly locator: Locator;
  /** URI of the document today. */
  readonly uri: string;
  readonly mediaType: string;
  readonly picture: FigurePicture;
}
