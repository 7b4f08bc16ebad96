import type { PageViewport } from 'pdfjs-dist';
import { RunDirection } from '../../core/domain/document.ts';
import type { Fragment } from '../pdf/fragment.ts';
import { median } from '../pdf/numbers.ts';
import { wordsIn } from '../pdf/letters.ts';

/** Matrix in the order of PDF: a, b, c, d, e, f. */
type Matrix = readonly [number, number, number, number, number, number];

/** Recognized word with its box as left, top, right, and bottom, in points of the recognized page. */
export interface RecognizedWord {
  readonly text: string;
  /** Confidence of the text recognition, from 0 to 100. */
  readonly confidence: number;
  readonly box: readonly [number, number, number, number];
}

/** Words beside each other. The baseline, and the letters' height above and below it, are in points. */
export interface RecognizedLine {
  readonly baseline: number;
  readonly ascent: number;
  readonly descent: number;
  readonly words: readonly RecognizedWord[];
}

/**
 * Text that was recognized on a page, which was turned upright and level for it. `toSeen` maps points of the recognized
 * page to points of the page as displayed, both with the origin in the upper left corner.
 */
export interface RecognizedPage {
  readonly lines: readonly RecognizedLine[];
  readonly toSeen: Matrix;
  /** Reason why the text wasn't recognized, as a sentence for the user. */
  readonly problem?: string | undefined;
}

/** Height of letters as a share of their font's size, from the bottom of a `p` to the top of an `h`. */
const HEIGHT_OF_FONT = 0.92;
/** Maximum difference, as a share, between lines of the same size: recognition doesn't measure exactly. */
const SAME_SIZE = 0.18;

/** Returns the words of a recognized page as fragments like those in a file. */
export function fragmentsOfRecognized({ lines, toSeen }: RecognizedPage, viewport: PageViewport): Fragment[] {
  const usual = median(lines.flatMap(({ words, ascent, descent }) => words.map(() => ascent + descent)));
  const direction = findDirection(toSeen, viewport.rotation);
  return lines.flatMap(({ words, baseline, ascent, descent }) => {
    const height = ascent + descent;
    const size = (Math.abs(height - usual) < SAME_SIZE * usual ? usual : height) / HEIGHT_OF_FONT;
    // Use the line's height: letters without an ascender would have lower boxes than their neighbors.
    const [top, bottom] = [baseline - ascent, baseline + descent];
    return words.map(({ text, confidence, box: [left, , right] }): Fragment => ({
      words: wordsIn(text).map(({ text: part, index, before }) => ({
        text: part,
        before,
        box: boxInFile(
          [
            along(left, right, index / text.length),
            top,
            along(left, right, (index + part.length) / text.length),
            bottom,
          ],
          toSeen,
          viewport,
        ),
        direction,
        confidence,
      })),
      way: 'across',
      left,
      right,
      baseline,
      size,
      rightToLeft: isRightToLeft(text),
      monospaced: false,
      font: undefined,
      spaceAfter: true,
    }));
  });
}

function isRightToLeft(text: string): boolean {
  return /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/.test(text);
}

function along(left: number, right: number, share: number): number {
  return left + share * (right - left);
}

/**
 * Returns a box in points of the file's own page: x, y, width, and height, with the origin in the lower left corner.
 */
function boxInFile(
  [left, top, right, bottom]: RecognizedWord['box'],
  [a, b, c, d, e, f]: Matrix,
  viewport: PageViewport,
): readonly [number, number, number, number] {
  const corners = [
    [left, top],
    [right, top],
    [left, bottom],
    [right, bottom],
  ].map(([x = 0, y = 0]) => {
    const [fileX = 0, fileY = 0] = viewport.convertToPdfPoint(
      a * x + c * y + e,
      b * x + d * y + f,
    ) as number[];
    return [fileX, fileY] as const;
  });
  const xs = corners.map(([x]) => x);
  const ys = corners.map(([, y]) => y);
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return [x, y, Math.max(...xs) - x, Math.max(...ys) - y];
}

/**
 * Returns the direction on the file's own page of lines that were level during recognition. `rotation` is the page's
 * display rotation in degrees.
 */
function findDirection([a, b]: Matrix, rotation: number): number {
  const turned = Math.round(Math.atan2(b, a) / (Math.PI / 2)) - rotation / 90;
  const clockwise = ((turned % 4) + 4) % 4;
  return (
    [RunDirection.leftToRight, RunDirection.topToBottom, RunDirection.rightToLeft, RunDirection.bottomToTop][
      clockwise
    ] ?? RunDirection.leftToRight
  );
}
