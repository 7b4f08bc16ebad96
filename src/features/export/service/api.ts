import type { DrawnFigure } from '../../../core/rpc/figure.ts';
import type { FeatureExportApi } from '../../types.ts';
import type { CslItem } from '../../../core/domain/bibliography.ts';
import type { PlainTable } from '../../../core/domain/plain-table.ts';
import type { StoredCitation } from '../../../core/domain/note.ts';
import type { CiteRequest } from './references.ts';

/** Export formats for notes besides Markdown. */
export type ExportFormat = 'docx' | 'html';

export type TableFormat = 'csv' | 'xlsx';

/** Picture of the figure that a citation shows or names. */
export interface ExportedFigure extends DrawnFigure {
  /** ID of the citation. */
  readonly id: string;
  /** Text below the picture. */
  readonly caption: string;
}

export interface ExportRequest {
  readonly format: ExportFormat;
  readonly title: string;
  /** Markdown of the note, with citations as links. */
  readonly text: string;
  readonly citations: readonly StoredCitation[];
  readonly figures: readonly ExportedFigure[];
}

/** API of the export process. */
export interface ExportApi extends FeatureExportApi {
  /** Returns the bytes of the file. @throws NotebookError */
  readonly write: (request: ExportRequest) => Uint8Array;
  /**
   * Returns a note's Markdown with its citations by key written out.
   * @throws NotebookError `damaged` if the style isn't valid
   */
  readonly citeWorks: (request: CiteRequest) => string;
  /** Returns tables as a spreadsheet file without formulas. CSV contains only the first table. */
  readonly writeTables: (params: {
    readonly format: TableFormat;
    readonly tables: readonly PlainTable[];
  }) => Uint8Array;
  /** Returns references as a .bib file. */
  readonly writeBibtex: (params: { readonly items: readonly CslItem[] }) => string;
}
