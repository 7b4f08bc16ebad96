import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { RECOGNITION_WEIGHTS } from '../../src/core/domain/recognition-weights.ts';
import { setPdfResources } from '../../src/parsers/pdf/engine.ts';
import { openPdf } from '../../src/parsers/pdf/open.ts';
import { readPdf } from '../../src/parsers/pdf.ts';
import { drawPage, setPageRenderer } from '../../src/parsers/scans/draw-page.ts';
import { pdfOfPictures } from '../../src/parsers/scans/picture-pdf.ts';
import type { RecognizedPage } from '../../src/parsers/scans/recognized-page.ts';
import { Tesseract } from '../../src/parsers/scans/tesseract.ts';
import { onPath } from '../support/browser.mjs';
import { root } from '../support/paths.mjs';
import { scannedPages } from '../support/scanned-pages.ts';
import { scoreOrder, wordF1, lowerWords } from '../support/word-f1.ts';
import { printTable } from './table.ts';

const RESOLUTIONS = [100, 150, 200, 300];
/** Resolution at which the recognizer draws pages. */
const DOTS_PER_INCH = 300;

/** Path of Tesseract's own program, if it is installed. */
const peer = onPath('tesseract');

interface Measured {
  readonly kind: string;
  readonly dotsPerInch: number;
  readonly f1: number;
  readonly order: number;
  readonly peerF1: number | undefined;
  readonly drawing: number;
  readonly recognising: number;
  /** Confidences of recognized words that are on the page, and of those that aren't. */
  readonly right: readonly number[];
  readonly wrong: readonly number[];
}

/**
 * Measures text recognition on pages of known text, as from scanners and cameras: from the picture to the text of a
 * document, as for a scan in a notebook. With `out`, writes one line of JSON per page.
 */
export async function measureScans(out: string | undefined): Promise<void> {
  setPdfResources(join(root, 'node_modules/pdfjs-dist'));
  setPageRenderer(join(root, 'node_modules/@embedpdf/pdfium/dist/pdfium.wasm'));
  const folder = mkdtempSync(join(tmpdir(), 'bench-scans-'));
  try {
    const core = join(root, 'node_modules/tesseract.js-core/tesseract-core-simd-lstm.wasm');
    writeFileSync(join(folder, 'core.br'), brotliCompressSync(readFileSync(core)));
    const english = join(root, 'node_modules/@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz');
    const tesseract = await Tesseract.load(join(folder, 'core.br'), [{ code: 'eng', path: english }]);
    const measured: Measured[] = [];
    const lines: string[] = [];
    for await (const { kind, dotsPerInch, text, file } of scannedPages(RESOLUTIONS)) {
      const pdf = await pdfOfPictures(file.bytes, file.name);
      const { page, drawing, recognising } = await recognizePdf(pdf, tesseract);
      const document = await readPdf(pdf, file.name, { recognised: new Map([[1, page]]) });
      const [found, expected] = [lowerWords(document.text), lowerWords(text)];
      const there = new Set(expected);
      const sureness = (isThere: boolean): number[] =>
        page.lines
          .flatMap(({ words }) => words)
          .filter((word) => lowerWords(word.text).length > 0)
          .filter((word) => lowerWords(word.text).every((part) => there.has(part)) === isThere)
          .map(({ confidence }) => confidence);
      measured.push({
        kind,
        dotsPerInch,
        f1: wordF1(found, expected),
        order: scoreOrder(found, expected),
        peerF1: peer === undefined ? undefined : wordF1(byPeer(folder, file), expected),
        drawing,
        recognising,
        right: sureness(true),
        wrong: sureness(false),
      });
      lines.push(JSON.stringify({ kind, dotsPerInch, text: document.text }));
    }
    if (out !== undefined) writeFileSync(out, `${lines.join('\n')}\n`);
    print(measured);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Recognizes the first page of a PDF; times are in milliseconds. */
export async function recognizePdf(
  pdf: Uint8Array,
  tesseract: Tesseract,
): Promise<{ readonly page: RecognizedPage; readonly drawing: number; readonly recognising: number }> {
  const opened = await openPdf(pdf, 'scan.pdf');
  try {
    const began = performance.now();
    const picture = await drawPage(await opened.pdf.getPage(1), pdf, DOTS_PER_INCH);
    const drawn = performance.now();
    const page = tesseract.recognise(picture);
    return { page, drawing: drawn - began, recognising: performance.now() - drawn };
  } finally {
    await opened.task.destroy();
  }
}

function byPeer(
  folder: string,
  { name, bytes }: { readonly name: string; readonly bytes: Uint8Array },
): string[] {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return lowerWords(execFileSync(peer ?? '', [path, '-', '-l', 'eng'], { encoding: 'utf8', stdio: 'pipe' }));
}

function print(measured: readonly Measured[]): void {
  if (measured.length === 0) {
    console.error('There is no Chromium to set pages with: install one, or name it as the tests do.');
    process.exitCode = 1;
    return;
  }
  const of = (kind: string, dots: number): string =>
    measured.find((one) => one.kind === kind && one.dotsPerInch === dots)?.f1.toFixed(3) ?? '';
  const kinds = [...new Set(measured.map(({ kind }) => kind))];
  const rows = kinds.map((kind) => [
    kind,
    ...RESOLUTIONS.map((dots) => of(kind, dots)),
    mean(measured.filter((one) => one.kind === kind).map(({ order }) => order)).toFixed(3),
  ]);
  const all = RESOLUTIONS.map((dots) =>
    mean(measured.filter((one) => one.dotsPerInch === dots).map(({ f1 }) => f1)).toFixed(3),
  );
  rows.push(['all', ...all, mean(measured.map(({ order }) => order)).toFixed(3)]);
  const peers = measured.flatMap(({ peerF1 }) => peerF1 ?? []);
  if (peers.length > 0)
    rows.push([
      'tesseract',
      ...RESOLUTIONS.map((dots) =>
        mean(measured.filter((one) => one.dotsPerInch === dots).map(({ peerF1 = 0 }) => peerF1)).toFixed(3),
      ),
      '',
    ]);
  printTable(['word F1', ...RESOLUTIONS.map((dots) => `${String(dots)} dpi`), 'order'], rows);
  const seconds = (of: (one: Measured) => number): string => (mean(measured.map(of)) / 1000).toFixed(2);
  const doubted = (words: readonly number[]): string =>
    `${((100 * words.filter((confidence) => confidence < RECOGNITION_WEIGHTS.doubtful).length) / Math.max(1, words.length)).toFixed(1)} %`;
  console.log(
    [
      `A page of A5: ${seconds(({ drawing }) => drawing)} s to draw, ${seconds(({ recognising }) => recognising)} s to recognise;`,
      `${String(Math.round(process.memoryUsage.rss() / 2 ** 20))} MB in all.`,
      `Marked as doubtful: ${doubted(measured.flatMap(({ wrong }) => wrong))} of wrong words,`,
      `${doubted(measured.flatMap(({ right }) => right))} of right ones.`,
      peer === undefined ? 'Tesseract’s own program is not installed.' : '',
    ].join(' '),
  );
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
