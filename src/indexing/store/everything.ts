import { pausing } from '../../messages/pausing.ts';
import * as v from 'valibot';
import { firstParagraph } from '../../notebook/note-markdown.ts';
import { anyList, fields } from '../../notebook/json-schemas.ts';
import type { EverythingHit } from './everything-api.ts';
import type { Statements } from './database/statements.ts';

/** Maximum number of words in a search, and length of the excerpt around the first match. */
const MOST_WORDS = 8;
const SHOWN = 160;

/** Maximum length of the searched text, in UTF-16 code units. */
const LONGEST_TEXT = 200_000;

/** Number of rows read at once. */
const PIECE = 200;

/** Highest code of spaces and line breaks. */
const SPACE = 32;

const shownAnswer = fields({ text: v.string(), citations: anyList });
const shownCitation = fields({ quote: v.string() });

/** Searchable row. The displayed text is read again, to save memory. */
interface Entry {
  /** Value that changes with the row. */
  readonly stamp: string;
  readonly at: number;
  /** Title and body are folded. */
  readonly title: string;
  readonly body: string;
}

/** Notes, answers, and titles of sources of a notebook, kept in memory for searches. */
export class Everything {
  readonly #sql: Statements;
  /** Entries by the position of their kind, and by row number. */
  #entries: readonly ReadonlyMap<number, Entry>[] = kinds.map(() => new Map());
  #version = '';
  /** Generator that is loading changes, if any. */
  #following: Generator<undefined, void> | undefined;

  constructor(sql: Statements) {
    this.#sql = sql;
  }

