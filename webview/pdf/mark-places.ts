import type { PageRectangle } from '../../src/core/domain/locator.ts';
import type { Box } from './selected-runs.ts';

/** Required part of a page as shown, such as pdf.js's `PageViewport`. */
interface ShownPage {
  readonly width: number;
  readonly height: number;
  convertToViewportRectangle(rectangle: number[]): number[];
}

/** Position of a mark on its page, each as a share (0 to 1) of the page's shown width or height. */
export interface MarkPlace {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Returns the position of a rectangle on a page, independent of zoom and rotation. */
export function markPlace({ x, y, width, height }: PageRectangle, page: ShownPage): MarkPlace {
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = page.convertToViewportRectangle([x, y, x + width, y + height]);
  const box = aroundPoints(x1, y1, x2, y2);
  return {
    left: box.x / page.width,
    top: box.y / page.height,
    width: box.width / page.width,
    height: box.height / page.height,
  };
}

/**
 * Converts a rectangle of the window to a box on a page, in points of the unrotated page. `left` and `top` are the
 * page's position.
 */
export function markBox(
  { left, top, right, bottom }: Pick<DOMRect, 'left' | 'top' | 'right' | 'bottom'>,
  page: { convertToPdfPoint(x: number, y: number): unknown[] },
  at: { readonly left: number; readonly top: number },
): Box {
  const [x1, y1] = page.convertToPdfPoint(left - at.left, top - at.top).map(Number);
  const [x2, y2] = page.convertToPdfPoint(right - at.left, bottom - at.top).map(Number);
  return aroundPoints(x1 ?? 0, y1 ?? 0, x2 ?? 0, y2 ?? 0);
}

function aroundPoints(x1: number, y1: number, x2: number, y2: number): Box {
  return { x: Math.min(x1, x2), y: Math.min(y1, y2), width: Math.abs(x2 - x1), height: Math.abs(y2 - y1) };
}
