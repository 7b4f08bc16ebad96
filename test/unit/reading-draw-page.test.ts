import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chromium } from '@playwright/test';
import type { DrawnPage } from '../../src/parsers/scans/draw-page.ts';
import { refuseHugeImage } from '../../src/parsers/scans/huge-images.ts';
import { pdfOfPictures } from '../../src/parsers/scans/picture-pdf.ts';
import { findBrowser } from '../support/browser.mjs';
import { drawAll, madePage, type MadePage } from './reading-scans-fixtures.ts';
import { rounds } from '../support/test-size.mjs';

/** Draws a page at one dot per point by default. */
async function drawn(page: MadePage, dotsPerInch = 72, signal?: AbortSignal): Promise<DrawnPage> {
  const [only] = await drawAll(madePage(page), { dotsPerInch }, signal);
  return only!;
}

const at = ({ width, pixels }: DrawnPage, x: number, y: number): number => pixels[y * width + x]!;

/** Returns the box of pixels darker than a gray: left, top, and the exclusive right and bottom. */
function darkBox(picture: DrawnPage, grey = 128): number[] {
  let [left, top, right, bottom] = [Infinity, Infinity, 0, 0];
  for (let y = 0; y < picture.height; y++)
    for (let x = 0; x < picture.width; x++)
      if (at(picture, x, y) < grey) {
        [left, top] = [Math.min(left, x), Math.min(top, y)];
        [right, bottom] = [Math.max(right, x + 1), Math.max(bottom, y + 1)];
      }
  return [left, top, right, bottom];
}

const nearest = (picture: DrawnPage, x: number, y: number): number => (at(picture, x, y) < 128 ? 0 : 255);

const sum = ({ pixels }: DrawnPage): number => pixels.reduce((all, grey) => all + (255 - grey), 0) / 255;

/**
 * Eight by two pixels with one bit each: the first row alternates black and white, and in the second the left half is
 * black.
 */
const STRIPES = Buffer.from([0b01010101, 0b00001111]);
const image = (entries: string, bytes: Buffer): readonly [string, Buffer] => [
  `<< /Type /XObject /Subtype /Image ${entries} /Length ${String(bytes.length)} >>`,
  bytes,
];
const form = (entries: string, content: string): readonly [string, Buffer] => [
  `<< /Type /XObject /Subtype /Form ${entries} /Length ${String(content.length)} >>`,
  Buffer.from(content),
];

