/** Maximum length of a name, in UTF-16 code units. */
const MAX_NAME_LENGTH = 80;

/** Notebook in a list. Times are milliseconds since 1970. */
export interface NotebookEntry {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
  /** Time at which a window last showed it. */
  readonly usedAt: number;
}

/** Returns an entered or stored name on one line; empty if it has no visible characters. */
export function notebookName(words: string): string {
  return words
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_NAME_LENGTH)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trim();
}
