/** Settings for splitting documents into passages; lengths in UTF-16 code units. */
export interface PassageSettings {
  readonly size: number;
  readonly overlap: number;
}

/** Settings of a notebook's index. */
export interface IndexSettings extends PassageSettings {
  /** Pattern of new citation keys, as `citationKeyFormatter` reads it. */
  readonly citationKeys?: string;
}

/** Model that generates embeddings of texts, which find passages with other words than the question. */
export interface EmbeddingModel {
  readonly baseUrl: string;
  readonly name: string;
}

/** Placeholder for an endpoint's URL if the embedding model runs on this machine. */
export const STATIC_ADDRESS = 'static:model2vec';
