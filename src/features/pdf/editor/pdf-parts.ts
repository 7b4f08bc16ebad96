import type { PdfMarked } from '../protocol.ts';
import type * as vscode from 'vscode';
import type { AnnotationsRequest, SavedPdf } from '../../../parsers/api.ts';
import type { Savable } from '../../../parsers/pdf/saving/save-annotations.ts';
import type { Passwords } from './with-password.ts';
import type { PdfPositions } from './pdf-positions.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';

/** Functions that save annotations in PDFs; each throws a NotebookError. */
export interface AnnotationSaver {
  savableAnnotations(file: Pick<AnnotationsRequest, 'content' | 'name'>): Promise<Savable>;
  saveAnnotations(request: AnnotationsRequest): Promise<SavedPdf>;
}

export interface PdfParts {
  readonly extensionUri: vscode.Uri;
  readonly passwords: Passwords;
  readonly memory: vscode.Memento;
  readonly notebook: NotebookClient;
  readonly positions: PdfPositions;
  /** Folder of unsaved changes. */
  readonly unsaved: vscode.Uri;
  readonly readers: AnnotationSaver;
  /** Returns the URL that a PDF is a copy of; undefined if it doesn't come from the web. */
  readonly webAddress: (uri: vscode.Uri) => Promise<string | undefined>;
  /** Reports that the notebook's highlights of a document changed; `pdf` contains its bytes. */
  readonly onMarksSaved: (document: string, pdf: vscode.Uri) => void;
  /** Lets the user choose a note and adds highlights to it. */
  readonly saveMarked: (pdf: vscode.Uri, marked: readonly PdfMarked[]) => void;
  /** Converts an image to the PDF that is shown for it. */
  readonly pdfOfPicture: (uri: vscode.Uri) => Promise<Uint8Array>;
}
