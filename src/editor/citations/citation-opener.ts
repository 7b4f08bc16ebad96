import * as vscode from 'vscode';
import type { Citation } from '../../notebook/answer.ts';
import { isCancelled, NotebookError } from '../../notebook/errors.ts';
import type { Locator } from '../../notebook/locator.ts';
import { isOpenedAsReading, jupyterType, pdfType } from '../../notebook/media-types.ts';
import type { DocumentEntry } from '../../notebook/source.ts';
import type { Span } from '../../language/span.ts';
import type { PdfMarks } from '../../messages/viewer.ts';
import type { Highlighter } from './highlight.ts';
import { tellMenus } from '../menu-contexts.ts';
import type { NotebookCells } from './notebook-cells.ts';
import type { NotebookClient } from '../notebook-client.ts';
import type { PageViewer } from './page-viewer.ts';
import type { PdfLocator } from '../pdf/pdf-marks.ts';
import { marksOf } from '../pdf/pdf-marks.ts';
import type { PdfViewer } from '../pdf/pdf-viewer.ts';
import type { WebPdfs } from './web-pdfs.ts';
import { gone, nameOf, statOf } from '../workspace-files.ts';

/** What is opened of a citation. */
type Cited = Pick<Citation, 'documentId' | 'mediaType' | 'quote' | 'sourceId' | 'span' | 'title' | 'uri'>;

/** Opens the originals of citations at the very words, and sources as a whole. */
export class CitationOpener {
  readonly #notebook: NotebookClient;
  readonly #highlighter: Highlighter;
  readonly #cells: NotebookCells;
  readonly #pdfs: PdfViewer;
  readonly #pages: PageViewer;
  readonly #webPdfs: WebPdfs;

  constructor(
    notebook: NotebookClient,
    highlighter: Highlighter,
    cells: NotebookCells,
    pdfs: PdfViewer,
    pages: PageViewer,
    webPdfs: WebPdfs,
  ) {
    this.#notebook = notebook;
    this.#highlighter = highlighter;
    this.#cells = cells;
    this.#pdfs = pdfs;
    this.#pages = pages;
    this.#webPdfs = webPdfs;
  }

  /** The same for citations of another notebook. */
  of(notebook: NotebookClient): CitationOpener {
    if (notebook === this.#notebook) return this;
    return new CitationOpener(
      notebook,
      this.#highlighter,
      this.#cells,
      this.#pdfs,
      this.#pages,
      this.#webPdfs.of(notebook),
    );
  }

  /**
   * Opens a citation where its words stand now; says so where they stand there no more. In a PDF the other words that
   * the answer cites, `all`, are marked, too.
   */
  async open(
    citation: Citation,
    column = vscode.ViewColumn.Active,
    all: readonly Citation[] = [],
  ): Promise<void> {
    const { documentId, sourceId, span, quote } = citation;
    const whereabouts = await this.#notebook.call('find', { documentId, sourceId, span, quote });
    switch (whereabouts.kind) {
      case 'found':
        void tellMenus('followedCitation', true);
        await this.#openAt(
          { ...citation, uri: whereabouts.uri, span: whereabouts.span },
          whereabouts.locator,
          column,
          all,
        );
        return;
      case 'changed':
        if (!(await isThere(whereabouts.uri))) throw gone(citation.title);
        void vscode.window.showInformationMessage(
          vscode.l10n.t(
            '{0} has changed since this was cited; the quoted words are no longer in it.',
            citation.title,
          ),
        );
        await this.#openAt({ ...citation, uri: whereabouts.uri }, undefined, column);
        return;
      case 'removed':
        void vscode.window.showInformationMessage(
          vscode.l10n.t(
            '{0} is no longer in the notebook. The citation still shows what it quoted.',
            citation.title,
          ),
        );
        if (await isThere(citation.uri)) await this.#openOriginal(citation.uri, citation.mediaType, column);
    }
  }

  /** Opens a source's document as a whole. */
  async openDocument(entry: DocumentEntry): Promise<void> {
    if (isWeb(entry.uri) && entry.mediaType === pdfType)
      await this.#openPdf({ ...entry, documentId: entry.id }, undefined, vscode.ViewColumn.Active);
    else if (isReadHere(entry.uri, entry.mediaType))
      await this.#pages.show(this.#notebook, entry.id, undefined, vscode.ViewColumn.Active);
    else await this.#openOriginal(entry.uri, entry.mediaType, vscode.ViewColumn.Active);
  }

  /** Opens what words were selected in, at these words. */
  async openSelection(entry: DocumentEntry): Promise<void> {
    const documentId = entry.id;
    const { text: quote } = await this.#notebook.call('document', { documentId });
    const span = { start: 0, end: quote.length };
    const found = await this.#notebook.call('find', { documentId, span, quote });
    const locator = found.kind === 'found' ? found.locator : undefined;
    await this.#openAt({ ...entry, documentId, span, quote }, locator, vscode.ViewColumn.Active);
  }

