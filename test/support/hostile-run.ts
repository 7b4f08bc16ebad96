import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { slowness } from './slowness.ts';
import { hostileKinds } from './hostile-texts.ts';
import { isEverything } from './test-size.mjs';
import { TIMEOUT_MS } from './until.ts';
import type { HostileRequest, HostileStep } from './hostile-work.ts';

const script = fileURLToPath(new URL('hostile-work.ts', import.meta.url));

/** Number of parts, which keeps each test far below its time limit. */
const HOSTILE_PARTS = 6;

const SECOND = 1_000 * slowness();

/** Processor time of a step, in milliseconds; Infinity if it was ended or crashed the process. */
type HostileTime = Required<HostileStep>;

/** Limits beyond which a step is too slow. */
interface Limit {
  /** Length of the texts, in UTF-16 code units. */
  readonly length: number;
  /** Maximum processor time, in milliseconds. */
  readonly most: number;
  /** Maximum growth for twice the text: linear time doubles, and quadratic time quadruples. */
  readonly growth: number;
}

const LIMIT: Limit = isEverything
  ? { length: 100_000, most: SECOND, growth: 3 }
  : { length: 20_000, most: 0.5 * SECOND, growth: 3 };

/**
 * Cheap limit that finds suspicious steps. It is just over 50,000, where some steps begin to truncate their input, and
 * scales with the cube of the length, as few slow steps grow less. Shorter texts still reveal hangs and cubic growth.
 */
const SIEVE: Limit = isEverything
  ? { length: 52_000, most: SECOND * 0.52 ** 3, growth: 2.5 }
  : { length: 2_000, most: 0.05 * SECOND, growth: 2.5 };

/**
 * Returns the steps that are too slow on hostile texts: those that don't end, or that twice in a row exceed the
 * processor time of LIMIT and take more than three times as long as on half the text. Repeating them excludes slow or
 * busy machines. Only steps beyond SIEVE are measured at the length of LIMIT.
 */
async function slowSteps(kinds: readonly string[], signal: AbortSignal): Promise<string[]> {
  const suspects = await findSlow(new Map(kinds.map((kind) => [kind, []])), SIEVE, signal);
  const slow = await findSlow(groupByKind(suspects), LIMIT, signal);
  const again = await findSlow(groupByKind(slow), LIMIT, signal);
  return again
    .filter((one) => slow.some(({ kind, step }) => one.kind === kind && one.step === step))
    .map(({ kind, step, time }) => `${step} of ${kind}: ${String(Math.round(time))} ms`);
}

/** Defines tests that no step is slow on hostile texts of a group, one for each part of its kinds. */
export function testHostileKinds(title: string, group: Parameters<typeof hostileKinds>[0]): void {
  const kinds = hostileKinds(group);
  const size = Math.ceil(kinds.length / HOSTILE_PARTS);
  after(endWorker);
  for (let part = 0; part < HOSTILE_PARTS; part++)
    test(`${title} (${String(part + 1)} of ${String(HOSTILE_PARTS)})`, async ({ signal }) => {
      assert.deepEqual(await slowSteps(kinds.slice(part * size, (part + 1) * size), signal), []);
    });
}

/** Steps to measure by kind of text; all steps if none is listed. */
type Work = ReadonlyMap<string, readonly string[]>;

function groupByKind(steps: readonly HostileStep[]): Work {
  const byKind = Map.groupBy(steps, ({ kind }) => kind);
  return new Map(Array.from(byKind, ([kind, all]) => [kind, all.map(({ step }) => step)]));
}

async function findSlow(
  work: Work,
  { length, most, growth }: Limit,
  signal: AbortSignal,
): Promise<HostileTime[]> {
  const slow: HostileTime[] = [];
  const over = (await measureTimes(length, work, signal)).filter(({ time }) => time > most);
  const halves = await measureTimes(length / 2, groupByKind(over), signal);
  for (const each of over) {
    const same = halves.filter(({ kind, step }) => kind === each.kind && step === each.step);
    const half = Math.max(...same.map(({ time }) => time), 1);
    if (each.time === Infinity || each.time > growth * half) slow.push(each);
  }
  return slow;
}

/** Measures the steps on hostile texts in another process, and starts a new one after a step that hangs. */
async function measureTimes(length: number, work: Work, signal: AbortSignal): Promise<HostileTime[]> {
  const times: HostileTime[] = [];
  for (let left = [...work]; left.length > 0;) {
    const stuck = await run({ length, work: left }, times, signal);
    if (stuck === undefined) return times;
    times.push({ ...stuck, time: Infinity });
    left = left.slice(left.findIndex(([kind]) => kind === stuck.kind) + 1);
  }
  return times;
}

type Worker = ReturnType<typeof startWorker>;

/** All tests of a file share one worker, because loading its modules takes longer than most of its work. */
let worker: Worker | undefined;

function startWorker() {
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
  // The process may end before it has read everything.
  child.stdin.on('error', () => undefined);
  return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
}

async function endWorker(): Promise<void> {
  if (worker === undefined) return;
  const { child } = worker;
  worker = undefined;
  child.stdin.end();
  await hasEnded(child);
}

/** @returns the step that did not end */
async function run(
  request: HostileRequest,
  times: HostileTime[],
  signal: AbortSignal,
): Promise<HostileStep | undefined> {
  // A worker that starts after its test has ended would keep the test process alive.
  signal.throwIfAborted();
  const { child, lines } = (worker ??= startWorker());
  const kill = (): void => {
    child.kill('SIGKILL');
  };
  signal.addEventListener('abort', kill, { once: true });
  child.stdin.write(`${JSON.stringify(request)}\n`);
  let current: HostileStep | undefined;
  let watch = setTimeout(() => undefined, 0);
  for (let line = await lines.next(); line.done !== true; line = await lines.next()) {
    clearTimeout(watch);
    if (line.value === '') {
      signal.removeEventListener('abort', kill);
      return undefined;
    }
    const { kind, step, time } = JSON.parse(line.value) as HostileStep;
    current = time === undefined ? { kind, step } : undefined;
    if (time === undefined) watch = setTimeout(kill, TIMEOUT_MS);
    else times.push({ kind, step, time });
  }
  clearTimeout(watch);
  signal.removeEventListener('abort', kill);
  worker = undefined;
  await hasEnded(child);
  if (current === undefined)
    throw new Error(`The work on hostile texts ended with code ${String(child.exitCode)}.`);
  return current;
}

async function hasEnded(child: Worker['child']): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}
