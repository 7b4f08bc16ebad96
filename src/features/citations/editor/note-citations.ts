import * as vscode from 'vscode';
import { fenceText } from '../../../core/language/markdown-lines.ts';
import type { Citation } from '../../../core/domain/answer.ts';
import { citationLinks, type CitationLink } from '../../../core/domain/citation-links.ts';
import { decidingText, verdictMarkAt } from '../../../core/domain/note-evidence.ts';
import type { Span } from '../../../core/language/span.ts';
import type { CitationOpener } from './citation-opener.ts';
import { targetOfPreviewLink } from '../../notes/model/preview-links.ts';
import { citationOfUri, NOTES, type NotebooksByKey } from '../../notes/editor/note-files.ts';
import { OPEN_NOTE_LINK } from '../../notes/editor/note-links.ts';
import { OPEN_WORK } from './work-citations.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import { showErrors } from '../../../platform/show-errors.ts';
import { inform } from '../../../platform/dialogs.ts';
import { Disposable } from '../../../platform/disposable.ts';

const OPEN_COMMAND = 'openNotebook.openNoteCitation';

/** Maximum length of a quote that is shown, in UTF-16 code units. */
const MAX_QUOTE_LENGTH = 1000;

/** Citation that a note of a notebook names. */
interface CitationAt {
  readonly id: string;
  /** Key of the notebook. */
  readonly key: string;
}

/**
 * Makes the citations in notes work: their links open the source at the cited text, from the editor and from VS Code's
 * Markdown preview, and show the quote and the evidence for its statement on hover. Marks of the fact check show
 * the evidence, too.
 */
