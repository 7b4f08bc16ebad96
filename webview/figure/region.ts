import { gapAcross, gapUp, boxHeight, intersection, union, boxWidth, type Box } from './box.ts';

/** Contents of a page around a caption, in points. */
export interface PageParts {
  readonly page: Box;
  readonly caption: Box;
  /** Boxes of images and paths. */
  readonly drawn: readonly Box[];
  /** Boxes of pieces of text, including the caption. */
  readonly texts: readonly Box[];
}

/**
 * Size of a grid cell, in points. Drawn boxes within twice this distance belong to one picture. Cells are larger on
 * enormous pages.
 */
const CELL = 4;
const MAX_CELLS = 600;
/** Minimum width and height of a figure, in points. */
const MIN_WIDTH = 24;
const MIN_HEIGHT = 16;
/** Maximum share of the page that a box covers. A larger one is the background. */
const BACKGROUND = 0.85;
/** Maximum distance of a figure from its caption, as a share of the page's height. */
const MAX_CAPTION_DISTANCE = 0.2;
/** Captions are usually below their figures. A figure below its caption has to be nearer by this distance. */
const USUALLY_BELOW = 24;
/** Maximum distance between parts of a figure, vertical and horizontal. */
const PARTS_APART = 24;
const PARTS_BESIDE = 60;
/** Maximum distance of a label from the drawing. */
const LABEL_APART = 12;
/** Minimum width of a text line, as a share of the figure. A narrower line is a label. */
const TEXT_WIDTH = 0.6;
const PADDING = 4;
/** Margin by which the letters of a caption exceed its box, in points. */
const CAPTION_MARGIN = 3;
const MAX_PARTS = 100;
const MAX_LINES = 2_000;

/**
 * Finds the figure of a caption on its page: the drawing next to the caption with its labels; undefined if there is
 * none. The running time grows with the number of boxes and the page's area.
 */
export function figureRegion({ page, caption, drawn, texts }: PageParts): Box | undefined {
  const lines = joinLines(texts).filter((line) => !isWithin(line, caption));
  const parts = clusters(drawn, page).slice(0, MAX_PARTS);
  const farthest = MAX_CAPTION_DISTANCE * boxHeight(page);
  let best: { readonly part: Box; readonly cost: number } | undefined;
  for (const part of parts) {
    if (boxWidth(part) < MIN_WIDTH || boxHeight(part) < MIN_HEIGHT) continue;
    const gap = Math.max(0, gapUp(part, caption));
    if (gap > farthest || gapAcross(part, caption) > 0 || isTextBetween(part, caption, lines)) continue;
    // Skip a frame around both the caption and the figure.
    if (part.bottom < caption.bottom && part.top > caption.top) continue;
    const isBelow = part.top < caption.top;
    const cost = gap + (isBelow ? USUALLY_BELOW : 0);
    if (best === undefined || cost < best.cost) best = { part, cost };
  }
  if (best === undefined) return frameRegion({ page, caption, drawn, texts });
  const isBelow = best.part.top < caption.top;
  const isOnSide = (box: Box): boolean =>
    isBelow ? box.top <= caption.top : box.bottom >= caption.bottom - 1;
  const whole = withParts(best.part, parts.filter(isOnSide), lines);
  const labelled = withLabels(whole, caption, lines.filter(isOnSide));
  const padded = {
    left: labelled.left - PADDING,
    bottom: isBelow
      ? labelled.bottom - PADDING
      : Math.max(labelled.bottom - PADDING, Math.min(labelled.bottom, caption.top + CAPTION_MARGIN)),
    right: labelled.right + PADDING,
    top: isBelow
      ? Math.min(labelled.top + PADDING, Math.max(labelled.top, caption.bottom - CAPTION_MARGIN))
      : labelled.top + PADDING,
  };
  return intersection(padded, page);
}

