import type { EmbeddingModel } from '../../../core/domain/settings.ts';

/** Embeddings in use for searches: questions must be embedded by the same model. */
export interface ActiveEmbeddings {
  readonly setId: number;
  readonly model: EmbeddingModel;
  readonly dimension: number;
}

/**
 * Embedding state of a notebook: the number of passages that still need an embedding, and the UTF-16 code units of
 * their texts.
 */
export interface EmbeddingState {
  readonly active: ActiveEmbeddings | undefined;
  readonly missing: {
    readonly passages: number;
    readonly characters: number;
    readonly total: number;
    /**
     * Latest time until which embeddings of other machines are awaited, in milliseconds since 1970; undefined if none
     * are.
     */
    readonly awaitedUntil?: number;
  };
}

/** Text to embed, identified by its hash. */
export interface EmbeddingText {
  readonly hash: string;
  readonly text: string;
}

/** Next texts to embed; `passages` is the number of passages that they complete. */
export type EmbeddingBatch =
  | {
      readonly kind: 'texts';
      readonly setId: number;
      readonly texts: readonly EmbeddingText[];
      readonly passages: number;
    }
  | { readonly kind: 'done' }
  | { readonly kind: 'elsewhere' };

/** Question as a vector of the embeddings in use. */
export interface QuestionVector {
  readonly setId: number;
  readonly values: Float32Array;
}

/** Embeddings API of the index worker. */
export interface EmbeddingsApi {
  readonly activeEmbeddings: () => ActiveEmbeddings | undefined;
  readonly embeddings: (params: { readonly model: EmbeddingModel }) => EmbeddingState;
  /** Returns the next texts without an embedding of a model; only one window embeds at a time. */
  readonly nextEmbeddings: (params: {
    readonly model: EmbeddingModel;
    readonly owner: string;
  }) => EmbeddingBatch;
  /** Stores embeddings of texts; null for a text that the model doesn't accept. */
  readonly putEmbeddings: (params: {
    readonly setId: number;
    readonly vectors: ReadonlyMap<string, Float32Array | null>;
  }) => void;
}
