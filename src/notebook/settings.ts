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

/** What stands in the place of an endpoint's address where the model is on this machine: a static one, with its name. */
export const STATIC_ADDRESS = 'static:model2vec';
