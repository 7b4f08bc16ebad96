import { writeFileSync } from 'node:fs';
import { VectorIndex } from '../../src/index/search/vectors/vector-index.ts';
import { measureFusion } from './fusion.ts';
import { makePassages } from './made-passages.ts';
import { makeUniformVectors, makeVectors, type GeneratedVectors } from './made-vectors.ts';
import { memoryInUse, measureTime } from './measuring.ts';
import { makeReader } from './memory-limit.ts';
import { printTable, quantile } from './table.ts';
import { HITS, plainScan, vectorEngines, type RunningVectors, type VectorEngine } from './vector-engines.ts';

const COUNTS = [10_000, 50_000];
const DIMENSIONS = [384, 1_536];
/** Number of vectors added at once. */
const BATCH = 500;

/** Time after which a slow engine gets no more questions, in milliseconds, and the minimum number of questions. */
const MAX_WARM_UP_MS = 2_000;
const MAX_QUERY_MS = 10_000;
const MIN_QUERIED = 20;

/** Median and 95th percentile in milliseconds. */
interface Times {
  readonly p50: number;
  readonly p95: number;
}

interface Measured {
  readonly engine: string;
  readonly addedPerSecond: number;
  readonly megabytes: number;
  readonly vector: Times;
  readonly hybrid: Times | undefined;
  /** Share of the ten nearest vectors that were found. */
  readonly recall: number;
}

interface VectorQuestions {
  readonly vectors: GeneratedVectors;
  readonly texts: readonly string[];
  readonly words: readonly string[];
  /** Numbers of the nearest vectors for each question. */
  readonly nearest: readonly (readonly number[])[];
}

async function measure(engine: VectorEngine, dimension: number, asked: VectorQuestions): Promise<Measured> {
  const { rows, questions } = asked.vectors;
  const before = await memoryInUse();
  const running = engine.start(dimension);
  const adding = await measureTime(() => addAll(running, rows, dimension));
  const megabytes = (await memoryInUse()) - before + (running.bytes?.() ?? 0) / 2 ** 20;
  const vector = await measureTimes(questions, (question) => running.search(question));
  let foundCount = 0;
  for (const [i, question] of questions.entries()) {
    const numbers = new Set(await running.search(question));
    foundCount += (asked.nearest[i] ?? []).filter((number) => numbers.has(number)).length;
  }
  const ask = rows.length <= engine.hybridLimit ? await running.hybrid?.(asked.texts) : undefined;
  const hybrid = ask && (await measureTimes(questions, (question, i) => ask(asked.words[i] ?? '', question)));
  return {
    engine: engine.name,
    addedPerSecond: (rows.length / dimension / adding) * 1_000,
    megabytes,
    vector,
    hybrid,
    recall: foundCount / (HITS * questions.length),
  };
}

async function addAll(running: RunningVectors, rows: Float32Array, dimension: number): Promise<void> {
  for (let at = 0; at < rows.length; at += BATCH * dimension)
    await running.add(rows.subarray(at, at + BATCH * dimension), at / dimension + 1);
}

/** Measures each question twice, the first time to warm up. Slow engines get fewer questions. */
async function measureTimes(
  questions: readonly Float32Array[],
  ask: (question: Float32Array, i: number) => unknown,
): Promise<Times> {
  await timeEach(questions, ask, MAX_WARM_UP_MS);
  const times = await timeEach(questions, ask, MAX_QUERY_MS);
  return { p50: quantile(times, 0.5), p95: quantile(times, 0.95) };
}

/** Returns the time of each question, in milliseconds, until the total reaches `most`. Some are always asked. */
async function timeEach(
  questions: readonly Float32Array[],
  ask: (question: Float32Array, i: number) => unknown,
  limit: number,
): Promise<number[]> {
  const times: number[] = [];
  let total = 0;
  for (const [i, question] of questions.entries()) {
    if (total > limit && i >= MIN_QUERIED) break;
    const time = await measureTime(() => ask(question, i));
    times.push(time);
    total += time;
  }
  return times;
}

async function findNearest({ rows, questions }: GeneratedVectors, dimension: number): Promise<number[][]> {
  const running = plainScan.start(dimension);
  await addAll(running, rows, dimension);
  return Promise.all(questions.map(async (question) => running.search(question)));
}

interface Bounds {
  /** Bytes of vectors that a question reads. */
  readonly bytes: number;
  /** Medians, in milliseconds, of reading that much memory and of a question, alternately. */
  readonly reading: number;
  readonly question: number;
}

