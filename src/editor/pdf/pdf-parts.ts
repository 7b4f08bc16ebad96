import type { PdfMarked } from '../../messages/viewer.ts';
import type * as vscode from 'vscode';
import type { AnnotationsRequest, SavedPdf } from '../../reading/api.ts';
import type { Savable } from '../../reading/pdf/saving/save-annotations.ts';
import type { Passwords } from './with-password.ts';
import type { PdfPositions } from './pdf-positions.ts';
import type { NotebookClient } from '../notebook-client.ts';

/** What looks at PDFs to save annotations in them; each throws a NotebookError. */
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
  /** The folder where what is unsaved is kept. */
  readonly unsaved: vscode.Uri;
  readonly readers: AnnotationSaver;
  /** The address that a PDF is a copy of; undefined where it is none of the web. */
  readonly webAddress: (uri: vscode.Uri) => Promise<string | undefined>;
  /** The notebook keeps other marks of a document; `pdf` has its bytes. */
  readonly onMarksKept: (document: string, pdf: vscode.Uri) => void;
  /** Has the user choose a note, and adds what is marked to it. */
  readonly saveMarked: (pdf: vscode.Uri, marked: readonly PdfMarked[]) => void;
  /** A picture as the PDF that it is shown as. */
  readonly pdfOfPicture: (uri: vscode.Uri) => Promise<Uint8Array>;
}
