import type { GlobalSearchHit } from './global-search-api.ts';

/* Rows that the search across notebooks finds, and the words in them. */

/** Maximum length of the excerpt around the first match, in UTF-16 code units. */
export const MAX_EXCERPT_LENGTH = 160;

/** Values of a row: its number, stamp, time, title, and columns of its kind. */
export type ResultRow = readonly unknown[];

/** Statements for a kind of searchable rows: they list the numbers, list the numbers with stamps, and read the rows. */
export interface SearchedRows {
  readonly numbers: string;
  readonly stamps: string;
  readonly read: string;
  /** Returns the hits of a row that contains all words. */
  readonly hitsOf: (
    row: ResultRow,
    searchWords: readonly string[],
  ) => readonly (Omit<GlobalSearchHit, 'excerpt' | 'score'> & Partial<Pick<GlobalSearchHit, 'excerpt'>>)[];
  readonly readText: (row: ResultRow) => string;
  /** Number of rows per read, and maximum total length of their texts, in UTF-16 code units. */
  readonly piece?: number;
  readonly maxLength?: number;
}

/** Returns the statements for a table, which has the alias `n`. */
export function readingStatements(
  table: string,
  from: string,
  stamp: string,
  columns: string,
): Pick<SearchedRows, 'numbers' | 'read' | 'stamps'> {
  return {
    numbers: `SELECT rowid FROM ${table}`,
    stamps: `SELECT n.rowid, ${stamp} FROM ${from}`,
    read: `SELECT n.rowid, ${stamp}, ${columns} FROM ${from} WHERE n.rowid IN (SELECT value FROM json_each(?))`,
  };
}

/** Returns a text in lower case. Offsets stay the same: a text that would change its length keeps its case. */
export function foldText(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text;
}

/** Returns the text around the first matching word, on one line. */
export function cutExcerpt(text: string, searchWords: readonly string[]): string {
  return excerptAt(text, Math.max(0, firstPlace(foldText(text), searchWords)));
}

/** Returns the first position of any of the words in a folded text; -1 if there is none. */
export function firstPlace(text: string, searchWords: readonly string[]): number {
  const places = searchWords.map((word) => text.indexOf(word)).filter((at) => at >= 0);
  return places.length > 0 ? Math.min(...places) : -1;
}

/** Returns the text around an offset, on one line. */
export function excerptAt(text: string, at: number): string {
  const start = Math.max(0, at - MAX_EXCERPT_LENGTH / 4);
  const end = start + MAX_EXCERPT_LENGTH;
  const words = text.slice(start, end).toWellFormed().replaceAll(/\s+/g, ' ').trim();
  return (start > 0 ? '…' : '') + words + (end < text.length && words !== '' ? '…' : '');
}
