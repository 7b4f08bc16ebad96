import { join, sep } from 'node:path';
import type * as PdfJs from 'pdfjs-dist';
import { NotebookError } from '../../notebook/errors.ts';

let resources: string | undefined;
let engine: Promise<typeof PdfJs> | undefined;

/** Tells where the character maps and standard fonts of pdf.js are: a folder with `cmaps`, `standard_fonts` and `wasm`. */
export function setPdfResources(folder: string): void {
  resources = folder;
}

/** Begins to load a PDF; the caller destroys the task when it is done. */
export async function loadPdf(bytes: Uint8Array): Promise<PdfJs.PDFDocumentLoadingTask> {
  if (resources === undefined) throw new Error('setPdfResources must be called before a PDF is read.');
  engine ??= loadEngine();
  const { getDocument, VerbosityLevel } = await engine;
  return getDocument({
    // pdf.js keeps what it is given to itself.
    data: new Uint8Array(bytes),
    cMapUrl: join(resources, 'cmaps') + sep,
    standardFontDataUrl: join(resources, 'standard_fonts') + sep,
    wasmUrl: join(resources, 'wasm') + sep,
    verbosity: VerbosityLevel.ERRORS,
    isEvalSupported: false,
    useSystemFonts: false,
    disableFontFace: true,
  });
}

/** The sentence for a PDF that pdf.js could not open. */
export function openingError(error: unknown, name: string): NotebookError {
  const kind = error instanceof Error ? error.name : '';
  if (kind === 'PasswordException') {
    return new NotebookError(
      'encrypted',
      `${name} is protected by a password; save a copy without one and add that instead.`,
      { cause: error },
    );
  }
  return new NotebookError(
    'damaged',
    `${name} could not be read as a PDF; it may be damaged or cut off, so save it anew.`,
    {
      cause: error,
    },
  );
}

/** Loads pdf.js so that it runs within this thread, for text alone. */
async function loadEngine(): Promise<typeof PdfJs> {
  // For drawing, pdf.js wants these of a browser or of a native package; text needs them to exist and no more.
  const globals = globalThis as Record<string, unknown>;
  for (const name of ['DOMMatrix', 'ImageData', 'Path2D']) globals[name] ??= Object;
  const { warn } = console;
  // It tells of the missing native package on the console while it loads, before its verbosity can be set.
  console.warn = () => undefined;
  try {
    // Puts its message handler on globalThis, where pdf.js looks before it would start a worker of its own.
    // @ts-expect-error The worker comes without types.
    await import('pdfjs-dist/legacy/build/pdf.worker.mjs');
    return await import('pdfjs-dist/legacy/build/pdf.mjs');
  } finally {
    console.warn = warn;
  }
}
