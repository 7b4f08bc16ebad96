import { setImmediate as yieldToMessages } from 'node:timers/promises';
import type { Row } from './database.ts';
import type { EverythingHit } from './everything-api.ts';
import type { Statements } from './statements.ts';

/** So many words of a search are looked for, and so much of a text is shown around the first of them. */
const MOST_WORDS = 8;
const SHOWN = 160;

/** More of a text is not looked at, in UTF-16 code units. */
const LONGEST_TEXT = 200_000;

/** Others wait no longer than this for a slice of what is taken in, in milliseconds; so many are read at once. */
const SLICE = 8;
const PIECE = 50;

/** Spaces and line breaks are no greater. */
const SPACE = 32;

interface Entry {
  readonly hit: Omit<EverythingHit, 'excerpt' | 'score'>;
  /** What tells whether it changed. */
  readonly stamp: string;
  readonly title: string;
  readonly body: string;
  /** Both folded, a line break between them. */
  readonly folded: string;
}

/** The notes, answers and sources' titles of a notebook, held in memory while they are searched. */
export class Everything {
  readonly #sql: Statements;
  #entries: ReadonlyMap<string, Entry> = new Map();
  #version = '';
  /** The taking in of what changed, while it is under way. */
  #following: Generator<undefined, void> | undefined;

  constructor(sql: Statements) {
    this.#sql = sql;
  }

  /**
   * Takes in what changed in short slices, between which other work is done, so that the search that follows finds it
   * there. Resolves once it is, or a search has gone on with it.
   */
  async prepare(): Promise<void> {
    const following = (this.#following ??= this.#follow());
    let began = performance.now();
    while (this.#following === following && following.next().done !== true) {
      if (performance.now() - began < SLICE) continue;
      await yieldToMessages();
      began = performance.now();
    }
    if (this.#following === following) this.#following = undefined;
  }

  /** What holds all words, at most `limit`, the best first: those with them in their title, then the last changed. */
  search(words: string, limit: number): EverythingHit[] {
    this.#finish(this.#following);
    this.#finish(this.#follow());
    const wanted = folded(words)
      .split(/\s+/)
      .filter((word) => word !== '')
      .slice(0, MOST_WORDS);
    const hits: { readonly entry: Entry; readonly score: number }[] = [];
    for (const entry of this.#entries.values()) {
      const score = scoreOf(entry, wanted);
      if (score !== undefined) hits.push({ entry, score });
    }
    return hits
      .sort((a, b) => b.score - a.score || b.entry.hit.at - a.entry.hit.at)
      .slice(0, limit)
      .map(({ entry, score }) => ({ ...entry.hit, score, excerpt: excerptOf(entry, wanted) }));
  }

  #finish(following: Generator<undefined, void> | undefined): void {
    while (following?.next().done === false);
    this.#following = undefined;
  }

  /** Takes in what changed since the last time, some at a time: what is the same by its size and time is not read again. */
  *#follow(): Generator<undefined, void> {
    const version = [
      this.#sql.get('PRAGMA data_version')?.['data_version'],
      this.#sql.get('SELECT count FROM told_changes')?.['count'],
    ].join(' ');
    if (version === this.#version) return;
    const now = new Map<string, Entry>();
    for (const { kind, list, read, make } of kinds) {
      const changed = new Map<string, Row>();
      for (const row of this.#sql.all(list)) {
        const id = String(row['id']);
        const kept = this.#entries.get(`${kind} ${id}`);
        if (kept !== undefined && kept.stamp === row['stamp']) now.set(`${kind} ${id}`, kept);
        else changed.set(id, row);
      }
      yield;
      for (const ids of inPieces([...changed.keys()])) {
        for (const found of this.#sql.all(read, JSON.stringify(ids))) {
          const id = String(found['id']);
          const row = changed.get(id);
          if (row !== undefined) now.set(`${kind} ${id}`, make(row, found));
        }
        yield;
      }
    }
    this.#entries = now;
    this.#version = version;
  }
}

/** How what is searched is listed, with what tells whether it changed, and read. */
const kinds: readonly {
  readonly kind: string;
  readonly list: string;
  readonly read: string;
  readonly make: (row: Row, read: Row) => Entry;
}[] = [
  {
    kind: 'note',
    list: `SELECT id, title, changed_at, changed_at || ' ' || title AS stamp FROM notes`,
    read: 'SELECT id, text FROM notes WHERE id IN (SELECT value FROM json_each(?))',
    make: (row, { text }) => {
      const title = String(row['title']);
      return entryOf({ kind: 'note', id: title, title, at: Number(row['changed_at']) }, row, textIn(text));
    },
  },
  {
    kind: 'turn',
    list: `SELECT t.id, t.conversation_id, t.asked_at, c.title,
         octet_length(t.question) || ' ' || coalesce(octet_length(t.answer), 0) || ' ' || coalesce(c.title, '') AS stamp
       FROM turns t JOIN conversations c ON c.id = t.conversation_id`,
    read: 'SELECT id, question, answer FROM turns WHERE id IN (SELECT value FROM json_each(?))',
    make: (row, { question, answer }) => {
      const title = String(question).replaceAll(/\s+/g, ' ').slice(0, 300);
      const named = typeof row['title'] === 'string' ? `${row['title']}\n` : '';
      return entryOf(
        { kind: 'answer', id: String(row['conversation_id']), title, at: Number(row['asked_at']) },
        row,
        named + wordsOfAnswer(answer),
      );
    },
  },
  {
    kind: 'source',
    list: 'SELECT id, title, added_at, title AS stamp FROM sources',
    read: 'SELECT id FROM sources WHERE id IN (SELECT value FROM json_each(?))',
    make: (row) =>
      entryOf(
        { kind: 'source', id: String(row['id']), title: String(row['title']), at: Number(row['added_at']) },
        row,
        '',
      ),
  },
];

function inPieces(ids: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(ids.length / PIECE) }, (_, piece) =>
    ids.slice(piece * PIECE, (piece + 1) * PIECE),
  );
}

