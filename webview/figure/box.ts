/** A rectangle on a page, in points, origin at the lower left. */
export interface Box {
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
  readonly top: number;
}

/** Returns the smallest box around two. */
export function union(a: Box, b: Box): Box {
  return {
    left: Math.min(a.left, b.left),
    bottom: Math.min(a.bottom, b.bottom),
    right: Math.max(a.right, b.right),
    top: Math.max(a.top, b.top),
  };
}

/** Returns the intersection of two boxes; undefined if it is empty. */
export function intersection(a: Box, b: Box): Box | undefined {
  const both = {
    left: Math.max(a.left, b.left),
    bottom: Math.max(a.bottom, b.bottom),
    right: Math.min(a.right, b.right),
    top: Math.min(a.top, b.top),
  };
  return both.left <= both.right && both.bottom <= both.top ? both : undefined;
}

/** Returns the width of a box, in points. */
export function boxWidth({ left, right }: Box): number {
  return right - left;
}

/** Returns the height of a box, in points. */
export function boxHeight({ bottom, top }: Box): number {
  return top - bottom;
}

/** Returns the horizontal gap between two boxes; negative if they overlap horizontally. */
export function gapAcross(a: Box, b: Box): number {
  return Math.max(a.left, b.left) - Math.min(a.right, b.right);
}

/** Returns the vertical gap between two boxes; negative if they overlap vertically. */
export function gapUp(a: Box, b: Box): number {
  return Math.max(a.bottom, b.bottom) - Math.min(a.top, b.top);
}