describe('drawing a page', () => {
  test('draws, fills, strokes, and clips paths', async () => {
    assert.deepEqual(darkBox(await drawn({ content: '10 20 30 40 re f' })), [10, 40, 40, 80]);
    const half = await drawn({ content: '10.5 20 30 40 re f' });
    assert.deepEqual([at(half, 10, 50), at(half, 11, 50), at(half, 40, 50)], [127, 0, 127]);
    const nested = '10 10 80 80 re 30 30 40 40 re';
    assert.equal(at(await drawn({ content: `${nested} f` }), 50, 50), 0);
    assert.equal(at(await drawn({ content: `${nested} f*` }), 50, 50), 255);
    assert.deepEqual(darkBox(await drawn({ content: '4 w 20 50 m 80 50 l S' })), [20, 48, 80, 52]);
    assert.deepEqual(darkBox(await drawn({ content: '4 w 2 J 20 50 m 80 50 l S' })), [18, 48, 82, 52]);
    const box = await drawn({ content: '4 w 20 20 60 60 re S' });
    assert.deepEqual([darkBox(box), at(box, 50, 50)], [[18, 18, 82, 82], 255]);
    const hair = await drawn({ content: '0 w 20 50 m 80 50 l S' });
    assert.equal(Math.round(sum(hair)), 60, 'a line is never thinner than a pixel');
    const circle =
      '50 90 m 72 90 90 72 90 50 c 90 28 72 10 50 10 c 28 10 10 28 10 50 c 10 72 28 90 50 90 c h';
    assert.ok(Math.abs(sum(await drawn({ content: `${circle} f` })) - Math.PI * 1600) < 15);
    const clipped = await drawn({ content: `${circle} W n 0 0 50 100 re f` });
    assert.ok(Math.abs(sum(clipped) - Math.PI * 800) < 15);
    assert.deepEqual(
      darkBox(await drawn({ content: '20 20 10 10 re W n 0 0 100 100 re f' })),
      [20, 70, 30, 80],
    );
    const saved = 'q 20 20 10 10 re W n Q 0 0 100 100 re f';
    assert.deepEqual(darkBox(await drawn({ content: saved })), [0, 0, 100, 100]);
  });

  test('draws colors in gray, with transparency', async () => {
    const resources = '/ExtGState << /G << /ca 0.5 >> /M << /BM /Multiply >> >>';
    assert.equal(at(await drawn({ content: '1 0 0 rg 0 0 100 100 re f' }), 50, 50), 76);
    assert.equal(at(await drawn({ content: '0 0 0 1 k 0 0 100 100 re f' }), 50, 50) < 50, true);
    assert.equal(at(await drawn({ content: '/G gs 0 0 100 100 re f', resources }), 50, 50), 128);
    const marked = await drawn({
      content: '40 40 20 20 re f /M gs 1 1 0 rg 0 0 100 100 re f',
      resources,
    });
    assert.deepEqual([at(marked, 50, 50), at(marked, 10, 10)], [0, 226], 'a text marker leaves its words');
  });

  test('draws the crop box as a viewer rotates it', async () => {
    const content = '10 20 30 40 re f';
    assert.deepEqual(darkBox(await drawn({ content, entries: '/Rotate 90' })), [20, 10, 60, 40]);
    assert.deepEqual(darkBox(await drawn({ content, entries: '/Rotate 180' })), [60, 20, 90, 60]);
    assert.deepEqual(darkBox(await drawn({ content, entries: '/Rotate 270' })), [40, 60, 80, 90]);
    const cropped = await drawn({ content, entries: '/CropBox [5 10 85 70]' });
    assert.deepEqual([cropped.width, cropped.height, darkBox(cropped)], [80, 60, [5, 10, 35, 50]]);
    const large = await drawn({ content, entries: '/UserUnit 2' }, 144);
    assert.deepEqual([large.width, darkBox(large)], [400, [40, 160, 160, 320]]);
  });

  test('draws images of every kind', async () => {
    const resources = '/XObject << /I 5 0 R >>';
    const show = async (entries: string, bytes: Buffer, matrix = '80 0 0 20 10 40'): Promise<DrawnPage> =>
      drawn({ content: `q ${matrix} cm /I Do Q`, resources, objects: [image(entries, bytes)] });
    const bits = '/Width 8 /Height 2 /BitsPerComponent 1 /ColorSpace /DeviceGray';
    const upright = await show(bits, STRIPES);
    // Samples the centers of the image's pixels, between which the grays are interpolated.
    assert.deepEqual(
      [15, 25, 35, 75].map((x) => nearest(upright, x, 42)),
      [0, 255, 0, 0],
    );
    assert.deepEqual(
      [15, 45, 55, 85].map((x) => nearest(upright, x, 57)),
      [0, 0, 255, 255],
    );
    assert.equal(at(upright, 9, 45), 255);
    const inverted = await show(`${bits} /Decode [1 0]`, STRIPES);
    assert.deepEqual(
      [15, 45, 55, 85].map((x) => nearest(inverted, x, 57)),
      [255, 255, 0, 0],
    );
    const turned = await show(bits, STRIPES, '0 80 -20 0 60 10');
    assert.deepEqual(
      [45, 55, 25].map((y) => nearest(turned, 57, y)),
      [255, 0, 255],
    );
    const mask = await drawn({
      content: '0.5 g q 80 0 0 20 10 40 cm /I Do Q',
      resources,
      objects: [image('/Width 8 /Height 2 /BitsPerComponent 1 /ImageMask true', STRIPES)],
    });
    assert.deepEqual(
      [15, 25, 55].map((x) => Math.abs(at(mask, x, 42) - (x === 25 ? 255 : 127)) < 10),
      [true, true, true],
    );
    const colours = await show(
      '/Width 2 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceRGB',
      Buffer.from([255, 0, 0, 0, 0, 255]),
      '2 0 0 1 10 40',
    );
    assert.deepEqual([at(colours, 10, 59), at(colours, 11, 59)], [76, 29]);
    const averaged = await show(
      '/Width 4 /Height 4 /BitsPerComponent 8 /ColorSpace /DeviceGray',
      Buffer.from([0, 100, 0, 0, 100, 200, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255]),
      '2 0 0 2 10 40',
    );
    assert.deepEqual(
      [at(averaged, 10, 58), at(averaged, 11, 58), at(averaged, 10, 59), at(averaged, 11, 59)],
      [100, 0, 0, 64],
    );
    const soft = await drawn({
      content: '0 0 100 100 re f q 2 0 0 1 10 40 cm /I Do Q',
      resources,
      objects: [
        image(
          '/Width 2 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray /SMask 6 0 R',
          Buffer.from([255, 255]),
        ),
        image('/Width 2 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray', Buffer.from([255, 64])),
      ],
    });
    assert.deepEqual([at(soft, 10, 59), at(soft, 11, 59)], [255, 64]);
    const inline = await drawn({
      content: Buffer.concat([
        Buffer.from('q 80 0 0 20 10 40 cm BI /W 8 /H 2 /BPC 1 /CS /G ID '),
        STRIPES,
        Buffer.from('\nEI Q'),
      ]),
    });
    assert.deepEqual(inline.pixels, upright.pixels);
  });

  test('averages a bilevel scan at half its resolution', async () => {
    const checks = Buffer.alloc(50 * 400, 0b01010101).map((byte, i) =>
      Math.floor(i / 50) % 2 === 0 ? byte : 255,
    );
    const scan = await drawn(
      {
        content: 'q 100 0 0 100 0 0 cm /I Do Q',
        resources: '/XObject << /I 5 0 R >>',
        objects: [
          image('/Width 400 /Height 400 /BitsPerComponent 1 /ColorSpace /DeviceGray', Buffer.from(checks)),
        ],
      },
      144,
    );
    assert.ok(scan.pixels.every((grey) => grey === 191));
  });

  test('draws forms, groups, and soft masks', async () => {
    const resources =
      '/XObject << /F 5 0 R >> /ExtGState << /S << /SMask << /S /Luminosity /G 6 0 R >> >> /H << /ca 0.5 >> >>';
    const square = form(
      '/BBox [0 0 10 10] /Matrix [2 0 0 2 10 10] /Group << /S /Transparency >>',
      '0 0 50 50 re f',
    );
    const mask = form(
      '/BBox [0 0 100 100] /Group << /S /Transparency /CS /DeviceGray >>',
      '1 g 0 0 20 100 re f 0.5 g 20 0 5 100 re f',
    );
    const shown = async (content: string): Promise<DrawnPage> =>
      drawn({ content, resources, objects: [square, mask] });
    assert.deepEqual(darkBox(await shown('/F Do')), [10, 70, 30, 90]);
    assert.equal(at(await shown('/H gs /F Do'), 20, 80), 128);
    const masked = await shown('/S gs /F Do');
    assert.deepEqual([at(masked, 15, 80), at(masked, 22, 80), at(masked, 28, 80)], [0, 127, 255]);
  });

  test('draws visible text by its outlines', async () => {
    const resources = '/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>';
    const written = async (mode: string): Promise<DrawnPage> =>
      drawn({ content: `BT /F 50 Tf ${mode} 20 30 Td (H) Tj ET`, resources }, 144);
    const [left, top, right, bottom] = darkBox(await written('')) as [number, number, number, number];
    // In the font that pdf.js uses for Helvetica, an H spans 77 to 646 of 1000 units and is 688 high.
    for (const [found, expected] of [
      [left, 47.7],
      [right, 104.6],
      [bottom, 140],
      [top, 71.2],
    ] as const)
      assert.ok(Math.abs(found - expected) <= 1.5, `${String(found)} ${String(expected)}`);
    assert.equal(sum(await written('3 Tr')), 0);
    assert.deepEqual(darkBox(await written('1 Tr 1 w')).length, 4);
    const clip = await drawn(
      { content: `BT /F 50 Tf 7 Tr 20 30 Td (H) Tj ET 0 0 100 50 re f`, resources },
      144,
    );
    assert.deepEqual(darkBox(clip)[1], 100);
  });

  test('draws bitmap glyphs', async () => {
    const font =
      '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 8 8] /FontMatrix [0.125 0 0 0.125 0 0] /FirstChar 97 /LastChar 97 /Widths [8] /Encoding << /Differences [97 /a] >> /CharProcs << /a 6 0 R >> /Resources << >> >>';
    const glyph = Buffer.concat([
      Buffer.from('8 0 0 0 8 8 d1 8 0 0 8 0 0 cm BI /W 8 /H 8 /IM true /BPC 1 ID '),
      Buffer.from([0xff, 0x81, 0x81, 0x81, 0x81, 0x81, 0x81, 0xff]),
      Buffer.from('\nEI'),
    ]);
    const page = await drawn({
      content: 'BT /F 40 Tf 10 20 Td (aa) Tj ET',
      resources: '/Font << /F 5 0 R >>',
      objects: [font, [`<< /Length ${String(glyph.length)} >>`, glyph]],
    });
    assert.deepEqual(darkBox(page), [15, 45, 85, 75]);
    assert.deepEqual([at(page, 44, 60), at(page, 50, 60), at(page, 55, 60)], [0, 255, 0]);
  });

  test('matches Chromium for pages that it printed', async (context) => {
    const executablePath = findBrowser();
    if (executablePath === undefined) return context.skip('no browser');
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    try {
      const tab = await browser.newPage({ viewport: { width: 400, height: 300 } });
      await tab.setContent(
        `<!doctype html><meta charset="utf-8"><style>body { margin: 20px; font: 20px 'DejaVu Serif' } b { background: #cde; border: 3px solid teal; border-radius: 8px; padding: 4px }</style><p>A page that is <b>printed</b>, <i>drawn</i> and compared</p><div style="width: 200px; height: 60px; background: rgba(90, 20, 20, 0.5); transform: rotate(10deg)"></div>`,
      );
      const shot = await tab.screenshot();
      const [printed] = await drawAll(
        new Uint8Array(await tab.pdf({ width: '400px', height: '300px', printBackground: true })),
        { dotsPerInch: 96 },
      );
      const [screen] = await drawAll(await pdfOfPictures(new Uint8Array(shot), 'shot.png'), { long: 400 });
      assert.deepEqual([printed!.width, printed!.height], [screen!.width, screen!.height]);
      // Glyphs are smoothed differently, so averages of five by five pixels are compared.
      let apart = 0;
      for (let y = 0; y < 300; y += 5)
        for (let x = 0; x < 400; x += 5) {
          const average = (picture: DrawnPage): number =>
            Array.from({ length: 25 }, (_, i) => at(picture, x + (i % 5), y + Math.floor(i / 5))).reduce(
              (all, grey) => all + grey,
            ) / 25;
          apart = Math.max(apart, Math.abs(average(printed!) - average(screen!)));
        }
      assert.ok(apart < 40, String(apart));
    } finally {
      await browser.close();
    }
  });
});

