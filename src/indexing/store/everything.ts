import type { Row } from './database.ts';
import type { EverythingHit } from './everything-api.ts';
import type { Statements } from './statements.ts';

/** So many words of a search are looked for, and so much of a text is shown around the first of them. */
const MOST_WORDS = 8;
const SHOWN = 160;

/** More of a text is not looked at, in UTF-16 code units. */
const LONGEST_TEXT = 200_000;

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
  #entries = new Map<string, Entry>();
  #version = '';

  constructor(sql: Statements) {
    this.#sql = sql;
  }

  /** What holds all words, at most `limit`, the best first: those with them in their title, then the last changed. */
  search(words: string, limit: number): EverythingHit[] {
    this.#follow();
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
      .toSorted((a, b) => b.score - a.score || b.entry.hit.at - a.entry.hit.at)
      .slice(0, limit)
      .map(({ entry, score }) => ({ ...entry.hit, score, excerpt: excerptOf(entry, wanted) }));
  }

  /** Takes in what changed since the last search: what is the same by its size and time is not read again. */
  #follow(): void {
    const version = [
      this.#sql.get('PRAGMA data_version')?.['data_version'],
      this.#sql.get('SELECT count FROM told_changes')?.['count'],
    ].join(' ');
    if (version === this.#version) return;
    const before = this.#entries;
    const now = new Map<string, Entry>();
    const take = (key: string, row: Row, make: () => Entry): void => {
      const kept = before.get(key);
      now.set(key, kept?.stamp === String(row['stamp']) ? kept : make());
    };
    for (const row of this.#sql.all(
      `SELECT id, title, changed_at, changed_at || ' ' || title AS stamp FROM notes`,
    ))
      take(`note ${String(row['id'])}`, row, () => {
        const text = this.#sql.get('SELECT text FROM notes WHERE id = ?', String(row['id']))?.['text'];
        const title = String(row['title']);
        return entryOf({ kind: 'note', id: title, title, at: Number(row['changed_at']) }, row, text);
      });
    for (const row of this.#sql.all(
      `SELECT t.id, t.conversation_id, t.asked_at, c.title,
         octet_length(t.question) || ' ' || coalesce(octet_length(t.answer), 0) || ' ' || coalesce(c.title, '') AS stamp
       FROM turns t JOIN conversations c ON c.id = t.conversation_id`,
    ))
      take(`turn ${String(row['id'])}`, row, () => {
        const turn = this.#sql.get(
          `SELECT question, CASE WHEN json_valid(answer) THEN coalesce(answer ->> '$.text', '') || ' ' ||
             coalesce((SELECT group_concat(value ->> '$.quote', ' ') FROM json_each(answer, '$.citations')), '') END AS body
           FROM turns WHERE id = ?`,
          String(row['id']),
        );
        const title = String(turn?.['question']).replaceAll(/\s+/g, ' ').slice(0, 300);
        const named = typeof row['title'] === 'string' ? `${row['title']}\n` : '';
        return entryOf(
          { kind: 'answer', id: String(row['conversation_id']), title, at: Number(row['asked_at']) },
          row,
          named + textIn(turn?.['body']),
        );
      });
    for (const row of this.#sql.all('SELECT id, title, added_at, title AS stamp FROM sources'))
      take(`source ${String(row['id'])}`, row, () =>
        entryOf(
          { kind: 'source', id: String(row['id']), title: String(row['title']), at: Number(row['added_at']) },
          row,
          '',
        ),
      );
    this.#entries = now;
    this.#version = version;
  }
}

function entryOf(hit: Entry['hit'], row: Row, text: unknown): Entry {
  const body = textIn(text).slice(0, LONGEST_TEXT);
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
