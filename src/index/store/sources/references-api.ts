import type { Bibliography, Reference } from '../../../core/domain/bibliography.ts';

/** Bibliographic metadata of a document. */
export interface DocumentBibliography {
  /** Citation key for notes. */
  readonly key: string;
  /** Metadata found in the document. */
  readonly found: Bibliography | undefined;
  /** Metadata from the user, which takes precedence. */
  readonly edited: Bibliography | undefined;
}

/** API of the index worker for references: documents of a notebook, and entries in its bibliography files. */
export interface ReferencesApi {
  readonly bibliography: (params: { readonly documentId: number }) => DocumentBibliography | undefined;
  /** Undefined restores the metadata found in the document. */
  readonly editBibliography: (params: {
    readonly documentId: number;
    readonly bibliography: Bibliography | undefined;
  }) => void;
  /**
   * Returns at most `limit` references whose key, authors, title, or year contain words that start with all of these;
   * any without words.
   */
  readonly findReferences: (params: {
    readonly words: string;
    readonly limit: number;
  }) => readonly Reference[];
  /** Returns the references with these keys. If several bibliography files have a key, returns the first entry. */
  readonly references: (params: { readonly keys: readonly string[] }) => readonly Reference[];
}
