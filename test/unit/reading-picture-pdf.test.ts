import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { pdfOfPictures } from '../../src/parsers/scans/picture-pdf.ts';
import type { DrawnPage } from '../../src/parsers/scans/draw-page.ts';
import { drawAll } from './reading-scans-fixtures.ts';

const folder = new URL('../fixtures/reading/pictures/', import.meta.url);
const picture = async (name: string): Promise<Buffer> => readFile(new URL(name, folder));

async function seen(name: string): Promise<DrawnPage[]> {
  return drawAll(await pdfOfPictures(await picture(name), name), { long: 150 });
}

/** Returns the mean and the largest difference between the grays of two images. */
function difference(one: DrawnPage, other: DrawnPage): { readonly mean: number; readonly most: number } {
  assert.deepEqual([one.width, one.height], [other.width, other.height]);
  let [sum, most] = [0, 0];
  for (const [at, value] of one.pixels.entries()) {
    const apart = Math.abs(value - other.pixels[at]!);
    sum += apart;
    most = Math.max(most, apart);
  }
  return { mean: sum / one.pixels.length, most };
}

/** All images show a black rectangle, a red one, and a gray ramp below. These have only black and white. */
const bilevel = /bilevel|^fax/;

/** Nine by nine pixels of four bits in seven passes: each column and row is lighter by one than the previous one. */
const interlaced = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAkAAAAJBAAAAAF3DYRbAAAARElEQVR4nGPgYOBgcADCHgYGNYZ1QOzWdYDhHJMDg3A4Q/hshtn3Ge4Lg9irz75nVGB4z6jsmsCg7JreuYAhvXP12QcA0NgSaZ/CPa0AAAAASUVORK5CYII=',
  'base64',
);

describe('images converted to a PDF', () => {
  test('look the same for every kind', async () => {
    const [colours] = await seen('colours.png');
    const [black] = await seen('bilevel.png');
    const at = (x: number, y: number): number => colours!.pixels[150 * y + x]!;
    assert.deepEqual(
      [at(9, 40), at(10, 40), at(49, 40), at(50, 40), at(20, 9), at(20, 70)],
      [255, 0, 0, 255, 255, 255],
    );
    assert.deepEqual([at(0, 90), at(128, 90)], [0, 128]);
    for (const name of await readdir(folder)) {
      const [first] = await seen(name);
      const { mean, most } = difference(first!, bilevel.test(name) ? black! : colours!);
      // PDFium mixes printing colors like ink.
      if (name.includes('separations'))
        assert.ok(mean < 16 && most < 60, `${name}: ${String(mean)}, ${String(most)}`);
      else if (/jp|webp|indexed/.test(name))
        assert.ok(mean < 0.6 && most <= 24, `${name}: ${String(mean)}, ${String(most)}`);
      else assert.deepEqual([name, most], [name, 0]);
    }
  });

  test('have a page for each image of a file', async () => {
    const pages = await seen('two.tif');
    assert.deepEqual(
      pages.map(({ width, height }) => [width, height]),
      [
        [150, 100],
        [100, 150],
      ],
    );
  });

  test('have the declared size, or else that of a sheet', async () => {
    const drawnPages = await drawAll(await pdfOfPictures(await picture('colours.jpg'), 'a'), {
      dotsPerInch: 200,
    });
    assert.deepEqual([drawnPages[0]?.width, drawnPages[0]?.height], [150, 100]);
    const chosen = await drawAll(await pdfOfPictures(await picture('grey.png'), 'a'), { dotsPerInch: 100 });
    assert.deepEqual([chosen[0]?.width, chosen[0]?.height], [827, 551]);
  });

  test('have the same bytes each time', async () => {
    for (const name of ['alpha.png', 'alpha.webp', 'two.tif'])
      assert.deepEqual(
        await pdfOfPictures(await picture(name), 'a'),
        await pdfOfPictures(await picture(name), 'b'),
      );
  });

  test('include an unpacked interlaced PNG', async () => {
    const [woven] = await drawAll(await pdfOfPictures(interlaced, 'woven.png'), { long: 9 });
    assert.deepEqual(
      [...woven!.pixels],
      Array.from({ length: 81 }, (_, i) => 17 * ((i + Math.floor(i / 9)) % 16)),
    );
  });

  test('are rejected before unpacking if they have too many pixels', async () => {
    const png = await picture('colours.png');
    png.writeUInt32BE(30_000, 16);
    png.writeUInt32BE(30_000, 20);
    await assert.rejects(pdfOfPictures(png, 'plan.png'), {
      code: 'too-large',
      message:
        'plan.png has 30000 × 30000 pixels, but the limit is 100 million pixels. Make the image smaller.',
    });
    const enlarged = async (name: string, before: string, from: number, length: number): Promise<void> => {
      const bytes = await picture(name);
      const at = bytes.indexOf(before, 'hex') + from;
      await assert.rejects(
        pdfOfPictures(bytes.fill(0x77, at, at + length), name),
        { code: 'too-large' },
        name,
      );
    };
    await enlarged('colours.jpg', 'ffc0', 5, 4);
    await enlarged('grey.jpg', 'ffc2', 5, 4);
    await enlarged('colours.webp', '9d012a', 3, 4);
    await enlarged('raw.tif', '00010400', 8, 4);
  });

  test('are rejected if damaged, and shown as far as possible if truncated', async () => {
    for (const name of await readdir(folder)) {
      const bytes = await picture(name);
      for (let end = 0; end < bytes.length; end += Math.ceil(bytes.length / 25))
        await tried(bytes.subarray(0, end), name);
      for (let at = 0; at < bytes.length; at += Math.ceil(bytes.length / 60)) {
        const damaged = Buffer.from(bytes);
        damaged[at] = 255 - damaged[at]!;
        await tried(damaged, name);
      }
    }
    await assert.rejects(pdfOfPictures(Buffer.from('GIF89a, not one of ours'), 'a.gif'), {
      code: 'unsupported',
    });
  });
});

async function tried(bytes: Buffer, name: string): Promise<void> {
  await pdfOfPictures(bytes, name).catch((error: unknown) => {
    assert.ok(error instanceof Error && error.name === 'NotebookError', `${name}: ${String(error)}`);
  });
}
