import { setImmediate as nextTurn } from 'node:timers/promises';
import { t } from '@vscode/l10n';
import type { PDFPageProxy } from 'pdfjs-dist';
import { NotebookError, throwIfCanceled } from '../../core/domain/errors.ts';
import { operationCodes } from '../pdf/engine.ts';
import type { Matrix } from '../pdf/frame.ts';
import { withTimeout } from '../pdf/with-timeout.ts';
import { newDrawing, perform, objectPool, type Drawing, type Operation } from './drawing.ts';
import { makeSurface, type GrayPicture } from './surface.ts';

export interface DrawnPage extends GrayPicture {
  /** Requested resolution, or less if the page would have too many pixels. */
  readonly dotsPerInch: number;
}

/** Maximum number of pixels: a bit more than A4 at 600 dpi. */
const MAX_PIXELS = 40_000_000;
const MAX_DRAW_MS = 60_000;
/** Maximum time before other work of the process gets its turn. */
const TURN_MILLISECONDS = 10;
const POINTS_PER_INCH = 72;

/**
 * Draws a page as displayed, with its rotation and crop box, in gray on white. Draws dashes as solid lines, shadings
 * and patterns as one gray, and the parts of transparency groups separately.
 * @throws NotebookError `cancelled`, `too-large` for an image of too many pixels, or `timeout`.
 */
export async function drawPage(
  page: PDFPageProxy,
  dotsPerInch: number,
  signal?: AbortSignal,
): Promise<DrawnPage> {
  throwIfCanceled(signal);
  const { width, height } = page.getViewport({ scale: 1 });
  const scale = Math.min(dotsPerInch / POINTS_PER_INCH, Math.sqrt(MAX_PIXELS / (width * height)));
  const viewport = page.getViewport({ scale });
  const surface = makeSurface(viewport.width, viewport.height, 255);
  const codes = Object.entries(await operationCodes()) as [Operation, number][];
  const names = new Map(codes.map(([name, code]) => [code, name]));
  await drawAll(newDrawing(page, surface, viewport.transform as unknown as Matrix, names), signal);
  return { ...surface, dotsPerInch: scale * POINTS_PER_INCH };
}

async function drawAll(drawing: Drawing, signal: AbortSignal | undefined): Promise<void> {
  const { page, names } = drawing;
  const end = performance.now() + MAX_DRAW_MS;
  const { fnArray, argsArray } = await withTimeout(MAX_DRAW_MS, page.getOperatorList()).catch(
    (error: unknown) => {
      throw performance.now() < end ? error : tooLong(page);
    },
  );
  throwIfCanceled(signal);
  let turn = performance.now();
  for (const [index, code] of fnArray.entries()) {
    const operation = names.get(code);
    if (operation === undefined) continue;
    const args = (argsArray[index] ?? []) as readonly unknown[];
    if (operation === 'dependency')
      await waitForObjects(page, args as readonly string[], end - performance.now());
    else perform(drawing, operation, args);
    const time = performance.now();
    if (time > end) throw tooLong(page);
    if (time < turn + TURN_MILLISECONDS) continue;
    await nextTurn();
    throwIfCanceled(signal);
    turn = performance.now();
  }
}

/** Waits for images and fonts that pdf.js is still unpacking. */
async function waitForObjects(
  page: PDFPageProxy,
  ids: readonly string[],
  milliseconds: number,
): Promise<void> {
  for (const id of ids) {
    const objects = objectPool(page, id);
    if (objects.has(id)) continue;
    const arriving = new Promise<void>((resolve) => {
      objects.get(id, () => {
        resolve();
      });
    });
    await withTimeout(Math.max(0, milliseconds), arriving).catch(() => {
      throw tooLong(page);
    });
  }
}

function tooLong({ pageNumber }: PDFPageProxy): NotebookError {
  return new NotebookError(
    'timeout',
    t(
      'Text recognition skipped page {0} because the page takes too long to render. Save the page as an image, then add the image.',
      pageNumber,
    ),
  );
}