describe('drawing a hostile page', () => {
  test('skips an image of 30,000 × 30,000 pixels and can report it', async () => {
    const huge = madePage({
      content: 'q 80 0 0 20 10 40 cm /I Do Q 0 0 5 5 re f',
      resources: '/XObject << /I 5 0 R >>',
      objects: [
        image('/Width 30000 /Height 30000 /BitsPerComponent 8 /ColorSpace /DeviceRGB', Buffer.from([0])),
      ],
    });
    const [page] = await drawAll(huge, { dotsPerInch: 72 });
    assert.deepEqual(darkBox(page!), [0, 95, 5, 100]);
    await assert.rejects(refuseHugeImage(huge, 1), {
      code: 'too-large',
      message:
        'Text recognition skipped page 1 because it has an image of more than 100 million pixels. Make the image smaller.',
    });
    const empty = madePage({ content: '/None Do' });
    await refuseHugeImage(empty, 1);
  });

  test('draws a page of 14,400 points at a lower resolution', async () => {
    const page = await drawn({ content: '0 0 7200 14400 re f', box: '0 0 14400 14400' }, 300);
    assert.ok(page.width * page.height <= 40_100_000);
    assert.ok(Math.abs(page.dotsPerInch - (72 * page.width) / 14_400) < 0.1);
    assert.deepEqual([at(page, 10, 10), at(page, page.width - 10, 10)], [0, 255]);
  });

  test('draws a page of many lines', async (t) => {
    // Stops the clock, or slow machines would exceed the time limit of the page.
    t.mock.method(performance, 'now', () => 0);
    const lines = Array.from(
      { length: rounds(100_000, 1_000_000) },
      (_, i) => `${String((i * 7919) % 100)} ${String((i * 104_729) % 97)} l`,
    );
    await drawn({ content: `0 0 m ${lines.join(' ')} f*` }, 300);
  });

  test('draws a page with deep nesting, huge numbers, and unbalanced operators', async () => {
    const resources = '/XObject << /F 5 0 R >>';
    const objects = [
      form('/BBox [0 0 100 100] /Resources << /XObject << /F 5 0 R >> >>', 'q /F Do Q 10 10 10 10 re f'),
    ];
    await drawn({ content: '/F Do', resources, objects });
    const saves = 'q 0.9999 0 0 0.9999 0 0 cm 0 0 m 100 0 l 50 100 l h W n '.repeat(rounds(1_000, 4_000));
    await drawn({ content: `${saves} 0 0 100 100 re f` });
    assert.equal(at(await drawn({ content: `${'Q '.repeat(1000)} 0 0 100 100 re f` }), 5, 5), 0);
    for (const number of [
      '1e38',
      '-1e38',
      '99999999999999999999999999999999999999999',
      '1e-40',
      'nan',
      '--5',
      '.',
    ])
      await drawn({
        content: `${number} 0 m 50 ${number} l ${number} ${number} 3 4 5 6 c h B ${number} w 0 0 m 9 9 l S q ${number} 0 0 ${number} 0 ${number} cm 0 0 9 9 re f Q 20 20 5 5 re f`,
      });
  });

  test('stops when it is canceled', async () => {
    const { signal } = new AbortController();
    let looks = 0;
    // The signal is checked before and after reading the page, and in each turn of drawing, so it stops in the
    // second.
    Object.defineProperty(signal, 'aborted', { get: () => ++looks > 3 });
    const content = '0 0 100 100 re f '.repeat(5_000);
    await assert.rejects(drawn({ content }, 1000, signal), { code: 'cancelled' });
    assert.equal(looks, 4);
  });
});
