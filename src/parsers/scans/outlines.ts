import type { Matrix } from '../pdf/frame.ts';

/** Path as packed by pdf.js: the number of an operation before the coordinates of each. */
export type PackedPath = ArrayLike<number>;

/** Values of pdf.js's `DrawOPS`, which it doesn't export. */
const MOVE = 0;
const LINE = 1;
const CURVE = 2;
const QUADRATIC = 3;
const CLOSE = 4;

/** Maximum distance, in pixels, of a curve from the lines that replace it. */
const FLATNESS = 0.05;
const MAX_CURVE_LINES = 100;

/** Maximum coordinate, in pixels. Anything beyond is invisible, and sums would lose their fractions. */
const MAX_COORDINATE = 1e7;

interface OutlineLine {
  /** Alternating x and y, in the path's own coordinates. */
  readonly points: number[];
  isClosed: boolean;
}

/** Returns the edges of a path's closed outlines for `makeCoverage`. */
export function filledEdges(path: PackedPath, matrix: Matrix): number[] {
  const edges: number[] = [];
  for (const { points } of flattenPath(path, matrix)) addOutline(edges, points, matrix);
  return edges;
}

interface Pen {
  /** Width in the path's own coordinates; drawn at least one pixel wide. */
  readonly width: number;
  /** `true` if lines extend half their width beyond their ends. */
  readonly isProjecting: boolean;
}

/**
 * Returns the edges of the area that a pen covers along a path: a rectangle for each line, and corners between them.
 */
