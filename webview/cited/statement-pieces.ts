import type { Statement } from '../../src/core/domain/answer.ts';
import type { Span } from '../../src/core/language/span.ts';

/** Part of a statement, and whether it is marked with the statement's verdict. */
interface StatementPiece extends Span {
  readonly isMarked: boolean;
}

/**
 * Splits a statement of `text` into pieces: one marked piece, or only its missing words marked if they are known. Each
 * piece contains words; Markdown marks and punctuation belong to the piece before them.
 */
export function cutPieces({ start, end, missing = [] }: Statement, text: string): StatementPiece[] {
  if (missing.length === 0) return [{ start, end, isMarked: true }];
  const pieces: { start: number; end: number; isMarked: boolean }[] = [];
  const add = (from: number, to: number, isMarked: boolean): void => {
    const last = pieces.at(-1);
    if (last !== undefined && !/[\p{L}\p{N}]/u.test(text.slice(from, to))) last.end = to;
    else if (from < to) pieces.push({ start: from, end: to, isMarked });
  };
  let at = start;
  for (const words of missing) {
    // Imported data may be invalid.
    if (words.start < at || words.end > end) continue;
    add(at, words.start, false);
    add(words.start, words.end, true);
    at = words.end;
  }
  add(at, end, false);
  return pieces;
}
