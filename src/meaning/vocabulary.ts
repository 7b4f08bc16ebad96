import * as v from 'valibot';
import { anyFields } from '../notebook/json-schemas.ts';
import { notAModel } from './not-a-model.ts';

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

/**
 * The numbers of a vocabulary's pieces. Of half a million a schema would take more than a second.
 * @throws NotebookError `damaged` where there are none, or one has none
 */
export function readPieces(vocabulary: unknown, file: string): Map<string, number> {
  const ids = new Map<string, number>();
  for (const [piece, id] of Object.entries(v.parse(anyFields, vocabulary))) {
    if (!Number.isSafeInteger(id)) throw notAModel(file, `A piece has no number: ${piece}`);
    ids.set(piece, Number(id));
  }
  if (ids.size === 0) throw notAModel(file, 'It has no vocabulary.');
  return ids;
}
