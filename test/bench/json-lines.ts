import { readFileSync } from 'node:fs';

/** Returns the values of a file with one JSON value per line. */
export function readJsonLines<Value>(file: string): Value[] {
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Value);
}
