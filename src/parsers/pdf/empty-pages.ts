import type { PageNumber } from '../../core/domain/page-number.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { throwIfCanceled } from '../../core/domain/errors.ts';
import { loadPdf, type LoadOptions } from './engine.ts';
import { asText, scanObjects } from './file-objects.ts';

/** Content of pages without text, by page number. Blank pages are in no list. */
interface EmptyPages {
  /** Pages with an image, such as scans. */
  readonly images: readonly number[];
  /** Pages with as many lines and areas as drawn letters would need. */
  readonly drawings: readonly number[];
  /** Pages whose drawing operations are damaged. */
  readonly damaged: readonly number[];
}

interface Look {
  readonly password?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called after each of the pages, which can be many. */
  readonly onPage: () => void;
}

/** Size of page content, in bytes, below which a page may really be blank. */
const MIN_CONTENT = 60;
/** Minimum number of operations of a page whose letters are drawn as areas. */
const MIN_DRAWING_RATIO = 100;

/**
 * Detects the content of pages without text. pdf.js lists the drawing operations only after unpacking all images, which
 * needs seconds for a scan. So it runs twice: once it leaves out large images, and once it stops at the first. If the
 * results differ, the page has a large image.
 */
export async function lookAtEmptyPages(
  bytes: Uint8Array,
  pages: readonly number[],
  { password, signal, onPage }: Look,
): Promise<EmptyPages> {
  if (pages.length === 0) return { images: [], drawings: [], damaged: [] };
  try {
    const withoutLargeImages = await readDrawnPages(bytes, { password, largeImages: 'leave out' }, pages, {
      signal,
      onPage,
    });
    const stopped = await readDrawnPages(bytes, { password, largeImages: 'stop there' }, pages, {
      signal,
      onPage,
    });
    const images = pages.filter(
      (_, index) => withoutLargeImages[index]?.operations !== stopped[index]?.operations,
    );
    const undrawn = withoutLargeImages.filter(({ operations }) => operations === 0);
    return {
      images,
      drawings: withoutLargeImages.flatMap(({ page, operations }) =>
        operations >= MIN_DRAWING_RATIO && !images.includes(page) ? [page] : [],
      ),
      damaged: damagedAmong(bytes, undrawn).filter((page) => !images.includes(page)),
    };
  } catch (error) {
    throwIfCanceled(signal);
    // A damaged PDF may not open with these options, so its images are unknown.
    if (error instanceof Error) return { images: [], drawings: [], damaged: [] };
    throw error;
  }
}

interface DrawnPage {
  readonly page: PageNumber;
  /** Number of its object in the file. */
  readonly object: number | undefined;
  /** Number of drawing operations. */
  readonly operations: number;
}

async function readDrawnPages(
  bytes: Uint8Array,
  options: LoadOptions,
  pages: readonly number[],
  { signal, onPage }: Look,
): Promise<DrawnPage[]> {
  const task = await loadPdf(bytes, options);
  try {
    const pdf = await task.promise;
    const drawnPages: DrawnPage[] = [];
    for (const number of pages) {
      await nextTurn();
      throwIfCanceled(signal);
      const page = await pdf.getPage(number);
      // A page that can't be read draws nothing.
      const operators = await page.getOperatorList().catch(() => undefined);
      const { num: object } = (page.ref ?? {}) as { readonly num?: number };
      drawnPages.push({ page: number, object, operations: operators?.fnArray.length ?? 0 });
      page.cleanup();
      onPage();
    }
    return drawnPages;
  } finally {
    await task.destroy();
  }
}

/** Returns the pages that remain empty although the file has content to draw on them. */
function damagedAmong(bytes: Uint8Array, pages: readonly DrawnPage[]): number[] {
  if (pages.length === 0) return [];
  const objects = scanObjects(asText(bytes));
  const objectWords = (number: number | undefined): string => objects.get(number ?? -1)?.words ?? '';
  const readLength = (words: string): number => {
    const [, length, isReference] = /\/Length\s+(\d+)(\s+\d+\s+R\b)?/.exec(words) ?? [];
    return isReference === undefined ? Number(length ?? 0) : Number(objectWords(Number(length)).trim());
  };
  return pages.flatMap(({ page, object }) => {
    const contents = /\/Contents\s*(\[[^[\]]*\]|\d+\s+\d+\s+R)/.exec(objectWords(object))?.[1] ?? '';
    const streams = [...contents.matchAll(/(?<!\d)(\d+)\s+\d+\s+R/g)].map(([, number]) =>
      objectWords(Number(number)),
    );
    return streams.some((words) => readLength(words) >= MIN_CONTENT) ? [page] : [];
  });
}
