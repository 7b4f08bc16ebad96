import { t } from '@vscode/l10n';
import { citedPassage, type ContextSelection, type Citation } from '../../../core/domain/answer.ts';
import { isCanceled, NotebookError } from '../../../core/domain/errors.ts';
import type { Position } from '../../../core/domain/document.ts';
import type { Locator } from '../../../core/domain/locator.ts';
import { isOpenedAsReading, JUPYTER_TYPE, PDF_TYPE } from '../../../core/domain/media-types.ts';
import { isRecordingType } from '../../../core/domain/recordings.ts';
import type { DocumentEntry } from '../../../core/domain/source.ts';
import type { Span } from '../../../core/language/span.ts';
import type { IndexApi } from '../../../index/worker/api.ts';
import type { PdfMarks, PdfMark, StoredPassage } from '../../pdf/protocol.ts';
import type { NotebookCells } from './notebook-cells.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import type { PageViewer } from './page-viewer.ts';
import type { WebPdfs } from './web-pdfs.ts';

/** Fields of a citation that opening it needs. */
type Cited = Pick<
  Citation,
  'documentId' | 'mediaType' | 'quote' | 'sourceId' | 'sourceKind' | 'span' | 'title' | 'uri'
>;

/** VS Code's editor column. */
type Column = Parameters<PageViewer['show']>[3];

/** Functions of the editor that show originals in one of its columns. */
export interface Originals {
  /** Reports whether the file exists. */
  isThere(uri: string): Promise<boolean>;
  /** Opens a text at cited lines with the text marked. @throws NotebookError `not-found` */
  showLines(
    cited: Pick<Citation, 'quote' | 'title' | 'uri'>,
    lines: Extract<Locator, { kind: 'lines' }>,
    column: Column,
  ): Promise<void>;
  /**
   * Opens a text with the cited text marked if it contains it. Resolves to whether it does; otherwise, nothing opens.
   */
  showWords(cited: Pick<Citation, 'locator' | 'quote' | 'uri'>, column: Column): Promise<boolean>;
  /** Opens a text, at a position if one is given. @throws NotebookError `not-found` */
  showText(uri: string, column: Column, at?: Position): Promise<void>;
  /** @throws NotebookError `not-found` */
  showPdf(uri: string, marks: PdfMarks | undefined, column: Column): Promise<void>;
  /** Opens a file in VS Code's default editor for it. */
  open(uri: string, column: Column): Promise<void>;
  /** Opens a web address outside the editor. */
  openOutside(uri: string): Promise<void>;
}

/** Notebook of a citation, as the editor accesses it. */
export type CitedNotebook = Pick<NotebookClient, 'call' | 'key'>;

/** Fields that are needed to open a document. */
type OpenedDocument = Pick<DocumentEntry, 'id' | 'mediaType' | 'sourceId' | 'title' | 'uri'>;

/** `N` is the type that identifies a notebook in all calls. */
export interface CitationOpenerParts<N = CitedNotebook> {
  readonly notebook: N;
  /** Finds the current location of cited text. */
  readonly find: (
    notebook: N,
    cited: Parameters<IndexApi['find']>[0],
  ) => Promise<ReturnType<IndexApi['find']>>;
  /** Returns the whole text of a document. @throws NotebookError `not-found` */
  readonly readText: (notebook: N, documentId: number) => Promise<string>;
  readonly originals: Originals;
  /** Column with the focus. */
  readonly activeColumn: Column;
  readonly cells: Pick<NotebookCells, 'open'>;
  readonly pages: {
    /** Shows the extracted text of a document, at a mark if one is given. @throws NotebookError `not-found` */
    readonly show: (notebook: N, documentId: number, mark: Span | undefined, column: Column) => Promise<void>;
    /** Shows a passage as it was when it was cited. */
    readonly showStored: (passage: StoredPassage, column: Column) => Promise<void>;
  };
  /** Shows recordings with their transcripts. */
  readonly player: {
    /** Shows the recording of a document, at a mark if one is given. @throws NotebookError `not-found` */
    readonly show: (notebook: N, documentId: number, mark: Span | undefined, column: Column) => Promise<void>;
  };
  /** Returns the URI of a copy of a web PDF, as it was read. @throws NotebookError `not-found`, `cancelled` */
  readonly copyPdf: (notebook: N, pdf: Parameters<WebPdfs['provideCopy']>[1]) => Promise<string>;
  /** Shows a message that needs no answer. */
  readonly inform: (message: string) => void;
  /** Shows a message with an action. */
  readonly offer: (message: string, action: string, run: () => Promise<void>) => void;
  /** Called when the user opened a citation whose text was found. */
  readonly onFollowed: () => void;
}

