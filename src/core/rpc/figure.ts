import type { PageNumber } from '../domain/page-number.ts';
import type { PageRectangle } from '../domain/locator.ts';

/** Source of a figure that a page of the chat draws. */
export type FigureSource =
  | {
      readonly kind: 'page';
      /**
       * Identifies the PDF in requests for more of its bytes; the same for all figures of the file's current version.
       */
      readonly file: string;
      readonly pdf: PdfView;
      /** Password that the user agreed to save. */
      readonly password: string | undefined;
      readonly page: PageNumber;
      /** Location of the caption on the page. */
      readonly caption: readonly PageRectangle[];
    }
  | { readonly kind: 'image'; readonly mediaType: string; readonly bytes: Uint8Array };

/** Part of the bytes of a figure's PDF, from `begin` up to, but not including, `end`. */
export interface FigureBytes {
  readonly file: string;
  readonly begin: number;
  readonly end: number;
}

export interface DrawnFigure {
  readonly mediaType: 'image/jpeg' | 'image/png';
  readonly bytes: Uint8Array;
  /** Size in pixels. */
  readonly width: number;
  readonly height: number;
}

/** Limits of a drawn figure: its longest side in pixels, and its bytes. */
export interface FigureLimits {
  readonly longestSide: number;
  readonly bytes: number;
}
/** PDF to show, with URLs of the extension's own files for webviews. Page numbers are one-based. */
export interface PdfView {
  readonly title: string;
  /** Size of the file, in bytes. */
  readonly length: number;
  /** First bytes of the file; all bytes of a small file. */
  readonly start: Uint8Array;
  readonly workerUrl: string;
  readonly characterMapsUrl: string;
  readonly standardFontsUrl: string;
  readonly wasmUrl: string;
}
