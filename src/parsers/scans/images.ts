import type { Matrix } from '../pdf/frame.ts';
import { intersection, isEmpty, type Box, type Mask } from './coverage.ts';

/** Image as unpacked by pdf.js. */
export interface UnpackedImage {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array | Uint8ClampedArray;
  /** pdf.js's `ImageKind`; a mask has none. */
  readonly kind?: number;
}

/** Gray values multiplied by their opacity, and the opacity if there is any; both 0 to 255, row by row. */
interface GrayImage {
  readonly width: number;
  readonly height: number;
  readonly grey: Uint8Array;
  readonly alpha: Uint8Array | undefined;
}

/** pdf.js's `ImageKind`. */
const ONE_BIT = 1;
const RGB = 2;

/** Returns the luminance of a color whose parts are from 0 to 255. */
export function luminance(red: number, green: number, blue: number): number {
  return 0.299 * red + 0.587 * green + 0.114 * blue;
}

/**
 * Scales an image down to a maximum number of columns and rows. Each pixel is the average of the area that it covers.
 */
function scaledDown(image: UnpackedImage, mostWidth: number, mostHeight: number): GrayImage {
  const width = Math.max(1, Math.min(image.width, Math.round(mostWidth)));
  const height = Math.max(1, Math.min(image.height, Math.round(mostHeight)));
  const isMask = image.kind === undefined;
  const hasAlpha = !isMask && image.kind !== ONE_BIT && image.kind !== RGB;
  const grey = averager(image.width, image.height, width, height);
  const alpha = hasAlpha ? averager(image.width, image.height, width, height) : undefined;
  const row = new Uint8Array(image.width);
  const opacity = new Uint8Array(hasAlpha ? image.width : 0);
  for (let y = 0; y < image.height; y++) {
    if (image.kind === undefined || image.kind === ONE_BIT) bitsOfRow(image, y, row);
    else if (image.kind === RGB) graysOfRow(image, y, row);
    else graysAndOpacityOfRow(image, y, row, opacity);
    grey.add(row);
    alpha?.add(opacity);
  }
  return { width, height, grey: grey.values, alpha: alpha?.values };
}

/** Reads a row of a mask. Pixels that it lets through are black. */
function bitsOfRow({ width, data }: UnpackedImage, y: number, row: Uint8Array): void {
  const start = y * ((width + 7) >> 3);
  for (let x = 0; x < width; x++) row[x] = ((data[start + (x >> 3)] ?? 255) << (x & 7)) & 0x80 ? 255 : 0;
}

function graysOfRow({ width, data }: UnpackedImage, y: number, row: Uint8Array): void {
  let at = 3 * y * width;
  for (let x = 0; x < width; x++, at += 3)
    row[x] = luminance(data[at] ?? 255, data[at + 1] ?? 255, data[at + 2] ?? 255) + 0.5;
}

/** Reads a row of grays multiplied by their opacity, so that hidden pixels don't affect averages. */
function graysAndOpacityOfRow(
  { width, data }: UnpackedImage,
  y: number,
  row: Uint8Array,
  opacity: Uint8Array,
): void {
  let at = 4 * y * width;
  for (let x = 0; x < width; x++, at += 4) {
    const alpha = data[at + 3] ?? 255;
    const grey = luminance(data[at] ?? 255, data[at + 1] ?? 255, data[at + 2] ?? 255);
    row[x] = (grey * alpha) / 255 + 0.5;
    opacity[x] = alpha;
  }
}

interface Averager {
  readonly values: Uint8Array;
  /** Adds the next row. */
  add(row: Uint8Array): void;
}

/** Creates an averager, which scales an image down row by row. */
function averager(fromWidth: number, fromHeight: number, width: number, height: number): Averager {
  const values = new Uint8Array(width * height);
  if (fromWidth === width && fromHeight === height) {
    let at = 0;
    return {
      values,
      add: (row) => {
        values.set(row, at);
        at += width;
      },
    };
  }
  const across = fromWidth / width;
  const down = fromHeight / height;
  const reduced = new Float32Array(width);
  const sums = new Float32Array(width);
  let from = 0;
  let to = 0;
  const flush = (): void => {
    for (let x = 0; x < width; x++) values[to * width + x] = (sums[x] ?? 0) / down + 0.5;
    sums.fill(0);
    to++;
  };
  return {
    values,
    add: (row) => {
      reduce(row, reduced, across);
      const end = (to + 1) * down;
      const part = Math.min(1, Math.max(0, end - from));
      for (let x = 0; x < width; x++) sums[x] = (sums[x] ?? 0) + part * (reduced[x] ?? 0);
      from++;
      // Sums of fractions can end slightly before whole numbers. The last row ends with the image.
      if (to < height && (from >= end - 1e-6 || from === fromHeight)) {
        flush();
        if (part < 1 && to < height)
          for (let x = 0; x < width; x++) sums[x] = (sums[x] ?? 0) + (1 - part) * (reduced[x] ?? 0);
      }
    },
  };
}

