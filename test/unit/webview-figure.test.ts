import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { loadPdf, setPdfResources } from '../../src/parsers/pdf/engine.ts';
import { drawnBoxes } from '../../webview/figure/drawn-boxes.ts';
import { imageSize } from '../../webview/figure/image-size.ts';
import { boxHeight, boxWidth, type Box } from '../../webview/figure/box.ts';
import { figureRegion, type PageParts } from '../../webview/figure/region.ts';
import { assertLinear } from '../support/growth.ts';
import { column, tinyPdf, type TinyPage } from '../support/tiny-pdf.ts';
import { chartPage } from '../support/figure-pdf.ts';

setPdfResources(fileURLToPath(new URL('../../node_modules/pdfjs-dist/', import.meta.url)));

const letter: Box = { left: 0, bottom: 0, right: 612, top: 792 };

/** Returns the areas where pdf.js draws something on a page, and the text items. */
async function readParts(page: TinyPage): Promise<{ drawn: Box[]; texts: Map<string, Box> }> {
  const task = await loadPdf(tinyPdf({ pages: [page] }));
  try {
    const opened = await (await task.promise).getPage(1);
    const { OPS } = await import('pdfjs-dist/legacy/build/pdf.mjs');
    const drawn = drawnBoxes(await opened.getOperatorList(), letter, OPS);
    const { items } = await opened.getTextContent();
    const texts = items.flatMap((item): [string, Box][] => {
      if (!('str' in item) || item.str.trim() === '') return [];
      const [, , , size = 0, x = 0, y = 0] = item.transform.map(Number);
      return [[item.str, { left: x, bottom: y, right: x + item.width, top: y + size }]];
    });
    return { drawn, texts: new Map(texts) };
  } finally {
    await task.destroy();
  }
}

async function findRegion(page: TinyPage, caption: string): Promise<Box | undefined> {
  const { drawn, texts } = await readParts(page);
  const words = [...texts].find(([text]) => text.startsWith(caption))?.[1] ?? assert.fail(caption);
  return figureRegion({ page: letter, caption: words, drawn, texts: [...texts.values()] });
}

function assertNear(region: Box | undefined, expected: Box, by = 6): void {
  for (const side of ['left', 'bottom', 'right', 'top'] as const)
    assert.ok(
      region !== undefined && Math.abs(region[side] - expected[side]) <= by,
      `${side}: ${JSON.stringify(region)}`,
    );
}

