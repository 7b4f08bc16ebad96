import { t } from '@vscode/l10n';
import { pausing } from '../../core/rpc/pausing.ts';
import * as v from 'valibot';
import { firstParagraph } from '../../core/domain/note-markdown.ts';
import { anyList, fields } from '../../core/domain/json-schemas.ts';
import { quadRectangle, type Annotation } from '../../core/domain/annotation.ts';
import { locate, formatLocator } from '../../core/domain/locator.ts';
import { wantedAnnotations } from '../../core/domain/stored-annotations.ts';
import type { GlobalSearchHit } from './global-search-api.ts';
import type { Statements } from './database/statements.ts';
import { readJson } from './database/stored-json.ts';
import { toDocument } from './sources/document-store.ts';
import { PackedText } from './sources/packing.ts';

/** Maximum number of words in a search, and length of the excerpt around the first match. */
const MAX_WORDS = 8;
const MAX_EXCERPT_LENGTH = 160;

/** Maximum length of the searched text, in UTF-16 code units. */
const MAX_TEXT_LENGTH = 200_000;

/**
 * Maximum searched length of a document, and of all documents of a notebook, in UTF-16 code units. Documents beyond the
 * limit are searched only by title.
 */
const MAX_DOCUMENT_LENGTH = 2_000_000;
const MAX_DOCUMENTS_LENGTH = 30_000_000;

/** Number of rows read at once, and of documents, which are long. */
const PIECE = 200;
const DOCUMENTS_PIECE = 4;
/** Documents of one search whose words are shown: each is read again. */
const MAX_DOCUMENTS_SHOWN = 30;

/** Character code of a space. Tabs and line breaks have lower codes. */
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

/** Notes, answers, sources, and marks of a notebook, kept in memory for searches. */
export class GlobalSearch {
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
  search(words: string, limit: number): GlobalSearchHit[] {
    this.#finish(this.#following);
    this.#finish(this.#follow());
    const searchWords = foldText(words)
      .split(/\s+/)
      .filter((word) => word !== '')
      .slice(0, MAX_WORDS);
    const hits: {
      readonly kind: Kind;
      readonly number: number;
      readonly entry: Entry;
      readonly score: number;
    }[] = [];
    for (const [place, kind] of kinds.entries())
      for (const [number, entry] of this.#entries[place] ?? []) {
        const score = scoreEntry(entry, searchWords);
        if (score !== undefined) hits.push({ kind, number, entry, score });
      }
    let documents = 0;
    return hits
      .sort((a, b) => b.score - a.score || b.entry.at - a.entry.at)
      .filter(({ kind }) => kind !== documentKind || ++documents <= MAX_DOCUMENTS_SHOWN)
      .slice(0, limit)
      .flatMap(({ kind, number, entry, score }) =>
        kind === documentKind
          ? this.#shownDocument(number, entry, score, searchWords)
          : this.#shown(kind, number, score, searchWords),
      );
  }

