/** Note, answer, or source that matches a search. */
export interface EverythingHit {
  readonly kind: 'answer' | 'note' | 'source';
  /** Title of a note, ID of a source, or ID of an answer's conversation. */
  readonly id: string;
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
export interface EverythingApi {
  /** Prepares a search of some notebooks between other work. */
  readonly prepareEverything: (params: { readonly notebooks: readonly SearchedNotebook[] }) => void;
  /**
   * Returns the notes, answers, and sources of some notebooks that contain all words, best first. Skips notebooks that
   * can't be opened.
   */
  readonly searchEverything: (params: {
    readonly words: string;
    readonly limit: number;
    readonly notebooks: readonly SearchedNotebook[];
  }) => readonly (EverythingHit & { readonly key: string })[];
}