describe('area of a figure on a page', () => {
  it('is the drawing above its caption, with its labels and without surrounding text', async () => {
    assertNear(await findRegion(chartPage, 'Figure 3'), { left: 131, bottom: 424, right: 444, top: 604 });
  });

  it('is the drawing below a caption above it', async () => {
    const page: TinyPage = {
      drawing: 'q 0.5 g 100 300 300 150 re f Q',
      lines: [
        { x: 100, y: 460, text: 'Figure 1: A field.' },
        ...column(72, 700, ['Text that stands far above.']),
      ],
    };
    assertNear(await findRegion(page, 'Figure 1'), { left: 96, bottom: 296, right: 404, top: 454 });
  });

  it('includes adjacent panels, but not the figure of another caption', async () => {
    const page: TinyPage = {
      drawing: 'q 0.5 g 100 500 120 100 re f 250 500 120 100 re f 100 200 270 100 re f Q',
      lines: [
        { x: 100, y: 480, text: 'Figure 1: Two fields.' },
        { x: 100, y: 180, text: 'Figure 2: One field.' },
      ],
    };
    assertNear(await findRegion(page, 'Figure 1'), { left: 96, bottom: 490, right: 374, top: 604 }, 8);
    assertNear(await findRegion(page, 'Figure 2'), { left: 96, bottom: 190, right: 374, top: 304 }, 8);
  });

  it('stays within its column', async () => {
    const lines = Array.from(
      { length: 20 },
      (_, i) => `Line ${String(i)} of the other column, of words alone`,
    );
    const page: TinyPage = {
      drawing: 'q 0.5 g 60 560 220 120 re f Q',
      lines: [{ x: 60, y: 540, text: 'Figure 1: A field.', size: 9 }, ...column(320, 700, lines, 9)],
    };
    assertNear(await findRegion(page, 'Figure 1'), { left: 56, bottom: 556, right: 284, top: 684 });
  });

  it('is found through transforms, forms, and clips, and excludes the page background', async () => {
    const page: TinyPage = {
      drawing: [
        '1 g 0 0 612 792 re f',
        'q 200 0 0 100 100 400 cm 0.5 g 0 0 1 1 re f Q',
        'q 100 400 200 100 re W n 0.3 g 0 0 600 700 re f Q',
        'q 120 0 0 60 120 420 cm BI /W 2 /H 2 /BPC 8 /CS /G /F /AHx ID 00ff00ff> EI Q',
      ].join('\n'),
      lines: [{ x: 100, y: 380, text: 'Figure 1: A field.' }],
    };
    assertNear(await findRegion(page, 'Figure 1'), { left: 96, bottom: 390, right: 304, top: 504 });
  });

  it('is undefined if nothing is drawn, or if the drawing is far away or behind text', async () => {
    const caption = { x: 72, y: 380, text: 'Figure 1: A field.' };
    const rule = '72 396 m 540 396 l S';
    const between = column(72, 430, [
      'A line of the text that is as wide as the whole page is, and more.',
      'And one more line of the same, which is no label of a figure at all.',
    ]);
    for (const page of [
      { lines: [caption] },
      { drawing: rule, lines: [caption] },
      { drawing: 'q 0.5 g 72 640 300 100 re f Q', lines: [caption] },
      { drawing: 'q 0.5 g 72 450 300 60 re f Q', lines: [caption, ...between] },
    ])
      assert.equal(await findRegion(page, 'Figure 1'), undefined);
  });

  it('is found quickly on a page with very many paths or endless boxes', async () => {
    const paths = Array.from(
      { length: 100_000 },
      (_, i) => `${String(100 + (i % 300))} ${String(450 + ((i * 7) % 200))} 1 1 re f`,
    );
    const page = { drawing: paths.join('\n'), lines: [{ x: 100, y: 430, text: 'Figure 1: Dots.' }] };
    const { drawn, texts } = await readParts(page);
    assert.equal(drawn.length, 100_000);
    const caption = texts.get('Figure 1: Dots.') ?? assert.fail();
    const region = figureRegion({ page: letter, caption, drawn, texts: [...texts.values()] });
    assertNear(region, { left: 96, bottom: 446, right: 404, top: 654 }, 10);
    const scattered = (count: number): Box[] =>
      Array.from({ length: count }, (_, i) => {
        const [left, bottom] = [(i * 37) % 14_000, (i * 91) % 14_000];
        return { left, bottom, right: left + 9_000 * (i % 2), top: bottom + 9_000 * (i % 3) };
      });
    const huge = { left: 0, bottom: 0, right: 14_400, top: 14_400 };
    assertLinear((count) => {
      const boxes = scattered(count);
      const hostile: PageParts = { page: huge, caption, drawn: boxes, texts: boxes };
      return figureRegion(hostile);
    }, 2_000);
    for (const bad of [NaN, Infinity, -1e300])
      figureRegion({
        page: huge,
        caption,
        drawn: [{ left: bad, bottom: bad, right: bad, top: bad }],
        texts: [],
      });
    assert.ok(region !== undefined && boxWidth(region) > 0 && boxHeight(region) > 0);
  });

  it('is undefined for invalid operators', async () => {
    const { OPS } = await import('pdfjs-dist/legacy/build/pdf.mjs');
    const operations = Object.values(OPS);
    for (const operators of [
      undefined,
      null,
      [],
      [null, null, null],
      [[1, 2], 'x', [NaN, 1, 2, 3]],
      [{}, [1], [1, 2]],
    ])
      assert.deepEqual(
        drawnBoxes({ fnArray: operations, argsArray: operations.map(() => operators) }, letter, OPS).filter(
          (box) => !Object.values(box).every(Number.isFinite),
        ),
        [],
      );
  });
});

describe('declared size of an image', () => {
  const bytes = (...parts: readonly (string | readonly number[])[]): Uint8Array =>
    Uint8Array.from([
      ...parts.flatMap((part) => (typeof part === 'string' ? [...Buffer.from(part, 'latin1')] : part)),
      ...Array.from({ length: 40 }, () => 0),
    ]);

  it('is read from PNG, GIF, JPEG, WebP, and BMP of any size', () => {
    const png = bytes('\u0089PNG\r\n\u001a\n', [0, 0, 0, 13], 'IHDR', [0, 0, 0x75, 0x30, 0, 0, 0x75, 0x30]);
    assert.deepEqual(imageSize(png), { width: 30_000, height: 30_000 });
    assert.deepEqual(imageSize(bytes('GIF89a', [10, 0, 20, 0])), { width: 10, height: 20 });
    assert.deepEqual(
      imageSize(bytes([0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xc0, 0, 17, 8, 0, 30, 0, 40])),
      { width: 40, height: 30 },
    );
    assert.deepEqual(
      imageSize(bytes('RIFF', [0, 0, 0, 0], 'WEBPVP8X', [10, 0, 0, 0, 0, 0, 0, 0, 99, 0, 0, 49, 0, 0])),
      {
        width: 100,
        height: 50,
      },
    );
    assert.equal(imageSize(bytes('<svg width="30000">')), undefined);
    assert.equal(imageSize(new Uint8Array(3)), undefined);
    assert.equal(
      imageSize(
        bytes(
          [0xff, 0xd8],
          Array.from({ length: 9_000 }, () => 0xff),
        ),
      ),
      undefined,
    );
  });
});
