/** An earlier question of the conversation and what was answered. */
export interface PastTurn {
  readonly question: string;
  /** What was said to it: by a model, or by us. */
  readonly answer: string;
  /** Words of sources that were shown with it. */
  readonly quotes?: readonly string[] | undefined;
}

/** All that was shown to an earlier question. */
export function shownBefore({ answer, quotes = [] }: PastTurn): string {
  return [answer, ...quotes].filter((words) => words !== '').join('\n\n');
}
