import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import type { DrawnPage } from '../../src/parsers/scans/draw-page.ts';
import { drawAll, madePage, type MadePage } from './reading-scans-fixtures.ts';
import { rounds } from '../support/test-size.mjs';

/** Draws a page at one dot per point by default. */
async function drawn(page: MadePage, dotsPerInch = 72): Promise<DrawnPage> {
  const [only] = await drawAll(madePage(page), { dotsPerInch });
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

/** Checks a box that a clip cuts. PDFium rounds clips outward to whole pixels. */
function assertClipped(picture: DrawnPage, box: readonly number[]): void {
  const clipped = darkBox(picture);
  assert.ok(
    clipped.every((side, index) => Math.abs(side - box[index]!) <= 1),
    `${String(clipped)} ${String(box)}`,
  );
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
    assertClipped(await drawn({ content: '20 20 10 10 re W n 0 0 100 100 re f' }), [20, 70, 30, 80]);
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
    assert.deepEqual([at(colours, 10, 59), at(colours, 11, 59)], [76, 28]);
    const averaged = await drawn({
      content: 'q 2 0 0 2 10 40 cm /I Do Q',
      resources,
      entries: '/CropBox [10 40 12 42]',
      objects: [
        image(
          '/Width 4 /Height 4 /BitsPerComponent 8 /ColorSpace /DeviceGray',
          Buffer.from([0, 100, 0, 0, 100, 200, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255]),
        ),
      ],
    });
    assert.deepEqual([...averaged.pixels], [100, 0, 0, 63], 'a scan that fills its page');
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
    assertClipped(await shown('/F Do'), [10, 70, 30, 90]);
    assert.equal(at(await shown('/H gs /F Do'), 20, 80), 128);
    const masked = await shown('/S gs /F Do');
    assert.deepEqual([at(masked, 15, 80), at(masked, 22, 80), at(masked, 28, 80)], [0, 127, 255]);
  });

  test('draws visible text by its outlines', async () => {
    const resources = '/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>';
    const written = async (mode: string): Promise<DrawnPage> =>
      drawn({ content: `BT /F 50 Tf ${mode} 20 30 Td (H) Tj ET`, resources }, 144);
    const [left, top, right, bottom] = darkBox(await written('')) as [number, number, number, number];
    // In the font that PDFium uses for Helvetica, an H spans 77 to 646 of 1000 units and is 720 high.
    for (const [found, expected] of [
      [left, 47.7],
      [right, 104.6],
      [bottom, 140],
      [top, 68],
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

  test('draws dashes, gradients, and tiling patterns', async () => {
    const dashed = await drawn({ content: '4 w [10] 0 d 20 50 m 80 50 l S' });
    assert.deepEqual([at(dashed, 25, 50), at(dashed, 35, 50), at(dashed, 45, 50)], [0, 255, 0]);
    const gradient =
      '/Shading << /S << /ShadingType 2 /ColorSpace /DeviceGray /Coords [0 0 100 0] /Function << /FunctionType 2 /N 1 /Domain [0 1] /C0 [0] /C1 [1] >> >> >>';
    const shaded = await drawn({ content: '/S sh', resources: gradient });
    assert.deepEqual(
      [10, 50, 90].map((x) => Math.abs(at(shaded, x, 50) - 2.55 * x) < 5),
      [true, true, true],
    );
    const stripes = '0 0 5 10 re f';
    const tiled = await drawn({
      content: '/Pattern cs /P scn 0 0 100 100 re f',
      resources: '/Pattern << /P 5 0 R >>',
      objects: [
        [
          `<< /Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 10 10] /XStep 10 /YStep 10 /Resources << >> /Length ${String(stripes.length)} >>`,
          Buffer.from(stripes),
        ],
      ],
    });
    assert.deepEqual([at(tiled, 2, 50), at(tiled, 7, 50), at(tiled, 52, 50)], [0, 255, 0]);
  });

  test('draws annotations', async () => {
    const page = await drawn({
      content: '',
      entries: '/Annots [5 0 R]',
      objects: [
        '<< /Type /Annot /Subtype /Stamp /Rect [10 20 40 60] /F 4 /AP << /N 6 0 R >> >>',
        form('/BBox [0 0 30 40]', '0 0 30 40 re f'),
      ],
    });
    assert.deepEqual(darkBox(page), [10, 40, 40, 80]);
  });

  test('draws an encrypted file with its password', async () => {
    const encrypted = readFileSync(new URL('../fixtures/reading/encrypted.pdf', import.meta.url));
    const [page] = await drawAll(new Uint8Array(encrypted), { dotsPerInch: 72 }, 'reader');
    assert.ok(sum(page!) > 0);
  });
});

describe('drawing a hostile page', () => {
  test('draws an image of 30,000 × 30,000 pixels', async () => {
    const page = await drawn({
      content: 'q 80 0 0 20 10 40 cm /I Do Q 0 0 5 5 re f',
      resources: '/XObject << /I 5 0 R >>',
      objects: [
        image('/Width 30000 /Height 30000 /BitsPerComponent 8 /ColorSpace /DeviceRGB', Buffer.from([0])),
      ],
    });
    assert.deepEqual(darkBox(page), [0, 40, 90, 100]);
  });

  test('draws a page of 14,400 points at a lower resolution', async () => {
    const page = await drawn({ content: '0 0 7200 14400 re f', box: '0 0 14400 14400' }, 300);
    assert.ok(page.width * page.height <= 40_100_000);
    assert.ok(Math.abs(page.dotsPerInch - (72 * page.width) / 14_400) < 0.1);
    assert.deepEqual([at(page, 10, 10), at(page, page.width - 10, 10)], [0, 255]);
  });

  test('draws a page of many lines', async () => {
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
});