/** Opens originals of citations at the cited text, and whole sources. */
export class CitationOpener<N = CitedNotebook> {
  readonly #parts: CitationOpenerParts<N>;
  readonly #notebook: N;

  constructor(parts: CitationOpenerParts<N>) {
    this.#parts = parts;
    this.#notebook = parts.notebook;
  }

  /** Returns an opener for citations of another notebook. */
  in(notebook: N): CitationOpener<N> {
    return notebook === this.#notebook ? this : new CitationOpener({ ...this.#parts, notebook });
  }

  /**
   * Opens a citation at its current location. If the text is no longer there, shows a message and opens the former
   * location; if the source is gone, shows the passage as it was cited. In a PDF, the answer's other citations, `all`,
   * are marked, too.
   */
  async open(
    citation: Citation,
    column = this.#parts.activeColumn,
    citations: readonly Citation[] = [],
  ): Promise<void> {
    const { documentId, sourceId, span, quote } = citation;
    const whereabouts = await this.#parts.find(this.#notebook, { documentId, sourceId, span, quote });
    switch (whereabouts.kind) {
      case 'found':
        this.#parts.onFollowed();
        try {
          await this.#openAt(
            { ...citation, uri: whereabouts.uri, span: whereabouts.span },
            whereabouts.locator,
            column,
            citations,
          );
        } catch (error) {
          if (!(error instanceof NotebookError && error.code === 'not-found')) throw error;
          await this.#showStored(citation, t('{0} was moved or deleted.', citation.title), column);
        }
        return;
      case 'changed':
        if (whereabouts.uri !== '' && !(await this.#isThere(whereabouts.uri))) {
          await this.#showStored(citation, t('{0} was moved or deleted.', citation.title), column);
          return;
        }
        this.#parts.offer(
          t('{0} has changed and no longer contains the cited text.', citation.title),
          t('Show Cited Text'),
          () => this.#showStored(citation, t('{0} has changed.', citation.title), column),
        );
        await this.#openChanged({ ...citation, uri: whereabouts.uri }, column);
        return;
      case 'removed':
        if (!(await this.#openRemoved(citation, column)))
          await this.#showStored(
            citation,
            t('{0} is no longer in the notebook.', citation.title),
            column,
            await this.#isThere(citation.uri),
          );
    }
  }

