import { PassageIndex } from '../../src/index/search/lexical/passage-index.ts';
import { makePassages, realPassages, type Passages } from './made-passages.ts';
import { memoryInUse, measureTime } from './measuring.ts';
import { engines, type Engine, type Snapshot } from './speed-engines.ts';
import { printTable, quantile } from './table.ts';

/** Number of passages added at once. */
const BATCH = 500;

/** Time after which a slow engine gets no more questions of a kind, in milliseconds. A few are always asked. */
const MAX_QUERY_MS = 3_000;
const MIN_QUERIED = 3;

/** Times in milliseconds. */
interface Measured {
  readonly addedPerSecond: number;
  /** Longest time of one batch. */
  readonly stall: number;
  readonly megabytes: number;
  /** Median and 95th percentile by length of the question. */
  readonly questions: readonly number[];
  readonly snapshot: Snapshot | undefined;
  readonly removal: number | undefined;
}

async function measure(
  engine: Engine,
  texts: readonly string[],
  questionSets: readonly string[][],
): Promise<Measured> {
  const before = await memoryInUse();
  const running = engine.start();
  const batches: number[] = [];
  for (let first = 0; first < texts.length; first += BATCH)
    batches.push(await measureTime(() => running.add(texts.slice(first, first + BATCH), first)));
  const megabytes = (await memoryInUse()) - before;
  const questions: number[] = [];
  for (const group of questionSets) {
    await timeEach(group, (question) => running.search(question));
    const times = await timeEach(group, (question) => running.search(question));
    questions.push(quantile(times, 0.5), quantile(times, 0.95));
  }
  const snapshot = await running.snapshot?.(questionSets[1]?.[0] ?? '', measureTime);
  const { removeSource } = running;
  return {
    addedPerSecond: (texts.length / batches.reduce((sum, time) => sum + time, 0)) * 1_000,
    stall: Math.max(...batches),
    megabytes,
    questions,
    snapshot,
    removal: removeSource && (await measureTime(() => removeSource(texts.length))),
  };
}

/** Returns the time of each question, in milliseconds. */
async function timeEach(questions: readonly string[], ask: (question: string) => unknown): Promise<number[]> {
  const times: number[] = [];
  let total = 0;
  for (const question of questions) {
    if (total > MAX_QUERY_MS && times.length >= MIN_QUERIED) break;
    const time = await measureTime(() => ask(question));
    times.push(time);
    total += time;
  }
  return times;
}

/** Measures quoted phrases, misspelled words, and questions as long as a document. */
async function measureOddQuestions(texts: readonly string[]): Promise<string[][]> {
  const index = PassageIndex.create();
  await index.add(texts.map((terms, i) => ({ id: i + 1, sourceId: 's', terms })));
  const wordsOf = (i: number): string[] => (texts[(i * 797) % texts.length] ?? '').split(' ');
  const numbers = Array.from({ length: 30 }, (_, i) => i);
  const kinds = {
    'a phrase of five words': numbers.map((i) =>
      wordsOf(i)
        .slice(i, i + 5)
        .join(' '),
    ),
    'a misspelt word': numbers.map((i) => wordsOf(i)[i]?.replace(/^(...)/, '$1zq') ?? ''),
    '2,000 words': numbers.map((i) => {
      const words: string[] = [];
      for (let next = i; words.length < 2_000; next++) words.push(...wordsOf(next));
      return words.slice(0, 2_000).join(' ');
    }),
  };
  const rows: string[][] = [];
  for (const [kind, questions] of Object.entries(kinds)) {
    const phrased = kind.includes('phrase');
    const times: number[] = [];
    for (const question of [...questions, ...questions])
      times.push(
        await measureTime(() =>
          index.search(question, { limit: 60, ...(phrased && { phrases: [question] }) }),
        ),
      );
    const questionTimes = times.slice(questions.length);
    rows.push([kind, ...[0.5, 0.95, 1].map((share) => quantile(questionTimes, share).toFixed(1))]);
  }
  return rows;
}

/**
 * Measures adding, memory, questions, removal, and snapshots, compared with other engines in the same run: with
 * generated words, and with the real texts of a folder.
 */
export async function measureSpeed(folder: string): Promise<void> {
  for (const count of [1_000, 10_000, 50_000, 100_000, 200_000]) {
    await measureEngines(count, 'made words', makePassages(count));
    if (count === 200_000) continue;
    const real = realPassages(count, folder);
    if (real === undefined)
      console.log(`There are no Markdown files in ${folder}, so real text is not measured.`);
    else await measureEngines(count, 'real text', real);
  }
}

async function measureEngines(count: number, kind: string, { texts, questions }: Passages): Promise<void> {
  const questionSets = [1, 5, 15].map((words) => questions(words));
  const building: string[][] = [];
  const asking: string[][] = [];
  let ours: Measured | undefined;
  for (const engine of engines.filter(({ limit }) => count <= limit)) {
    const measured = await measure(engine, texts, questionSets);
    ours ??= measured;
    const { addedPerSecond, stall, megabytes, snapshot, removal } = measured;
    const times = (figure: number, of: number): string => `×${(figure / of).toPrecision(2)}`;
    building.push([
      engine.name,
      `${addedPerSecond.toFixed(0)} ${times(addedPerSecond, ours.addedPerSecond)}`,
      stall.toFixed(0),
      // The memory of SQLite isn't on the heap.
      engine.name.startsWith('SQLite') ? '' : `${megabytes.toFixed(0)} ${times(megabytes, ours.megabytes)}`,
      removal?.toFixed(0) ?? '',
      snapshot === undefined ? '' : (snapshot.bytes / 2 ** 20).toFixed(1),
      snapshot?.write.toFixed(0) ?? '',
      snapshot?.read.toFixed(0) ?? '',
    ]);
    const { questions: base } = ours;
    asking.push([
      engine.name,
      ...measured.questions.map((time, i) => `${time.toFixed(2)} ${times(time, base[i] ?? NaN)}`),
    ]);
  }
  console.log(
    `${count.toLocaleString('en')} passages of ${kind}, about 1,200 characters each, ${String(BATCH)} a batch; milliseconds; × ours`,
  );
  printTable(
    [
      '',
      'added/s',
      'longest batch',
      'heap MB',
      'removing a tenth',
      'snapshot MB',
      'write',
      'reopen to answer',
    ],
    building,
  );
  printTable(['ours alone', 'p50', 'p95', 'longest'], await measureOddQuestions(texts));
  printTable(['a question', '1 word p50', 'p95', '5 words p50', 'p95', '15 words p50', 'p95'], asking);
}
