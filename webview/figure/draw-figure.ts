import { OPS, type PDFDocumentProxy, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { t } from '@vscode/l10n';
import type { DrawnFigure, FigureBytes, FigureLimits, FigureSource } from '../../src/core/rpc/figure.ts';
import type { PageRectangle } from '../../src/core/domain/locator.ts';
import { failureReason, openDocument } from './open-document.ts';
import { union, type Box } from './box.ts';
import { drawBox, encodeFigure, MAX_SCALE } from './draw-box.ts';
import { drawnBoxes } from './drawn-boxes.ts';
import { imageSize, MAX_PIXELS } from './image-size.ts';
import { figureRegion } from './region.ts';

type PageSource = Extract<FigureSource, { kind: 'page' }>;
type ReadBytes = (bytes: FigureBytes) => Promise<Uint8Array>;

/** Timeout for drawing a figure, in milliseconds. */
const TIMEOUT_MS = 20_000;
/** Idle time after which a PDF is closed, in milliseconds. */
const IDLE_TIMEOUT_MS = 60_000;
interface StoredDocument {
  readonly file: string;
  readonly pdf: Promise<PDFDocumentProxy>;
  /** Rejects if the file can't be read anymore. */
  readonly lost: Promise<never>;
}

let cached: StoredDocument | undefined;
let closing: ReturnType<typeof setTimeout> | undefined;
/** Draws figures one after another, because few are visible at a time and each may need much memory. */
let drawing: Promise<unknown> = Promise.resolve();

/** Draws a figure. Rejects with a sentence that explains the failure. */
export function drawFigure(
  source: FigureSource,
  read: ReadBytes,
  limits: FigureLimits,
): Promise<DrawnFigure> {
  const drawn = drawing.then(() =>
    source.kind === 'image' ? drawImage(source, limits) : drawPart(source, read, limits),
  );
  // The caller gets the error. It must not block the next figure.
  drawing = drawn.catch(() => undefined);
  return drawn;
}

/** Draws the part of a PDF page with a figure. */
async function drawPart(source: PageSource, read: ReadBytes, limits: FigureLimits): Promise<DrawnFigure> {
  const controller = new AbortController();
  const timer = setTimeout(() => {
    controller.abort();
  }, TIMEOUT_MS);
  const late = new Promise<never>((_, reject) =>
    controller.signal.addEventListener('abort', () => {
      reject(new Error(t('This figure takes too long to draw. Open it in its source.')));
    }),
  );
  // The race below may end before the timeout.
  late.catch(() => undefined);
  try {
    const { pdf, lost } = openCached(source, read);
    const drawn = pdf.then(async (opened) =>
      drawRegion(await opened.getPage(source.page), source.caption, limits),
    );
    return await Promise.race([drawn, lost, late]);
  } catch (error) {
    // Don't use a hanging or broken document again.
    close();
    throw new Error(failureReason(error), { cause: error });
  } finally {
    clearTimeout(timer);
    clearTimeout(closing);
    closing = setTimeout(close, IDLE_TIMEOUT_MS);
  }
}

function openCached(source: PageSource, read: ReadBytes): StoredDocument {
  const { file, pdf: view, password } = source;
  if (cached?.file === file) return cached;
  close();
  const { promise: lost, reject } = Promise.withResolvers<never>();
  // The race may end before the connection is lost.
  lost.catch(() => undefined);
  const pdf = openDocument(view, {
    read: (begin, end) => read({ file, begin, end }),
    askForPassword: (wasWrong) => Promise.resolve(wasWrong ? null : (password ?? null)),
    onLost: reject,
  });
  cached = { file, pdf, lost };
  return cached;
}

function close(): void {
  clearTimeout(closing);
  void cached?.pdf.then(
    (pdf) => pdf.loadingTask.destroy(),
    () => undefined,
  );
  cached = undefined;
}

async function drawRegion(
  page: PDFPageProxy,
  caption: readonly PageRectangle[],
  limits: FigureLimits,
): Promise<DrawnFigure> {
  const region = await regionOn(page, caption);
  if (region === undefined)
    throw new Error(t('Can’t find an image near this caption. Open the figure in its source.'));
  return drawBox(page, region, limits);
}

/** Finds the figure of a caption on its page, in points. */
async function regionOn(page: PDFPageProxy, caption: readonly PageRectangle[]): Promise<Box | undefined> {
  const [left = 0, bottom = 0, right = 0, top = 0] = page.view;
  const whole = { left, bottom, right, top };
  const lines = caption.map(({ x, y, width, height }) => ({
    left: x,
    bottom: y,
    right: x + width,
    top: y + height,
  }));
  const [first, ...others] = lines;
  if (first === undefined) return undefined;
  const operators = await page.getOperatorList();
  const content = await page.getTextContent();
  const texts = content.items.flatMap((item): Box[] => {
    if (!('str' in item) || item.str.trim() === '') return [];
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = item.transform.map(Number);
    const size = Math.hypot(c, d);
    const turned = Math.abs(b) > Math.abs(a);
    return [
      turned
        ? {
            left: e - (b > 0 ? size : 0),
            bottom: f - (b > 0 ? 0 : item.width),
            right: e + (b > 0 ? 0 : size),
            top: f + (b > 0 ? item.width : 0),
          }
        : { left: e, bottom: f, right: e + item.width, top: f + size },
    ];
  });
  return figureRegion({
    page: whole,
    caption: others.reduce(union, first),
    drawn: drawnBoxes({ fnArray: operators.fnArray, argsArray: operators.argsArray }, whole, OPS),
    texts,
  });
}

/** Draws an image, scaled down if it is too large. */
async function drawImage(
  { mediaType, bytes }: Extract<FigureSource, { kind: 'image' }>,
  limits: FigureLimits,
): Promise<DrawnFigure> {
  const size = imageSize(bytes);
  if (size !== undefined && size.width * size.height > MAX_PIXELS)
    throw new Error(t('This image has too many pixels to show here. Open it in its source.'));
  const url = URL.createObjectURL(new Blob([new Uint8Array(bytes)], { type: mediaType }));
  const image = new Image();
  try {
    image.src = url;
    await image.decode();
    // An SVG may have no size of its own.
    const [width, height] = [image.naturalWidth || 300, image.naturalHeight || 150];
    const larger = mediaType === 'image/svg+xml' ? MAX_SCALE : 1;
    const scale = Math.min(larger, limits.longestSide / Math.max(width, height));
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(scale * width));
    canvas.height = Math.max(1, Math.round(scale * height));
    const context = canvas.getContext('2d');
    if (context === null) throw new Error('No canvas.');
    context.fillStyle = 'white';
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await encodeFigure(canvas, limits);
  } catch (cause) {
    throw new Error(
      t('Can’t show this image because it’s damaged or has an unsupported format. Open it in its source.'),
      {
        cause,
      },
    );
  } finally {
    URL.revokeObjectURL(url);
  }
}
