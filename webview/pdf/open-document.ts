import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { getDocument, InvalidPDFException, PDFWorker } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { PdfView } from '../../src/messages/viewer.ts';

/** Opens a PDF. What its characters and pictures need is fetched from the extension's own files. */
export async function openDocument(view: PdfView): Promise<PDFDocumentProxy> {
  const port = await startWorker(view.workerUrl);
  return await getDocument({
    data: view.data,
    worker: PDFWorker.create({ port }),
    cMapUrl: view.characterMapsUrl,
    standardFontDataUrl: view.standardFontsUrl,
    wasmUrl: view.wasmUrl,
    // The worker's address is a blob: only the page itself reaches the extension's files.
    useWorkerFetch: false,
    enableXfa: false,
  }).promise;
}

/** A webview's page may not start a worker from another origin, but from a copy of its script. */
async function startWorker(url: string): Promise<Worker> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`The PDF reader could not be loaded (${String(response.status)}).`);
  const script = URL.createObjectURL(new Blob([await response.text()], { type: 'text/javascript' }));
  return new Worker(script, { type: 'module' });
}

/** One sentence on why a PDF was not opened. */
export function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === 'PasswordException')
    return 'This PDF is protected with a password. Open it in another program.';
  if (error instanceof InvalidPDFException)
    return 'This file is damaged or is not a PDF. Check the file, then open it again.';
  return error instanceof Error ? error.message : String(error);
}
