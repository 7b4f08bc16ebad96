import type { OPS as PdfOperators } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { intersection, type Box } from './box.ts';

/** Drawing operators of a page, from pdf.js. */
interface OperatorList {
  readonly fnArray: readonly number[];
  readonly argsArray: readonly unknown[];
}

type Operators = typeof PdfOperators;
type Matrix = readonly [number, number, number, number, number, number];

/** Maximum number of boxes, since more don't help to find pictures, and maximum depth. */
const MAX_BOXES = 200_000;
const MAX_DEPTH = 200;

const UNIT: Box = { left: 0, bottom: 0, right: 1, top: 1 };
interface State {
  readonly matrix: Matrix;
  readonly clip: Box;
}

/**
 * Returns the boxes of the images and paths on a page, clipped to their visible part, in the page's own coordinates.
 */
export function drawnBoxes({ fnArray, argsArray }: OperatorList, page: Box, OPS: Operators): Box[] {
  const images: ReadonlySet<number> = new Set([
    OPS.paintImageXObject,
    OPS.paintInlineImageXObject,
    OPS.paintImageMaskXObject,
    OPS.paintSolidColorImageMask,
  ]);
  const paints: ReadonlySet<number> = new Set([
    OPS.stroke,
    OPS.closeStroke,
    OPS.fill,
    OPS.eoFill,
    OPS.fillStroke,
    OPS.eoFillStroke,
    OPS.closeFillStroke,
    OPS.closeEOFillStroke,
  ]);
  const boxes: Box[] = [];
  const savedStates: State[] = [];
  let state: State = { matrix: [1, 0, 0, 1, 0, 0], clip: page };
  let isClip = false;
  const add = (box: Box): void => {
    const visibleBox = intersection(box, state.clip);
    if (visibleBox !== undefined) boxes.push(visibleBox);
  };
  const save = (): void => {
    if (savedStates.length < MAX_DEPTH) savedStates.push(state);
  };
  const within = (matrix: unknown, bounds: unknown): void => {
    save();
    if (isMatrix(matrix)) state = { ...state, matrix: product(state.matrix, matrix) };
    const box = toBox(bounds);
    if (box !== undefined) state = { ...state, clip: clipBox(state.clip, moveBox(box, state.matrix)) };
  };
  for (const [index, operation] of fnArray.entries()) {
    if (boxes.length === MAX_BOXES) break;
    const argument = argsArray[index];
    const args: readonly unknown[] = Array.isArray(argument) ? argument : [];
    if (operation === OPS.save) save();
    else if (operation === OPS.restore || operation === OPS.paintFormXObjectEnd || operation === OPS.endGroup)
      state = savedStates.pop() ?? state;
    else if (operation === OPS.transform) {
      if (isMatrix(args)) state = { ...state, matrix: product(state.matrix, args) };
    } else if (operation === OPS.paintFormXObjectBegin) within(args[0], args[1]);
    else if (operation === OPS.beginGroup) save();
    else if (operation === OPS.clip || operation === OPS.eoClip) isClip = true;
    else if (images.has(operation)) add(moveBox(UNIT, state.matrix));
    else if (operation === OPS.constructPath) {
      const box = toBox(args[2]);
      if (box !== undefined && paints.has(Number(args[0]))) add(moveBox(box, state.matrix));
      if (box !== undefined && isClip)
        state = { ...state, clip: clipBox(state.clip, moveBox(box, state.matrix)) };
      isClip = false;
    } else if (operation === OPS.shadingFill) add(state.clip);
    else if (operation === OPS.paintImageXObjectRepeat || operation === OPS.paintImageMaskXObjectRepeat)
      addRepeated(operation === OPS.paintImageMaskXObjectRepeat, args, state.matrix, add);
    else if (operation === OPS.paintInlineImageXObjectGroup || operation === OPS.paintImageMaskXObjectGroup)
      addGroup(args, state.matrix, add);
  }
  return boxes;
}

function addRepeated(
  isMask: boolean,
  args: readonly unknown[],
  matrix: Matrix,
  add: (box: Box) => void,
): void {
  const [a, b, c, d] = isMask ? [args[1], args[2], args[3], args[4]] : [args[1], 0, 0, args[2]];
  const positions = args[isMask ? 5 : 3];
  if (!isNumbers(positions)) return;
  for (let at = 0; at + 1 < positions.length; at += 2) {
    const place = [a, b, c, d, positions[at], positions[at + 1]];
    if (isMatrix(place)) add(moveBox(UNIT, product(matrix, place)));
  }
}

function addGroup(args: readonly unknown[], matrix: Matrix, add: (box: Box) => void): void {
  const images = args.find((arg) => Array.isArray(arg)) as readonly unknown[] | undefined;
  for (const image of images ?? []) {
    const place: unknown = typeof image === 'object' && image !== null && Reflect.get(image, 'transform');
    if (isMatrix(place)) add(moveBox(UNIT, product(matrix, place)));
  }
}

function clipBox(clip: Box, by: Box): Box {
  return intersection(clip, by) ?? { left: 0, bottom: 0, right: -1, top: -1 };
}

function product([a1, b1, c1, d1, e1, f1]: Matrix, [a2, b2, c2, d2, e2, f2]: Matrix): Matrix {
  return [
    a1 * a2 + c1 * b2,
    b1 * a2 + d1 * b2,
    a1 * c2 + c1 * d2,
    b1 * c2 + d1 * d2,
    a1 * e2 + c1 * f2 + e1,
    b1 * e2 + d1 * f2 + f1,
  ];
}

function moveBox({ left, bottom, right, top }: Box, [a, b, c, d, e, f]: Matrix): Box {
  const xs = [a * left + c * bottom, a * right + c * bottom, a * left + c * top, a * right + c * top];
  const ys = [b * left + d * bottom, b * right + d * bottom, b * left + d * top, b * right + d * top];
  return {
    left: e + Math.min(...xs),
    bottom: f + Math.min(...ys),
    right: e + Math.max(...xs),
    top: f + Math.max(...ys),
  };
}

function toBox(bounds: unknown): Box | undefined {
  if (!isNumbers(bounds)) return undefined;
  const [x1 = NaN, y1 = NaN, x2 = NaN, y2 = NaN] = Array.from(bounds);
  if (![x1, y1, x2, y2].every(Number.isFinite)) return undefined;
  return { left: Math.min(x1, x2), bottom: Math.min(y1, y2), right: Math.max(x1, x2), top: Math.max(y1, y2) };
}

function isNumbers(value: unknown): value is ArrayLike<number> {
  return Array.isArray(value) || (ArrayBuffer.isView(value) && 'length' in value);
}

function isMatrix(value: unknown): value is Matrix {
  return (
    isNumbers(value) &&
    value.length === 6 &&
    Array.from(value).every((each: unknown) => Number.isFinite(each))
  );
}