  /** Opens a text at the former lines of the cited text, and other changed documents as a whole. */
  async #openChanged(citation: Citation, column: Column): Promise<void> {
    const { locator, uri } = citation;
    if (locator.kind === 'lines' && !isReadHere(uri, citation.mediaType))
      await this.#parts.originals.showText(uri, column, locator.start);
    else await this.#openAt(citation, undefined, column);
  }

  /**
   * Opens a document that is no longer in the notebook but still contains the cited text. Resolves to whether it does.
   */
  async #openRemoved({ uri, quote, locator }: Citation, column: Column): Promise<boolean> {
    if (uri === '' || isWeb(uri) || !(await this.#isThere(uri))) return false;
    if (locator.kind === 'lines')
      return await this.#parts.originals.showWords({ uri, quote, locator }, column);
    if (locator.kind !== 'pdf') return false;
    await this.#parts.originals.showPdf(uri, collectMarks(locator, []), column);
    return true;
  }

  /**
   * Shows the passage as it was when it was cited. `reason` explains why the original isn't shown; it can be opened if
   * it `isThere`.
   */
  async #showStored(citation: Citation, reason: string, column: Column, isThere = false): Promise<void> {
    const { title, place, uri } = citation;
    const notice = t('{0} The text is shown as it was cited.', reason);
    await this.#parts.pages.showStored(
      { title, place, uri: isThere ? uri : '', notice, ...citedPassage(citation) },
      column,
    );
  }

  /** Opens a whole document of a source. */
  async openDocument(entry: OpenedDocument, column = this.#parts.activeColumn): Promise<void> {
    if (isWeb(entry.uri) && entry.mediaType === PDF_TYPE)
      await this.#openPdf({ ...entry, documentId: entry.id }, undefined, column);
    else if (isReadHere(entry.uri, entry.mediaType))
      await this.#showText(entry.id, entry.mediaType, undefined, column);
    else await this.#openOriginal(entry.uri, entry.mediaType, column);
  }

  /** Opens the original of a selection at the selected text. */
  async openSelection(entry: OpenedDocument, column = this.#parts.activeColumn): Promise<void> {
    const documentId = entry.id;
    const quote = await this.#parts.readText(this.#notebook, documentId);
    const span = { start: 0, end: quote.length };
    const whereabouts = await this.#parts.find(this.#notebook, { documentId, span, quote });
    const locator = whereabouts.kind === 'found' ? whereabouts.locator : undefined;
    const cited = { ...entry, documentId, sourceKind: 'selection' as const, span, quote };
    await this.#openAt(cited, locator, column);
  }

  /** Opens the selection that a question was about; `quote` is its text. @throws NotebookError `not-found` */
  async openContext({ uri, title, locator }: ContextSelection, quote: string, column: Column): Promise<void> {
    if (locator.kind === 'lines')
      await this.#parts.originals.showLines({ uri, title, quote }, locator, column);
    else if (locator.kind === 'pdf')
      await this.#parts.originals.showPdf(uri, collectMarks(locator, []), column);
  }

  async #openAt(
    citation: Cited,
    locator: Locator | undefined,
    column: Column,
    citations: readonly Citation[] = [],
  ): Promise<void> {
    if (citation.uri === '') {
      await this.#showText(citation.documentId, citation.mediaType, locator && citation.span, column);
      return;
    }
    switch (locator?.kind) {
      case 'lines':
        await this.#parts.originals.showLines(citation, locator, column);
        return;
      case 'pdf':
        await this.#openPdf(
          citation,
          {
            marks: collectMarks(locator, await this.#placesIn(citation.documentId, citations)),
            span: citation.span,
          },
          column,
        );
        return;
      case 'cell':
        if (!(await this.#parts.cells.open(locator, citation, column)))
          await this.#parts.pages.show(this.#notebook, citation.documentId, citation.span, column);
        return;
      case 'saved':
        if (locator.time === undefined)
          await this.#showText(citation.documentId, citation.mediaType, locator.span, column);
        else await this.#parts.player.show(this.#notebook, citation.documentId, locator.span, column);
        return;
      case undefined:
        if (isReadHere(citation.uri, citation.mediaType))
          await this.#showText(citation.documentId, citation.mediaType, undefined, column);
        else await this.#openOriginal(citation.uri, citation.mediaType, column);
    }
  }

  /** Shows the extracted text of a document, or its recording with the transcript. */
  async #showText(
    documentId: number,
    mediaType: string,
    mark: Span | undefined,
    column: Column,
  ): Promise<void> {
    const { pages, player } = this.#parts;
    const viewer = isRecordingType(mediaType) ? player : pages;
    await viewer.show(this.#notebook, documentId, mark, column);
  }

  /** Returns the current locations of text that is cited from a PDF. */
  async #placesIn(documentId: number, citations: readonly Citation[]): Promise<PdfLocator[]> {
    const cited = citations.filter((citation) => citation.documentId === documentId);
    const whereabouts = await Promise.all(
      cited.map(({ span, quote }) => this.#parts.find(this.#notebook, { documentId, span, quote })),
    );
    return whereabouts.flatMap((place) =>
      place.kind === 'found' && place.locator.kind === 'pdf' ? [place.locator] : [],
    );
  }

  /** Opens a PDF. A web PDF opens as it was read or, if it isn't available, as extracted text. */
  async #openPdf(
    { uri, documentId, sourceId }: Pick<Citation, 'documentId' | 'sourceId' | 'uri'>,
    at: { readonly marks: PdfMarks; readonly span: Span } | undefined,
    column: Column,
  ): Promise<void> {
    if (!isWeb(uri)) {
      await this.#parts.originals.showPdf(uri, at?.marks, column);
      return;
    }
    try {
      const copy = await this.#parts.copyPdf(this.#notebook, {
        documentId,
        sourceId,
        address: uri,
      });
      await this.#parts.originals.showPdf(copy, at?.marks, column);
    } catch (error) {
      if (!(error instanceof NotebookError)) throw error;
      if (!isCanceled(error)) this.#parts.inform(t('{0} Showing the extracted text instead.', error.message));
      await this.#parts.pages.show(this.#notebook, documentId, at?.span, column);
    }
  }

  async #openOriginal(uri: string, mediaType: string, column: Column): Promise<void> {
    const { originals } = this.#parts;
    if (isWeb(uri)) await originals.openOutside(uri);
    else if (mediaType === PDF_TYPE) await originals.showPdf(uri, undefined, column);
    else if (mediaType === JUPYTER_TYPE || isOpenedAsReading(mediaType)) await originals.open(uri, column);
    else await originals.showText(uri, column);
  }

  /** Reports whether an original can still be opened. A web page is assumed to exist. */
  async #isThere(uri: string): Promise<boolean> {
    return uri !== '' && (isWeb(uri) || (await this.#parts.originals.isThere(uri)));
  }
}

