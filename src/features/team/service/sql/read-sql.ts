import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the SQL files of this folder as pairs of name and text, in the order of their names. */
export function readSql(): [name: string, text: string][] {
  // The build replaces this function by one with the texts.
  const folder = import.meta.dirname;
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => [name, readFileSync(join(folder, name), 'utf8')]);
}
