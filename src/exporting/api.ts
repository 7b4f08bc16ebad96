import type { DrawnFigure } from '../messages/figure.ts';
import type { Card, CardReview, Deck } from '../notebook/cards.ts';
import type { CslItem } from '../notebook/bibliography.ts';
import type { PlainTable } from '../notebook/matrix-export.ts';
import type { StoredCitation } from '../notebook/note.ts';
import type { CiteRequest } from './references.ts';

/** Export formats for notes besides Markdown. */
export type ExportFormat = 'docx' | 'html';

export type TableFormat = 'csv' | 'xlsx';

/** The picture of the figure that a citation shows or names. */
export interface ExportedFigure extends DrawnFigure {
  /** The citation's. */
  readonly id: string;
  /** Text below the picture. */
  readonly caption: string;
}

export interface ExportRequest {
  readonly format: ExportFormat;
  readonly title: string;
  /** The note's Markdown, its citations as links. */
  readonly text: string;
  readonly citations: readonly StoredCitation[];
  readonly figures: readonly ExportedFigure[];
}

/** A deck to export. */
export interface DeckExport {
  readonly deck: Deck;
  readonly cards: readonly Card[];
  readonly reviews: readonly CardReview[];
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** API of the export process. */
export interface ExportApi {
  /** The bytes of the file. @throws NotebookError */
  readonly write: (request: ExportRequest) => Uint8Array;
  /**
   * Returns a note's Markdown with its citations by key written out.
   * @throws NotebookError `damaged` if the style isn't valid
   */
  readonly citeWorks: (request: CiteRequest) => string;
  /** A deck as a package for Anki, or as separated values. @throws NotebookError `disk-full` */
  readonly writeDeck: (request: DeckExport & { readonly format: 'apkg' | 'csv' }) => Uint8Array;
  /** Tables as a file for spreadsheets, in which nothing is a formula; CSV holds the first alone. */
  readonly writeTables: (params: {
    readonly format: TableFormat;
    readonly tables: readonly PlainTable[];
  }) => Uint8Array;
  /** Works as a .bib file. */
  readonly writeBibtex: (params: { readonly items: readonly CslItem[] }) => string;
}
