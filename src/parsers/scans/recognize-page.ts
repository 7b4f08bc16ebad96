import { createHash } from 'node:crypto';
import type { PDFDocumentProxy } from 'pdfjs-dist';
import { t } from '@vscode/l10n';
import { drawPage, type DrawnPage } from './draw-page.ts';
import type { RecognizedPage } from './recognized-page.ts';
import type { RecognizedPages } from './recognized-pages.ts';

/** Resolution at which letters of the usual size are recognized best. */
const DOTS_PER_INCH = 300;

/** Page of a document, which its content hash identifies; page numbers are one-based. */
interface PageOfDocument {
  readonly bytes: Uint8Array;
  readonly password?: string | undefined;
  readonly pdf: PDFDocumentProxy;
  readonly document: string;
  readonly number: number;
  readonly languages: string;
}

/**
 * Recognizes the text of a page and saves the result. Skips the recognition if the result for an identical picture is
 * saved.
 * @throws NotebookError `disk-full`, and errors of `recognise`
 */
export async function recognizePage(
  { bytes, password, pdf, document, number, languages }: PageOfDocument,
  pages: RecognizedPages,
  recognise: (picture: DrawnPage) => Promise<RecognizedPage>,
): Promise<void> {
  const page = await pdf.getPage(number);
  let picture: DrawnPage;
  try {
    picture = await drawPage(page, bytes, DOTS_PER_INCH, password);
  } catch {
    // The user learns about it from the stored page.
    const problem = t('Text recognition skipped page {0} because the page can’t be rendered.', number);
    pages.put(`${document}:${String(number)}`, languages, emptyPage(problem), document, number);
    return;
  }
  const shown = createHash('sha256')
    .update(`${String(picture.width)} ${String(picture.height)} ${String(picture.dotsPerInch)} `)
    .update(picture.pixels)
    .digest('hex');
  if (pages.adopt(shown, languages, document, number)) return;
  pages.put(shown, languages, await recognise(picture), document, number);
}

/** Returns a page without recognized text, and the reason as a sentence. */
export function emptyPage(problem: string): RecognizedPage {
  return { lines: [], toSeen: [1, 0, 0, 1, 0, 0], problem };
}
