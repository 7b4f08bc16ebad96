// Pages of known English text as scanners and cameras produce them: printed by Chromium, drawn, and degraded.
import { readFile } from 'node:fs/promises';
import { crc32, deflateSync } from 'node:zlib';
import { chromium, type Page } from '@playwright/test';
import { loadPdf } from '../../src/parsers/pdf/engine.ts';
import { drawPage, type GrayPicture } from '../../src/parsers/scans/draw-page.ts';
import { pdfOfPictures } from '../../src/parsers/scans/picture-pdf.ts';
import { findBrowser } from './browser.mjs';
import { seededRandom } from './durability-random.ts';

interface ScannedPage {
  readonly kind: string;
  readonly dotsPerInch: number;
  /** Text of the page, in reading order. */
  readonly text: string;
  readonly picture: GrayPicture;
  /** The same as a file, which `pdfOfPictures` makes a scanned PDF of. */
  readonly file: { readonly name: string; readonly bytes: Uint8Array };
}

/** Layout of a page, and the changes after it is drawn. */
interface Kind {
  readonly style: string;
  readonly spoil?: (picture: GrayPicture, random: () => number) => GrayPicture;
  /** JPEG quality from 0 to 1, as Chromium interprets it. */
  readonly jpegQuality?: number;
}

const serif = "font: 10.5pt/1.3 'DejaVu Serif'";

const kinds: Readonly<Record<string, Kind>> = {
  serif: { style: serif },
  sans: { style: "font: 10.5pt/1.3 'DejaVu Sans'" },
  small: { style: "font: 8pt/1.3 'DejaVu Serif'" },
  'two columns': { style: `${serif}; columns: 2; column-gap: 14pt; text-align: justify` },
  'skewed by 2°': { style: `${serif}; transform: rotate(2deg)` },
  'black and white': { style: serif, spoil: (picture) => mapped(picture, (grey) => (grey < 150 ? 0 : 255)) },
  'salt and pepper': {
    style: serif,
    spoil: (picture, random) => {
      return mapped(picture, (grey) => (random() < 0.015 ? (random() < 0.5 ? 0 : 255) : grey));
    },
  },
  'gaussian noise': { style: serif, spoil: (picture, random) => withNoise(picture, random, 30) },
  'uneven light': { style: serif, spoil: unevenlyLit },
  'JPEG artefacts': { style: serif, jpegQuality: 0.12 },
  'everything at once': {
    style: `${serif}; columns: 2; column-gap: 14pt; transform: rotate(-2deg)`,
    spoil: (picture, random) => withNoise(unevenlyLit(picture), random, 12),
    jpegQuality: 0.3,
  },
};

/**
 * Returns an A5 page of every kind at each of some resolutions, the same each time with one version of Chromium; none
 * if there is no browser. Call `setPdfResources` and `setPageRenderer` before.
 */
export async function* scannedPages(resolutions: readonly number[]): AsyncGenerator<ScannedPage> {
  const executablePath = findBrowser();
  if (executablePath === undefined) return;
  const texts = await englishTexts();
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const tab = await browser.newPage();
    for (const [index, [kind, { style, spoil, jpegQuality }]] of Object.entries(kinds).entries()) {
      const paragraphs = texts[index % texts.length] ?? [];
      const inner = paragraphs.map(
        (paragraph) => `<p>${paragraph.replace(/[<&]/g, (sign) => `&#${String(sign.charCodeAt(0))};`)}</p>`,
      );
      await tab.setContent(
        `<!doctype html><html lang="en"><meta charset="utf-8"><style>p { margin: 0 0 6pt } body { margin: 0; padding: 16mm; ${style} }</style><body>${inner.join('')}`,
      );
      const printed = new Uint8Array(await tab.pdf({ format: 'A5', pageRanges: '1' }));
      for (const dotsPerInch of resolutions) {
        const drawn = await drawFirst(printed, dotsPerInch);
        const spoilt = spoil ? spoil(drawn, seededRandom(1000 * index + dotsPerInch)) : drawn;
        const png = writePng(spoilt, dotsPerInch);
        const bytes = jpegQuality === undefined ? png : await asJpeg(tab, png, jpegQuality);
        const name = jpegQuality === undefined ? 'scan.png' : 'scan.jpg';
        const size = { width: spoilt.width, height: spoilt.height };
        const picture = jpegQuality === undefined ? spoilt : await seen(bytes, size);
        const text = paragraphs.join('\n');
        yield { kind, dotsPerInch, text, picture, file: { name, bytes } };
      }
    }
  } finally {
    await browser.close();
  }
}

