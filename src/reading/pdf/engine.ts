import { join, sep } from 'node:path';
import type * as PdfJs from 'pdfjs-dist';

/** Images of fewer pixels are ornaments. */
const SMALL_IMAGE = 10_000;

/** A3 at 600 dpi has 70 million; unpacked, each takes up to four bytes twice. */
export const MOST_IMAGE_PIXELS = 100_000_000;

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
export function ignoreStrayRejections(): void {
  process.on('unhandledRejection', () => undefined);
}

export interface LoadOptions {
  readonly password?: string | undefined;
  /**
   * What pdf.js makes of larger images than ornaments where it lists what it would draw. If nothing is said it unpacks all
   * that do not take too much memory and leaves the others, the huge ones, out.
   */
  readonly largeImages?: 'leave out' | 'stop there' | 'stop at huge';
}

/**
 * Begins to load a PDF; the caller destroys the task when it is done.
 * @throws Error before `setPdfResources` was called
 */
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
    maxImageSize:
      largeImages === 'leave out' || largeImages === 'stop there' ? SMALL_IMAGE : MOST_IMAGE_PIXELS,
    ...((largeImages === 'stop there' || largeImages === 'stop at huge') && { stopAtErrors: true }),
  });
}

/** The numbers by which pdf.js lists what is to be drawn. */
export async function operationCodes(): Promise<typeof PdfJs.OPS> {
  engine ??= loadEngine();
  return (await engine).OPS;
}

/** Loads pdf.js so that it runs within this thread. */
async function loadEngine(): Promise<typeof PdfJs> {
  // For its own drawing, pdf.js wants these of a browser or of a native package; its lists need them to exist and no more.
  const globals = globalThis as Record<string, unknown>;
  globals['Path2D'] ??= Object;
  globals['DOMMatrix'] ??= GlyphMatrix;
  globals['ImageData'] ??= DecodedPixels;
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

/** As much of a DOMMatrix as pdf.js takes to make outlines of glyphs that are bitmaps. */
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

/** As much of an ImageData as decoders of pictures make, which take it where they find it. */
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
