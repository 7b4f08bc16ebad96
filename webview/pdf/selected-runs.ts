import type { PageNumber } from '../../src/core/domain/page-number.ts';
import type { PlacedRun } from '../../src/core/domain/pdf-map.ts';
import { RunDirection } from '../../src/core/domain/document.ts';

/** Rectangle on a page in points, or in the window in pixels. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Piece of selected text, or the end of a line, in reading order. */
export type SelectedPiece =
  | { readonly kind: 'break' }
  | {
      readonly kind: 'text';
      readonly text: string;
      readonly page: PageNumber;
      /** Boxes of the text and of its first and last characters, in points from the lower left corner of the unrotated page. */
      readonly box: Box;
      readonly first: Box;
      readonly last: Box;
    };

interface SelectedText {
  readonly text: string;
  readonly runs: readonly PlacedRun[];
}

/** Joins pieces, with an empty line between pages and without white space at the ends. */
export function joinPieces(pieces: readonly SelectedPiece[]): SelectedText {
  let text = '';
  let page: PageNumber | undefined;
  const runs: PlacedRun[] = [];
  for (const piece of pieces) {
    if (piece.kind === 'break') {
      if (text !== '' && !text.endsWith('\n')) text += '\n';
      continue;
    }
    const words = text === '' ? piece.text.trimStart() : piece.text;
    if (words === '') continue;
    if (page !== undefined && page !== piece.page) text += text.endsWith('\n') ? '\n' : '\n\n';
    page = piece.page;
    const { x, y, width, height } = piece.box;
    if (words.trim() !== '')
      runs.push({
        start: text.length,
        end: text.length + words.length,
        rectangle: { page, x, y, width, height },
        direction: findDirection(piece.first, piece.last),
      });
    text += words;
  }
  const length = text.trimEnd().length;
  return {
    text: text.slice(0, length),
    runs: runs.map((run) => ({ ...run, end: Math.min(run.end, length) })),
  };
}

/** Returns the direction from the first character to the last. */
function findDirection(first: Box, last: Box): number {
  const right = last.x + last.width / 2 - first.x - first.width / 2;
  const up = last.y + last.height / 2 - first.y - first.height / 2;
  if (Math.abs(right) >= Math.abs(up)) return right < 0 ? RunDirection.rightToLeft : RunDirection.leftToRight;
  return up < 0 ? RunDirection.topToBottom : RunDirection.bottomToTop;
}
