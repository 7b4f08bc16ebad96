import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { setPdfResources } from '../../src/parsers/pdf/engine.ts';
import { openPdf } from '../../src/parsers/pdf/open.ts';
import { readPdf } from '../../src/parsers/pdf.ts';
import { drawPage, setPageRenderer, type DrawnPage } from '../../src/parsers/scans/draw-page.ts';
import {
  shrinkPicture,
  turnPicture,
  DamagedLanguageError,
  Tesseract,
} from '../../src/parsers/scans/tesseract.ts';
import { seededRandom } from '../support/durability-random.ts';
import { root } from '../support/paths.mjs';
import { isEverything, rounds } from '../support/test-size.mjs';
import { column, tinyPdf } from '../support/tiny-pdf.ts';

const words = [
  'The keeper lit the harbour lamp at nine in the evening,',
  'and filled it again with two litres of oil before dawn.',
  'In winter the mole is closed to walkers during storms.',
];
const english = join(root, 'node_modules/@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz');

let folder = '';
let program = '';
let tesseract: Tesseract;
let picture: DrawnPage;

before(async () => {
  setPdfResources(join(root, 'node_modules/pdfjs-dist'));
  setPageRenderer(join(root, 'node_modules/@embedpdf/pdfium/dist/pdfium.wasm'));
  folder = mkdtempSync(join(tmpdir(), 'tesseract-'));
  program = join(folder, 'core.wasm.br');
  const core = readFileSync(join(root, 'node_modules/tesseract.js-core/tesseract-core-simd-lstm.wasm'));
  writeFileSync(program, brotliCompressSync(core, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }));
  tesseract = await Tesseract.load(program, [{ code: 'eng', path: english }]);
  const opened = await openPdf(tinyPdf({ pages: [{ lines: column(72, 700, words) }] }), 'page.pdf');
  picture = await drawPage(await opened.pdf.getPage(1), opened.bytes, 200);
  await opened.task.destroy();
});

after(() => {
  rmSync(folder, { recursive: true, force: true });
});

const recognizeText = (of: DrawnPage): string =>
  tesseract
    .recognise(of)
    .lines.map((line) => line.words.map(({ text }) => text).join(' '))
    .join('\n');

test('recognizes a page word for word with locations', async () => {
  const page = tesseract.recognise(picture);
  assert.equal(
    page.lines.map((line) => line.words.map(({ text }) => text).join(' ')).join('\n'),
    words.join('\n'),
  );
  const scan = tinyPdf({ pages: [{ lines: [], image: true }] });
  const document = await readPdf(scan, 'scan.pdf', { recognised: new Map([[1, page]]) });
  assert.equal(document.text, words.join(' '));
  assert.deepEqual(document.unrecognised, []);
  assert.ok(document.map.kind === 'pdf' && document.map.confidences !== undefined);
  const lamp = document.text.indexOf('lamp');
  const run = document.map.starts.indexOf(lamp);
  const [x = 0, y = 0, width = 0, height = 0] = document.map.boxes.subarray(4 * run);
  // “lamp” is in the first line, whose baseline is 700 points above the bottom.
  assert.ok(y < 700 && y + height > 705, `${String(y)} to ${String(y + height)}`);
  assert.ok(x > 180 && x + width < 220, `${String(x)} to ${String(x + width)}`);
});

test('lists pages without text as pending until they are recognized', async () => {
  const lines = { lines: column(72, 700, words) };
  const scan = tinyPdf({ pages: [lines, { lines: [], image: true }, { lines: [], image: true }] });
  const waiting = await readPdf(scan, 'scan.pdf', { recognised: new Map() });
  assert.deepEqual(waiting.unrecognised, [2, 3]);
  assert.deepEqual(waiting.warnings, []);
  const nothing = { lines: [], toSeen: [1, 0, 0, 1, 0, 0] } as const;
  const looked = await readPdf(scan, 'scan.pdf', { recognised: new Map([[2, nothing]]) });
  assert.deepEqual(looked.unrecognised, [3]);
  assert.deepEqual(looked.warnings, ['Text recognition found no words on page 2.']);
  const off = await readPdf(scan, 'scan.pdf', {});
  assert.equal(off.unrecognised, undefined);
  assert.match(off.warnings.join(), /Pages 2 and 3 are images without text/);
});

test('reads a scan of many pages while all of them are pending', async () => {
  const count = rounds(200, 2_000);
  const scan = tinyPdf({ pages: Array.from({ length: count }, () => ({ lines: [], image: true })) });
  const { text, unrecognised } = await readPdf(scan, 'scan.pdf', { recognised: new Map() });
  assert.equal(text, '');
  assert.equal(unrecognised?.length, count);
});

test('rotates a sideways or upside-down page upright', () => {
  // The lines are at the top of the page.
  const height = 400;
  const top = { ...picture, height, pixels: picture.pixels.subarray(0, height * picture.width) };
  for (const quarters of isEverything ? [1, 2, 3] : [1, 2])
    assert.equal(recognizeText(turnPicture(top, quarters)), words.join('\n'));
});

test('finds no words in noise, black, and blank images', () => {
  const random = seededRandom(7);
  const pixels = Uint8Array.from({ length: 200 * 300 }, () => Math.floor(256 * random()));
  const of = (bytes: Uint8Array): DrawnPage => ({
    width: 200,
    height: 300,
    pixels: bytes,
    dotsPerInch: 100,
  });
  assert.equal(recognizeText(of(pixels)), '');
  assert.equal(recognizeText(of(new Uint8Array(200 * 300))), '');
  assert.equal(recognizeText(of(new Uint8Array(200 * 300).fill(255))), '');
});

test('reports damaged language data with the name of the language', async () => {
  const path = join(folder, 'deu.traineddata.gz');
  for (const data of [
    Buffer.from('No data.'),
    gzipSync('No trained data.'),
    readFileSync(english).subarray(0, 100_000),
  ]) {
    writeFileSync(path, data);
    await assert.rejects(
      Tesseract.load(program, [
        { code: 'deu', path },
        { code: 'eng', path: english },
      ]),
      (error) => error instanceof DamagedLanguageError && error.language === 'deu',
    );
  }
});

test('leaves an image unchanged after four rotations or scaling by one', () => {
  let same = picture;
  for (let i = 0; i < 4; i++) same = turnPicture(same, 1);
  assert.deepEqual(same, picture);
  assert.equal(shrinkPicture(picture, 1), picture);
  assert.equal(shrinkPicture(picture, 2).width, Math.floor(picture.width / 2));
});