/** Compares the time of a question with the limit of memory bandwidth, when the data isn't in a cache. */
async function measureBounds(index: VectorIndex, questions: readonly Float32Array[]): Promise<Bounds> {
  for (const question of questions.slice(0, 1)) index.search(question, HITS);
  const { bytes } = index.work;
  const read = await makeReader(bytes);
  const [reading, asking]: [number[], number[]] = [[], []];
  for (const question of [...questions, ...questions]) {
    reading.push(await measureTime(read));
    asking.push(await measureTime(() => index.search(question, HITS)));
  }
  const median = (times: readonly number[]): number => quantile(times.slice(questions.length), 0.5);
  return { bytes, reading: median(reading), question: median(asking) };
}

function makeIndex({ rows }: GeneratedVectors, dimension: number): VectorIndex {
  const index = new VectorIndex(dimension);
  index.add(
    Array.from({ length: rows.length / dimension }, (_, i) => i + 1),
    rows,
  );
  return index;
}

/** Returns the share of the ten nearest vectors found when none is close. */
async function worstRecall(count: number, dimension: number): Promise<number> {
  const vectors = makeUniformVectors(count, dimension);
  const nearest = await findNearest(vectors, dimension);
  const index = makeIndex(vectors, dimension);
  let foundCount = 0;
  for (const [i, question] of vectors.questions.entries())
    foundCount += index.search(question, HITS).filter(({ id }) => nearest[i]?.includes(id)).length;
  return foundCount / (HITS * vectors.questions.length);
}

async function measureCase(count: number, dimension: number): Promise<string[]> {
  const vectors = makeVectors(count, dimension);
  const { texts, questions } = makePassages(count);
  const benchCase = {
    vectors,
    texts,
    words: questions(5, vectors.questions.length),
    nearest: await findNearest(vectors, dimension),
  };
  const bounds = await measureBounds(makeIndex(vectors, dimension), vectors.questions);
  const measured: Measured[] = [];
  for (const engine of vectorEngines) measured.push(await measure(engine, dimension, benchCase));
  const [ours] = measured;
  if (ours === undefined) return [];
  const worst = await worstRecall(count, dimension);

  const times = (figure: number, of: number): string =>
    `${figure.toFixed(2)} ×${(figure / of).toPrecision(2)}`;
  console.log(
    `${count.toLocaleString('en')} vectors of ${dimension.toLocaleString('en')} numbers; milliseconds; × ours`,
  );
  printTable(
    ['', 'added/s', 'MB', 'vector p50', 'p95', 'hybrid p50', 'p95', 'recall@10'],
    measured.map(({ engine, addedPerSecond, megabytes, vector, hybrid, recall }) => [
      engine,
      addedPerSecond.toFixed(0),
      megabytes.toFixed(0),
      times(vector.p50, ours.vector.p50),
      times(vector.p95, ours.vector.p95),
      hybrid ? times(hybrid.p50, ours.hybrid?.p50 ?? NaN) : '',
      hybrid ? times(hybrid.p95, ours.hybrid?.p95 ?? NaN) : '',
      recall.toFixed(3),
    ]),
  );
  const { bytes, reading, question } = bounds;
  console.log(
    `In turns: reading the ${(bytes / 2 ** 20).toFixed(1)} MB of a question and nothing else ${reading.toFixed(2)} ms (${(bytes / reading / 1e6).toFixed(1)} GB/s), a question ${question.toFixed(2)} ms, ×${(question / reading).toFixed(2)}. Recall@10 where vectors lie in all directions alike: ${worst.toFixed(3)}.\n`,
  );
  return measured.map((each) =>
    JSON.stringify({ count, dimension, ...each, ...(each === ours && { bounds, worstRecall: worst }) }),
  );
}

/**
 * Measures vector and hybrid questions, compared with other engines and with the memory bandwidth, in the same run.
 */
export async function measureVectors(out: string | undefined): Promise<void> {
  const lines: string[] = [];
  for (const dimension of DIMENSIONS)
    for (const count of COUNTS) {
      lines.push(...(await measureCase(count, dimension)));
      if (out !== undefined) writeFileSync(out, `${lines.join('\n')}\n`);
    }
  lines.push(...(await measureFusion()));
  if (out !== undefined) writeFileSync(out, `${lines.join('\n')}\n`);
}
