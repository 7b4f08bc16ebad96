import type { Citation } from './answer.ts';

/** A note's title has at most so many UTF-16 code units. */
const LONGEST_TITLE = 80;

/** A note in a list. Times are milliseconds since 1970. */
export interface NoteEntry {
  readonly id: string;
  /** Unique in the notebook; with `.md` behind it the name of the note's file. */
  readonly title: string;
  /** Of its text in UTF-8, in bytes. */
  readonly size: number;
  readonly createdAt: number;
  /** Grows with every change of the text. */
  readonly changedAt: number;
  /** Who changed it last, where it is a team's. */
  readonly changedBy?: string;
  /** Whether what two changed at once stands side by side in it. */
  readonly isTorn?: true;
}

/** A citation as a note holds it; its links in the text name it by its id. */
export interface StoredCitation {
  readonly id: string;
  readonly citation: Citation;
}

/** Markdown that the user wrote or saved from an answer, with all citations that its text ever named. */
export interface Note extends NoteEntry {
  readonly text: string;
  readonly citations: readonly StoredCitation[];
}

/** A title that can be a file's name, made of any words; empty where they hold nothing that can be shown. */
export function noteTitle(words: string): string {
  const plain = words
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}/\\\s]+/gu, ' ')
    .trim()
    .replace(/^\.+/, '')
    .trim();
  if (plain.length <= LONGEST_TITLE) return plain;
  const cut = plain.slice(0, LONGEST_TITLE);
  const lastWord = cut.lastIndexOf(' ');
  const whole = lastWord > LONGEST_TITLE / 2 ? cut.slice(0, lastWord) : cut.replace(/[\uD800-\uDBFF]$/, '');
  return `${whole.trimEnd()}…`;
}

/**
 * A name for a file that Windows takes, too, made of any words, such as "Why not" of "Why not?"; `otherwise` where they
 * hold nothing that can be shown.
 */
export function fileName(words: string, otherwise: string): string {
  const name = noteTitle(words.replaceAll(/[<>:"|?*]/g, ' ')).replace(/(?<![. ])[. ]+$/, '');
  return /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(name) ? `_${name}` : name || otherwise;
}

/** The title, or the first of "Title 2", "Title 3" and so on that is not taken. */
export function freeTitle(title: string, isTaken: (title: string) => boolean): string {
  let free = title;
  for (let count = 2; isTaken(free); count++) free = `${title} ${String(count)}`;
  return free;
}
