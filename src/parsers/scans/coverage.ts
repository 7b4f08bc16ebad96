/** Rectangle of whole pixels; `right` and `bottom` are exclusive. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Coverage of each pixel of a box: 0 to 255, row by row. */
export interface Mask extends Box {
  readonly values: Uint8Array;
}

/** Number of pixels to sum up at once. */
const BAND = 1 << 20;

/** Reports whether a box contains no pixel. */
export function isEmpty({ left, top, right, bottom }: Box): boolean {
  return !(left < right && top < bottom);
}

/** Returns the intersection of two boxes; empty if they don't overlap. */
export function intersection(a: Box, b: Box): Box {
  return {
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
  };
}

/**
 * Computes how much closed outlines cover each pixel of a box; undefined if they cover nothing. An outline is a
 * sequence of edges, each four numbers `x0, y0, x1, y1` in pixels. Each edge adds its signed area to the pixels on its
 * right, so the sum along a row is the winding number: whole inside shapes, and the covered fraction on their borders.
 */
export function makeCoverage(edges: readonly number[], isEvenOdd: boolean, within: Box): Mask | undefined {
  const box = intersection(boundingBox(edges), within);
  if (isEmpty(box)) return undefined;
  const width = box.right - box.left;
  const values = new Uint8Array(width * (box.bottom - box.top));
  const rows = Math.max(1, Math.min(box.bottom - box.top, Math.floor(BAND / width)));
  const stride = width + 2;
  const sums = new Float32Array(stride * rows);
  for (let top = box.top; top < box.bottom; top += rows) {
    const height = Math.min(rows, box.bottom - top);
    if (top > box.top) sums.fill(0);
    for (let i = 0; i + 3 < edges.length; i += 4)
      addEdge(
        sums,
        stride,
        height,
        (edges[i] ?? 0) - box.left,
        (edges[i + 1] ?? 0) - top,
        (edges[i + 2] ?? 0) - box.left,
        (edges[i + 3] ?? 0) - top,
      );
    for (let y = 0; y < height; y++) {
      let sum = 0;
      let to = (top - box.top + y) * width;
      for (let from = y * stride, end = from + width; from < end; from++) {
        sum += sums[from] ?? 0;
        const covered = isEvenOdd ? Math.abs(sum - 2 * Math.round(sum / 2)) : Math.min(1, Math.abs(sum));
        values[to++] = 255 * covered + 0.5;
      }
    }
  }
  return { ...box, values };
}

/** Returns the box of pixels that edges touch. */
function boundingBox(edges: readonly number[]): Box {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i + 1 < edges.length; i += 2) {
    const x = edges[i] ?? 0;
    const y = edges[i + 1] ?? 0;
    if (x < left) left = x;
    if (x > right) right = x;
    if (y < top) top = y;
    if (y > bottom) bottom = y;
  }
  return { left: Math.floor(left), top: Math.floor(top), right: Math.ceil(right), bottom: Math.ceil(bottom) };
}

function addEdge(
  sums: Float32Array,
  stride: number,
  height: number,
  x0: number,
  y0: number,
  x1: number,
  y1: number,
): void {
  if (y0 === y1) return;
  const sign = y0 < y1 ? 1 : -1;
  const [upperX, upper, lower] = y0 < y1 ? [x0, y0, y1] : [x1, y1, y0];
  if (lower <= 0 || upper >= height) return;
  const slope = (x1 - x0) / (y1 - y0);
  const most = stride - 2;
  const last = Math.min(height, Math.ceil(lower));
  let y = Math.max(0, upper);
  let x = upperX + (y - upper) * slope;
  for (let row = Math.floor(y); row < last; row++) {
    const nextY = Math.min(row + 1, lower);
    const nextX = upperX + (nextY - upper) * slope;
    addPart(
      sums,
      row * stride,
      sign * (nextY - y),
      Math.min(most, Math.max(0, Math.min(x, nextX))),
      Math.min(most, Math.max(0, Math.max(x, nextX))),
    );
    x = nextX;
    y = nextY;
  }
}

/** Adds the part of an edge within one row: `height` of it, between two positions in the row. */
function addPart(sums: Float32Array, row: number, height: number, left: number, right: number): void {
  const first = Math.floor(left);
  const add = (pixel: number, value: number): void => {
    sums[row + pixel] = (sums[row + pixel] ?? 0) + value;
  };
  if (right <= first + 1) {
    const beside = (left + right) / 2 - first;
    add(first, height * (1 - beside));
    add(first + 1, height * beside);
    return;
  }
  // Area on the right of the edge up to the end of each pixel. Each pixel adds the difference from the previous one.
  const perPixel = height / (right - left);
  let before = 0;
  let passed = 0;
  for (let pixel = first; pixel < right; pixel++) {
    const from = Math.max(left, pixel);
    const to = Math.min(right, pixel + 1);
    const rise = (to - from) * perPixel;
    const area = passed + rise * (pixel + 1 - (from + to) / 2);
    add(pixel, area - before);
    before = area;
    passed += rise;
  }
  add(Math.ceil(right), height - before);
}
