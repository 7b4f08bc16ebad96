// Running one part of the tests, and counting what passed.
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { results } from './paths.mjs';
import { runProgram } from './run-program.mjs';
import { node24 } from './vscode-server.mjs';

/**
 * @typedef {object} Counts
 * @property {number} passed
 * @property {number} failed
 * @property {string} [output] what was said, where it was not shown at once
 */

/**
 * Runs a checker; the whole of it counts as one.
 * @param {string} script
 * @param {string[]} args
 * @returns {Promise<Counts>}
 */
export async function runCheck(script, args) {
  const { code, output } = await runProgram(process.execPath, [script, ...args]);
  return code === 0 ? { passed: 1, failed: 0, output } : { passed: 0, failed: 1, output };
}

/**
 * Runs tests under Node 24 and reads their counts from the report that they write to test-results/NAME.json.
 * @param {string} name
 * @param {string[]} args
 * @param {boolean} show whether what they say is shown at once
 * @returns {Promise<Counts>}
 */
export async function runTests(name, args, show) {
  mkdirSync(results, { recursive: true });
  const report = join(results, `${name}.json`);
  rmSync(report, { force: true });
  const { code, output } = await runProgram(node24, args, {
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report },
    show,
  });
  const counts = readCounts(report);
  if (!counts)
    throw new Error(`${output}The ${name} tests ended with code ${String(code)} and without a report.`);
  // A run that says that it failed is never counted as passed.
  return { ...counts, failed: code !== 0 && counts.failed === 0 ? 1 : counts.failed, output };
}

/**
 * @param {string} file
 * @returns {Counts | undefined}
 */
function readCounts(file) {
  try {
    const report = JSON.parse(readFileSync(file, 'utf8'));
    // A flaky test passed when it was tried again, which is only done on a build machine: said, and counted as passed.
    const { stats } = report;
    return stats
      ? { passed: stats.expected + stats.flaky, failed: stats.unexpected + report.errors.length }
      : { passed: report.passed, failed: report.failed };
  } catch {
    return undefined;
  }
}
