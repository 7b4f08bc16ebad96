import { join, sep } from 'node:path';
import type * as PdfJs from 'pdfjs-dist';

/** Images of fewer pixels are ornaments. */
const SMALL_IMAGE = 10_000;

let resources: string | undefined;
let engine: Promise<typeof PdfJs> | undefined;

/** Tells where the character maps and standard fonts of pdf.js are: a folder with `cmaps`, `standard_fonts` and `wasm`. */
export function setPdfResources(folder: string): void {
  resources = folder;
}

/**
 * Lets this thread outlive the promises that pdf.js leaves rejected when a PDF is damaged: what was asked for fails or
 * comes all the same, and nobody waits for those.
 */
export function outliveStrayRejections(): void {
  process.on('unhandledRejection', () => undefined);
}

export interface LoadOptions {
  readonly password?: string | undefined;
  /** What pdf.js makes of larger images than ornaments where it lists what it would draw: it unpacks them if nothing is said. */
  readonly largeImages?: 'leave out' | 'stop there';
}

/** Begins to load a PDF; the caller destroys the task when it is done. */
export async function loadPdf(
  bytes: Uint8Array,
  { password, largeImages }: LoadOptions = {},
): Promise<PdfJs.PDFDocumentLoadingTask> {
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
    ...(password !== undefined && { password }),
    ...(largeImages !== undefined && { maxImageSize: SMALL_IMAGE }),
    ...(largeImages === 'stop there' && { stopAtErrors: true }),
  });
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
