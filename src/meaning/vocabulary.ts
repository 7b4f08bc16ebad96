/** How a model of pieces takes words. */
export interface Vocabulary {
  /** The pieces that there are. */
  readonly ids: ReadonlyMap<string, number>;
  /** What stands for what the model does not know: dropped, as Model2Vec does. */
  readonly unknown: number | undefined;
  /** Cuts what came from the pre-tokenizer where no piece can stand across the cut. */
  readonly cutWords: (text: string) => readonly string[];
  /** The pieces of a word, in their order, those that stand for what is not known among them or left out. */
  readonly pieceIds: (word: string) => readonly number[];
}
