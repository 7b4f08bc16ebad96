import { writeFileSync } from 'node:fs';
import { BestHits } from '../../src/index/search/lexical/best-hits.ts';
import { createKernel } from '../../src/index/search/vectors/simd-kernel.ts';
import { VectorIndex } from '../../src/index/search/vectors/vector-index.ts';
import type { NearPassage } from '../../src/index/search/vectors/passage-vectors.ts';
import type { Within } from '../../src/index/store/sources/sources-api.ts';
import { exponentOf } from './growth.ts';
import { streamRealPassages } from './made-passages.ts';
import {
  gaussian,
  makeUniformVectors,
  makeVectors,
  randomNumbers,
  type GeneratedVectors,
} from './made-vectors.ts';
import { measureProcessorTime, memoryInUse } from './measuring.ts';
import { SET_ID, sourceIdOf, storeVectors } from './stored-vectors.ts';
import { printTable, quantile } from './table.ts';
import { vectorEngines } from './vector-engines.ts';

const SIZES = [10_000, 100_000, 1_000_000];
const DIMENSION = 384;
const OTHER_DIMENSIONS = [256, 768, 1_024, 1_536];
/** Number of vectors of the other dimensions, which must fit into memory as 32-bit numbers. */
const MAX_OTHER_SIZE = 50_000;
/** Maximum number of vectors for Orama, which stores each number in eight bytes or more. */
const MAX_ORAMA_SIZE = 10_000;
const HITS = 10;
const QUESTIONS = 40;
/** Number of sources, in order of the vectors. The scopes are the first source and the first ten. */
const SOURCES = 100;
const BATCH = 500;
/** Number of changes between questions. */
const CHANGED_A_TURN = 64;
/** Length of the start of a text that is embedded, in UTF-16 code units. */
const EMBEDDED_LENGTH = 200;
/** Share of a text's words at which a word has half the weight of a rare one. */
const WORD_WEIGHT = 1e-3;

type Figures = Map<string, number>;

interface VectorCase {
  readonly kind: string;
  readonly maxSize: number;
  readonly make: (count: number, dimension: number) => GeneratedVectors | undefined;
}

/**
 * Measures how the cost of vectors grows up to `most`, in processor time, with an exact scan and Orama in the same run,
 * and the share of the ten nearest that are found, also in scopes and other dimensions.
 */
export async function measureVectorGrowth(
  most: number,
  folder: string,
  out: string | undefined,
): Promise<void> {
  const sizes = [...new Set([...SIZES.filter((size) => size < most), most])];
  const cases: readonly VectorCase[] = [
    { kind: 'clusters', maxSize: Infinity, make: makeVectors },
    {
      kind: 'real text',
      maxSize: Infinity,
      make: (count, dimension) => makeTextVectors(count, dimension, folder),
    },
    // The worst case for rough scores, which no model is like.
    { kind: 'all directions', maxSize: MAX_OTHER_SIZE, make: makeUniformVectors },
  ];
  const lines: string[] = [];
  for (const { kind, maxSize, make } of cases) {
    const sizesOfKind = [...new Set(sizes.map((size) => Math.min(size, maxSize)))];
    const bySize: Figures[] = [];
    for (const size of sizesOfKind) {
      const vectors = make(size, DIMENSION);
      if (vectors === undefined) break;
      const figures = await measureSize(vectors, DIMENSION);
      bySize.push(figures);
      lines.push(JSON.stringify({ kind, size, dimension: DIMENSION, ...Object.fromEntries(figures) }));
      if (out !== undefined) writeFileSync(out, `${lines.join('\n')}\n`);
    }
    printGrowth(kind, sizesOfKind, bySize);
    const others: (readonly [number, Figures])[] = [];
    for (const dimension of OTHER_DIMENSIONS) {
      const vectors = make(Math.min(most, MAX_OTHER_SIZE), dimension);
      if (vectors === undefined) break;
      const figures = await measureSize(vectors, dimension);
      others.push([dimension, figures]);
      lines.push(JSON.stringify({ kind, dimension, ...Object.fromEntries(figures) }));
      if (out !== undefined) writeFileSync(out, `${lines.join('\n')}\n`);
    }
    printDimensions(kind, Math.min(most, MAX_OTHER_SIZE), others);
  }
}

