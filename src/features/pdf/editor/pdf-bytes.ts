import type { FileHandle } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { PdfView } from '../../../core/rpc/figure.ts';
import { NotebookError } from '../../../core/domain/errors.ts';
import { openRegularFile } from '../../../core/domain/regular-file.ts';
import { missingFile } from '../../../platform/missing-file.ts';
import { lastSegment } from '../../../platform/workspace-files.ts';

/** Maximum size of a file that is sent at once, in bytes. */
export const MAX_BATCH_BYTES = 4 * 2 ** 20;

/** Number of bytes of a larger file that are sent first; a multiple of the bytes that a page requests at once. */
export const FIRST_BYTES = 2 ** 18;

/** Returns the data that a page needs to draw a PDF. */
export function pdfView({
  webview,
  extensionUri,
  uri,
  length,
  start,
}: {
  readonly webview: vscode.Webview;
  readonly extensionUri: vscode.Uri;
  readonly uri: vscode.Uri;
  readonly length: number;
  readonly start: Uint8Array;
}): PdfView {
  const address = (path: string): string =>
    webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, 'dist', 'pdfjs', path)).toString();
  return {
    title: lastSegment(uri),
    length,
    start,
    workerUrl: address('pdf.worker.min.mjs'),
    characterMapsUrl: address('cmaps/'),
    standardFontsUrl: address('standard_fonts/'),
    wasmUrl: address('wasm/'),
  };
}

/** Bytes of an open PDF, which are read on request. */
export interface PdfBytes {
  readonly length: number;
  /** Returns the bytes from `begin` to before `end`; fewer if the file was shortened. */
  read(begin: number, end: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

/**
 * Opens a PDF: one on this machine's disk to be read in parts, one of another file system as a whole.
 * @throws NotebookError `not-found`, `unsupported` if it isn't a file
 */
export async function openBytes(uri: vscode.Uri): Promise<PdfBytes> {
  try {
    return uri.scheme === 'file'
      ? await openFile(await openRegularFile(uri.fsPath))
      : wholeBytes(await vscode.workspace.fs.readFile(uri));
  } catch (cause) {
    if (cause instanceof NotebookError) throw cause;
    throw missingFile(lastSegment(uri), cause);
  }
}

async function openFile(file: FileHandle): Promise<PdfBytes> {
  const { size } = await file.stat();
  return {
    length: size,
    async read(begin, end) {
      // Copies the bytes, because a view of a larger array would be sent with the whole array.
      const bytes = new Uint8Array(Math.max(0, Math.min(end, size) - begin));
      const { bytesRead } = await file.read(bytes, 0, bytes.length, begin);
      return bytesRead === bytes.length ? bytes : bytes.slice(0, bytesRead);
    },
    close: () => file.close(),
  };
}

/** Returns access to a PDF that is completely in memory. */
export function wholeBytes(whole: Uint8Array): PdfBytes {
  return {
    length: whole.length,
    // Returns a plain array, because Node's Buffer would arrive in the webview as JSON.
    read: (begin, end) => Promise.resolve(Uint8Array.from(whole.subarray(begin, end))),
    close: () => Promise.resolve(),
  };
}