  /** Returns nothing if the row no longer exists. */
  #shown(kind: Kind, number: number, score: number, searchWords: readonly string[]): GlobalSearchHit[] {
    return this.#sql
      .rows(kind.read, JSON.stringify([number]))
      .flatMap((row) =>
        kind
          .hitsOf(row, searchWords)
          .map((hit) => ({ excerpt: cutExcerpt(readText(kind, row), searchWords), ...hit, score })),
      );
  }

  /** Returns the words found in a document with their location; undefined if it was removed or can't be read. */
  #shownDocument(
    number: number,
    { body }: Entry,
    score: number,
    searchWords: readonly string[],
  ): GlobalSearchHit[] {
    const row = this.#sql.get(
      'SELECT d.*, s.title AS source_title FROM documents d JOIN sources s ON s.id = d.source_id WHERE d.id = ?',
      number,
    );
    if (row === undefined) return [];
    try {
      const document = toDocument(row);
      const { entry, text, map, headings } = document;
      const start = Math.max(0, firstPlace(body, searchWords));
      const [word = ''] = /^[\p{L}\p{N}]*/u.exec(text.slice(start, start + MAX_EXCERPT_LENGTH)) ?? [];
      const span = { start, end: Math.min(text.length, start + Math.max(1, word.length)) };
      const above = headings.filter(({ offset, title }) => offset <= start && title !== '').at(-1);
      const place = formatLocator(locate(text, map, span), above === undefined ? [] : [above.title]);
      const sourceTitle = String(row['source_title']);
      return [
        {
          ...{ kind: 'document', id: entry.sourceId, at: entry.readAt, score },
          title: entry.title === '' || entry.title === sourceTitle ? sourceTitle : entry.title,
          place,
          excerpt: excerptAt(text, start),
          words: { documentId: entry.id, span, quote: text.slice(span.start, span.end) },
        },
      ];
    } catch {
      // The other documents may be readable.
      return [];
    }
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
    const currentEntries: Map<number, Entry>[] = [];
    for (const [place, kind] of kinds.entries()) {
      const cached = this.#entries[place];
      const entries = new Map<number, Entry>();
      let length = 0;
      const changed: number[] = [];
      // Without entries there is nothing to compare.
      for (const [number, stamp] of this.#sql.rows(cached?.size === 0 ? kind.numbers : kind.stamps)) {
        const entry = cached?.get(Number(number));
        if (entry !== undefined && entry.stamp === stamp) {
          entries.set(Number(number), entry);
          length += entry.body.length;
        } else changed.push(Number(number));
      }
      // Read in file order, so that each page of the file is read only once.
      changed.sort((a, b) => a - b);
      yield;
      const { piece = PIECE, maxLength = Infinity } = kind;
      for (let at = 0; at < changed.length; at += piece) {
        for (const row of this.#sql.rows(kind.read, JSON.stringify(changed.slice(at, at + piece)))) {
          const entry = toEntry(kind, row, length < maxLength);
          length += entry.body.length;
          entries.set(Number(row[0]), entry);
        }
        yield;
      }
      currentEntries.push(entries);
    }
    this.#entries = currentEntries;
    this.#version = version;
  }
}

/** Values of a row: its number, stamp, time, title, and columns of its kind. */
type ResultRow = readonly unknown[];