function printGrowth(kind: string, sizes: readonly number[], bySize: readonly Figures[]): void {
  if (bySize.length === 0) return;
  console.log(`Vectors of ${kind}, ${String(DIMENSION)} numbers; processor time in milliseconds`);
  printTable(
    ['', ...sizes.map((size) => size.toLocaleString('en')), 'exponent'],
    [...(bySize[0]?.keys() ?? [])].map((row) => {
      const figures = bySize.map((each) => each.get(row));
      const isTimes = !row.includes('recall') && !row.includes('longest');
      return [row, ...figures.map(formatFigure), isTimes ? exponentOf(sizes, figures) : ''];
    }),
  );
}

function printDimensions(kind: string, size: number, others: readonly (readonly [number, Figures])[]): void {
  if (others.length === 0) return;
  console.log(`${size.toLocaleString('en')} vectors of ${kind} by their dimension`);
  printTable(
    ['', ...others.map(([dimension]) => dimension.toLocaleString('en'))],
    [...(others[0]?.[1].keys() ?? [])].map((row) => [
      row,
      ...others.map(([, figures]) => formatFigure(figures.get(row))),
    ]),
  );
}

function formatFigure(figure: number | undefined): string {
  return figure === undefined ? '' : figure.toPrecision(3);
}

async function measureSize({ rows, questions }: GeneratedVectors, dimension: number): Promise<Figures> {
  const count = rows.length / dimension;
  const sample = questions.slice(0, QUESTIONS);
  const sourceOf = (row: number): number => Math.floor((row * SOURCES) / count);
  const figures: Figures = new Map();
  const before = await memoryInUse();
  const kernel = createKernel();
  const index = new VectorIndex(dimension, kernel);
  const addRows = (first: number, last: number): void => {
    const ids = Array.from({ length: last - first }, (_, i) => first + i + 1);
    index.add(
      ids,
      rows.subarray(first * dimension, last * dimension),
      ids.map((id) => sourceOf(id - 1)),
    );
  };
  const adding = await measureProcessorTime(() => {
    for (let first = 0; first < count; first += BATCH) addRows(first, Math.min(count, first + BATCH));
  });
  figures.set('adding 1,000', adding / (count / 1_000));
  figures.set('memory, MB', (await memoryInUse()) - before + kernel.buffer.byteLength / 2 ** 20);
  // The index is built again from the database, as when a notebook opens.
  const stored = await storeVectors(rows, dimension, SOURCES, sourceOf);
  figures.set('loading 1,000', (await measureProcessorTime(() => stored.vectors.load())) / (count / 1_000));
  const scopes = [
    ['', SOURCES],
    [', 10 % of sources', SOURCES / 10],
    [', 1 % of sources', SOURCES / 100],
  ] as const;
  for (const [name, sources] of scopes) {
    const within: Within | undefined =
      sources === SOURCES
        ? undefined
        : { kind: 'sources', sourceIds: Array.from({ length: sources }, (_, source) => sourceIdOf(source)) };
    const search = (question: Float32Array): readonly NearPassage[] =>
      stored.vectors.search({ setId: SET_ID, values: question }, HITS, within);
    const times: number[] = [];
    const exactTimes: number[] = [];
    let hits = 0;
    for (const question of sample) search(question);
    for (const question of sample) {
      times.push(await measureProcessorTime(() => search(question)));
      const ids = new Set(search(question).map(({ id }) => id));
      let nearest: number[] = [];
      exactTimes.push(
        await measureProcessorTime(() => {
          nearest = scanExactly(rows, question, Math.floor((count * sources) / SOURCES));
        }),
      );
      hits += nearest.filter((id) => ids.has(id)).length;
    }
    figures.set(`question${name}, p50`, quantile(times, 0.5));
    figures.set(`question${name}, p95`, quantile(times, 0.95));
    figures.set(`exact scan${name}, p50`, quantile(exactTimes, 0.5));
    figures.set(`recall@10${name}`, hits / (HITS * sample.length));
  }
  stored.close();
  const { longest, processorTime } = await changeBetweenQuestions(index, sample, count, addRows);
  figures.set('changing 1 %, all', processorTime);
  figures.set('changing 1 %, longest wait', longest);
  const orama = vectorEngines.find(({ name }) => name.startsWith('Orama'));
  if (orama !== undefined && count <= MAX_ORAMA_SIZE) {
    const running = orama.start(dimension);
    await running.add(rows, 1);
    const times: number[] = [];
    for (const question of sample) times.push(await measureProcessorTime(() => running.search(question)));
    figures.set('Orama, p50', quantile(times, 0.5));
  }
  return figures;
}