/** Returns the part above the caption of a frame around a figure and its caption; undefined if there is no frame. */
function frameRegion({ page, caption, drawn }: PageParts): Box | undefined {
  const around = drawn.find(
    (box) =>
      boxWidth(box) * boxHeight(box) < BACKGROUND * boxWidth(page) * boxHeight(page) &&
      box.left <= caption.left &&
      box.right >= caption.right &&
      box.bottom <= caption.bottom &&
      box.top - caption.top >= 2 * MIN_HEIGHT,
  );
  return around && intersection({ ...around, bottom: caption.top }, page);
}

/** Merges boxes that are near each other on a coarse grid of the page, and returns the largest first. */
function clusters(drawn: readonly Box[], page: Box): Box[] {
  const cell = Math.max(CELL, boxWidth(page) / MAX_CELLS, boxHeight(page) / MAX_CELLS);
  const [columns, rows] = [boxWidth(page), boxHeight(page)].map((side) =>
    Math.max(1, Math.ceil(side / cell)),
  );
  if (columns === undefined || rows === undefined) return [];
  const background = BACKGROUND * boxWidth(page) * boxHeight(page);
  const boxes = drawn.filter((box) => boxWidth(box) * boxHeight(box) < background);
  const column = (x: number): number =>
    Math.min(columns - 1, Math.max(0, Math.floor((x - page.left) / cell)));
  const row = (y: number): number => Math.min(rows - 1, Math.max(0, Math.floor((y - page.bottom) / cell)));
  const width = columns + 1;
  // Prefix sums over rows and columns of the boxes' corners count how many boxes cover each cell.
  const covered = new Int32Array(width * (rows + 1));
  const count = (x: number, y: number, by: number): void => {
    covered[y * width + x] = (covered[y * width + x] ?? 0) + by;
  };
  for (const box of boxes) {
    // Extend the box by one cell on each side to join neighboring boxes.
    const [left, right] = [Math.max(0, column(box.left) - 1), Math.min(columns - 1, column(box.right) + 1)];
    const [bottom, top] = [Math.max(0, row(box.bottom) - 1), Math.min(rows - 1, row(box.top) + 1)];
    count(left, bottom, 1);
    count(right + 1, bottom, -1);
    count(left, top + 1, -1);
    count(right + 1, top + 1, 1);
  }
  for (let y = 0; y <= rows; y++)
    for (let x = 0; x <= columns; x++) {
      const pixel = y * width + x;
      const [before, below] = [x > 0 ? covered[pixel - 1] : 0, y > 0 ? covered[pixel - width] : 0];
      const both = x > 0 && y > 0 ? covered[pixel - width - 1] : 0;
      covered[pixel] = (covered[pixel] ?? 0) + (before ?? 0) + (below ?? 0) - (both ?? 0);
    }
  const clusterNumbers = labelRegions(covered, width, rows + 1);
  const boxesByCluster = new Map<number, Box>();
  for (const box of boxes) {
    const cluster =
      clusterNumbers[row((box.bottom + box.top) / 2) * width + column((box.left + box.right) / 2)] ?? 0;
    const other = boxesByCluster.get(cluster);
    boxesByCluster.set(cluster, other === undefined ? box : union(other, box));
  }
  return [...boxesByCluster.values()].toSorted(
    (a, b) => boxWidth(b) * boxHeight(b) - boxWidth(a) * boxHeight(a),
  );
}

/** Numbers the connected covered areas. */
function labelRegions(covered: Int32Array, width: number, height: number): Int32Array {
  const labels = new Int32Array(covered.length);
  const waiting = new Int32Array(covered.length);
  let next = 0;
  for (let start = 0; start < covered.length; start++) {
    if ((covered[start] ?? 0) <= 0 || labels[start] !== 0) continue;
    labels[start] = ++next;
    waiting[0] = start;
    for (let length = 1; length > 0;) {
      const at = waiting[--length] ?? 0;
      const x = at % width;
      const y = (at - x) / width;
      for (const [other, isThere] of [
        [at - 1, x > 0],
        [at + 1, x < width - 1],
        [at - width, y > 0],
        [at + width, y < height - 1],
      ] as const)
        if (isThere && (covered[other] ?? 0) > 0 && labels[other] === 0) {
          labels[other] = next;
          waiting[length++] = other;
        }
    }
  }
  return labels;
}

