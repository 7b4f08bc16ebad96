import { streamPassages, streamRealPassages, type PassageStream } from './made-passages.ts';
import { measureProcessorTime, memoryInUse } from './measuring.ts';
import { engines, type Engine, type Running } from './speed-engines.ts';
import { printTable, quantile } from './table.ts';

const SIZES = [10_000, 100_000, 1_000_000];
const BATCH = 500;
const WORDS = [1, 5, 15];
const QUESTIONS = 60;
/** Number of hits, and the one that the search for excerpts may need. */
const LIMITS = [10, 256];

/** Number of times that passages are removed, one percent in all, with a question after each. */
const REMOVALS = 100;

/** Processor time after which a slow engine gets no more questions of a kind, in milliseconds. A few are always asked. */
const MAX_QUERY_MS = 20_000;
const MIN_QUERIED = 5;

/** Processor time after which a slow engine isn't filled any further and isn't measured, in milliseconds. */
const MAX_FILL_MS = 240_000;

/** Cell of a size that an engine isn't measured at. */
const NOT_RUN = 'not run';

/** Figures of an engine by the name of their row. */
type Figures = Map<string, number>;

/**
 * Measures how the cost grows up to `most` passages, compared with other engines in the same run, in processor time.
 * Prints each figure with its exponent: 1 is as fast as the number of passages, 0 is no growth.
 */
export async function measureGrowth(most: number, folder: string): Promise<void> {
  const sizes = [...new Set([...SIZES.filter((size) => size < most), most])];
  await measureKind('made words', sizes, streamPassages);
  if (streamRealPassages(1, folder) === undefined)
    console.log(`There are no Markdown files in ${folder}, so real text is not measured.`);
  else
    await measureKind(
      'real text',
      sizes,
      (count) => streamRealPassages(count, folder) ?? streamPassages(count),
    );
}

async function measureKind(
  kind: string,
  sizes: readonly number[],
  stream: (count: number) => PassageStream,
): Promise<void> {
  const bySize: ReadonlyMap<string, Figures>[] = [];
  for (const size of sizes) bySize.push(await measureSize(size, () => stream(size)));
  console.log(`Passages of ${kind}, about 1,200 characters each; processor time in milliseconds`);
  const names = [...(bySize[0]?.keys() ?? [])];
  printTable(
    ['', ...sizes.map((size) => size.toLocaleString('en')), 'exponent'],
    names.flatMap((name) => [
      [name],
      ...[...(bySize[0]?.get(name)?.keys() ?? [])].map((row) => {
        const figures = bySize.map((engines) => engines.get(name)?.get(row));
        const cells = figures.map((figure) => (figure === undefined ? NOT_RUN : figure.toPrecision(3)));
        return [`  ${row}`, ...cells, exponentOf(sizes, figures)];
      }),
    ]),
  );
  const limited = engines.filter(({ limit }) => limit < Math.max(...sizes));
  for (const { name, limit } of limited)
    console.log(
      `${name} holds its index in memory as objects, so it runs up to ${limit.toLocaleString('en')}.`,
    );
  console.log('Tantivy isn’t measured: no package of the npm registry has it as WebAssembly.');
}

/** Returns the exponent between the first and the last measured size. */
export function exponentOf(sizes: readonly number[], figures: readonly (number | undefined)[]): string {
  const last = figures.findLastIndex((figure) => figure !== undefined);
  const [from, to] = [figures[0], figures[last]];
  if (last < 1 || from === undefined || to === undefined) return '';
  return (Math.log(to / from) / Math.log((sizes[last] ?? 1) / (sizes[0] ?? 1))).toFixed(2);
}

