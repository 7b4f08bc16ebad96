// Where the public data lie that benchmarks measure on and weights are fitted on.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.mjs';

/** The set of each folder of the data is told in the README there. The project's own build has them beside the repository. */
const USUAL = join(root, '../shared/benchmarks');

/** The folder of the benchmarks' data, in which each set has a folder of its own; it need not be there. */
export const benchmarks = process.env.OPEN_NOTEBOOK_BENCHMARKS ?? USUAL;

/** A file of a set; undefined, and told, where its folder has none. */
export function benchmarkFile(folder: string, name: string): string | undefined {
  const file = join(folder, name);
  if (existsSync(file)) return file;
  console.error(`${missing(file)} Name their folder with --data or OPEN_NOTEBOOK_BENCHMARKS.`);
  process.exitCode = 1;
  return undefined;
}

/**
 * The folder of the benchmarks' data for a script: its first argument that is no flag, or else the usual one. Where a set
 * of them is not there, that is told and the process ends.
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
