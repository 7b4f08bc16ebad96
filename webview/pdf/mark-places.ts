import type { PageRectangle } from '../../src/notebook/locator.ts';

/** What is needed of a page as it is shown; pdf.js's `PageViewport` is one. */
export interface ShownPage {
  readonly width: number;
  readonly height: number;
  convertToViewportRectangle(rectangle: number[]): number[];
}

/** Where a mark stands on its page, each as a share (0 to 1) of the page's shown width or height. */
export interface MarkPlace {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The place of a rectangle on a page, whatever its zoom and rotation. */
export function placeOf({ x, y, width, height }: PageRectangle, page: ShownPage): MarkPlace {
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = page.convertToViewportRectangle([x, y, x + width, y + height]);
  return {
    left: Math.min(x1, x2) / page.width,
    top: Math.min(y1, y2) / page.height,
    width: Math.abs(x2 - x1) / page.width,
    height: Math.abs(y2 - y1) / page.height,
  };
}
