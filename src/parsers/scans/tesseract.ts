import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
// @ts-expect-error It comes without types.
import load from 'tesseract.js-core/tesseract-core-simd-lstm.js';
import * as v from 'valibot';
import type { DrawnPage } from './draw-page.ts';
import { RECOGNITION_WEIGHTS } from '../../core/domain/recognition-weights.ts';
import type { RecognizedLine, RecognizedPage } from './recognized-page.ts';

/** Functions of Tesseract's WebAssembly build that this file uses. */
interface TesseractApi {
  /** Loads the languages; returns 0 on success. */
  Init(path: null, languages: string, mode: number): number;
  SetVariable(name: string, value: string): boolean;
  /** Loads the picture at `/input`, turned clockwise by an angle; 1 if it isn't a picture. */
  SetImageFile(exifOrientation: number, radians: number): number;
  FindLines(): void;
  GetGradient(): number;
  Recognize(monitor: null): number;
  GetJSONText(): string;
  Clear(): void;
  End(): void;
}

interface TesseractModule {
  readonly FS: { writeFile(path: string, bytes: Uint8Array): void };
  readonly TessBaseAPI: new () => TesseractApi;
}

interface Options {
  readonly wasmBinary: Uint8Array;
  readonly print: (line: string) => void;
  readonly printErr: (line: string) => void;
}

const loadCore = load as (options: Options) => Promise<TesseractModule>;

/** Recognition language: Tesseract's code, and its trained data, gzipped. */
export interface LanguageFile {
  readonly code: string;
  readonly path: string;
}

/** Engine mode that uses only the neural network. */
const LSTM_ONLY = 1;
/** Thresholding method that compares each pixel with its surroundings, for photographs and old scans. */
const SAUVOLA = '2';
/** Maximum slope of a level line, in radians: six dots over a width of 1,200. */
const LEVEL = 0.005;
/**
 * Minimum confidence and length of a word that shows that the page is upright. Upside down, "pod" still reads "pod".
 */
const SURE = 80;
const SURE_LETTERS = 3;
/** Number of such words from which the page counts as upright. */
const UPRIGHT_WORDS = 8;
/** Approximate resolution at which the orientation of a page is determined. */
const UPRIGHT_DOTS = 120;
/**
 * Minimum mean confidence of a page's letters; below it, the page has no text. Some "words" in a photograph of leaves
 * exceed the word threshold, but aren't text. All pages with known text have a far higher confidence.
 */
const MIN_PAGE_CONFIDENCE = 45;
const MAX_INFLATED_BYTES = 256 * 2 ** 20;

const point = { x0: v.number(), y0: v.number(), x1: v.number(), y1: v.number() };
const recognised = v.object({
  blocks: v.array(
    v.object({
      paragraphs: v.nullish(
        v.array(
          v.object({
            lines: v.array(
              v.object({
                rowAttributes: v.object({ rowHeight: v.number(), descenders: v.number() }),
                baseline: v.object(point),
                words: v.array(v.object({ bbox: v.object(point), text: v.string(), confidence: v.number() })),
              }),
            ),
          }),
        ),
      ),
    }),
  ),
});

/** Text recognizer for pictures of pages, one after the other. */
export class Tesseract {
  readonly #module: TesseractModule;
  readonly #api: TesseractApi;

  private constructor(module: TesseractModule, api: TesseractApi) {
    this.#module = module;
    this.#api = api;
  }

  /**
   * Loads the program, compressed with Brotli, and the languages, the main one first.
   * @throws DamagedLanguageError
   */
  static async load(program: string, languages: readonly LanguageFile[]): Promise<Tesseract> {
    const module = await loadCore({
      wasmBinary: await promisify(brotliDecompress)(await readFile(program)),
      print: () => undefined,
      printErr: () => undefined,
    });
    for (const { code, path } of languages)
      try {
        const data = await promisify(gunzip)(await readFile(path), { maxOutputLength: MAX_INFLATED_BYTES });
        module.FS.writeFile(`${code}.traineddata`, data);
        // Load languages one by one, because Tesseract doesn't report which of several fails.
        const alone = new module.TessBaseAPI();
        if (alone.Init(null, code, LSTM_ONLY) !== 0) throw new Error(`${code} is no trained data.`);
        alone.End();
      } catch (cause) {
        throw new DamagedLanguageError(code, cause);
      }
    const api = new module.TessBaseAPI();
    api.Init(null, languages.map(({ code }) => code).join('+'), LSTM_ONLY);
    api.SetVariable('thresholding_method', SAUVOLA);
    return new Tesseract(module, api);
  }

