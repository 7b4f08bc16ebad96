import * as vscode from 'vscode';
import type { Citation } from '../notebook/answer.ts';
import type { CitationLink } from '../notebook/citation-links.ts';
import { citationLinks } from '../notebook/citation-links.ts';
import { NotebookError } from '../notebook/errors.ts';
import type { CitationOpener } from './citation-opener.ts';
import { citationOfUri, noteScheme } from './note-files.ts';
import type { NotebookClient } from './notebook-client.ts';

const selector: vscode.DocumentSelector = { scheme: noteScheme, language: 'markdown' };

const openCommand = 'openNotebook.openNoteCitation';

/** How much of a quote is shown, in UTF-16 code units. */
const LONGEST_QUOTE = 1000;

/**
 * Keeps the citations in notes live: their links open the source at the very words, from the editor and from VS Code's
 * Markdown preview, and tell what they quote.
 */
export class NoteCitations
  implements
    vscode.DocumentLinkProvider,
    vscode.HoverProvider,
    vscode.CustomReadonlyEditorProvider,
    vscode.Disposable
{
  readonly #notebook: NotebookClient;
  readonly #opener: CitationOpener;
  readonly #registrations: vscode.Disposable;

  constructor(notebook: NotebookClient, opener: CitationOpener) {
    this.#notebook = notebook;
    this.#opener = opener;
    this.#registrations = vscode.Disposable.from(
      vscode.languages.registerDocumentLinkProvider(selector, this),
      vscode.languages.registerHoverProvider(selector, this),
      vscode.window.registerCustomEditorProvider('openNotebook.citation', this),
      vscode.commands.registerCommand(openCommand, (id: unknown, beside: unknown) =>
        typeof id === 'string' ? this.#open(id, beside === true) : undefined,
      ),
    );
  }

  provideDocumentLinks(document: vscode.TextDocument): vscode.DocumentLink[] {
    return citationLinks(document.getText()).map((link) => {
      // What stands in the parentheses is a link of the editor's own.
      const label = new vscode.Range(document.positionAt(link.start), document.positionAt(link.labelEnd));
      const documentLink = new vscode.DocumentLink(label, commandUri(link.id, false));
      documentLink.tooltip = vscode.l10n.t('Open the cited words');
      return documentLink;
    });
  }

  async provideHover(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.Hover | undefined> {
    const offset = document.offsetAt(position);
    const link = citationLinks(document.getText()).find(({ start, end }) => start <= offset && offset < end);
    if (link === undefined) return undefined;
    return new vscode.Hover(await this.#card(link.id), rangeOf(document, link));
  }

  openCustomDocument(uri: vscode.Uri): vscode.CustomDocument {
    return { uri, dispose: () => undefined };
  }

  /** A link in the preview opens the citation's own file, whose place the cited source takes at once. */
  async resolveCustomEditor({ uri }: vscode.CustomDocument, panel: vscode.WebviewPanel): Promise<void> {
    const id = citationOfUri(uri);
    try {
      if (id !== undefined) await this.#open(id, false);
    } finally {
      panel.dispose();
    }
  }

  dispose(): void {
    this.#registrations.dispose();
  }

  async #open(id: string, beside: boolean): Promise<void> {
    try {
      const citation = await this.#citation(id);
      if (citation !== undefined) await this.#opener.open(citation, beside);
      else void vscode.window.showInformationMessage(unknown());
    } catch (error) {
      if (!(error instanceof NotebookError)) throw error;
      void vscode.window.showErrorMessage(error.message);
    }
  }

  async #citation(id: string): Promise<Citation | undefined> {
    const [kept] = await this.#notebook.call('noteCitations', { ids: [id] });
    return kept?.citation;
  }

  async #card(id: string): Promise<vscode.MarkdownString> {
    const card = new vscode.MarkdownString();
    const citation = await this.#citation(id);
    if (citation === undefined) return card.appendText(unknown());
    card.isTrusted = { enabledCommands: [openCommand] };
    const { title, place, quote, documentId, span } = citation;
    const around = await this.#notebook.call('surroundings', { documentId, span, quote });
    card.appendText([title, place].filter((part) => part !== '').join(', '));
    const shown = quote.length > LONGEST_QUOTE ? `${quote.slice(0, LONGEST_QUOTE)}…` : quote;
    if (around?.format === 'code') card.appendCodeblock(shown, around.languageId);
    else card.appendMarkdown('\n\n> ').appendText(shown.replaceAll(/\s+/g, ' ').trim());
    if (around === undefined)
      card
        .appendMarkdown('\n\n')
        .appendText(
          vscode.l10n.t(
            'The source has changed or was removed since; these are the words as they were cited.',
          ),
        );
    card.appendMarkdown('\n\n');
    const open = `[${vscode.l10n.t('Open')}](${commandUri(id, false).toString()})`;
    const beside = `[${vscode.l10n.t('Open to the Side')}](${commandUri(id, true).toString()})`;
    return card.appendMarkdown(`${open} · ${beside}`);
  }
}

function commandUri(id: string, beside: boolean): vscode.Uri {
  return vscode.Uri.parse(`command:${openCommand}?${encodeURIComponent(JSON.stringify([id, beside]))}`);
}

function rangeOf(document: vscode.TextDocument, { start, end }: CitationLink): vscode.Range {
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}

function unknown(): string {
  return vscode.l10n.t('No note of this notebook holds this citation. It may have been made in another one.');
}
