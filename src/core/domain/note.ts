import type { Citation } from './answer.ts';

/** Maximum length of a note's title, in UTF-16 code units. */
const MAX_TITLE_LENGTH = 80;

/** Note in a list. Times are milliseconds since 1970. */
export interface NoteEntry {
  readonly id: string;
  /** Unique in the notebook; the note's file has the same name with `.md`. */
  readonly title: string;
  /** Size of its text in UTF-8, in bytes. */
  readonly size: number;
  readonly createdAt: number;
  /** Increases with every change of the text. */
  readonly changedAt: number;
  /** Member who changed it last, in a team notebook. */
  readonly changedBy?: string;
  /** `true` if it has a conflict and contains both versions. */
  readonly isTorn?: true;
}

/** Citation stored in a note; its links in the text contain its ID. */
export interface StoredCitation {
  readonly id: string;
  readonly citation: Citation;
}

/** Markdown that the user wrote or saved from an answer, with all citations that its text ever contained. */
export interface Note extends NoteEntry {
  readonly text: string;
  readonly citations: readonly StoredCitation[];
}

/** Returns a title that can be a file name, from any text; empty if the text has no visible characters. */
export function noteTitle(words: string): string {
  const plain = words
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}/\\\s]+/gu, ' ')
    .trim()
    .replace(/^\.+/, '')
    .trim();
  if (plain.length <= MAX_TITLE_LENGTH) return plain;
  const cut = plain.slice(0, MAX_TITLE_LENGTH);
  const lastWord = cut.lastIndexOf(' ');
  const whole =
    lastWord > MAX_TITLE_LENGTH / 2 ? cut.slice(0, lastWord) : cut.replace(/[\uD800-\uDBFF]$/, '');
  return `${whole.trimEnd()}…`;
}

/**
 * Returns a file name that also works on Windows, from any text, such as "Why not" for "Why not?"; `otherwise` if the
 * text has no visible characters.
 */
export function fileName(words: string, otherwise: string): string {
  const name = noteTitle(words.replaceAll(/[<>:"|?*]/g, ' ')).replace(/(?<![. ])[. ]+$/, '');
  return /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(name) ? `_${name}` : name || otherwise;
}

/** Returns the title, or the first free one of "Title 2", "Title 3", and so on. */
export function freeTitle(title: string, isTaken: (title: string) => boolean): string {
  let free = title;
  for (let count = 2; isTaken(free); count++) free = `${title} ${String(count)}`;
  return free;
}
