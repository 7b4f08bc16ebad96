// Chooses how sure the recognition of a word has to be, and says how well that does on kinds of scans that it was not chosen on:
//   node test/support/fit-recognition.ts [--write]
// The scans are those of `npm run bench -- scans`: made pages of known text, spoilt in eleven ways.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { RECOGNITION_WEIGHTS } from '../../src/notebook/recognition-weights.ts';
import { setPdfResources } from '../../src/reading/pdf/engine.ts';
import { Tesseract } from '../../src/reading/scans/tesseract.ts';
import { recognisePdf } from '../bench/scans.ts';
import { pdfOfPictures } from '../../src/reading/scans/picture-pdf.ts';
import { measureUnseen, percent, writeWeights, type Tried } from './choose-weights.ts';
import { root } from './paths.mjs';
import { scannedPages } from './scanned-pages.ts';
import { wordF1, lowerWords } from './word-f1.ts';

const tried: Tried<typeof RECOGNITION_WEIGHTS> = {
  least: [0, 10, 20, 30, 40, 50, 60],
  doubtful: [50, 60, 65, 70, 75, 80, 85, 90],
};
const RESOLUTIONS = [100, 150, 200];
/**
 * Most of the words that are right that may be left out, and that may be marked as doubtful. Both bounds are the highest that
 * keep to it: a word that is left out is not found, and who sees right words marked minds no mark any more. The F1 of either
 * would be that of the noisiest kind, which has most of the wrong words.
 */
const MOST_OF_RIGHT = { leftOut: 0.002, marked: 0.01 };

/** A word as it was recognised, and whether it stands on its page. */
interface Word {
  readonly words: readonly string[];
  readonly confidence: number;
  readonly isThere: boolean;
}

interface Page {
  readonly expected: readonly string[];
  readonly found: readonly Word[];
}

/** All pages of a kind. */
interface Part {
  readonly kind: string;
  readonly pages: readonly Page[];
}

interface Score {
  /** The F1 of a page's words, the mean of all. */
  readonly words: number;
  /** The F1 of what is marked as doubtful against what is wrong. */
  readonly marks: number;
}

function scoreParts(parts: readonly Part[]): Score {
  const { least, doubtful } = RECOGNITION_WEIGHTS;
  const pages = parts.flatMap((part) => part.pages);
  let [words, marked, wrong, both] = [0, 0, 0, 0];
  for (const { found, expected } of pages) {
    const kept = found.filter(({ confidence }) => confidence >= least);
    words += wordF1(
      kept.flatMap((word) => word.words),
      expected,
    );
    for (const { confidence, isThere } of kept) {
      if (confidence < doubtful) marked++;
      if (!isThere) wrong++;
      if (confidence < doubtful && !isThere) both++;
    }
  }
  return { words: words / pages.length, marks: marked + wrong === 0 ? 1 : (2 * both) / (marked + wrong) };
}

/** The bounds for some kinds, which then stand. */
function chooseFor(parts: readonly Part[]): typeof RECOGNITION_WEIGHTS {
  const right = parts.flatMap(({ pages }) =>
    pages.flatMap(({ found }) => found.filter(({ isThere }) => isThere)),
  );
  const highest = (bounds: readonly number[], most: number): number =>
    bounds.findLast(
      (bound) => right.filter(({ confidence }) => confidence < bound).length <= most * right.length,
    ) ?? 0;
  return Object.assign(RECOGNITION_WEIGHTS, {
    least: highest(tried.least, MOST_OF_RIGHT.leftOut),
    doubtful: highest(tried.doubtful, MOST_OF_RIGHT.marked),
  });
}

/** Every word of the pages, however unsure. */
async function recogniseAll(): Promise<readonly Part[]> {
  setPdfResources(join(root, 'node_modules/pdfjs-dist'));
  const folder = mkdtempSync(join(tmpdir(), 'fit-recognition-'));
  const before = { ...RECOGNITION_WEIGHTS };
  RECOGNITION_WEIGHTS.least = 0;
  try {
    const core = join(root, 'node_modules/tesseract.js-core/tesseract-core-simd-lstm.wasm');
    writeFileSync(join(folder, 'core.br'), brotliCompressSync(readFileSync(core)));
    const english = join(root, 'node_modules/@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz');
    const tesseract = await Tesseract.load(join(folder, 'core.br'), [{ code: 'eng', path: english }]);
    const pages = new Map<string, Page[]>();
    for await (const { kind, text, file } of scannedPages(RESOLUTIONS)) {
      const { page } = await recognisePdf(await pdfOfPictures(file.bytes, file.name), tesseract);
      const expected = lowerWords(text);
      const there = new Set(expected);
      const found = page.lines
        .flatMap((line) => line.words)
        .map(({ text: word, confidence }) => ({ words: lowerWords(word), confidence }))
        .filter(({ words }) => words.length > 0)
        .map((word) => ({ ...word, isThere: word.words.every((part) => there.has(part)) }));
      pages.set(kind, [...(pages.get(kind) ?? []), { expected, found }]);
    }
    return Array.from(pages, ([kind, own]) => ({ kind, pages: own }));
  } finally {
    Object.assign(RECOGNITION_WEIGHTS, before);
    rmSync(folder, { recursive: true, force: true });
  }
}

function per(share: number): string {
  return `${String(1_000 * share)} in a thousand`;
}

function mean(scores: readonly Score[], value: keyof Score): string {
  return percent(scores.reduce((sum, score) => sum + score[value], 0) / scores.length);
}

if (import.meta.main) {
  const parts = await recogniseAll();
  const told = ({ words, marks }: Score): string => `words ${words.toFixed(4)}, marks ${marks.toFixed(3)}`;
  console.log('as it is:', told(scoreParts(parts)));
  const unseen = await measureUnseen(
    RECOGNITION_WEIGHTS,
    tried,
    parts,
    (others) => Promise.resolve(chooseFor(others)),
    (part) => ({
      ...scoreParts([part]),
      ...RECOGNITION_WEIGHTS,
    }),
  );
  for (const [i, { least, doubtful, ...score }] of unseen.entries())
    console.log(`${parts[i]?.kind ?? ''}, not seen: ${told(score)} (${String(least)}, ${String(doubtful)})`);
  const chosen = { ...chooseFor(parts) };
  console.log(chosen, told(scoreParts(parts)));
  if (process.argv.includes('--write'))
    writeWeights(join(root, 'src/notebook/recognition-weights.ts'), chosen, {
      RECOGNITION_WEIGHTS: `How sure the recognition of text in scans has to be of a word, from 0 to 100. Chosen by test/support/fit-recognition.ts on the made scans of \`npm run bench -- scans\` (there are no public ones here): the highest bounds below which ${per(MOST_OF_RIGHT.leftOut)} of right words stand at most, and ${per(MOST_OF_RIGHT.marked)}. One of ${String(parts.length)} kinds is held back at a time: of those not seen words with an F1 of ${mean(unseen, 'words')}, marks with one of ${mean(unseen, 'marks')}.`,
    });
}
