import * as v from 'valibot';
import { anyFields } from '../../../core/domain/json-schemas.ts';
import { notAModel } from './not-a-model.ts';

/** Vocabulary of a tokenizer, which splits words into pieces. */
export interface Vocabulary {
  /** IDs of all pieces. */
  readonly ids: ReadonlyMap<string, number>;
  /** ID of the unknown token, which is dropped, as in Model2Vec. */
  readonly unknown: number | undefined;
  /** Splits pre-tokenized text further at positions that no piece can cross. */
  readonly cutWords: (text: string) => readonly string[];
  /** Returns the IDs of a word's pieces, in order. Unknown pieces have the unknown token's ID or are left out. */
  readonly pieceIds: (word: string) => readonly number[];
}

/**
 * Returns the IDs of a vocabulary's pieces. Uses no schema, which would take over a second for half a million.
 * @throws NotebookError `damaged` if it's empty or a piece has no ID
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
