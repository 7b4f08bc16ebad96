import { readFileSync } from 'node:fs';

/** The values of a file of one a line. */
export function readJsonLines<Value>(file: string): Value[] {
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Value);
}
