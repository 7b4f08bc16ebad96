import * as vscode from 'vscode';
import { isPictureName } from '../../../core/domain/media-types.ts';
import { showOptions, type EditorPlace } from '../../../platform/open-file.ts';
import type { PdfMarks, PdfSelection } from '../protocol.ts';
import type { OpenPdf } from './open-pdf.ts';
import type { PdfParts } from './pdf-parts.ts';
import type { PdfDocument } from './pdf-document.ts';
import { Disposable } from '../../../platform/disposable.ts';

/** Editor types in package.json: the default editor for PDFs, and an optional editor for pictures. */
const PDF_VIEW_TYPE = 'openNotebook.pdf';
const PICTURE_VIEW_TYPE = 'openNotebook.picture';

/** Editor that shows and annotates a PDF, or a picture as a page. */
export class PdfViewer extends Disposable implements vscode.CustomEditorProvider<PdfDocument> {
  readonly #parts: PdfParts;
  readonly #open = new Map<string, OpenPdf>();
  /** Marks that an opening editor will show first, by the PDF's URI. */
  readonly #pending = new Map<string, PdfMarks>();
  /** Fires for edits, and for restored changes without an edit. */
  readonly #edited = this._register(
    new vscode.EventEmitter<vscode.CustomDocumentContentChangeEvent<PdfDocument>>(),
  );
  readonly onDidChangeCustomDocument = this.#edited.event;

  constructor(parts: PdfParts) {
    super();
    this.#parts = parts;
    const options = { webviewOptions: { retainContextWhenHidden: true } };
    this._register(
      vscode.window.registerCustomEditorProvider(PDF_VIEW_TYPE, this, options),
      vscode.window.registerCustomEditorProvider(PICTURE_VIEW_TYPE, this, options),
    );
  }

  /** Opens a PDF, at the marks if they are given. */
  async show(uri: vscode.Uri, marks: PdfMarks | undefined, column: EditorPlace): Promise<void> {
    const key = uri.toString();
    const open = this.#open.get(key);
    if (open !== undefined) {
      open.show(marks, showOptions(column).preserveFocus);
      return;
    }
    if (marks !== undefined) this.#pending.set(key, marks);
    const viewType = isPictureName(uri.path) ? PICTURE_VIEW_TYPE : PDF_VIEW_TYPE;
    await vscode.commands.executeCommand('vscode.openWith', uri, viewType, showOptions(column));
  }

  get #active(): OpenPdf | undefined {
    return [...this.#open.values()].find(({ isActive }) => isActive);
  }

  /** PDF of the active editor. */
  get active(): PdfDocument | undefined {
    return this.#active?.document;
  }

  /** Returns the selection in the PDF of the active editor; undefined if there is none. */
  async selection(): Promise<(PdfSelection & { readonly uri: vscode.Uri }) | undefined> {
    const active = this.#active;
    return active && { ...(await active.selection()), uri: active.uri };
  }

  /** Adds the selected highlights of the active PDF to a note, or all if none is selected. */
  addListed(): void {
    this.#active?.addListed();
  }

  async openCustomDocument(
    uri: vscode.Uri,
    { backupId }: vscode.CustomDocumentOpenContext,
  ): Promise<PdfDocument> {
    const { PdfDocument } = await import('./pdf-document.ts');
    return PdfDocument.open(uri, backupId, this.#parts);
  }

  saveCustomDocument(document: PdfDocument): Promise<void> {
    return document.save();
  }

  saveCustomDocumentAs(document: PdfDocument, target: vscode.Uri): Promise<void> {
    return document.saveAs(target);
  }

  revertCustomDocument(document: PdfDocument): Promise<void> {
    return document.revert();
  }

  backupCustomDocument(
    document: PdfDocument,
    { destination }: vscode.CustomDocumentBackupContext,
  ): Promise<vscode.CustomDocumentBackup> {
    return document.backUp(destination);
  }

  async resolveCustomEditor(document: PdfDocument, panel: vscode.WebviewPanel): Promise<void> {
    const { OpenPdf } = await import('./open-pdf.ts');
    const { uri } = document;
    const key = uri.toString();
    const open = new OpenPdf(
      document,
      panel,
      this.#parts,
      (edit) => this.#edited.fire(document.edit(edit)),
      (edit) => this.#edited.fire(document.fillIn(edit)),
    );
    const marks = this.#pending.get(key);
    this.#pending.delete(key);
    this.#open.set(key, open);
    panel.onDidDispose(() => {
      this.#open.delete(key);
      open.dispose();
    });
    open.load(marks);
    if (document.isRestored) this.#edited.fire({ document });
  }
}
