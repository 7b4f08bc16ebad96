import type { PageNumber } from '../../core/domain/page-number.ts';
import type { Citation } from '../../core/domain/answer.ts';
import type { SpokenTimes } from '../../core/domain/document.ts';
import type { TextFormat } from '../../core/language/units.ts';
import type { PlacedFigure } from '../../core/domain/figure.ts';
import type { Locator, PageRectangle } from '../../core/domain/locator.ts';
import type { PassagePlace } from '../../core/domain/passage.ts';
import type { RecognizedRun } from '../../core/domain/pdf-map.ts';
import type { Span } from '../../core/language/span.ts';
import type { DocumentEntry } from '../../core/domain/source.ts';
import type { Outline } from '../../core/domain/suggestions.ts';

/**
 * Result of looking for cited text: its current position, or that the document changed or was removed. `uri` is the
 * document's current address, as its file may have moved.
 */
export type Whereabouts =
  | { readonly kind: 'found'; readonly uri: string; readonly span: Span; readonly locator: Locator }
  | { readonly kind: 'changed'; readonly uri: string }
  | { readonly kind: 'removed' };

/** Cited text with its surroundings in the document; `mark` is a span of `text`. */
export interface Surroundings {
  readonly text: string;
  readonly mark: Span;
  readonly format: TextFormat;
  readonly languageId: string | undefined;
  /** Spans of `text` with uncertain text recognition. */
  readonly doubtful: readonly Span[];
}

/** Current state of a cited document. */
export interface CitedDocument {
  readonly documentId: number;
  readonly sourceId: string;
  /** Title in citations. */
  readonly title: string;
  /** Time in milliseconds since 1970. */
  readonly readAt: number;
}

/** Span to cite with its text at the time of reading, and the passage that contained it. */
export interface CiteRequest extends Pick<Citation, 'number' | 'documentId' | 'passage' | 'span' | 'quote'> {
  /** Source and location for the citation if the document was removed since. */
  readonly readIn?: Pick<Citation, 'sourceId' | 'title' | 'place'>;
}

/** Words of a citation with their position. */
export interface CitedWords extends PassagePlace {
  /** If set, a document of another source doesn't match: the text was cited in another notebook. */
  readonly sourceId?: string;
  readonly quote: string;
}

interface StoredDocument {
  readonly entry: DocumentEntry;
  readonly format: TextFormat;
  readonly languageId: string | undefined;
  readonly text: string;
  /** Times of a recording's transcript. */
  readonly spoken?: SpokenTimes;
}

/** API of the index worker for documents, cited text, and its surroundings. */
export interface CitingApi {
  readonly document: (params: { readonly documentId: number }) => StoredDocument;
  /** Returns the headings of documents; without IDs, of one document of each recently read source. */
  readonly outlines: (params: { readonly documentIds?: readonly number[] }) => readonly Outline[];
  readonly find: (params: CitedWords) => Whereabouts;
  /** Returns those of the documents that are still in the notebook. */
  readonly citedDocuments: (params: { readonly documentIds: readonly number[] }) => readonly CitedDocument[];
  /** Undefined if the words are no longer in the document. */
  readonly surroundings: (params: CitedWords) => Surroundings | undefined;
  /** Returns the pages with recognized text in the file at a URI, counted from one. */
  readonly recognizedPages: (params: { readonly uri: string }) => readonly number[];
  readonly recognizedWords: (params: {
    readonly uri: string;
    readonly page: PageNumber;
  }) => readonly RecognizedRun[];
  /** Returns the figure that cited text shows or names, if a picture of it is available. */
  readonly figure: (params: CitedWords) => PlacedFigure | undefined;
  readonly cite: (params: { readonly requests: readonly CiteRequest[] }) => readonly Citation[];
  /**
   * Returns the citation of the given words near a region of a page in the PDF at a URI. If the page doesn't contain
   * them, cites the words in or next to the region. Undefined if no document has the URI.
   */
  readonly citeRegion: (params: {
    readonly uri: string;
    readonly region: PageRectangle;
    readonly words?: string | undefined;
  }) => Citation | undefined;
}
