// PDFs whose pages are images of pages, as scanners write them.
import type { BrowserContext } from '@playwright/test';
import { makePdf } from './packed-pdf.ts';

/** Size of US letter in points, and pixels per point at 150 dpi. */
const WIDTH = 612;
const HEIGHT = 792;
const SCALE = 150 / 72;

interface PagePicture {
  readonly jpeg: Buffer;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/** Pictures of pages with some paragraphs each, as a browser draws them. */
export async function drawnPages(
  context: BrowserContext,
  pages: readonly (readonly string[])[],
): Promise<PagePicture[]> {
  const page = await context.newPage();
  try {
    const [width, height] = [Math.round(WIDTH * SCALE), Math.round(HEIGHT * SCALE)];
    await page.setViewportSize({ width, height });
    const pictures: PagePicture[] = [];
    for (const paragraphs of pages) {
      const text = paragraphs.map((words) => `<p>${words}</p>`).join('');
      await page.setContent(
        `<body style="margin: 150px; font: 25px/1.4 'DejaVu Serif', serif; background: white; color: black">${text}</body>`,
      );
      pictures.push({ jpeg: await page.screenshot({ type: 'jpeg', quality: 80 }), width, height });
    }
    return pictures;
  } finally {
    await page.close();
  }
}

/** A PDF of pictures, one a page. */
export function scannedPdf(pictures: readonly PagePicture[]): Buffer {
  const kids = pictures.map((_, index) => `${String(3 + 3 * index)} 0 R`).join(' ');
  return makePdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${String(pictures.length)} /Kids [${kids}] >>`,
    ...pictures.flatMap(({ jpeg, width, height }, index) => {
      const [content, image] = [4 + 3 * index, 5 + 3 * index].map(String);
      const drawing = Buffer.from(`${String(WIDTH)} 0 0 ${String(HEIGHT)} 0 0 cm /I Do`);
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${String(WIDTH)} ${String(HEIGHT)}] /Contents ${content ?? ''} 0 R /Resources << /XObject << /I ${image ?? ''} 0 R >> >> >>`,
        [`<< /Length ${String(drawing.length)} >>`, drawing] as const,
        [
          `<< /Type /XObject /Subtype /Image /Width ${String(width)} /Height ${String(height)} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode /Length ${String(jpeg.length)} >>`,
          jpeg,
        ] as const,
      ];
    }),
  ]);
}
