/** The sound of a segment within what an endpoint sent, in bytes. */
export interface SoundSpan {
  readonly start: number;
  readonly end: number;
}

/** Title and start of a chapter. */
export interface ChapterTime {
  readonly title: string;
  readonly seconds: number;
  /** Number of audio bytes before it. */
  readonly byte: number;
}
