import { join, sep } from 'node:path';
import type * as PdfJs from 'pdfjs-dist';

/** Number of pixels below which an image is an ornament. */
const SMALL_IMAGE = 10_000;

/** Maximum number of pixels of an image. A3 at 600 dpi has 70 million; unpacked, each needs up to four bytes twice. */
export const MAX_IMAGE_PIXELS = 100_000_000;

let resources: string | undefined;
let engine: Promise<typeof PdfJs> | undefined;

/** Sets the folder of pdf.js's character maps and standard fonts, with `cmaps`, `standard_fonts`, and `wasm`. */
export function setPdfResources(folder: string): void {
  resources = folder;
}

/**
 * Keeps this thread running despite promises that pdf.js leaves rejected for a damaged PDF. Nobody awaits them, and the
 * requests themselves fail or succeed anyway.
 */
export function ignoreStrayRejections(): void {
  process.on('unhandledRejection', () => undefined);
}

export interface LoadOptions {
  readonly password?: string | undefined;
  /**
   * Treatment of images larger than ornaments when pdf.js lists drawing operations. By default, it unpacks all images
   * that don't need too much memory and leaves out the huge ones.
   */
  readonly largeImages?: 'leave out' | 'stop there';
  /** `true` to lay out a dynamic form (XFA) instead of its placeholder pages. */
  readonly isDynamicForm?: boolean;
}

/**
 * Starts to load a PDF. The caller must destroy the task.
 * @throws Error before `setPdfResources` was called
 */
export async function loadPdf(
  bytes: Uint8Array,
  { password, largeImages, isDynamicForm = false }: LoadOptions = {},
): Promise<PdfJs.PDFDocumentLoadingTask> {
  if (resources === undefined) throw new Error('setPdfResources must be called before a PDF is read.');
  engine ??= loadEngine();
  const { getDocument, VerbosityLevel } = await engine;
  return getDocument({
    // pdf.js transfers the bytes to itself, so pass a copy.
    data: new Uint8Array(bytes),
    cMapUrl: join(resources, 'cmaps') + sep,
    standardFontDataUrl: join(resources, 'standard_fonts') + sep,
    wasmUrl: join(resources, 'wasm') + sep,
    verbosity: VerbosityLevel.ERRORS,
    isEvalSupported: false,
    useSystemFonts: false,
    disableFontFace: true,
    enableXfa: isDynamicForm,
    ...(password !== undefined && { password }),
    maxImageSize: largeImages === undefined ? MAX_IMAGE_PIXELS : SMALL_IMAGE,
    ...(largeImages === 'stop there' && { stopAtErrors: true }),
  });
}

/** Loads pdf.js to run within this thread. */
async function loadEngine(): Promise<typeof PdfJs> {
  // pdf.js needs these classes of a browser or a native package for drawing. To list operations, it only needs them
  // to exist.
  const globals = globalThis as Record<string, unknown>;
  globals['Path2D'] ??= Object;
  globals['DOMMatrix'] ??= GlyphMatrix;
  globals['ImageData'] ??= DecodedPixels;
  const { warn } = console;
  // While loading, pdf.js warns about the missing native package before its verbosity can be set.
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

/** Subset of DOMMatrix that pdf.js needs to outline bitmap glyphs. */
class GlyphMatrix {
  readonly b = 0;
  readonly c = 0;
  a = 1;
  d = 1;
  e = 0;
  f = 0;

  scaleSelf(x: number, y: number): this {
    this.a *= x;
    this.d *= y;
    return this;
  }

  translateSelf(x: number, y: number): this {
    this.e += this.a * x;
    this.f += this.d * y;
    return this;
  }
}

/** Subset of ImageData that picture decoders create if the class exists. */
class DecodedPixels {
  readonly data: Uint8ClampedArray;
  readonly width: number;
  readonly height: number;

  constructor(data: Uint8ClampedArray, width: number, height: number) {
    this.data = data;
    this.width = width;
    this.height = height;
  }
}
