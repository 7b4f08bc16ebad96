/** How documents are split into passages; lengths in UTF-16 code units. */
export interface PassageSettings {
  readonly size: number;
  readonly overlap: number;
}

/** The language model that writes answers; without one, answers are quotes. */
export interface ModelSettings {
  readonly baseUrl: string;
  readonly name: string;
  readonly temperature: number;
  readonly instructions: string;
}

/** The model that turns texts into vectors, by which passages are found whose words differ from the question's. */
export interface EmbeddingModel {
  readonly baseUrl: string;
  readonly name: string;
}