async function measureSize(size: number, stream: () => PassageStream): Promise<ReadonlyMap<string, Figures>> {
  const figures = new Map<string, Figures>();
  const filled = new Map<string, Running>();
  const { next, questions } = stream();
  // Questions are about passages that the stream has passed.
  while (next(BATCH).length > 0);
  for (const engine of engines.filter(({ limit }) => size <= limit)) {
    const { running, building } = await fill(engine, stream());
    if (building === undefined) {
      console.log(
        `${engine.name} isn’t measured with ${size.toLocaleString('en')} passages: adding them takes over ${String(MAX_FILL_MS / 60_000)} minutes.`,
      );
      continue;
    }
    // Measured before the next engine is filled, whose garbage collection would count.
    await measureChanges(running, size, questions, building);
    filled.set(engine.name, running);
    figures.set(engine.name, building);
  }
  for (const words of WORDS) {
    const sample = questions(words, QUESTIONS);
    for (const limit of LIMITS) {
      const times = await askInTurns(filled, sample, limit);
      const name = `${String(words)} ${words === 1 ? 'word' : 'words'}, ${String(limit)} hits`;
      for (const [engine, all] of times) {
        figures.get(engine)?.set(`${name}, p50`, quantile(all, 0.5));
        figures.get(engine)?.set(`${name}, p95`, quantile(all, 0.95));
      }
    }
  }
  for (const [engine, { removeSource }] of filled)
    if (removeSource !== undefined)
      figures.get(engine)?.set('removing a tenth', await measureProcessorTime(() => removeSource(size)));
  return figures;
}

/** Measures a snapshot, and questions while passages are removed. */
async function measureChanges(
  running: Running,
  size: number,
  questions: PassageStream['questions'],
  figures: Figures,
): Promise<void> {
  const { snapshot, remove } = running;
  const [question = ''] = questions(5, 1);
  const saved = await snapshot?.(question, measureProcessorTime);
  if (saved !== undefined) {
    figures.set('snapshot, MB', saved.bytes / 2 ** 20);
    figures.set('snapshot, writing', saved.write);
    figures.set('reopening to first answer', saved.read);
  }
  if (remove !== undefined) {
    const times = await askWhileRemoving(running, remove, size, questions(15, REMOVALS));
    figures.set('15 words while removing 1 %, longest', Math.max(...times));
  }
}

/** Adds all passages to an engine. Without figures if that takes too long. */
async function fill(
  engine: Engine,
  { next }: PassageStream,
): Promise<{ readonly running: Running; readonly building: Figures | undefined }> {
  const before = await memoryInUse();
  const running = engine.start();
  let adding = 0;
  let count = 0;
  for (let texts = next(BATCH); texts.length > 0; texts = next(BATCH)) {
    const first = count;
    const added = texts;
    adding += await measureProcessorTime(() => running.add(added, first));
    count += texts.length;
    if (adding > MAX_FILL_MS) return { running, building: undefined };
  }
  const figures: Figures = new Map([['adding 1,000', adding / (count / 1_000)]]);
  // The memory of SQLite isn't on the heap.
  if (!engine.name.startsWith('SQLite')) figures.set('memory, MB', (await memoryInUse()) - before);
  return { running, building: figures };
}

/** Asks each question of all engines, one after another, so that a loaded machine slows all of them. */
async function askInTurns(
  filled: ReadonlyMap<string, Running>,
  questions: readonly string[],
  limit: number,
): Promise<ReadonlyMap<string, number[]>> {
  const times = new Map(Array.from(filled.keys(), (name) => [name, [] as number[]]));
  for (const running of filled.values())
    for (const question of questions.slice(0, MIN_QUERIED)) await running.search(question, limit);
  for (const question of questions)
    for (const [name, running] of filled) {
      const all = times.get(name) ?? [];
      const total = all.reduce((sum, time) => sum + time, 0);
      if (all.length >= MIN_QUERIED && total > MAX_QUERY_MS) continue;
      all.push(await measureProcessorTime(() => running.search(question, limit)));
    }
  return times;
}

/** Removes evenly spread passages, and asks a question after each removal. Returns the times of the questions. */
async function askWhileRemoving(
  running: Running,
  remove: NonNullable<Running['remove']>,
  size: number,
  questions: readonly string[],
): Promise<number[]> {
  const times: number[] = [];
  let total = 0;
  for (const [i, question] of questions.entries()) {
    if (total > MAX_QUERY_MS && times.length >= MIN_QUERIED) break;
    const count = size / (100 * REMOVALS);
    // None of these is in the source that is removed later.
    await remove(Array.from({ length: count }, (_, step) => 100 * (i + step * REMOVALS) + 1));
    const time = await measureProcessorTime(() => running.search(question));
    times.push(time);
    total += time;
  }
  return times;
}
