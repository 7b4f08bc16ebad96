// Runs one part of the tests, and counts what passed.
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { results } from './paths.mjs';
import { runProgram } from './run-program.mjs';
import { node24 } from './vscode-server.mjs';

/**
 * @typedef {object} Counts
 * @property {number} passed
 * @property {number} failed
 * @property {number} [seconds] processor time, children included
 * @property {readonly FailedTest[]} [failures] tests that failed, as far as the runner names them
 * @property {readonly FailedTest[]} [flaky] tests that failed and passed when they were retried
 * @property {string} [output] what was printed, if it wasn't shown at once
 */

/**
 * @typedef {object} FailedTest
 * @property {string} title file and title
 * @property {string} error the first lines of the first failure
 * @property {string | undefined} trace a file for `npx playwright show-trace`
 */

/**
 * Runs a checker, which counts as one test.
 * @param {string} script
 * @param {string[]} args
 * @param {string} [node]
 * @returns {Promise<Counts>}
 */
export async function runCheck(script, args, node = process.execPath) {
  const { code, output, seconds } = await runProgram(node, [script, ...args]);
  if (code === 0) return { passed: 1, failed: 0, output, seconds };
  const failures = [{ title: basename(script), error: output.trim().slice(-2_000), trace: undefined }];
  return { passed: 0, failed: 1, failures, output, seconds };
}

/**
 * Runs tests under Node 24 and reads their counts from the report that they write to test-results/NAME.json.
 * @param {string} name
 * @param {string[]} args
 * @param {boolean} show whether their output is shown at once
 * @returns {Promise<Counts>}
 */
export async function runTests(name, args, show) {
  mkdirSync(results, { recursive: true });
  const report = join(results, `${name}.json`);
  rmSync(report, { force: true });
  const { code, output, seconds } = await runProgram(node24, args, {
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report },
    show,
  });
  const counts = readCounts(report);
  if (!counts)
    throw new Error(`${output}The ${name} tests ended with code ${String(code)} and without a report.`);
  // A run that reports a failure never counts as passed.
  return { ...counts, failed: code !== 0 && counts.failed === 0 ? 1 : counts.failed, output, seconds };
}

/**
 * @param {string} file
 * @returns {Counts | undefined}
 */
function readCounts(file) {
  try {
    const report = JSON.parse(readFileSync(file, 'utf8'));
    const { stats, passed, failed, failures, flaky } = report;
    if (!stats) return { passed, failed, failures, flaky };
    // A flaky test passed when it was retried. It counts as passed, and the run lists it at its end.
    return {
      passed: stats.expected + stats.flaky,
      failed: stats.unexpected + report.errors.length,
      failures: testsWith('unexpected', report.suites),
      flaky: testsWith('flaky', report.suites),
    };
  } catch {
    return undefined;
  }
}

/**
 * Lists the tests with a status in a report of Playwright's.
 * @param {'unexpected' | 'flaky'} status
 * @param {any[]} suites
 * @returns {FailedTest[]}
 */
function testsWith(status, suites) {
  return suites.flatMap((suite) => [
    ...testsWith(status, suite.suites ?? []),
    ...(suite.specs ?? []).flatMap((/** @type {any} */ spec) =>
      spec.tests
        .filter((/** @type {any} */ test) => test.status === status)
        .map((/** @type {any} */ test) => ({
          title: `${spec.file}:${spec.line} ${spec.title}`,
          error: firstLines(String(test.results[0]?.error?.message ?? '')),
          trace: test.results
            .flatMap((/** @type {any} */ result) => result.attachments)
            .find((/** @type {any} */ attachment) => attachment.name === 'trace')?.path,
        })),
    ),
  ]);
}

/** @param {string} message */
export function firstLines(message) {
  return message.split('\n').slice(0, 8).join('\n');
}
