import type { DrawnFigure } from '../messages/figure.ts';
import type { KeptCitation } from '../notebook/note.ts';

/** What notes are exported to besides Markdown. */
export type ExportFormat = 'docx' | 'html';

/** The picture of the figure that a citation shows or names. */
export interface ExportedFigure extends DrawnFigure {
  /** The citation's. */
  readonly id: string;
  /** What stands below it. */
  readonly caption: string;
}

export interface ExportRequest {
  readonly format: ExportFormat;
  readonly title: string;
  /** The note's Markdown, its citations as links. */
  readonly text: string;
  readonly citations: readonly KeptCitation[];
  readonly figures: readonly ExportedFigure[];
}

/** What the process that exports is asked. */
export interface ExportApi {
  /** The bytes of the file. @throws NotebookError */
  readonly write: (request: ExportRequest) => Uint8Array;
}
