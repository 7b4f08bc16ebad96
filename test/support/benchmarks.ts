// Finds the public data that benchmarks measure and weights are fitted with.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.mjs';

/** Default folder of the data. Its README describes the set in each folder. */
const USUAL = join(root, '../shared/benchmarks');

/** Folder of the benchmark data, with a folder for each set. It may be missing. */
export const benchmarks = process.env.OPEN_NOTEBOOK_BENCHMARKS ?? USUAL;

/** Returns a file of a set; undefined, with a message, if its folder doesn't contain it. */
export function benchmarkFile(folder: string, name: string): string | undefined {
  const file = join(folder, name);
  if (existsSync(file)) return file;
  console.error(`${missing(file)} Name their folder with --data or OPEN_NOTEBOOK_BENCHMARKS.`);
  process.exitCode = 1;
  return undefined;
}

/**
 * Returns the folder of the benchmark data for a script: its first argument that isn't a flag, or else the default.
 * Ends the process with a message if a set is missing.
 */
export function benchmarksFor(script: readonly string[], sets: readonly string[]): string {
  const folder = script.slice(2).find((argument) => !argument.startsWith('--')) ?? benchmarks;
  const absent = sets.map((name) => join(folder, name)).find((path) => !existsSync(path));
  if (absent === undefined) return folder;
  console.error(`${missing(absent)} Name their folder as an argument or with OPEN_NOTEBOOK_BENCHMARKS.`);
  process.exit(1);
}

function missing(path: string): string {
  return `The benchmarks' data are missing: there is no ${path}.`;
}