/** Merges the parts of a text line into one box. */
function joinLines(texts: readonly Box[]): Box[] {
  const lines: Box[] = [];
  const ordered = texts.slice(0, MAX_LINES).toSorted((a, b) => b.bottom - a.bottom || a.left - b.left);
  for (const text of ordered) {
    const height = boxHeight(text);
    const near = lines
      .slice(-8)
      .find(
        (line) => Math.abs(line.bottom - text.bottom) < 0.3 * height && gapAcross(line, text) < 0.8 * height,
      );
    if (near === undefined) lines.push(text);
    else lines[lines.lastIndexOf(near)] = union(near, text);
  }
  return lines;
}

/** Reports whether a line belongs to a caption. */
function isWithin(line: Box, caption: Box): boolean {
  const middle = (line.bottom + line.top) / 2;
  return middle > caption.bottom && middle < caption.top && gapAcross(line, caption) < 0;
}

function isText(line: Box, part: Box): boolean {
  return gapAcross(line, part) < 0 && boxWidth(line) >= TEXT_WIDTH * Math.max(boxWidth(part), 150);
}

/** Reports whether lines of text are between a drawing and a caption. */
function isTextBetween(part: Box, caption: Box, lines: readonly Box[]): boolean {
  const [low, high] = part.top < caption.top ? [part.top, caption.bottom] : [caption.top, part.bottom];
  return lines.some((line) => line.bottom > low - 1 && line.top < high + 1 && isText(line, part));
}

/** Extends a drawing by its other parts: panels above and beside it. */
function withParts(part: Box, parts: readonly Box[], lines: readonly Box[]): Box {
  let whole = part;
  for (let grows = true; grows;) {
    grows = false;
    for (const other of parts) {
      if (contains(whole, other)) continue;
      const [across, up] = [gapAcross(whole, other), gapUp(whole, other)];
      const isBeside = up < -0.5 * Math.min(boxHeight(whole), boxHeight(other)) && across < PARTS_BESIDE;
      const isAbove = across < 0 && up < PARTS_APART;
      if (!isBeside && !isAbove) continue;
      const grown = union(whole, other);
      if (
        lines.some((line) => isText(line, grown) && gapUp(line, grown) < 0 && !isInside(line, whole, other))
      )
        continue;
      whole = grown;
      grows = true;
    }
  }
  return whole;
}

function contains(a: Box, b: Box): boolean {
  return a.left <= b.left && a.right >= b.right && a.bottom <= b.bottom && a.top >= b.top;
}

function isInside(line: Box, ...parts: readonly Box[]): boolean {
  const middle = (line.bottom + line.top) / 2;
  return parts.some(
    (part) => middle > part.bottom && middle < part.top && gapAcross(line, part) < -0.5 * boxWidth(line),
  );
}

/** Extends a drawing by the labels around it, and those between it and its caption. */
function withLabels(whole: Box, caption: Box, lines: readonly Box[]): Box {
  let labelled = whole;
  for (let round = 0; round < 2; round++) {
    const reach = labelled;
    for (const line of lines) {
      const [across, up] = [gapAcross(line, reach), gapUp(line, reach)];
      const isNear = across < LABEL_APART && up < LABEL_APART;
      const toCaption = union(reach, caption);
      const isBetween = across < 0 && gapUp(line, toCaption) < -0.5 * boxHeight(line);
      const isLabel = boxWidth(line) < TEXT_WIDTH * boxWidth(whole) || isInside(line, whole);
      if (isLabel && (isNear || isBetween)) labelled = union(labelled, line);
    }
  }
  return labelled;
}
