import type { PageRectangle } from '../notebook/locator.ts';

/** What a page of the chat draws a figure from. */
export type FigureSource =
  | {
      readonly kind: 'page';
      /** Names the PDF when more of its bytes are asked for; the same for all figures of the file as it is now. */
      readonly file: string;
      readonly pdf: PdfView;
      /** The password that the user agreed to keep. */
      readonly password: string | undefined;
      readonly page: number;
      /** Where the caption stands on the page. */
      readonly caption: readonly PageRectangle[];
    }
  | { readonly kind: 'image'; readonly mediaType: string; readonly bytes: Uint8Array };

/** A part of the bytes of a PDF that a figure is drawn from, from `begin` on and before `end`. */
export interface FigureBytes {
  readonly file: string;
  readonly begin: number;
  readonly end: number;
}

/** A figure as it was drawn. */
export interface DrawnFigure {
  readonly mediaType: 'image/jpeg' | 'image/png';
  readonly bytes: Uint8Array;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

/** How large a drawn figure may be: its longest side in pixels, and its bytes. */
export interface FigureLimits {
  readonly longestSide: number;
  readonly bytes: number;
}
/** The PDF to show and where; page numbers are one-based. Addresses are webview addresses of the extension's own files. */
export interface PdfView {
  readonly title: string;
  /** Of the file, in bytes. */
  readonly length: number;
  /** What the file begins with; of a small file all. */
  readonly start: Uint8Array;
  readonly workerUrl: string;
  readonly characterMapsUrl: string;
  readonly standardFontsUrl: string;
  readonly wasmUrl: string;
}
