import { t } from '@vscode/l10n';
import { NotebookError } from '../../core/domain/errors.ts';
import { loadPdf, MAX_IMAGE_PIXELS, type LoadOptions } from '../pdf/engine.ts';
import { asText, scanObjects } from '../pdf/file-objects.ts';

/**
 * Rejects a page with an image of too many pixels, which pdf.js silently leaves out when drawing. Call it if no text
 * was found on a page.
 * @throws NotebookError `too-large`.
 */
export async function refuseHugeImage(
  bytes: Uint8Array,
  pageNumber: number,
  password?: string,
): Promise<void> {
  if (!holdsHugeImage(bytes)) return;
  // If set to stop at errors, pdf.js also stops at such an image.
  const operationsBesideImages = await countOperations(bytes, pageNumber, { password });
  const stopped = await countOperations(bytes, pageNumber, { password, largeImages: 'stop at huge' });
  if (operationsBesideImages === stopped) return;
  throw new NotebookError(
    'too-large',
    t(
      'Text recognition skipped page {0} because it has an image of more than {1} million pixels. Make the image smaller.',
      pageNumber,
      MAX_IMAGE_PIXELS / 1e6,
    ),
  );
}

/**
 * Reports whether a file has a huge image. Images are never stored in object streams, so their dimensions are readable
 * in the file.
 */
function holdsHugeImage(bytes: Uint8Array): boolean {
  for (const { words } of scanObjects(asText(bytes)).values()) {
    const [width, height] = [/\/Width\s+(\d+)/, /\/Height\s+(\d+)/].map((side) =>
      Number(side.exec(words)?.[1]),
    );
    if ((width ?? 0) * (height ?? 0) > MAX_IMAGE_PIXELS) return true;
  }
  return false;
}

async function countOperations(bytes: Uint8Array, pageNumber: number, options: LoadOptions): Promise<number> {
  const task = await loadPdf(bytes, options);
  try {
    const page = await (await task.promise).getPage(pageNumber);
    return (await page.getOperatorList()).fnArray.length;
  } finally {
    await task.destroy();
  }
}
