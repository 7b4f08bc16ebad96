import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { setPdfResources } from '../../src/parsers/pdf/engine.ts';
import { readDocument } from '../../src/parsers/registry.ts';
import type { RecognizedPage } from '../../src/parsers/scans/recognized-page.ts';
import { root } from '../support/paths.mjs';
import { pngPicture } from '../support/png-picture.ts';

const sign: RecognizedPage = {
  toSeen: [1, 0, 0, 1, 0, 0],
  lines: [
    {
      baseline: 60,
      ascent: 9,
      descent: 3,
      words: [
        { text: 'Beetroot', confidence: 95, box: [20, 51, 70, 63] },
        { text: 'soup', confidence: 93, box: [74, 51, 100, 63] },
      ],
    },
  ],
};

const read = (bytes: Uint8Array, recognised: ReadonlyMap<number, RecognizedPage> | undefined) =>
  readDocument(
    {
      bytes,
      name: 'sign.png',
      minimumLength: 1,
      ...(recognised && { recognised: () => Promise.resolve(recognised) }),
    },
    {},
  );

before(() => {
  setPdfResources(join(root, 'node_modules/pdfjs-dist'));
});

test('waits for the text of an image, locates it, or reports that there is none', async () => {
  const bytes = pngPicture(400, 300);
  assert.deepEqual((await read(bytes, new Map())).unrecognised, [1]);
  const { text, map, mediaType, unrecognised } = await read(bytes, new Map([[1, sign]]));
  assert.deepEqual([text, mediaType, unrecognised], ['Beetroot soup', 'image/png', []]);
  assert.ok(map.kind === 'pdf' && map.starts.length === 2);
  await assert.rejects(read(bytes, new Map([[1, { ...sign, lines: [] }]])), {
    code: 'binary',
    message: /^Text recognition found no text in the image sign\.png/,
  });
});

test('puts the description of an image before its recognized text', async () => {
  const bytes = pngPicture(400, 300, 'The sign of the tavern');
  const { text, map, title } = await read(bytes, new Map([[1, sign]]));
  assert.equal(title, 'The sign of the tavern');
  assert.match(text, /The sign of the tavern\n\nBeetroot soup$/);
  assert.ok(map.kind === 'pdf' && map.starts[0] === text.indexOf('Beetroot'));
  assert.match((await read(bytes, new Map([[1, { ...sign, lines: [] }]]))).text, /The sign of the tavern/);
});

test('reads ornaments, and images without text recognition, only by their description', async () => {
  for (const [bytes, recognised] of [
    [pngPicture(40, 30), new Map<number, RecognizedPage>()],
    [pngPicture(400, 300), undefined],
    [readFileSync(join(root, 'test/fixtures/reading/picture.txt')), new Map<number, RecognizedPage>()],
  ] as const)
    await assert.rejects(read(bytes, recognised), {
      code: 'binary',
      message: /^sign\.png is a PNG image without a title or description/,
    });
});
