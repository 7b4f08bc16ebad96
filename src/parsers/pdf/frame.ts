import type { TextStyle } from 'pdfjs-dist/types/src/display/api.js';
import { RunDirection } from '../../core/domain/document.ts';
import { letterWidth, letterWidthFrom, wordsIn } from './letters.ts';
import type { Box, Word } from './fragment.ts';

/** Matrix in the order of PDF: a, b, c, d, e, f. */
export type Matrix = readonly [number, number, number, number, number, number];

/** Returns the matrix that applies the second matrix, then the first. */
export function multiply(m: Matrix, n: Matrix): Matrix {
  return [
    m[0] * n[0] + m[2] * n[1],
    m[1] * n[0] + m[3] * n[1],
    m[0] * n[2] + m[2] * n[3],
    m[1] * n[2] + m[3] * n[3],
    m[0] * n[4] + m[2] * n[5] + m[4],
    m[1] * n[4] + m[3] * n[5] + m[5],
  ];
}

/** Rectangle along a line of text: a corner, the direction of the text, and the upward direction, in PDF points. */
interface Frame {
  readonly origin: readonly [number, number];
  readonly advance: readonly [number, number];
  readonly up: readonly [number, number];
}

/** Returns the position, direction, and size of a text run, in points. `length` is the run's own length. */
export function readingFrame(
  transform: Matrix,
  style: TextStyle | undefined,
  length: number,
  vertical: boolean,
): Frame {
  const [a, b, c, d, e, f] = transform;
  const along = Math.hypot(a, b) || 1;
  const size = Math.hypot(c, d);
  const [ux, uy] = [a / along, b / along];
  const [vx, vy] = [c / (size || 1), d / (size || 1)];
  if (vertical) {
    // The origin of a vertical glyph is at the middle of its top.
    return {
      origin: [e - (ux * size) / 2, f - (uy * size) / 2],
      advance: [-vx * length, -vy * length],
      up: [ux * size, uy * size],
    };
  }
  const ascent = usable(style?.ascent, USUAL_ASCENT);
  const descent = usable(style?.descent, USUAL_DESCENT);
  return {
    origin: [e + vx * descent * size, f + vy * descent * size],
    advance: [ux * length, uy * length],
    up: [vx * (ascent - descent) * size, vy * (ascent - descent) * size],
  };
}

/** Default ascent and descent of letters, in font sizes, for a font without values or with implausibly large ones. */
const USUAL_ASCENT = 0.8;
const USUAL_DESCENT = -0.2;
const MIN_WRONG = 1.5;

function usable(share: number | undefined, fallback: number): number {
  return share !== undefined && Number.isFinite(share) && share !== 0 && Math.abs(share) < MIN_WRONG
    ? share
    : fallback;
}

/** Returns the words of a run with their positions in the frame, estimated from the widths of letters. */
export function wordsInFrame(text: string, frame: Frame, rightToLeft: boolean, monospaced: boolean): Word[] {
  const direction = findDirection(frame, rightToLeft);
  const length = letterWidth(text, monospaced);
  const total = length || 1;
  const parts = wordsIn(text);
  const words: Word[] = [];
  let width = 0;
  let end = 0;
  for (const { text: word, index, before } of parts) {
    width = letterWidthFrom(width, text.slice(end, index), monospaced);
    const from = width / total;
    // A run of one word has the same width as its word.
    const own = word.length === text.length ? length : letterWidth(word, monospaced);
    const to = from + own / total;
    const box = rightToLeft ? makeBox(frame, 1 - to, 1 - from) : makeBox(frame, from, to);
    words.push({ text: word, before, box, direction });
    if (words.length < parts.length) width = letterWidthFrom(width, word, monospaced);
    end = index + word.length;
  }
  return words;
}

function findDirection({ advance: [x, y] }: Frame, rightToLeft: boolean): number {
  if (Math.abs(x) >= Math.abs(y))
    return x > 0 === rightToLeft ? RunDirection.rightToLeft : RunDirection.leftToRight;
  return y > 0 === rightToLeft ? RunDirection.topToBottom : RunDirection.bottomToTop;
}

function makeBox({ origin, advance, up }: Frame, from: number, to: number): Box {
  const [x0, x1] = [origin[0] + from * advance[0], origin[0] + to * advance[0]];
  const [y0, y1] = [origin[1] + from * advance[1], origin[1] + to * advance[1]];
  const [upX, upY] = up;
  const left = Math.min(x0, x0 + upX, x1, x1 + upX);
  const bottom = Math.min(y0, y0 + upY, y1, y1 + upY);
  return [
    left,
    bottom,
    Math.max(x0, x0 + upX, x1, x1 + upX) - left,
    Math.max(y0, y0 + upY, y1, y1 + upY) - bottom,
  ];
}
