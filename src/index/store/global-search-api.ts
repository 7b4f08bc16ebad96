import type { Span } from '../../core/language/span.ts';
import type { PageRectangle } from '../../core/domain/locator.ts';

/** Note, answer, source, words of a document, or mark in a PDF that matches a search. */
export interface GlobalSearchHit {
  readonly kind: 'answer' | 'document' | 'mark' | 'note' | 'source';
  /** Title of a note, ID of a source or of an answer's conversation, or URI of the file with a mark. */
  readonly id: string;
  /** Location in its document, file, or note, or title of its conversation; undefined if there is none to name. */
  readonly place?: string | undefined;
  /** Line of a note with the first match, counted from 0. */
  readonly line?: number | undefined;
  /** First match of the search words in the document. */
  readonly words?: { readonly documentId: number; readonly span: Span; readonly quote: string } | undefined;
  /** Rectangles of the highlight. */
  readonly rectangles?: readonly PageRectangle[] | undefined;
  readonly title: string;
  /** Text around the matching words, on one line. */
  readonly excerpt: string;
  /** Time of the change, question, or addition, in milliseconds since 1970. */
  readonly at: number;
  readonly score: number;
}

/** Notebook to search, with its key in the window and its folder. */
export interface SearchedNotebook {
  readonly key: string;
  readonly directory: string;
}

/** API of the index worker for searches across notebooks. */
export interface GlobalSearchApi {
  /** Prepares a search of some notebooks between other work. */
  readonly prepareEverything: (params: { readonly notebooks: readonly SearchedNotebook[] }) => void;
  /**
   * Returns the notes, answers, sources, and marks of some notebooks that contain all words, best first. Skips notebooks that
   * can't be opened.
   */
  readonly searchEverything: (params: {
    readonly words: string;
    readonly limit: number;
    readonly notebooks: readonly SearchedNotebook[];
  }) => readonly (GlobalSearchHit & { readonly key: string })[];
}
