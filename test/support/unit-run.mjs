// Runs the unit tests under Node 24.
//   node unit-run.mjs [FILTER ...]    a filter is a part of a file's name
//
// Files share a few processes, except those with a comment `// Runs in a process of its own: REASON`: files that start or
// end processes, measure memory, or change what all modules share, such as timers and the environment.
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { cores } from './cores.mjs';
import { firstLines } from './parts.mjs';
import { results, root } from './paths.mjs';
import { processorSeconds } from './processor-time.mjs';
import { recordTestCost } from './test-costs.mjs';
import { isEverything } from './test-size.mjs';

/** The limit of a single test, in milliseconds. */
const TEST_TIMEOUT_MS = isEverything ? 3_600_000 : 30_000;
/** Time limit of a file in a shared process, in milliseconds. */
const BATCHED_FILE_TIMEOUT_MS = 8 * TEST_TIMEOUT_MS;

const folder = join(root, 'test', 'unit');
const filters = process.argv.slice(2);
const files = readdirSync(folder)
  .filter((name) => name.endsWith('.test.ts'))
  .filter((name) => filters.length === 0 || filters.some((filter) => name.includes(filter)))
  .map((name) => join(folder, name));
/** @param {RegExp} pattern */
const filesWith = (pattern) => files.filter((file) => pattern.test(readFileSync(file, 'utf8')));
const alone = filesWith(/^\/\/ Runs in a process of its own: /m);
// Team test files have their own batch, as no other files load their modules.
const ofTeams = files.filter((file) => basename(file).startsWith('team') && !alone.includes(file));
const others = files.filter((file) => !alone.includes(file) && !ofTeams.includes(file));
let postgres = filesWith(/\buseTeamServer\(/).length > 0 ? await startTeamServer() : undefined;

/** Files that have reported a test. @type {Set<string>} */
const reported = new Set();
const counts = { passed: 0, failed: 0 };

/** If more files than this fail, there is a cause, and no file is retried. */
const MAX_RETRIED_FILES = 4;

const first = await runFiles([...writeBatches(), ...alone]);
Object.assign(counts, first.counts);
// A process that exits during a batch skips the rest of the batch.
for (const name of files.map((file) => basename(file)).filter((one) => !reported.has(one))) {
  console.error(`${name} reported no test.`);
  counts.failed++;
}
/** @type {import('./parts.mjs').FailedTest[]} */
let flaky = [];
let { failures } = first;
const failedFiles = [...new Set(first.failures.map(({ file }) => file))];
const isRetried =
  failedFiles.length > 0 &&
  failedFiles.length <= MAX_RETRIED_FILES &&
  counts.failed === first.failures.length;
if (isRetried) {
  console.log(`Retrying ${failedFiles.map((file) => basename(file)).join(', ')}`);
  // The shared server still has the logins that these files create, so each starts its own.
  await stopTeamServer();
  const second = await runFiles(failedFiles);
  failures = second.failures;
  const failedAgain = new Set(second.failures.map(({ title }) => title));
  flaky = first.failures.filter(({ title }) => !failedAgain.has(title));
  const total = counts.passed + counts.failed;
  counts.failed = second.counts.failed;
  counts.passed = total - counts.failed;
}
if (counts.failed > 0) process.exitCode = 1;
writeFileSync(join(results, 'unit.json'), JSON.stringify({ ...counts, failures, flaky }));
await stopTeamServer();

/** @typedef {import('./parts.mjs').FailedTest & { file: string }} UnitFailure */

/**
 * Runs test files, and returns the counts and the failed tests.
 * @param {readonly string[]} paths
 * @returns {Promise<{ counts: { passed: number, failed: number }, failures: readonly UnitFailure[] }>}
 */
async function runFiles(paths) {
  let total = { passed: 0, failed: 0 };
  /** @type {UnitFailure[]} */
  const failures = [];
  const events = run({
    // Batches come first, because they take longest.
    files: [...paths],
    // One more than there are cores: some tests wait for seconds.
    concurrency: cores + 1,
    execArgv: [
      `--test-timeout=${String(TEST_TIMEOUT_MS)}`,
      `--import=${new URL('unit-costs.mjs', import.meta.url).href}`,
    ],
  });
  events.on('test:pass', noteReport);
  events.on('test:fail', (test) => {
    noteReport(test);
    const { name, file, line, details } = test;
    if (details.type === 'suite' || file === undefined || !file.endsWith('.test.ts')) return;
    const { cause, message } = details.error;
    const error = firstLines(String(cause instanceof Error ? cause.message : message));
    failures.push({ file, title: `${basename(file)}:${String(line)} ${name}`, error, trace: undefined });
  });
  events.on('test:summary', ({ file, counts: { tests, passed, skipped, todo } }) => {
    // The summary of all files is the one that names no file.
    if (file === undefined) total = { passed, failed: tests - passed - skipped - todo };
  });
  events.compose(new spec()).pipe(process.stdout, { end: false });
  await once(events, 'close');
  return { counts: total, failures };
}

/** @param {{ name: string, file?: string | undefined, nesting: number, details: { type?: string | undefined } }} test */
function noteReport({ name, file, nesting, details }) {
  if (file !== undefined) reported.add(basename(file));
  // A batch has a suite for each of its files.
  if (nesting === 0 && details.type === 'suite') reported.add(name);
}

/** Starts the PostgreSQL that files share. If it can't be started, each of these files tries and reports the reason. */
async function startTeamServer() {
  const { SHARED_SERVER_VARIABLE, startSharedPostgres } = await import('./shared-postgres.ts');
  try {
    const server = await startSharedPostgres();
    process.env[SHARED_SERVER_VARIABLE] = server.administrator;
    return server;
  } catch {
    return undefined;
  }
}

async function stopTeamServer() {
  if (postgres === undefined) return;
  const { SHARED_SERVER_VARIABLE } = await import('./shared-postgres.ts');
  delete process.env[SHARED_SERVER_VARIABLE];
  // Its sessions have ended, so that the server has their time.
  const seconds = processorSeconds(postgres.pid);
  recordTestCost({ tier: 'unit', test: 'PostgreSQL of several files', seconds });
  await postgres.stop();
  postgres = undefined;
}

/** Writes the test files of the batches: one with the files of teams, and one per core with the others. */
function writeBatches() {
  mkdirSync(results, { recursive: true });
  const count = Math.min(cores, others.length);
  const batches = Array.from({ length: count }, (_, number) =>
    others.filter((_file, index) => index % count === number),
  );
  if (ofTeams.length > 0) batches.push(ofTeams);
  return batches.map((batch, number) => {
    const path = join(results, `batch-${String(number + 1)}.mjs`);
    writeFileSync(
      path,
      `import { loadBatch } from ${JSON.stringify(new URL('unit-batch.mjs', import.meta.url).href)};
loadBatch(${JSON.stringify(batch)}, ${String(BATCHED_FILE_TIMEOUT_MS)});
`,
    );
    return path;
  });
}
