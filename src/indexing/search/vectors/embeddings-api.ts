import type { EmbeddingModel } from '../../../notebook/settings.ts';

/** The vectors that questions are answered with: a question has to be embedded by the same model. */
export interface ActiveEmbeddings {
  readonly setId: number;
  readonly model: EmbeddingModel;
  readonly dimension: number;
}

/** How far a notebook is embedded: passages that are to be embedded by the model, and the UTF-16 code units of their texts. */
export interface EmbeddingState {
  readonly active: ActiveEmbeddings | undefined;
  readonly missing: {
    readonly passages: number;
    readonly characters: number;
    readonly total: number;
    /** Until when vectors of others' machines are waited for at most, in milliseconds since 1970; undefined where none are. */
    readonly awaitedUntil?: number;
  };
}

/** A text to embed; the hash stands for it. */
export interface EmbeddingText {
  readonly hash: string;
  readonly text: string;
}

/** What to embed next; `passages` are those that have their vectors once these texts have. */
export type EmbeddingBatch =
  | {
      readonly kind: 'texts';
      readonly setId: number;
      readonly texts: readonly EmbeddingText[];
      readonly passages: number;
    }
  | { readonly kind: 'done' }
  | { readonly kind: 'elsewhere' };

/** A question as a vector of the active embeddings. */
export interface QuestionVector {
  readonly setId: number;
  readonly values: Float32Array;
}

/** What the index worker is asked of the vectors of a notebook's passages. */
export interface EmbeddingsApi {
  readonly activeEmbeddings: () => ActiveEmbeddings | undefined;
  readonly embeddings: (params: { readonly model: EmbeddingModel }) => EmbeddingState;
  /** The next texts that have no vector of a model; one window embeds at a time. */
  readonly nextEmbeddings: (params: {
    readonly model: EmbeddingModel;
    readonly owner: string;
  }) => EmbeddingBatch;
  /** Keeps the vectors of texts; null for one that the model does not take. */
  readonly putEmbeddings: (params: {
    readonly setId: number;
    readonly vectors: ReadonlyMap<string, Float32Array | null>;
  }) => void;
}
