// The cost of each test in processor seconds, children included: written by the tiers, read by the runner.
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { results } from './paths.mjs';

/** @typedef {{ tier: string, test: string, seconds: number }} TestCost */

/**
 * Adds the cost of a test to the file of its tier. Processes may write to one file at once.
 * @param {TestCost} cost
 */
export function recordTestCost(cost) {
  mkdirSync(results, { recursive: true });
  appendFileSync(join(results, `cost-${cost.tier}.jsonl`), `${JSON.stringify(cost)}\n`);
}

/** Deletes the records of earlier runs. */
export function clearTestCosts() {
  for (const name of costFiles()) rmSync(join(results, name));
}

/**
 * Returns the most expensive tests of this run, the most expensive first.
 * @param {number} count
 * @returns {TestCost[]}
 */
export function mostExpensiveTests(count) {
  return costFiles()
    .flatMap((name) => readFileSync(join(results, name), 'utf8').split('\n').filter(Boolean))
    .map((line) => /** @type {TestCost} */ (JSON.parse(line)))
    .sort((one, other) => other.seconds - one.seconds)
    .slice(0, count);
}

function costFiles() {
  try {
    return readdirSync(results).filter((name) => /^cost-.*\.jsonl$/.test(name));
  } catch {
    return [];
  }
}