export class NoteCitations
  extends Disposable
  implements vscode.DocumentLinkProvider, vscode.HoverProvider, vscode.CustomReadonlyEditorProvider
{
  readonly #notebooks: Pick<NotebooksByKey, 'client'>;
  readonly #opener: CitationOpener;

  constructor(notebooks: Pick<NotebooksByKey, 'client'>, opener: CitationOpener) {
    super();
    this.#notebooks = notebooks;
    this.#opener = opener;
    this._register(
      vscode.languages.registerDocumentLinkProvider(NOTES, this),
      vscode.languages.registerHoverProvider(NOTES, this),
      vscode.window.registerCustomEditorProvider('openNotebook.citation', this),
      vscode.commands.registerCommand(OPEN_COMMAND, (id: unknown, beside: unknown, key: unknown) =>
        typeof id === 'string'
          ? this.#open(
              { id, key: typeof key === 'string' ? key : '' },
              beside === true ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active,
            )
          : undefined,
      ),
    );
  }

  provideDocumentLinks(document: vscode.TextDocument): vscode.DocumentLink[] {
    return citationLinks(document.getText()).map((link) => {
      // VS Code links the text in the parentheses.
      const label = new vscode.Range(document.positionAt(link.start), document.positionAt(link.labelEnd));
      const documentLink = new vscode.DocumentLink(label, commandUri(at(document, link), false));
      documentLink.tooltip = vscode.l10n.t('Open cited text');
      return documentLink;
    });
  }

  async provideHover(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.Hover | undefined> {
    const offset = document.offsetAt(position);
    const text = document.getText();
    const rangeOf = ({ start, end }: Span): vscode.Range =>
      new vscode.Range(document.positionAt(start), document.positionAt(end));
    const link = citationLinks(text).find(({ start, end }) => start <= offset && offset < end);
    if (link !== undefined) {
      const card = await this.#card(at(document, link), (citation) =>
        decidingText(text, link.start, [citation]),
      );
      return new vscode.Hover(card, rangeOf(link));
    }
    const mark = verdictMarkAt(text, offset);
    if (mark === undefined) return undefined;
    const notebook = this.#notebooks.client(document.uri.authority);
    const stored = await notebook.call('noteCitations', { ids: mark.citationIds });
    const citations = stored.map(({ citation }) => citation);
    const card = new vscode.MarkdownString().appendText(mark.explanation);
    appendEvidence(card, decidingText(text, mark.start, citations));
    return new vscode.Hover(card, rangeOf(mark));
  }

  openCustomDocument(uri: vscode.Uri): vscode.CustomDocument {
    return { uri, dispose: () => undefined };
  }

  /** Replaces the file that a link in the preview opens by the link's target. */
  async resolveCustomEditor({ uri }: vscode.CustomDocument, panel: vscode.WebviewPanel): Promise<void> {
    const id = citationOfUri(uri);
    const target = targetOfPreviewLink(uri.path);
    try {
      if (target?.kind === 'work') await vscode.commands.executeCommand(OPEN_WORK, target.key, uri.authority);
      else if (target !== undefined)
        await vscode.commands.executeCommand(OPEN_NOTE_LINK, target.title, target.heading, uri.authority);
      else if (id !== undefined) await this.#open({ id, key: uri.authority }, vscode.ViewColumn.Active);
    } finally {
      panel.dispose();
    }
  }

  async #open({ id, key }: CitationAt, column: vscode.ViewColumn): Promise<void> {
    await showErrors(async () => {
      const notebook = this.#notebooks.client(key);
      const citation = await citationIn(notebook, id);
      if (citation !== undefined) await this.#opener.in(notebook).open(citation, column);
      else inform(unknown());
    });
  }

  /** @param findEvidence returns the text that decides the verdict on the statement before the link */
  async #card(
    citationAt: CitationAt,
    findEvidence: (citation: Citation) => string | undefined,
  ): Promise<vscode.MarkdownString> {
    const card = new vscode.MarkdownString();
    const notebook = this.#notebooks.client(citationAt.key);
    const citation = await citationIn(notebook, citationAt.id);
    if (citation === undefined) return card.appendText(unknown());
    card.isTrusted = { enabledCommands: [OPEN_COMMAND] };
    const { title, place, quote, documentId, span } = citation;
    const around = await notebook.call('surroundings', { documentId, span, quote });
    card.appendText([title, place].filter((part) => part !== '').join(', '));
    const shown = quote.length > MAX_QUOTE_LENGTH ? `${quote.slice(0, MAX_QUOTE_LENGTH)}…` : quote;
    if (around?.format === 'code') card.appendMarkdown(`\n\n${fenceText(shown, around.languageId)}`);
    else card.appendMarkdown('\n\n> ').appendText(shown.replaceAll(/\s+/g, ' ').trim());
    appendEvidence(card, findEvidence(citation));
    if (around === undefined)
      card
        .appendMarkdown('\n\n')
        .appendText(
          vscode.l10n.t('The source has changed or was removed. The text is shown as it was cited.'),
        );
    card.appendMarkdown('\n\n');
    const open = `[${vscode.l10n.t('Open')}](${commandUri(citationAt, false).toString()})`;
    const beside = `[${vscode.l10n.t('Open to the Side')}](${commandUri(citationAt, true).toString()})`;
    return card.appendMarkdown(`${open} · ${beside}`);
  }
}

function appendEvidence(card: vscode.MarkdownString, deciding: string | undefined): void {
  if (deciding === undefined) return;
  const words = deciding.replaceAll(/\s+/g, ' ').trim();
  card.appendMarkdown('\n\n').appendText(vscode.l10n.t('Evidence: “{0}”', words));
}

async function citationIn(notebook: NotebookClient, id: string): Promise<Citation | undefined> {
  const [storedCitation] = await notebook.call('noteCitations', { ids: [id] });
  return storedCitation?.citation;
}

function at(document: vscode.TextDocument, { id }: CitationLink): CitationAt {
  return { id, key: document.uri.authority };
}

function commandUri({ id, key }: CitationAt, beside: boolean): vscode.Uri {
  return vscode.Uri.parse(`command:${OPEN_COMMAND}?${encodeURIComponent(JSON.stringify([id, beside, key]))}`);
}

function unknown(): string {
  return vscode.l10n.t('No note in this notebook contains this citation. It may belong to another notebook.');
}
