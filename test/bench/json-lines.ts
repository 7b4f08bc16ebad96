import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The values of a file of one a line. */
export function readJsonLines<Value>(file: string): Value[] {
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Value);
}

/** The file of a benchmark's questions; undefined, and told, where its folder has none. */
export function questionsFile(data: string): string | undefined {
  const file = join(data, 'questions.jsonl');
  if (existsSync(file)) return file;
  console.error(
    `The questions are missing: ${file}. Name their folder with --data or OPEN_NOTEBOOK_BENCHMARKS.`,
  );
  process.exitCode = 1;
  return undefined;
}