/** Returns texts of up to 210 words in paragraphs from the evidence tests, without tables and code. */
async function englishTexts(): Promise<string[][]> {
  const folder = new URL('../fixtures/evidence/', import.meta.url);
  const names = ['harbour.txt', 'seagrass.txt', 'scheduler.md'];
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, folder), 'utf8')));
  return texts.map((text) => {
    const paragraphs = text
      // Words that end a line of the file.
      .replace(/-\n(?=\p{Ll})/gu, '')
      .split(/\n\s*\n|\n(?=\p{Lu})/u)
      .map((paragraph) => paragraph.replace(/[*\s]+/g, ' ').trim())
      .filter((paragraph) => /^\p{L}[^|`]*$/u.test(paragraph) && paragraph.split(' ').length > 12);
    let words = 0;
    return paragraphs.filter((paragraph) => (words += paragraph.split(' ').length) <= 210);
  });
}

async function drawFirst(bytes: Uint8Array, dotsPerInch: number): Promise<GrayPicture> {
  const task = await loadPdf(bytes);
  try {
    return await drawPage(await (await task.promise).getPage(1), bytes, dotsPerInch);
  } finally {
    await task.destroy();
  }
}

/** A picture file as it is drawn at its own size. */
async function seen(
  bytes: Uint8Array,
  { width, height }: { width: number; height: number },
): Promise<GrayPicture> {
  const pdf = await pdfOfPictures(bytes, 'scan');
  const task = await loadPdf(pdf);
  try {
    const page = await (await task.promise).getPage(1);
    const view = page.getViewport({ scale: 1 });
    return await drawPage(page, pdf, (72 * Math.max(width, height)) / Math.max(view.width, view.height));
  } finally {
    await task.destroy();
  }
}

async function asJpeg(tab: Page, png: Uint8Array, quality: number): Promise<Uint8Array> {
  const address = `data:image/png;base64,${Buffer.from(png).toString('base64')}`;
  const packed = await tab.evaluate(
    // This code runs in the browser, whose types aren't available here.
    `(async () => {
      const image = new Image();
      image.src = ${JSON.stringify(address)};
      await image.decode();
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [image.width, image.height];
      canvas.getContext('2d').drawImage(image, 0, 0);
      return canvas.toDataURL('image/jpeg', ${String(quality)});
    })()`,
  );
  return new Uint8Array(Buffer.from(String(packed).replace(/^.*,/, ''), 'base64'));
}

function mapped(picture: GrayPicture, change: (grey: number, x: number, y: number) => number): GrayPicture {
  const { width } = picture;
  const pixels = picture.pixels.map((grey, at) =>
    Math.min(255, Math.max(0, Math.round(change(grey, at % width, Math.floor(at / width))))),
  );
  return { ...picture, pixels };
}

function withNoise(picture: GrayPicture, random: () => number, deviation: number): GrayPicture {
  return mapped(picture, (grey) => {
    const radius = Math.sqrt(-2 * Math.log(1 - random()));
    return grey + deviation * radius * Math.cos(2 * Math.PI * random());
  });
}

/** Bright at the upper left, a third of that at the lower right, and darker along the spine. */
function unevenlyLit(picture: GrayPicture): GrayPicture {
  const { width, height } = picture;
  return mapped(picture, (grey, x, y) => {
    const light = 1 - 0.45 * (x / width) - 0.2 * (y / height) - 0.35 * Math.exp(-x / (0.05 * width));
    return 15 + grey * Math.max(0.2, light);
  });
}

/** Writes a gray image as a PNG file with its resolution. */
function writePng({ width, height, pixels }: GrayPicture, dotsPerInch: number): Uint8Array {
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++) rows.set(pixels.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  const density = Buffer.alloc(9, 1);
  density.writeUInt32BE(Math.round(dotsPerInch / 0.0254), 0);
  density.writeUInt32BE(Math.round(dotsPerInch / 0.0254), 4);
  const start = Buffer.from('89504e470d0a1a0a', 'hex');
  const chunks = [
    chunk('IHDR', header),
    chunk('pHYs', density),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND'),
  ];
  return new Uint8Array(Buffer.concat([start, ...chunks]));
}

function chunk(type: string, data = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const around = Buffer.alloc(8);
  around.writeUInt32BE(data.length, 0);
  around.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([around.subarray(0, 4), body, around.subarray(4)]);
}
