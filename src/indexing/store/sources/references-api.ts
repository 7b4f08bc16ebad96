import type { Bibliography, Reference } from '../../../notebook/bibliography.ts';

/** What is known of a document as a work. */
export interface DocumentBibliography {
  /** By which notes cite it. */
  readonly key: string;
  /** What it says of itself. */
  readonly found: Bibliography | undefined;
  /** What the user says of it instead. */
  readonly edited: Bibliography | undefined;
}

/** What the index worker is asked of the works that a notebook's documents are or list. */
export interface ReferencesApi {
  readonly bibliography: (params: { readonly documentId: number }) => DocumentBibliography | undefined;
  /** Undefined lets what the document says of itself stand again. */
  readonly editBibliography: (params: {
    readonly documentId: number;
    readonly bibliography: Bibliography | undefined;
  }) => void;
  /** Works whose key, authors, title or year begin words with all of these, at most `limit`; all where there are none. */
  readonly findReferences: (params: {
    readonly words: string;
    readonly limit: number;
  }) => readonly Reference[];
  /** The works with these keys; one that several libraries list is the first one's. */
  readonly references: (params: { readonly keys: readonly string[] }) => readonly Reference[];
}
