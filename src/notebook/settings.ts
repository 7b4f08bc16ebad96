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
