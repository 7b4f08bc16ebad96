/** A note, an answer or a source that was found. */
export interface EverythingHit {
  readonly kind: 'answer' | 'note' | 'source';
  /** A note's title, a source's id, or that of an answer's conversation. */
  readonly id: string;
  readonly title: string;
  /** What stands around the words that were found, on one line. */
  readonly excerpt: string;
  /** When it was changed, asked or added, in milliseconds since 1970. */
  readonly at: number;
  readonly score: number;
}

/** A notebook that is searched, by its key in the window and its folder. */
export interface SearchedNotebook {
  readonly key: string;
  readonly directory: string;
}

/** What the index worker is asked over notebooks. */
export interface EverythingApi {
  /** Takes in ahead what a search of some notebooks will look through, in between of other work. */
  readonly prepareEverything: (params: { readonly notebooks: readonly SearchedNotebook[] }) => void;
  /** What of the notes, answers and sources of some notebooks holds all of some words, the best first. One that can't be opened is left out. */
  readonly searchEverything: (params: {
    readonly words: string;
    readonly limit: number;
    readonly notebooks: readonly SearchedNotebook[];
  }) => readonly (EverythingHit & { readonly key: string })[];
}
