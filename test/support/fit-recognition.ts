// Fits the confidence below which a recognized word is marked, and measures it on held-out kinds of scans:
//   node test/support/fit-recognition.ts [--write]
// The scans are those of `npm run bench -- scans`: generated pages of known text, degraded in eleven ways.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { RECOGNITION_WEIGHTS } from '../../src/core/domain/recognition-weights.ts';
import { setPdfResources } from '../../src/parsers/pdf/engine.ts';
import { setPageRenderer } from '../../src/parsers/scans/draw-page.ts';
import { Tesseract } from '../../src/parsers/scans/tesseract.ts';
import { recognizePdf } from '../bench/scans.ts';
import { pdfOfPictures } from '../../src/parsers/scans/picture-pdf.ts';
import { measureUnseen, percent, writeWeights, type Tried } from './choose-weights.ts';
import { root } from './paths.mjs';
import { scannedPages } from './scanned-pages.ts';
import { wordF1, lowerWords } from './word-f1.ts';

/** The threshold for omission (`least`) stays: these pages have hardly any dust, so 0 does as well. */
const { doubtful } = RECOGNITION_WEIGHTS;
const weights = { doubtful };
const tried: Tried<typeof weights> = { doubtful: [50, 60, 65, 70, 75, 80, 85, 90] };
const RESOLUTIONS = [100, 150, 200];
/**
 * Maximum share of right words that may be marked or omitted, for any kind of scan but the noisiest: if right words are
 * marked, readers ignore the marks. The highest threshold within it is chosen. An F1 of the marks would depend on the
 * noisiest kind, which has two thirds of all wrong words.
 */
const MAX_MARKED = 0.01;

/** Recognized word; `isThere` is `true` if its page contains it. */
interface Word {
  readonly words: readonly string[];
  readonly confidence: number;
  readonly isThere: boolean;
}

interface Page {
  readonly expected: readonly string[];
  readonly found: readonly Word[];
}

/** Pages of one kind. */
interface Part {
  readonly kind: string;
  readonly pages: readonly Page[];
}

interface Score {
  /** Mean F1 of the pages' words. */
  readonly words: number;
  /** Numbers of right and wrong words, and of the marked ones of each. */
  readonly right: number;
  readonly rightMarked: number;
  readonly wrong: number;
  readonly wrongMarked: number;
}

const keptWords = ({ found }: Page): Word[] =>
  found.filter(({ confidence }) => confidence >= RECOGNITION_WEIGHTS.least);

function scoreParts(parts: readonly Part[]): Score {
  const pages = parts.flatMap((part) => part.pages);
  const f1s = pages.map((page) =>
    wordF1(
      keptWords(page).flatMap(({ words }) => words),
      page.expected,
    ),
  );
  const words = pages.flatMap(keptWords);
  const right = words.filter(({ isThere }) => isThere);
  const wrong = words.filter(({ isThere }) => !isThere);
  const isMarked = ({ confidence }: Word): boolean => confidence < weights.doubtful;
  return {
    words: f1s.reduce((sum, f1) => sum + f1, 0) / pages.length,
    right: right.length,
    rightMarked: right.filter(isMarked).length,
    wrong: wrong.length,
    wrongMarked: wrong.filter(isMarked).length,
  };
}

/** Chooses the threshold for some kinds, and applies it. */
function chooseFor(parts: readonly Part[]): typeof weights {
  weights.doubtful =
    tried.doubtful.findLast((bound) => {
      const shares = parts.map(({ pages }) => {
        const right = pages.flatMap(({ found }) => found).filter(({ isThere }) => isThere);
        return right.filter(({ confidence }) => confidence < bound).length / right.length;
      });
      const [, worst = 0] = shares.sort((a, b) => b - a);
      return worst <= MAX_MARKED;
    }) ?? 0;
  return { ...weights };
}

/** Recognizes every word of the pages, however uncertain. */
async function recognizeAll(): Promise<readonly Part[]> {
  setPdfResources(join(root, 'node_modules/pdfjs-dist'));
  setPageRenderer(join(root, 'node_modules/@embedpdf/pdfium/dist/pdfium.wasm'));
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
      const { page } = await recognizePdf(await pdfOfPictures(file.bytes, file.name), tesseract);
      const expected = lowerWords(text);
      const expectedWords = new Set(expected);
      const lines = page.lines
        .flatMap((line) => line.words)
        .map(({ text: word, confidence }) => ({ words: lowerWords(word), confidence }))
        .filter(({ words }) => words.length > 0)
        .map((word) => ({ ...word, isThere: word.words.every((part) => expectedWords.has(part)) }));
      pages.set(kind, [...(pages.get(kind) ?? []), { expected, found: lines }]);
    }
    return Array.from(pages, ([kind, own]) => ({ kind, pages: own }));
  } finally {
    Object.assign(RECOGNITION_WEIGHTS, before);
    rmSync(folder, { recursive: true, force: true });
  }
}

function markedOf(
  scores: readonly Score[],
  all: 'right' | 'wrong',
  marked: 'rightMarked' | 'wrongMarked',
): string {
  const sum = (value: keyof Score): number => scores.reduce((total, score) => total + score[value], 0);
  return percent(sum(marked) / sum(all));
}

if (import.meta.main) {
  const parts = await recognizeAll();
  const describeScore = (score: Score): string =>
    `words ${score.words.toFixed(4)}, marked ${String(score.wrongMarked)} of ${String(score.wrong)} wrong and ${String(score.rightMarked)} of ${String(score.right)} right`;
  console.log('as it is:', describeScore(scoreParts(parts)));
  const unseen = await measureUnseen(
    weights,
    tried,
    parts,
    (others) => Promise.resolve(chooseFor(others)),
    (part) => scoreParts([part]),
  );
  for (const [i, score] of unseen.entries())
    console.log(`${parts[i]?.kind ?? ''}, not seen: ${describeScore(score)}`);
  const chosen = chooseFor(parts);
  console.log(chosen, describeScore(scoreParts(parts)));
  if (process.argv.includes('--write'))
    writeWeights(join(root, 'src/core/domain/recognition-weights.ts'), chosen, {
      RECOGNITION_WEIGHTS: `How sure the recognition of text in scans has to be of a word, from 0 to 100. \`doubtful\` is chosen by test/support/fit-recognition.ts on the made scans of \`npm run bench -- scans\` (there are no public ones here): the highest below which at most ${percent(MAX_MARKED)} of the right words of each kind but the noisiest stand. One of ${String(parts.length)} kinds is held back at a time: of those not seen ${markedOf(unseen, 'wrong', 'wrongMarked')} of wrong words are marked, and ${markedOf(unseen, 'right', 'rightMarked')} of right ones.`,
    });
}