  /** Recognizes the text of a page, which can be sideways, upside down, or tilted. */
  recognise(picture: DrawnPage): RecognizedPage {
    const asItIs = this.#recognizeUpright(picture, 0);
    if (sureWords(asItIs) >= UPRIGHT_WORDS) return withoutNoise(asItIs);
    const small = shrinkPicture(picture, Math.max(1, Math.round(picture.dotsPerInch / UPRIGHT_DOTS)));
    const sure = [0, 1, 2, 3].map((quarters) => sureWords(this.#recognizeUpright(small, quarters)));
    const quarters = sure.indexOf(Math.max(...sure));
    return withoutNoise(quarters === 0 ? asItIs : this.#recognizeUpright(picture, quarters));
  }

  #recognizeUpright(picture: DrawnPage, quarters: number): RecognizedPage {
    const upright = turnPicture(picture, quarters);
    const head = Buffer.from(`P5\n${String(upright.width)} ${String(upright.height)}\n255\n`, 'latin1');
    this.#module.FS.writeFile('/input', Buffer.concat([head, upright.pixels]));
    this.#api.SetVariable('user_defined_dpi', String(Math.round(upright.dotsPerInch)));
    this.#take(0);
    this.#api.FindLines();
    const slope = this.#api.GetGradient();
    const angle = Math.abs(slope) < LEVEL || !Number.isFinite(slope) ? 0 : slope;
    if (angle !== 0) this.#take(angle);
    this.#api.Recognize(null);
    const { blocks } = v.parse(recognised, JSON.parse(this.#api.GetJSONText()));
    this.#api.Clear();
    const points = 72 / upright.dotsPerInch;
    const lines = blocks.flatMap(({ paragraphs }) =>
      (paragraphs ?? []).flatMap((paragraph) =>
        paragraph.lines.map(({ baseline, rowAttributes, words }): RecognizedLine => ({
          baseline: (points * (baseline.y0 + baseline.y1)) / 2,
          ascent: points * (rowAttributes.rowHeight - rowAttributes.descenders),
          descent: points * rowAttributes.descenders,
          words: words.map(({ text, confidence, bbox: { x0, y0, x1, y1 } }) => ({
            text: text.trim(),
            confidence: Math.round(confidence),
            box: [points * x0, points * y0, points * x1, points * y1],
          })),
        })),
      ),
    );
    return { lines, toSeen: seenFrom(upright, angle, quarters) };
  }

  #take(angle: number): void {
    if (this.#api.SetImageFile(1, angle) !== 0) throw new Error('Tesseract does not take the picture.');
  }
}

/** Error for damaged trained data of a language. */
export class DamagedLanguageError extends Error {
  override readonly name = 'DamagedLanguageError';
  /** Tesseract's code of the language. */
  readonly language: string;

  constructor(language: string, cause: unknown) {
    super(`The trained data of ${language} are damaged.`, { cause });
    this.language = language;
  }
}

/** Returns the matrix from points of a picture that was turned upright and leveled to points of the page in it. */
function seenFrom(
  { width, height, dotsPerInch }: DrawnPage,
  angle: number,
  quarters: number,
): RecognizedPage['toSeen'] {
  const points = 72 / dotsPerInch;
  const [midX, midY] = [(points * width) / 2, (points * height) / 2];
  // Leveling turned the page around its middle, which stays the middle in any orientation.
  const back = -angle - (quarters * Math.PI) / 2;
  const [cos, sin] = [Math.cos(back), Math.sin(back)];
  const [seenX, seenY] = quarters % 2 === 0 ? [midX, midY] : [midY, midX];
  return [cos, sin, -sin, cos, seenX - cos * midX + sin * midY, seenY - sin * midX - cos * midY];
}

function sureWords({ lines }: RecognizedPage): number {
  return lines
    .flatMap(({ words }) => words)
    .filter(
      ({ text, confidence }) => confidence >= SURE && /\p{L}/u.test(text) && text.length >= SURE_LETTERS,
    ).length;
}

/** Returns a page without words that were read into dust and pictures. */
function withoutNoise({ lines, toSeen }: RecognizedPage): RecognizedPage {
  const cleaned = lines
    .map((line) => ({
      ...line,
      words: line.words.filter(
        ({ text, confidence }) => text !== '' && confidence >= RECOGNITION_WEIGHTS.least,
      ),
    }))
    .filter(({ words }) => words.length > 0);
  const words = cleaned.flatMap((line) => line.words);
  const letters = words.reduce((sum, { text }) => sum + text.length, 0);
  const sum = words.reduce((total, { text, confidence }) => total + text.length * confidence, 0);
  return { lines: sum < MIN_PAGE_CONFIDENCE * letters ? [] : cleaned, toSeen };
}

/** Returns a picture turned clockwise by a number of quarter turns. */
export function turnPicture(picture: DrawnPage, quarters: number): DrawnPage {
  if (quarters === 0) return picture;
  const { width, height, pixels, dotsPerInch } = picture;
  const isOnSide = quarters % 2 === 1;
  const turnedWidth = isOnSide ? height : width;
  const turnedPixels = new Uint8Array(pixels.length);
  // Target of the first pixel, and the offsets to the next pixel on the right and to the next one below.
  const [first, right, below] = (
    [
      [0, 1, width],
      [height - 1, height, -1],
      [pixels.length - 1, -1, -width],
      [(width - 1) * height, -height, 1],
    ] as const
  )[quarters % 4] ?? [0, 1, width];
  for (let y = 0, from = 0; y < height; y++)
    for (let x = 0, to = first + y * below; x < width; x++, to += right)
      turnedPixels[to] = pixels[from++] ?? 255;
  return { width: turnedWidth, height: isOnSide ? width : height, pixels: turnedPixels, dotsPerInch };
}

/** Scales a picture down by an integer factor. Each pixel is the mean of the pixels that it replaces. */
export function shrinkPicture(picture: DrawnPage, factor: number): DrawnPage {
  const width = Math.floor(picture.width / factor);
  const height = Math.floor(picture.height / factor);
  if (factor === 1 || width === 0 || height === 0) return picture;
  const pixels = new Uint8Array(width * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      let sum = 0;
      for (let dy = 0; dy < factor; dy++) {
        const row = (y * factor + dy) * picture.width + x * factor;
        for (let dx = 0; dx < factor; dx++) sum += picture.pixels[row + dx] ?? 255;
      }
      pixels[y * width + x] = sum / (factor * factor);
    }
  return { width, height, pixels, dotsPerInch: picture.dotsPerInch / factor };
}
