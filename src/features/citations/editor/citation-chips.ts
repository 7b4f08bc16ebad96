import * as vscode from 'vscode';
import { citationLinks, type CitationLink } from '../../../core/domain/citation-links.ts';
import { NOTE_SCHEME } from '../../notes/editor/note-files.ts';
import { Disposable } from '../../../platform/disposable.ts';

/**
 * Maximum length of a note whose links become chips, in UTF-16 code units, because each edit searches the whole text.
 */
const MAX_NOTE_LENGTH = 500_000;

/**
 * Shows the citations in notes as quiet chips: of a link only its number, without its target. The line with the cursor
 * shows its links in full, so that they can be edited.
 */
export class CitationChips extends Disposable {
  readonly #chip = this._register(
    vscode.window.createTextEditorDecorationType({
      color: new vscode.ThemeColor('badge.foreground'),
      // VS Code draws `backgroundColor` behind the text, but not in a line with hidden text that wraps.
      textDecoration: 'none; background-color: var(--vscode-badge-background); font-size: 0.85em;',
      rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
    }),
  );
  readonly #target = this._register(
    vscode.window.createTextEditorDecorationType({
      textDecoration: 'none; display: none;',
      rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
    }),
  );
  /** The links of a note, as long as its text stays the same. */
  readonly #links = new WeakMap<vscode.TextDocument, { version: number; links: readonly CitationLink[] }>();

  constructor() {
    super();
    this._register(
      vscode.window.onDidChangeVisibleTextEditors((editors) => {
        this.#showIn(editors);
      }),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
        this.#showIn([textEditor]);
      }),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        this.#showIn(vscode.window.visibleTextEditors.filter((editor) => editor.document === document));
      }),
    );
    this.#showIn(vscode.window.visibleTextEditors);
  }

  #showIn(editors: readonly vscode.TextEditor[]): void {
    for (const editor of editors) {
      const { document } = editor;
      if (document.uri.scheme !== NOTE_SCHEME || document.languageId !== 'markdown') continue;
      const links = this.#linksOf(document).filter((link) => !isBeingEdited(editor, link));
      const range = (start: number, end: number): vscode.Range =>
        new vscode.Range(document.positionAt(start), document.positionAt(end));
      editor.setDecorations(
        this.#chip,
        links.map(({ start, labelEnd }) => range(start, labelEnd)),
      );
      editor.setDecorations(
        this.#target,
        links.map(({ labelEnd, end }) => range(labelEnd, end)),
      );
    }
  }

  #linksOf(document: vscode.TextDocument): readonly CitationLink[] {
    const { version } = document;
    const known = this.#links.get(document);
    if (known?.version === version) return known.links;
    const text = document.getText();
    const links = text.length > MAX_NOTE_LENGTH ? [] : citationLinks(text);
    this.#links.set(document, { version, links });
    return links;
  }
}

/** Reports whether a cursor or a selection is on the line of a link. */
function isBeingEdited({ document, selections }: vscode.TextEditor, { start }: CitationLink): boolean {
  const { line } = document.positionAt(start);
  return selections.some((selection) => selection.start.line <= line && line <= selection.end.line);
}
