import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import type { WrappedPdfiumModule } from '@embedpdf/pdfium';
import type { PDFPageProxy } from 'pdfjs-dist';

/** Picture of one byte per pixel, row by row: 0 is black, 255 white. */
export interface GrayPicture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

export interface DrawnPage extends GrayPicture {
  /** Requested resolution, or less if the page would have too many pixels. */
  readonly dotsPerInch: number;
}

/** PDFium, and the last file that it opened, because the next page usually belongs to the same one. */
interface Pdfium {
  readonly library: WrappedPdfiumModule;
  file?: { readonly bytes: Uint8Array; readonly address: number; readonly handle: number } | undefined;
}

/** Maximum number of pixels: a bit more than A4 at 600 dpi. */
const MAX_PIXELS = 40_000_000;
const POINTS_PER_INCH = 72;
/** Values in `fpdfview.h`. */
const BITMAP_GRAY = 1;
const WITH_ANNOTATIONS = 1;
const WHITE = 0xff_ff_ff_ff;
/** Size of a matrix of six 32-bit numbers and a clip of four. */
const PLACEMENT_BYTES = 40;
/**
 * Share by which a page is drawn smaller. Without it, a rounding error makes a scan a pixel wider, so that PDFium blurs
 * it instead of copying it.
 */
const SHRINK = 1e-5;

let program: string | undefined;
let loading: Promise<Pdfium> | undefined;

/** Sets the path of PDFium: WebAssembly, which is compressed with Brotli if the name ends with `.br`. */
export function setPageRenderer(path: string): void {
  program = path;
}

/**
 * Draws a page as displayed, with its rotation, crop box, and annotations but form fields, in gray on white. `bytes` are
 * the file of the page. Blocks the thread while it draws, so call it in a process that can be ended.
 * @throws Error if PDFium can't open the file or the page
 */
export async function drawPage(
  page: PDFPageProxy,
  bytes: Uint8Array,
  dotsPerInch: number,
  password = '',
): Promise<DrawnPage> {
  const view = page.getViewport({ scale: 1 });
  const scale = Math.min(dotsPerInch / POINTS_PER_INCH, Math.sqrt(MAX_PIXELS / (view.width * view.height)));
  const width = Math.max(1, Math.round(view.width * scale));
  const height = Math.max(1, Math.round(view.height * scale));
  const pdfium = await (loading ??= loadPdfium());
  try {
    const file = openFile(pdfium, bytes, password);
    const pixels = draw(pdfium.library, file, page.pageNumber - 1, width, height);
    return { width, height, pixels, dotsPerInch: scale * POINTS_PER_INCH };
  } catch (error) {
    // A trap leaves WebAssembly in an undefined state.
    if (error instanceof Error && error.name === 'RuntimeError') loading = undefined;
    throw error;
  }
}

async function loadPdfium(): Promise<Pdfium> {
  if (program === undefined) throw new Error('setPageRenderer must be called before a page is drawn.');
  const bytes = await readFile(program);
  const unpacked = program.endsWith('.br') ? await promisify(brotliDecompress)(bytes) : bytes;
  const { init } = await import('@embedpdf/pdfium');
  const library = await init({ wasmBinary: new Uint8Array(unpacked).buffer });
  library.PDFiumExt_Init();
  return { library };
}

function openFile(pdfium: Pdfium, bytes: Uint8Array, password: string): number {
  const { library, file } = pdfium;
  if (file?.bytes === bytes) return file.handle;
  const { malloc, free } = library.pdfium.wasmExports;
  if (file !== undefined) {
    library.FPDF_CloseDocument(file.handle);
    free(file.address);
    pdfium.file = undefined;
  }
  // PDFium reads from this memory until the file is closed.
  const address = malloc(bytes.length);
  if (address === 0) throw new Error('PDFium has no memory for the file.');
  memoryOf(library).set(bytes, address);
  const handle = library.FPDF_LoadMemDocument(address, bytes.length, password);
  if (handle === 0) {
    free(address);
    throw new Error(`PDFium can’t open the file: error ${String(library.FPDF_GetLastError())}.`);
  }
  pdfium.file = { bytes, address, handle };
  return handle;
}

function draw(
  library: WrappedPdfiumModule,
  file: number,
  index: number,
  width: number,
  height: number,
): Uint8Array {
  const { malloc, free } = library.pdfium.wasmExports;
  const page = library.FPDF_LoadPage(file, index);
  if (page === 0) throw new Error('PDFium can’t open the page.');
  const bitmap = library.FPDFBitmap_CreateEx(width, height, BITMAP_GRAY, 0, 0);
  const placement = malloc(PLACEMENT_BYTES);
  try {
    if (bitmap === 0) throw new Error('PDFium has no memory for the page.');
    library.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
    const across = (width * (1 - SHRINK)) / library.FPDF_GetPageWidthF(page);
    const down = (height * (1 - SHRINK)) / library.FPDF_GetPageHeightF(page);
    const matrix = [across, 0, 0, down, (width * SHRINK) / 2, (height * SHRINK) / 2];
    const clip = [0, 0, width, height];
    memoryOf(library).set(new Uint8Array(Float32Array.of(...matrix, ...clip).buffer), placement);
    library.FPDF_RenderPageBitmapWithMatrix(bitmap, page, placement, placement + 24, WITH_ANNOTATIONS);
    const start = library.FPDFBitmap_GetBuffer(bitmap);
    const stride = library.FPDFBitmap_GetStride(bitmap);
    const memory = memoryOf(library);
    const pixels = new Uint8Array(width * height);
    for (let y = 0; y < height; y++)
      pixels.set(memory.subarray(start + y * stride, start + y * stride + width), y * width);
    return pixels;
  } finally {
    free(placement);
    library.FPDFBitmap_Destroy(bitmap);
    library.FPDF_ClosePage(page);
  }
}

/** Returns PDFium's memory, which moves when it grows. */
function memoryOf({ pdfium }: WrappedPdfiumModule): Uint8Array {
  return (pdfium as unknown as { readonly HEAPU8: Uint8Array }).HEAPU8;
}
