/** Rectangle as shares of the whole, 0 to 1. */
interface Tile {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Returns tiles for weights, in order, that fill an area of this width and height and are as square as possible
 * (Bruls, Huizing, and van Wijk, Squarified Treemaps). Weights are positive and in descending order.
 */
export function squarify(weights: readonly number[], width: number, height: number): Tile[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const areas = weights.map((weight) => (weight / total) * width * height);
  const tiles: Tile[] = [];
  let [left, top, freeWidth, freeHeight] = [0, 0, width, height];
  for (let from = 0; from < areas.length;) {
    const side = Math.min(freeWidth, freeHeight);
    let to = from + 1;
    let sum = areas[from] ?? 0;
    while (to < areas.length) {
      const next = sum + (areas[to] ?? 0);
      if (worst(areas, from, to + 1, next, side) > worst(areas, from, to, sum, side)) break;
      sum = next;
      to++;
    }
    const depth = side === 0 ? 0 : sum / side;
    const isColumn = freeWidth >= freeHeight;
    let along = 0;
    for (const area of areas.slice(from, to)) {
      const length = depth === 0 ? 0 : area / depth;
      tiles.push(
        isColumn
          ? tile(left, top + along, depth, length, width, height)
          : tile(left + along, top, length, depth, width, height),
      );
      along += length;
    }
    if (isColumn) {
      left += depth;
      freeWidth -= depth;
    } else {
      top += depth;
      freeHeight -= depth;
    }
    from = to;
  }
  return tiles;
}

/** Returns the worst aspect ratio of a row's tiles. */
function worst(areas: readonly number[], from: number, to: number, sum: number, side: number): number {
  // The areas are in descending order.
  const [largest, smallest] = [areas[from] ?? 0, areas[to - 1] ?? 0];
  const [side2, sum2] = [side * side, sum * sum];
  return Math.max((side2 * largest) / sum2, sum2 / (side2 * smallest));
}

function tile(
  left: number,
  top: number,
  width: number,
  height: number,
  wholeWidth: number,
  wholeHeight: number,
): Tile {
  return {
    left: left / wholeWidth,
    top: top / wholeHeight,
    width: width / wholeWidth,
    height: height / wholeHeight,
  };
}