/** Computes the averages of a row over stretches of `across` pixels. */
function reduce(row: Uint8Array, reduced: Float32Array, across: number): void {
  if (across === 1) {
    reduced.set(row);
    return;
  }
  for (let x = 0, start = 0; x < reduced.length; x++) {
    const end = Math.min(row.length, (x + 1) * across);
    const [first, last] = [Math.floor(start), Math.min(row.length - 1, Math.floor(end))];
    let sum = (row[first] ?? 0) * (first - start);
    for (let i = first; i < last; i++) sum += row[i] ?? 0;
    sum += (row[last] ?? 0) * (end - last);
    reduced[x] = sum / across;
    start = end;
  }
}

/** Image at its position on the page: its coverage, and its grays multiplied by that. */
interface PlacedImage extends Mask {
  readonly grey: Uint8Array;
}

/** Draws an image into the unit square of a matrix, clipped to a box; undefined if nothing is inside the box. */
export function placedImage(image: UnpackedImage, matrix: Matrix, within: Box): PlacedImage | undefined {
  const placed = onWholePixels(matrix);
  const [a, b, c, d, e, f] = placed;
  const determinant = a * d - b * c;
  if (!(Math.abs(determinant) > 0) || !Number.isFinite(determinant + e + f)) return undefined;
  const box = intersection(
    {
      left: Math.floor(e + Math.min(0, a) + Math.min(0, c)),
      top: Math.floor(f + Math.min(0, b) + Math.min(0, d)),
      right: Math.ceil(e + Math.max(0, a) + Math.max(0, c)),
      bottom: Math.ceil(f + Math.max(0, b) + Math.max(0, d)),
    },
    within,
  );
  if (isEmpty(box)) return undefined;
  const { width, height, grey, alpha } = scaledDown(image, Math.hypot(a, b), Math.hypot(c, d));
  const boxWidth = box.right - box.left;
  const placedGray = new Uint8Array(boxWidth * (box.bottom - box.top));
  const placedAlpha = new Uint8Array(placedGray.length);
  for (let y = box.top, to = 0; y < box.bottom; y++)
    for (let x = box.left; x < box.right; x++, to++) {
      const [dx, dy] = [x + 0.5 - e, y + 0.5 - f];
      const u = (d * dx - c * dy) / determinant;
      // The first row of an image is at the top of its square.
      const v = 1 - (a * dy - b * dx) / determinant;
      if (!(u >= 0 && u < 1 && v >= 0 && v < 1)) continue;
      const [column, row] = [u * width - 0.5, v * height - 0.5];
      placedGray[to] = between(grey, width, height, column, row);
      placedAlpha[to] = alpha === undefined ? 255 : between(alpha, width, height, column, row);
    }
  return { ...box, values: placedAlpha, grey: placedGray };
}

/** Interpolates the value between four neighboring pixels. */
function between(values: Uint8Array, width: number, height: number, x: number, y: number): number {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  const [partX, partY] = [x - left, y - top];
  const upper = Math.max(0, top) * width;
  const lower = Math.min(height - 1, top + 1) * width;
  const first = Math.max(0, left);
  const second = Math.min(width - 1, left + 1);
  const above = (values[upper + first] ?? 0) * (1 - partX) + (values[upper + second] ?? 0) * partX;
  const below = (values[lower + first] ?? 0) * (1 - partX) + (values[lower + second] ?? 0) * partX;
  return above * (1 - partY) + below * partY + 0.5;
}

/**
 * Returns the matrix with the edges of an upright image moved to whole pixels: an image of the same size is drawn
 * unchanged, and stripes that together form a page join without gaps.
 */
function onWholePixels(matrix: Matrix): Matrix {
  const [a, b, c, d, e, f] = matrix;
  const isUpright = Math.abs(b) + Math.abs(c) < 0.5;
  const isTurned = Math.abs(a) + Math.abs(d) < 0.5;
  if (!isUpright && !isTurned) return matrix;
  const [width, height] = isUpright ? [a, d] : [c, b];
  const [left, top] = [Math.round(e), Math.round(f)];
  const across = Math.round(e + width) - left || Math.sign(width);
  const down = Math.round(f + height) - top || Math.sign(height);
  return isUpright ? [across, 0, 0, down, left, top] : [0, down, across, 0, left, top];
}