function isWeb(uri: string): boolean {
  return /^https?:/i.test(uri);
}

/** Reports whether a document is shown in the reading view. */
function isReadHere(uri: string, mediaType: string): boolean {
  return uri === '' || isWeb(uri) || isOpenedAsReading(mediaType);
}

type PdfLocator = Extract<Locator, { kind: 'pdf' }>;

/** Returns the marks of a PDF: the opened text among all cited texts, each once, from the first page on. */
export function collectMarks(opened: PdfLocator, locators: readonly PdfLocator[]): PdfMarks {
  const marks = new Map<string, PdfMark>();
  for (const { page, rectangles } of [opened, ...locators])
    marks.set(JSON.stringify([page, rectangles]), { page, rectangles });
  const shown = marks.get(JSON.stringify([opened.page, opened.rectangles]));
  const ordered = [...marks.values()].sort((a, b) => a.page - b.page || topEdge(b) - topEdge(a));
  return {
    marks: ordered,
    current: Math.max(
      0,
      ordered.findIndex((mark) => mark === shown),
    ),
  };
}

/** Returns the upper edge of a mark on its page, in points from the lower edge of the page. */
function topEdge({ page, rectangles }: PdfMark): number {
  return Math.max(
    0,
    ...rectangles.filter((rectangle) => rectangle.page === page).map(({ y, height }) => y + height),
  );
}

/** Opens words of a document in its original, in a notebook that need not be the one that is shown. */
export async function openDocumentPlace(
  opener: CitationOpener,
  notebook: CitedNotebook,
  { documentId, span, quote }: { readonly documentId: number; readonly span: Span; readonly quote: string },
  column: Column,
): Promise<void> {
  const request = { number: 1, documentId, passage: span, span, quote };
  const [citation] = await notebook.call('cite', { requests: [request] });
  if (citation !== undefined) await opener.in(notebook).open(citation, column);
}
