/** Earlier question of the conversation and its answer. */
export interface PastTurn {
  readonly question: string;
  /** Answer by a model or by Open Notebook. */
  readonly answer: string;
  /** Excerpts of sources shown with it. */
  readonly quotes?: readonly string[] | undefined;
}

/** Returns the whole text shown for an earlier question. */
export function shownBefore({ answer, quotes = [] }: PastTurn): string {
  return [answer, ...quotes].filter((words) => words !== '').join('\n\n');
}
