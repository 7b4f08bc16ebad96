/** How documents are split into passages; lengths in UTF-16 code units. */
export interface PassageSettings {
  readonly size: number;
  readonly overlap: number;
}

/** The model that turns texts into vectors, by which passages are found whose words differ from the question's. */
export interface EmbeddingModel {
  readonly baseUrl: string;
  readonly name: string;
}

/** What writes the answers of a notebook, as the user picked it. */
export type ModelChoice =
  | { readonly kind: 'quotes' }
  | {
      readonly kind: 'endpoint';
      readonly baseUrl: string;
      readonly name: string;
      /** What the model takes at once, in tokens, where the endpoint says so. */
      readonly windowTokens?: number | undefined;
    }
  /** A language model of the editor's own. */
  | { readonly kind: 'editor'; readonly vendor: string; readonly id: string; readonly name: string };
