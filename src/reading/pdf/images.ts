import { setImmediate as nextTurn } from 'node:timers/promises';
import { throwIfCancelled } from '../../notebook/errors.ts';
import type { LoadOptions } from './engine.ts';
import { loadPdf } from './engine.ts';

/**
 * Which of some pages show an image. pdf.js tells what is drawn only with the pixels of all images unpacked, which takes
 * seconds for a scan; so it is made to leave large ones out, and to stop at the first: where that gives another list,
 * there is one.
 */
export async function pagesWithImages(
  bytes: Uint8Array,
  password: string | undefined,
  pages: readonly number[],
  signal: AbortSignal | undefined,
): Promise<number[]> {
  if (pages.length === 0) return [];
  try {
    const left = await listLengths(bytes, { password, largeImages: 'leave out' }, pages, signal);
    const stopped = await listLengths(bytes, { password, largeImages: 'stop there' }, pages, signal);
    return pages.filter((_, index) => left[index] !== stopped[index]);
  } catch (error) {
    throwIfCancelled(signal);
    // A damaged PDF may not open this way; then nothing is known of its images.
    if (error instanceof Error) return [];
    throw error;
  }
}

/** How many operations each of some pages is drawn with. */
async function listLengths(
  bytes: Uint8Array,
  options: LoadOptions,
  pages: readonly number[],
  signal: AbortSignal | undefined,
): Promise<number[]> {
  const task = await loadPdf(bytes, options);
  try {
    const pdf = await task.promise;
    const lengths: number[] = [];
    for (const number of pages) {
      await nextTurn();
      throwIfCancelled(signal);
      const page = await pdf.getPage(number);
      const operators = await page.getOperatorList().catch(() => undefined);
      lengths.push(operators?.fnArray.length ?? 0);
      page.cleanup();
    }
    return lengths;
  } finally {
    await task.destroy();
  }
}