export function strokedEdges(path: PackedPath, matrix: Matrix, pen: Pen): number[] {
  const [a, b, c, d] = matrix;
  const scale = Math.sqrt(Math.abs(a * d - b * c)) || Math.hypot(a, b, c, d);
  const half = Math.max(pen.width, 1 / scale) / 2;
  if (!Number.isFinite(half)) return [];
  const edges: number[] = [];
  for (const { points, isClosed } of flattenPath(path, matrix)) {
    const ring = isClosed ? [...points, points[0] ?? 0, points[1] ?? 0] : points;
    const ends = pen.isProjecting && !isClosed ? half : 0;
    let before: readonly [number, number] | undefined;
    if (ring.length <= 4 && ring[0] === ring.at(-2) && ring[1] === ring.at(-1)) {
      const [x = 0, y = 0] = ring;
      if (ends > 0) addTurned(edges, square(x, y, half), matrix);
      continue;
    }
    for (let i = 0; i + 3 < ring.length; i += 2) {
      let [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = ring.slice(i, i + 4);
      const length = Math.hypot(x1 - x0, y1 - y0);
      if (!(length > 0)) continue;
      const [ux, uy] = [(x1 - x0) / length, (y1 - y0) / length];
      if (before) addCorner(edges, x0, y0, before, [ux, uy], half, matrix);
      before = [ux, uy];
      if (i === 0) [x0, y0] = [x0 - ends * ux, y0 - ends * uy];
      if (i + 4 >= ring.length) [x1, y1] = [x1 + ends * ux, y1 + ends * uy];
      const [nx, ny] = [-uy * half, ux * half];
      addTurned(edges, [x0 + nx, y0 + ny, x1 + nx, y1 + ny, x1 - nx, y1 - ny, x0 - nx, y0 - ny], matrix);
    }
    if (isClosed && before && ring.length > 4) {
      const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = ring;
      const length = Math.hypot(x1 - x0, y1 - y0);
      if (length > 0)
        addCorner(edges, x0, y0, before, [(x1 - x0) / length, (y1 - y0) / length], half, matrix);
    }
  }
  return edges;
}

function square(x: number, y: number, half: number): number[] {
  return [x - half, y - half, x + half, y - half, x + half, y + half, x - half, y + half];
}

/** Fills the gap on the outer side of a corner: up to a point if it isn't far away, else cut off. */
function addCorner(
  edges: number[],
  x: number,
  y: number,
  [ax, ay]: readonly [number, number],
  [bx, by]: readonly [number, number],
  half: number,
  matrix: Matrix,
): void {
  const turn = ax * by - ay * bx;
  const cosine = ax * bx + ay * by;
  if (Math.abs(turn) < 1e-3 && cosine > 0) return;
  const side = turn > 0 ? -half : half;
  const from = [x - ay * side, y + ax * side];
  const to = [x - by * side, y + bx * side];
  const reach = side / (1 + cosine);
  const tip = cosine > -0.5 ? [x - (ay + by) * reach, y + (ax + bx) * reach] : [];
  addTurned(edges, [x, y, ...from, ...tip, ...to], matrix);
}

/** Adds an outline in the same direction as all others, so that overlapping outlines form one shape. */
function addTurned(edges: number[], points: readonly number[], matrix: Matrix): void {
  let area = 0;
  for (let i = 0; i < points.length; i += 2) {
    const [x0 = 0, y0 = 0] = [points[i], points[i + 1]];
    const [x1 = 0, y1 = 0] = [points[(i + 2) % points.length], points[(i + 3) % points.length]];
    area += x0 * y1 - x1 * y0;
  }
  if (area >= 0) addOutline(edges, points, matrix);
  else {
    const turned: number[] = [];
    for (let i = points.length - 2; i >= 0; i -= 2) turned.push(points[i] ?? 0, points[i + 1] ?? 0);
    addOutline(edges, turned, matrix);
  }
}

/** Adds an outline. Skips one with invalid points, and limits points far outside. */
function addOutline(edges: number[], points: readonly number[], [a, b, c, d, e, f]: Matrix): void {
  if (points.length < 4) return;
  const start = edges.length;
  let lastX = 0;
  let lastY = 0;
  for (let i = 0; i <= points.length; i += 2) {
    const x = points[i % points.length] ?? 0;
    const y = points[(i + 1) % points.length] ?? 0;
    const seenX = Math.min(MAX_COORDINATE, Math.max(-MAX_COORDINATE, a * x + c * y + e));
    const seenY = Math.min(MAX_COORDINATE, Math.max(-MAX_COORDINATE, b * x + d * y + f));
    if (Number.isNaN(seenX + seenY)) {
      edges.length = start;
      return;
    }
    if (i > 0) edges.push(lastX, lastY, seenX, seenY);
    lastX = seenX;
    lastY = seenY;
  }
}

/** Returns a path's lines, with its curves as lines that look the same once the matrix is applied. */
function flattenPath(path: PackedPath, matrix: Matrix): OutlineLine[] {
  const lines: OutlineLine[] = [];
  let line: OutlineLine = { points: [], isClosed: false };
  let [x, y] = [0, 0];
  const begin = (atX: number, atY: number): void => {
    line = { points: [atX, atY], isClosed: false };
    lines.push(line);
  };
  const at = (i: number): number => path[i] ?? 0;
  for (let i = 0; i < path.length;) {
    const operation = path[i++];
    if (operation === MOVE) {
      [x, y] = [at(i), at(i + 1)];
      begin(x, y);
      i += 2;
    } else if (operation === CLOSE) {
      line.isClosed = true;
      [x = 0, y = 0] = line.points;
    } else if (operation === LINE || operation === CURVE || operation === QUADRATIC) {
      if (line.isClosed || line.points.length === 0) begin(x, y);
      const count = operation === LINE ? 2 : operation === QUADRATIC ? 4 : 6;
      const [endX, endY] = [at(i + count - 2), at(i + count - 1)];
      if (operation === CURVE)
        addCurve(line.points, matrix, [x, y, at(i), at(i + 1), at(i + 2), at(i + 3), endX, endY]);
      else if (operation === QUADRATIC)
        addCurve(line.points, matrix, [
          x,
          y,
          x + (2 / 3) * (at(i) - x),
          y + (2 / 3) * (at(i + 1) - y),
          endX + (2 / 3) * (at(i) - endX),
          endY + (2 / 3) * (at(i + 1) - endY),
          endX,
          endY,
        ]);
      else line.points.push(endX, endY);
      [x, y] = [endX, endY];
      i += count;
    } else break;
  }
  return lines;
}

type Cubic = readonly [number, number, number, number, number, number, number, number];

function addCurve(points: number[], [a, b, c, d]: Matrix, [x0, y0, x1, y1, x2, y2, x3, y3]: Cubic): void {
  const bend = (x: number, y: number): number => Math.hypot(a * x + c * y, b * x + d * y);
  const bent = Math.max(bend(x0 - 2 * x1 + x2, y0 - 2 * y1 + y2), bend(x1 - 2 * x2 + x3, y1 - 2 * y2 + y3));
  const count = Math.max(1, Math.min(MAX_CURVE_LINES, Math.ceil(Math.sqrt((0.75 * bent) / FLATNESS))));
  for (let i = 1; i < count; i++) {
    const t = i / count;
    const u = 1 - t;
    const [p, q, r, s] = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t];
    points.push(p * x0 + q * x1 + r * x2 + s * x3, p * y0 + q * y1 + r * y2 + s * y3);
  }
  points.push(x3, y3);
}
