import {
  getDocument,
  InvalidPDFException,
  PasswordResponses,
  PDFWorker,
  type PDFDocumentProxy,
} from 'pdfjs-dist/legacy/build/pdf.mjs';
import { t } from '@vscode/l10n';
import { errorMessage } from '../../src/core/domain/errors.ts';
import type { PdfView } from '../../src/core/rpc/figure.ts';
import { ByteRanges, RANGE_SIZE, type ReadBytes } from './byte-ranges.ts';

/** Asks for the password of the PDF; null if the user declines. `wasWrong`: the previous one was wrong. */
type AskForPassword = (wasWrong: boolean) => Promise<string | null>;

/** Callbacks for opening a PDF. */
interface PdfSurroundings {
  readonly read: ReadBytes;
  readonly askForPassword: AskForPassword;
  /** Called if a required part of the file can't be read anymore. */
  readonly onLost: (reason: unknown) => void;
}

/** Maximum bytes of a picture. A larger one is drawn smaller. */
const MAX_PICTURE_BYTES = 2 ** 26;

/**
 * Opens a PDF. Loads a large one in parts as needed, and its fonts and images from the extension's own files.
 * @throws Error for an empty file, or if the reader can't be loaded
 */
export async function openDocument(
  view: PdfView,
  { read, askForPassword, onLost }: PdfSurroundings,
): Promise<PDFDocumentProxy> {
  if (view.length === 0) throw new Error(t('This file is empty.'));
  const port = await startWorker(view.workerUrl);
  const isWhole = view.start.length >= view.length;
  const task = getDocument({
    ...(isWhole ? { data: view.start } : { range: new ByteRanges(view.length, view.start, read, onLost) }),
    rangeChunkSize: RANGE_SIZE,
    // Don't load pages that nobody looks at. The pages of a small file have their sizes from the start.
    disableAutoFetch: !isWhole,
    disableStream: true,
    isEvalSupported: false,
    canvasMaxAreaInBytes: MAX_PICTURE_BYTES,
    worker: PDFWorker.create({ port }),
    cMapUrl: view.characterMapsUrl,
    standardFontDataUrl: view.standardFontsUrl,
    wasmUrl: view.wasmUrl,
    // The worker's address is a blob: only the page itself reaches the extension's files.
    useWorkerFetch: false,
    enableXfa: false,
  });
  task.onPassword = (answer: (password: string | Error) => void, reason: number): void => {
    askForPassword(reason === PasswordResponses.INCORRECT_PASSWORD).then(
      (password) => answer(password ?? new Error('No password was said.')),
      (error: unknown) => answer(error instanceof Error ? error : new Error(String(error))),
    );
  };
  return await task.promise;
}

/** Creates a worker from a copy of its script, because a webview can't start a worker from another origin. */
async function startWorker(url: string): Promise<Worker> {
  const response = await fetch(url);
  if (!response.ok)
    throw new Error(
      t('Can’t load the PDF viewer ({0}). Close the file, then open it again.', response.status),
    );
  const script = URL.createObjectURL(new Blob([await response.blob()], { type: 'text/javascript' }));
  return new Worker(script, { type: 'module' });
}

/** Reports whether a PDF wasn't opened because the user didn't enter its password. */
export function isLocked(error: unknown): boolean {
  return error instanceof Error && error.name === 'PasswordException';
}

/** Returns one sentence on why a PDF wasn't opened. */
export function failureReason(error: unknown): string {
  if (isLocked(error)) return t('This PDF is password-protected.');
  if (error instanceof InvalidPDFException)
    return t('This file is damaged or isn’t a PDF. Check the file, then open it again.');
  return errorMessage(error);
}