/** Statements for a kind of searchable rows: they list the numbers, list the numbers with stamps, and read the rows. */
interface Kind {
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

const documentKind: Kind = {
  ...readingStatements(
    'documents',
    'documents n JOIN sources s ON s.id = n.source_id',
    `n.hash || ' ' || n.title`,
    `n.read_at, iif(n.title = s.title, '', n.title), n.text`,
  ),
  // The store shows a document by its row.
  hitsOf: () => [],
  readText: ([, , , , text]) => {
    try {
      return text instanceof Uint8Array ? new PackedText(text).slice(0, MAX_DOCUMENT_LENGTH) : '';
    } catch {
      // The other documents may be readable.
      return '';
    }
  },
  piece: DOCUMENTS_PIECE,
  maxLength: MAX_DOCUMENTS_LENGTH,
};

/** Look up rows by number: a lookup of many by ID takes as long as reading them. */
const kinds: readonly Kind[] = [
  {
    ...readingStatements(
      'notes',
      'notes n',
      `n.changed_at || ' ' || n.title`,
      'n.changed_at, n.title, n.text',
    ),
    hitsOf: ([, , at, title, text], searchWords) => {
      const start = firstPlace(foldText(textIn(text)), searchWords);
      const line = start < 0 ? undefined : textIn(text).slice(0, start).split('\n').length - 1;
      const place = line === undefined ? undefined : `L${String(line + 1)}`;
      return [{ kind: 'note', id: String(title), title: String(title), at: Number(at), line, place }];
    },
    readText: ([, , , , text]) => textIn(text),
  },
  {
    ...readingStatements(
      'turns',
      'turns n JOIN conversations c ON c.id = n.conversation_id',
      `n.asked_at || ' ' || octet_length(n.question) || ' ' || coalesce(octet_length(n.answer), 0) || ' ' || coalesce(c.title, '')`,
      'n.asked_at, n.question, n.conversation_id, c.title, n.answer',
    ),
    hitsOf: ([, , at, question, conversationId, conversation]) => [
      {
        kind: 'answer',
        id: String(conversationId),
        title: firstParagraph(String(question)).slice(0, 300),
        place: typeof conversation === 'string' ? conversation : undefined,
        at: Number(at),
      },
    ],
    readText: ([, , , , , title, answer]) =>
      (typeof title === 'string' ? `${title}\n` : '') + wordsOfAnswer(answer),
  },
  {
    ...readingStatements('sources', 'sources n', `n.added_at || ' ' || n.title`, 'n.added_at, n.title, n.id'),
    hitsOf: ([, , at, title, id]) => [
      { kind: 'source', id: String(id), title: String(title), at: Number(at) },
    ],
    readText: () => '',
  },
  documentKind,
  {
    ...readingStatements(
      'file_annotations',
      'file_annotations n',
      'n.annotations',
      `coalesce((SELECT max(read_at) FROM documents WHERE uri = n.uri), 0), '',
       coalesce((SELECT title FROM documents WHERE uri = n.uri LIMIT 1), n.uri), n.uri, n.annotations`,
    ),
    hitsOf: ([, , at, , title, uri, rawMarks], searchWords) =>
      marksIn(rawMarks).flatMap((mark) => {
        const words = wordsOfMark(mark);
        if (!searchWords.every((word) => foldText(words).includes(word))) return [];
        return [
          {
            ...{ kind: 'mark', id: String(uri), title: String(title), at: Number(at) },
            place: t('p. {0}', String(mark.page)),
            excerpt: cutExcerpt(words, searchWords),
            rectangles: mark.quads.map((quad) => quadRectangle(quad, mark.page)),
          },
        ];
      }),
    readText: ([, , , , , , rawMarks]) => marksIn(rawMarks).map(wordsOfMark).join('\n'),
  },
];

function marksIn(json: unknown): Annotation[] {
  return readJson(wantedAnnotations, json, []).flatMap(([, mark]) => mark ?? []);
}

function wordsOfMark({ words, remark }: Annotation): string {
  return [words, remark].filter((part) => part !== '').join(' – ');
}

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
function wordsOfAnswer(json: unknown): string {
  if (typeof json !== 'string') return '';
  try {
    const { text: words = '', citations = [] } = v.parse(shownAnswer, JSON.parse(json));
    return [words, ...citations.map((citation) => v.parse(shownCitation, citation).quote ?? '')].join(' ');
  } catch {
    // The other answers may be readable.
    return '';
  }
}

function readText(kind: Kind, row: ResultRow): string {
  return kind === documentKind ? kind.readText(row) : kind.readText(row).slice(0, MAX_TEXT_LENGTH);
}

/** @param hasBody whether the text is held, too */
function toEntry(kind: Kind, row: ResultRow, hasBody: boolean): Entry {
  return {
    stamp: String(row[1]),
    at: Number(row[2]),
    title: foldText(String(row[3])),
    body: hasBody ? foldText(readText(kind, row)) : '',
  };
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Offsets must stay the same, so keep the case of a text that would change its length. */
function foldText(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text;
}

/** A note titled "Tides" ranks above one that contains "tides", and that above one that contains "riptides". */
const IN_TITLE = 4;
const BEGINS_WORD = 1;

/** Returns undefined if a word is missing. A word counts more in the title, and more at the beginning of a word. */
function scoreEntry({ title, body }: Entry, searchWords: readonly string[]): number | undefined {
  let score = 0;
  for (const word of searchWords) {
    const inTitle = title.indexOf(word);
    const at = inTitle < 0 ? body.indexOf(word) : inTitle;
    if (at < 0) return undefined;
    if (inTitle >= 0) score += IN_TITLE;
    if (at === 0 || (inTitle < 0 ? body : title).charCodeAt(at - 1) <= SPACE) score += BEGINS_WORD;
  }
  return score;
}

/** Returns the text around the first matching word, on one line. */
function cutExcerpt(text: string, searchWords: readonly string[]): string {
  return excerptAt(text, Math.max(0, firstPlace(foldText(text), searchWords)));
}

/** Returns the first position of any of the words in a folded text; -1 if there is none. */
function firstPlace(text: string, searchWords: readonly string[]): number {
  const places = searchWords.map((word) => text.indexOf(word)).filter((at) => at >= 0);
  return places.length > 0 ? Math.min(...places) : -1;
}

function excerptAt(text: string, at: number): string {
  const start = Math.max(0, at - MAX_EXCERPT_LENGTH / 4);
  const end = start + MAX_EXCERPT_LENGTH;
  const words = text.slice(start, end).toWellFormed().replaceAll(/\s+/g, ' ').trim();
  return (start > 0 ? '…' : '') + words + (end < text.length && words !== '' ? '…' : '');
}