/**
 * Removes and adds a hundredth of the vectors, with a question after each turn. Returns the longest time of a turn and a
 * question together, in processor time, and the time of all changes.
 */
async function changeBetweenQuestions(
  index: VectorIndex,
  questions: readonly Float32Array[],
  count: number,
  addRows: (first: number, last: number) => void,
): Promise<{ readonly longest: number; readonly processorTime: number }> {
  let [longest, processorTime] = [0, 0];
  for (let turn = 0; turn * CHANGED_A_TURN < count / 100; turn++) {
    // Half in whole, as with a removed document, and half spread over all.
    const first = turn * CHANGED_A_TURN;
    const ids = Array.from({ length: CHANGED_A_TURN }, (_, i) =>
      turn % 2 === 0 ? first + i + 1 : 1 + (((first + i) * 7_919) % count),
    );
    const changing = await measureProcessorTime(() => {
      index.remove(ids);
      if (turn % 2 === 0) addRows(first, first + CHANGED_A_TURN);
    });
    const asking = await measureProcessorTime(() => {
      index.search(questions[turn % questions.length] ?? new Float32Array(), HITS);
    });
    processorTime += changing;
    longest = Math.max(longest, changing + asking);
  }
  return { longest, processorTime };
}

/** Returns the IDs of the nearest of the first `count` vectors of length one. */
function scanExactly(rows: Float32Array, question: Float32Array, count: number): number[] {
  const dimension = question.length;
  const best = new BestHits(HITS);
  for (let row = 0, at = 0; row < count; row++) {
    let product = 0;
    for (let i = 0; i < dimension; i++, at++) product += (question[i] ?? 0) * (rows[at] ?? 0);
    best.offer(row + 1, product);
  }
  return best.sortHits().map(([id]) => id);
}

/**
 * Returns vectors of real sentences, as a static embedding model without training makes them: a random vector for each
 * word, weighted by rareness. Questions are words of some texts. Undefined if the folder has no texts.
 */
function makeTextVectors(count: number, dimension: number, folder: string): GeneratedVectors | undefined {
  const stream = streamRealPassages(count, folder);
  if (stream === undefined) return undefined;
  const random = randomNumbers(dimension);
  const words = new Map<string, { readonly vector: Float32Array; uses: number }>();
  let total = 0;
  const embed = (text: string): Float32Array => {
    const sum = new Float32Array(dimension);
    for (const name of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
      let word = words.get(name);
      if (word === undefined) {
        word = { vector: Float32Array.from({ length: dimension }, () => gaussian(random)), uses: 0 };
        words.set(name, word);
      }
      word.uses++;
      total++;
      const weight = WORD_WEIGHT / (WORD_WEIGHT + word.uses / total);
      for (let i = 0; i < dimension; i++) sum[i] = (sum[i] ?? 0) + weight * (word.vector[i] ?? 0);
    }
    let squares = 0;
    for (const value of sum) squares += value * value;
    const length = Math.sqrt(squares) || 1;
    return sum.map((value) => value / length);
  };
  const rows = new Float32Array(count * dimension);
  let row = 0;
  for (let texts = stream.next(BATCH); texts.length > 0; texts = stream.next(BATCH))
    for (const text of texts) rows.set(embed(text.slice(0, EMBEDDED_LENGTH)), row++ * dimension);
  return { rows, questions: stream.questions(15, QUESTIONS).map(embed) };
}
