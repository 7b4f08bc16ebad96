import { fileURLToPath } from 'node:url';
import { loadPdf, setPdfResources } from '../../src/parsers/pdf/engine.ts';
import { drawPage, setPageRenderer, type DrawnPage } from '../../src/parsers/scans/draw-page.ts';
import { setWebpDecoder } from '../../src/parsers/scans/webp.ts';
import { makePdf } from '../support/packed-pdf.ts';

const inModules = (path: string): string =>
  fileURLToPath(new URL(`../../node_modules/${path}`, import.meta.url));
setPdfResources(inModules('pdfjs-dist/'));
setPageRenderer(inModules('@embedpdf/pdfium/dist/pdfium.wasm'));
setWebpDecoder(inModules('@jsquash/webp/codec/dec/webp_dec.wasm'));

/** Draws the pages of a PDF with a given number of pixels on the long side, or at a resolution. */
export async function drawAll(
  bytes: Uint8Array,
  size: { readonly long: number } | { readonly dotsPerInch: number },
  password?: string,
): Promise<DrawnPage[]> {
  const task = await loadPdf(bytes, { password });
  try {
    const pdf = await task.promise;
    const drawn: DrawnPage[] = [];
    for (let number = 1; number <= pdf.numPages; number++) {
      const page = await pdf.getPage(number);
      const { width, height } = page.getViewport({ scale: 1 });
      const dots = 'long' in size ? (72 * size.long) / Math.max(width, height) : size.dotsPerInch;
      drawn.push(await drawPage(page, bytes, dots, password));
    }
    return drawn;
  } finally {
    await task.destroy();
  }
}

export interface MadePage {
  readonly content: string | Buffer;
  /** Crop box; 100 × 100 points by default. */
  readonly box?: string;
  /** Further entries of the page dictionary. */
  readonly entries?: string;
  readonly resources?: string;
  /** Objects from number 5 on; 1 to 4 are the catalog, the page list, the page, and its content. */
  readonly objects?: readonly (string | readonly [string, Buffer])[];
}

/** Returns a PDF of one page from raw PDF syntax. */
export function madePage({
  content,
  box = '0 0 100 100',
  entries = '',
  resources = '',
  objects = [],
}: MadePage): Uint8Array {
  const bytes = Buffer.from(content);
  return makePdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [${box}] /Contents 4 0 R /Resources << ${resources} >> ${entries} >>`,
    [`<< /Length ${String(bytes.length)} >>`, bytes],
    ...objects,
  ]);
}
