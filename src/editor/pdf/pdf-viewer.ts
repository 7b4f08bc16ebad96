import * as vscode from 'vscode';
import type { PdfMarks, PdfSelection } from '../../messages/viewer.ts';
import type { OpenPdf, PdfParts } from './open-pdf.ts';

const VIEW_TYPE = 'openNotebook.pdf';

/** The editor that shows a PDF, opened on a citation's words or by *Reopen Editor With…*. */
export class PdfViewer implements vscode.CustomReadonlyEditorProvider, vscode.Disposable {
  readonly #parts: PdfParts;
  readonly #registration: vscode.Disposable;
  readonly #open = new Map<string, OpenPdf>();
  /** What an editor that is still opening will show first, by the PDF's URI. */
  readonly #pending = new Map<string, PdfMarks>();

  constructor(parts: PdfParts) {
    this.#parts = parts;
    this.#registration = vscode.window.registerCustomEditorProvider(VIEW_TYPE, this, {
      webviewOptions: { retainContextWhenHidden: true },
    });
  }

  /** Opens a PDF, at marked words where they are given. */
  async show(uri: vscode.Uri, marks: PdfMarks | undefined, column: vscode.ViewColumn): Promise<void> {
    const key = uri.toString();
    const open = this.#open.get(key);
    if (open !== undefined) {
      open.show(marks);
      return;
    }
    if (marks !== undefined) this.#pending.set(key, marks);
    await vscode.commands.executeCommand('vscode.openWith', uri, VIEW_TYPE, column);
  }

  /** What is selected in the PDF whose editor is the active one; undefined where none is. */
  async selection(): Promise<(PdfSelection & { readonly uri: vscode.Uri }) | undefined> {
    const active = [...this.#open.values()].find(({ isActive }) => isActive);
    return active && { ...(await active.selection()), uri: active.uri };
  }

  openCustomDocument(uri: vscode.Uri): vscode.CustomDocument {
    return { uri, dispose: () => undefined };
  }

  async resolveCustomEditor({ uri }: vscode.CustomDocument, panel: vscode.WebviewPanel): Promise<void> {
    const { OpenPdf } = await import('./open-pdf.ts');
    const key = uri.toString();
    const open = new OpenPdf(uri, panel, this.#parts);
    const marks = this.#pending.get(key);
    this.#pending.delete(key);
    this.#open.set(key, open);
    panel.onDidDispose(() => {
      this.#open.delete(key);
      open.dispose();
    });
    open.load(marks);
  }

  dispose(): void {
    this.#registration.dispose();
  }
}