  async #openAt(
    citation: Cited,
    locator: Locator | undefined,
    column: vscode.ViewColumn,
    all: readonly Citation[] = [],
  ): Promise<void> {
    if (citation.uri === '') {
      await this.#pages.show(this.#notebook, citation.documentId, locator && citation.span, column);
      return;
    }
    switch (locator?.kind) {
      case 'lines':
        await this.#openLines(citation, locator, column);
        return;
      case 'pdf':
        await this.#openPdf(
          citation,
          {
            marks: marksOf(locator, await this.#placesIn(citation.documentId, all)),
            span: citation.span,
          },
          column,
        );
        return;
      case 'cell':
        await this.#cells.open(locator, citation, column);
        return;
      case 'saved':
        await this.#pages.show(this.#notebook, citation.documentId, locator.span, column);
        return;
      case undefined:
        if (isReadHere(citation.uri, citation.mediaType))
          await this.#pages.show(this.#notebook, citation.documentId, undefined, column);
        else await this.#openOriginal(citation.uri, citation.mediaType, column);
    }
  }

  /** Where the words stand now that are cited from a PDF. */
  async #placesIn(documentId: number, all: readonly Citation[]): Promise<PdfLocator[]> {
    const cited = all.filter((one) => one.documentId === documentId);
    const found = await Promise.all(
      cited.map(({ span, quote }) => this.#notebook.call('find', { documentId, span, quote })),
    );
    return found.flatMap((one) => (one.kind === 'found' && one.locator.kind === 'pdf' ? [one.locator] : []));
  }

  /** Opens a PDF; one of the web as it was read, and where that can't be had the copy of its text. */
  async #openPdf(
    { uri, documentId, sourceId }: Pick<Citation, 'documentId' | 'sourceId' | 'uri'>,
    at: { readonly marks: PdfMarks; readonly span: Span } | undefined,
    column: vscode.ViewColumn,
  ): Promise<void> {
    if (!isWeb(uri)) {
      await this.#showPdf(uri, at?.marks, column);
      return;
    }
    try {
      const copy = await this.#webPdfs.copyOf({ documentId, sourceId, address: uri });
      await this.#pdfs.show(copy, at?.marks, column);
    } catch (error) {
      if (!(error instanceof NotebookError)) throw error;
      if (!isCancelled(error))
        void vscode.window.showInformationMessage(
          vscode.l10n.t('{0} The text that was read of it is shown instead.', error.message),
        );
      await this.#pages.show(this.#notebook, documentId, at?.span, column);
    }
  }

  /** @throws NotebookError `not-found` */
  async #showPdf(address: string, marks: PdfMarks | undefined, column: vscode.ViewColumn): Promise<void> {
    const uri = vscode.Uri.parse(address);
    if ((await statOf(uri)) === undefined) throw gone(nameOf(uri));
    await this.#pdfs.show(uri, marks, column);
  }

  async #openLines(
    citation: Cited,
    locator: Extract<Locator, { kind: 'lines' }>,
    column: vscode.ViewColumn,
  ): Promise<void> {
    const uri = vscode.Uri.parse(citation.uri);
    const document = await this.#textDocument(uri, citation.title);
    const editor = await vscode.window.showTextDocument(document, { viewColumn: column, preview: true });
    const cited = new vscode.Range(
      locator.start.line,
      locator.start.character,
      locator.end.line,
      locator.end.character,
    );
    // The editor may hold changes that the notebook has not read yet: then the words are looked for in what it shows.
    const quote = withLineFeeds(citation.quote);
    const isText = withLineFeeds(document.getText(cited)) === quote;
    this.#highlighter.show(
      editor,
      isText ? cited : (rangeOf(document, quote) ?? document.validateRange(cited)),
    );
  }

  async #textDocument(uri: vscode.Uri, title: string): Promise<vscode.TextDocument> {
    try {
      return await vscode.workspace.openTextDocument(uri);
    } catch (error) {
      throw gone(title, error);
    }
  }

  async #openOriginal(uri: string, mediaType: string, column: vscode.ViewColumn): Promise<void> {
    if (isWeb(uri)) await vscode.env.openExternal(vscode.Uri.parse(uri, true));
    else if (mediaType === pdfType) await this.#showPdf(uri, undefined, column);
    else if (mediaType === jupyterType || isOpenedAsReading(mediaType))
      await vscode.commands.executeCommand('vscode.open', vscode.Uri.parse(uri), column);
    else
      await vscode.window.showTextDocument(await this.#textDocument(vscode.Uri.parse(uri), uri), {
        viewColumn: column,
      });
  }
}

/** Whether an original can still be opened; of the web is only known where. */
async function isThere(uri: string): Promise<boolean> {
  return uri !== '' && (isWeb(uri) || (await statOf(vscode.Uri.parse(uri))) !== undefined);
}

function isWeb(uri: string): boolean {
  return /^https?:/i.test(uri);
}

/** Whether a document is shown in the reading view. */
function isReadHere(uri: string, mediaType: string): boolean {
  return uri === '' || isWeb(uri) || isOpenedAsReading(mediaType);
}

function withLineFeeds(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}

function rangeOf(document: vscode.TextDocument, quote: string): vscode.Range | undefined {
  const breaks = document.eol === vscode.EndOfLine.CRLF ? quote.replaceAll('\n', '\r\n') : quote;
  const start = document.getText().indexOf(breaks);
  return start < 0
    ? undefined
    : new vscode.Range(document.positionAt(start), document.positionAt(start + breaks.length));
}
