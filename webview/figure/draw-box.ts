import { AnnotationMode, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { t } from '@vscode/l10n';
import type { DrawnFigure, FigureLimits } from '../../src/core/rpc/figure.ts';
import { boxHeight, boxWidth, type Box } from './box.ts';

/** Maximum scale of a figure, relative to its printed size. */
export const MAX_SCALE = 4;
/**
 * Quality of a JPEG that replaces a larger PNG, scale factor of each further attempt, and maximum number of attempts.
 */
const JPEG_QUALITY = 0.85;
const SMALLER = 0.7;
const MAX_ATTEMPTS = 6;

/** Draws a part of a page, without annotations; `box` is in points. Rejects with one sentence if it is too large. */
export async function drawBox(page: PDFPageProxy, region: Box, limits: FigureLimits): Promise<DrawnFigure> {
  const scale = Math.min(MAX_SCALE, limits.longestSide / Math.max(boxWidth(region), boxHeight(region)));
  const whole = page.getViewport({ scale });
  const corners: readonly unknown[] = whole.convertToViewportRectangle([
    region.left,
    region.bottom,
    region.right,
    region.top,
  ]);
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = corners.map(Number);
  const viewport = page.getViewport({
    scale,
    offsetX: -Math.min(x1, x2),
    offsetY: -Math.min(y1, y2),
  });
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(Math.abs(x2 - x1)));
  canvas.height = Math.max(1, Math.round(Math.abs(y2 - y1)));
  await page.render({ canvas, viewport, annotationMode: AnnotationMode.DISABLE, background: 'white' })
    .promise;
  page.cleanup();
  return encodeFigure(canvas, limits);
}

/**
 * Encodes as PNG, or as JPEG in decreasing sizes if that exceeds the limit.
 * @throws Error if the smallest attempt is still too large
 */
export async function encodeFigure(canvas: HTMLCanvasElement, limits: FigureLimits): Promise<DrawnFigure> {
  let drawn = canvas;
  for (let tried = 0; tried < MAX_ATTEMPTS; tried++) {
    const mediaType = tried === 0 ? 'image/png' : 'image/jpeg';
    const blob = await new Promise<Blob | null>((resolve) => drawn.toBlob(resolve, mediaType, JPEG_QUALITY));
    if (blob !== null && blob.size <= limits.bytes)
      return {
        mediaType,
        bytes: new Uint8Array(await blob.arrayBuffer()),
        width: drawn.width,
        height: drawn.height,
      };
    if (tried > 0) drawn = smaller(drawn);
  }
  throw new Error(t('This figure is too large to show here. Open it in its source.'));
}

function smaller(canvas: HTMLCanvasElement): HTMLCanvasElement {
  const next = document.createElement('canvas');
  next.width = Math.max(1, Math.round(SMALLER * canvas.width));
  next.height = Math.max(1, Math.round(SMALLER * canvas.height));
  next.getContext('2d')?.drawImage(canvas, 0, 0, next.width, next.height);
  return next;
}
