/** A name has at most so many UTF-16 code units. */
const LONGEST_NAME = 80;

/** A notebook in a list. Times are milliseconds since 1970. */
export interface NotebookEntry {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
  /** When a window last showed it. */
  readonly usedAt: number;
}

/** What is typed as a name, or found in a file, as a name on one line; empty where nothing in it can be shown. */
export function notebookName(words: string): string {
  return words
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\s]+/gu, ' ')
    .trim()
    .slice(0, LONGEST_NAME)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trim();
}