/** What an answer says, and what it quotes. */
function wordsOfAnswer(kept: unknown): string {
  if (typeof kept !== 'string') return '';
  try {
    const answer = JSON.parse(kept) as {
      readonly text?: unknown;
      readonly citations?: readonly { readonly quote?: unknown }[];
    } | null;
    return [answer?.text, ...(answer?.citations ?? []).map((citation) => citation.quote)]
      .map(textIn)
      .join(' ');
  } catch {
    return '';
  }
}

function entryOf(hit: Entry['hit'], row: Row, text: string): Entry {
  const body = text.slice(0, LONGEST_TEXT);
  return {
    hit,
    stamp: String(row['stamp']),
    title: hit.title,
    body,
    folded: folded(`${hit.title}\n${body}`),
  };
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Code units stay where they are where case alone differs. */
function folded(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text;
}

/** Undefined where a word is missing. A word counts for more in the title, and where it is the beginning of one. */
function scoreOf({ title, folded: text }: Entry, wanted: readonly string[]): number | undefined {
  let score = 0;
  for (const word of wanted) {
    const at = text.indexOf(word);
    if (at < 0) return undefined;
    if (at < title.length) score += 4;
    if (at === 0 || text.charCodeAt(at - 1) <= SPACE) score += 1;
  }
  return score;
}

/** What stands around the first word that is found behind the title, on one line. */
function excerptOf({ title, body, folded: text }: Entry, wanted: readonly string[]): string {
  const places = wanted.map((word) => text.indexOf(word, title.length + 1)).filter((at) => at >= 0);
  const at = Math.max(0, Math.min(...(places.length > 0 ? places : [title.length + 1])) - title.length - 1);
  const start = Math.max(0, at - SHOWN / 4);
  const end = start + SHOWN;
  const words = body.slice(start, end).toWellFormed().replaceAll(/\s+/g, ' ').trim();
  return (start > 0 ? '…' : '') + words + (end < body.length && words !== '' ? '…' : '');
}
