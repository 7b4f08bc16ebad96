import type { Span } from '../language/span.ts';
import type { Locator } from './locator.ts';

/** A figure that cited words show or name. */
export interface CitedFigure {
  /** As its caption begins: `Figure 3`; '' where it has no number. */
  readonly name: string;
  /** Its caption, or the description of its image. */
  readonly words: string;
  /** Where its caption begins in the document, which tells it from the document's others. */
  readonly start: number;
}

/**
 * What a figure is drawn from.
 * - `page`: what stands beside its caption on a page of a PDF.
 * - `address`: an image that the text names, in the text itself (`data:`) or in a file beside the document's.
 * - `cell`: what a cell of a Jupyter notebook put out, both counted from zero.
 * - `caption`: what stands beside a caption in an Office file.
 */
export type FigurePicture =
  | { readonly kind: 'page'; readonly caption: Extract<Locator, { kind: 'pdf' }> }
  | { readonly kind: 'address'; readonly address: string }
  | { readonly kind: 'cell'; readonly cell: number; readonly output: number | undefined }
  | { readonly kind: 'caption'; readonly words: string };

/** A figure with its place: the words of its caption, and what it is drawn from. */
export interface PlacedFigure extends CitedFigure {
  readonly span: Span;
  /** The document's text in `span`. */
  readonly quote: string;
  readonly locator: Locator;
  /** Of the document today. */
  readonly uri: string;
  readonly mediaType: string;
  readonly picture: FigurePicture;
}