  /**
   * Loads changes in short slices between other work, so that the next search has them. Resolves once they are loaded
   * or a search takes over.
   */
  async prepare(): Promise<void> {
    const following = (this.#following ??= this.#follow());
    const pause = pausing();
    while (this.#following === following && following.next().done !== true) await pause();
    if (this.#following === following) this.#following = undefined;
  }

  /**
   * Returns rows that contain all words, at most `limit`, best first: matches in the title, then the latest changes.
   */
  search(words: string, limit: number): EverythingHit[] {
    this.#finish(this.#following);
    this.#finish(this.#follow());
    const wanted = folded(words)
      .split(/\s+/)
      .filter((word) => word !== '')
      .slice(0, MOST_WORDS);
    const hits: {
      readonly kind: Kind;
      readonly number: number;
      readonly entry: Entry;
      readonly score: number;
    }[] = [];
    for (const [place, kind] of kinds.entries())
      for (const [number, entry] of this.#entries[place] ?? []) {
        const score = scoreEntry(entry, wanted);
        if (score !== undefined) hits.push({ kind, number, entry, score });
      }
    return hits
      .sort((a, b) => b.score - a.score || b.entry.at - a.entry.at)
      .slice(0, limit)
      .flatMap(({ kind, number, score }) => this.#shown(kind, number, score, wanted));
  }

  /** Returns nothing if the row no longer exists. */
  #shown(kind: Kind, number: number, score: number, wanted: readonly string[]): EverythingHit[] {
    return this.#sql
      .rows(kind.read, JSON.stringify([number]))
      .map((row) => ({ ...kind.hitOf(row), score, excerpt: cutExcerpt(readText(kind, row), wanted) }));
  }

  #finish(following: Generator<undefined, void> | undefined): void {
    while (following?.next().done === false);
    this.#following = undefined;
  }

  /** Loads changes since the last call in slices. Rows with the same stamp aren't read again. */
  *#follow(): Generator<undefined, void> {
    const version = [
      this.#sql.get('PRAGMA data_version')?.['data_version'],
      this.#sql.get('SELECT count FROM told_changes')?.['count'],
    ].join(' ');
    if (version === this.#version) return;
    const now: Map<number, Entry>[] = [];
    for (const [place, kind] of kinds.entries()) {
      const held = this.#entries[place];
      const entries = new Map<number, Entry>();
      const changed: number[] = [];
      // Without entries there is nothing to compare.
      for (const [number, stamp] of this.#sql.rows(held?.size === 0 ? kind.numbers : kind.stamps)) {
        const kept = held?.get(Number(number));
        if (kept !== undefined && kept.stamp === stamp) entries.set(Number(number), kept);
        else changed.push(Number(number));
      }
      // Read in file order, so that each page of the file is read only once.
      changed.sort((a, b) => a - b);
      yield;
      for (let at = 0; at < changed.length; at += PIECE) {
        for (const row of this.#sql.rows(kind.read, JSON.stringify(changed.slice(at, at + PIECE))))
          entries.set(Number(row[0]), toEntry(kind, row));
        yield;
      }
      now.push(entries);
    }
    this.#entries = now;
    this.#version = version;
  }
}

/** Values of a row: its number, stamp, time, title, and columns of its kind. */
type Row = readonly unknown[];

/** Statements for a kind of searchable rows: they list the numbers, list the numbers with stamps, and read the rows. */
interface Kind {
  readonly numbers: string;
  readonly stamps: string;
  readonly read: string;
  readonly hitOf: (row: Row) => Omit<EverythingHit, 'excerpt' | 'score'>;
  readonly readText: (row: Row) => string;
}

/** Look up rows by number: a lookup of many by ID takes as long as reading them. */
const kinds: readonly Kind[] = [
  {
    ...readingStatements(
      'notes',
      'notes n',
      `n.changed_at || ' ' || n.title`,
      'n.changed_at, n.title, n.text',
    ),
    hitOf: ([, , at, title]) => ({ kind: 'note', id: String(title), title: String(title), at: Number(at) }),
    readText: ([, , , , text]) => textIn(text),
  },
  {
    ...readingStatements(
      'turns',
      'turns n JOIN conversations c ON c.id = n.conversation_id',
      `n.asked_at || ' ' || octet_length(n.question) || ' ' || coalesce(octet_length(n.answer), 0) || ' ' || coalesce(c.title, '')`,
      'n.asked_at, n.question, n.conversation_id, c.title, n.answer',
    ),
    hitOf: ([, , at, question, conversationId]) => ({
      kind: 'answer',
      id: String(conversationId),
      title: firstParagraph(String(question)).slice(0, 300),
      at: Number(at),
    }),
    readText: ([, , , , , title, answer]) =>
      (typeof title === 'string' ? `${title}\n` : '') + wordsOfAnswer(answer),
  },
  {
    ...readingStatements('sources', 'sources n', `n.added_at || ' ' || n.title`, 'n.added_at, n.title, n.id'),
    hitOf: ([, , at, title, id]) => ({
      kind: 'source',
      id: String(id),
      title: String(title),
      at: Number(at),
    }),
    readText: () => '',
  },
];

/** Returns the statements for a table, which has the alias `n`. */
function readingStatements(
  table: string,
  from: string,
  stamp: string,
  columns: string,
): Pick<Kind, 'numbers' | 'read' | 'stamps'> {
  return {
    numbers: `SELECT rowid FROM ${table}`,
    stamps: `SELECT n.rowid, ${stamp} FROM ${from}`,
    read: `SELECT n.rowid, ${stamp}, ${columns} FROM ${from} WHERE n.rowid IN (SELECT value FROM json_each(?))`,
  };
}

/** Returns the text and the quotes of an answer. */
function wordsOfAnswer(kept: unknown): string {
  if (typeof kept !== 'string') return '';
  try {
    const { text: words = '', citations = [] } = v.parse(shownAnswer, JSON.parse(kept));
    return [words, ...citations.map((one) => v.parse(shownCitation, one).quote ?? '')].join(' ');
  } catch {
    return '';
  }
}

function readText(kind: Kind, row: Row): string {
  return kind.readText(row).slice(0, LONGEST_TEXT);
}

function toEntry(kind: Kind, row: Row): Entry {
  return {
    stamp: String(row[1]),
    at: Number(row[2]),
    title: folded(String(row[3])),
    body: folded(readText(kind, row)),
  };
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Offsets must stay the same, so keep the case of a text that would change its length. */
function folded(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text;
}

/** A note titled "Tides" ranks above one that contains "tides", and that above one that contains "riptides". */
const IN_TITLE = 4;
const BEGINS_WORD = 1;

/** Returns undefined if a word is missing. A word counts more in the title, and more at the beginning of a word. */
function scoreEntry({ title, body }: Entry, wanted: readonly string[]): number | undefined {
  let score = 0;
  for (const word of wanted) {
    const inTitle = title.indexOf(word);
    const at = inTitle < 0 ? body.indexOf(word) : inTitle;
    if (at < 0) return undefined;
    if (inTitle >= 0) score += IN_TITLE;
    if (at === 0 || (inTitle < 0 ? body : title).charCodeAt(at - 1) <= SPACE) score += BEGINS_WORD;
  }
  return score;
}

/** Returns the text around the first matching word, on one line. */
function cutExcerpt(text: string, wanted: readonly string[]): string {
  const looked = folded(text);
  const places = wanted.map((word) => looked.indexOf(word)).filter((at) => at >= 0);
  const at = places.length > 0 ? Math.min(...places) : 0;
  const start = Math.max(0, at - SHOWN / 4);
  const end = start + SHOWN;
  const words = text.slice(start, end).toWellFormed().replaceAll(/\s+/g, ' ').trim();
  return (start > 0 ? '…' : '') + words + (end < text.length && words !== '' ? '…' : '');
}
