import { t } from '@vscode/l10n';
import type { ReadDocument } from '../../core/domain/document.ts';
import { isCanceled, NotebookError } from '../../core/domain/errors.ts';
import { readPdf, type PdfContext } from '../pdf.ts';
import { readPicture } from '../picture.ts';
import { pdfOfPictures } from './picture-pdf.ts';

/**
 * Reads a picture with text recognition: its description by the creator, and its text with positions.
 * @throws NotebookError `binary` if it has neither, `too-large`, `damaged`, `cancelled`
 */
export async function readScannedPicture(
  bytes: Uint8Array,
  name: string,
  mediaType: string,
  context: PdfContext,
): Promise<ReadDocument> {
  const described = readDescription(bytes, name);
  try {
    const scanned = await readPdf(await pdfOfPictures(bytes, name), name, context);
    const document = { ...scanned, mediaType, title: described?.title };
    return described === undefined ? document : below(described.text, document);
  } catch (error) {
    if (described !== undefined && error instanceof NotebookError && !isCanceled(error)) return described;
    if (!(error instanceof NotebookError) || error.code !== 'too-short') throw error;
    // The picture is too small for words, so recognition skipped it.
    if (context.recognised?.size === 0) return readPicture(bytes, name);
    throw new NotebookError(
      'binary',
      t(
        'Text recognition found no text in the image {0}. Add a sharper image, or add text that describes it.',
        name,
      ),
      { cause: error },
    );
  }
}

function readDescription(bytes: Uint8Array, name: string): ReadDocument | undefined {
  try {
    return readPicture(bytes, name);
  } catch {
    // A picture without a description still has recognized text.
    return undefined;
  }
}

/** Returns a scanned document with another text before its own. */
function below(text: string, document: ReadDocument): ReadDocument {
  if (document.map.kind !== 'pdf') return document;
  const before = `${text.trim()}\n\n`;
  const shift = before.length;
  const { map } = document;
  return {
    ...document,
    text: before + document.text,
    headings: document.headings.map((heading) => ({ ...heading, offset: heading.offset + shift })),
    map: {
      ...map,
      pages: map.pages.map((page) => ({ ...page, start: page.start + shift })),
      starts: map.starts.map((start) => start + shift),
      ends: map.ends.map((end) => end + shift),
    },
  };
}
