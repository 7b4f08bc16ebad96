import { featureSearches } from '../../features/store.ts';
import { pausing } from '../../core/rpc/pausing.ts';
import { locate, formatLocator } from '../../core/domain/locator.ts';
import type { GlobalSearchHit } from './global-search-api.ts';
import type { Statements } from './database/statements.ts';
import {
  cutExcerpt,
  excerptAt,
  firstPlace,
  foldText,
  MAX_EXCERPT_LENGTH,
  readingStatements,
  type ResultRow,
  type SearchedRows,
} from './searched-rows.ts';
import { toDocument } from './sources/document-store.ts';
import { PackedText } from './sources/packing.ts';

/** Maximum number of words in a search. */
const MAX_WORDS = 8;

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
      readonly kind: SearchedRows;
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
      .filter(({ kind }) => kind !== documentRows || ++documents <= MAX_DOCUMENTS_SHOWN)
      .slice(0, limit)
      .flatMap(({ kind, number, entry, score }) =>
        kind === documentRows
          ? this.#readDocumentHit(number, entry, score, searchWords)
          : this.#readHits(kind, number, score, searchWords),
      );
  }

  /** Returns nothing if the row no longer exists. */
  #readHits(
    kind: SearchedRows,
    number: number,
    score: number,
    searchWords: readonly string[],
  ): GlobalSearchHit[] {
    return this.#sql
      .rows(kind.read, JSON.stringify([number]))
      .flatMap((row) =>
        kind
          .hitsOf(row, searchWords)
          .map((hit) => ({ excerpt: cutExcerpt(readText(kind, row), searchWords), ...hit, score })),
      );
  }

  /** Returns the words found in a document with their location; undefined if it was removed or can't be read. */
  #readDocumentHit(
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

const documentRows: SearchedRows = {
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

/** Sources, whose titles are searched. */
const sourceRows: SearchedRows = {
  ...readingStatements('sources', 'sources n', `n.added_at || ' ' || n.title`, 'n.added_at, n.title, n.id'),
  hitsOf: ([, , at, title, id]) => [{ kind: 'source', id: String(id), title: String(title), at: Number(at) }],
  readText: () => '',
};

/** Look up rows by number: a lookup of many by ID takes as long as reading them. */
const kinds: readonly SearchedRows[] = [sourceRows, documentRows, ...featureSearches];

function readText(kind: SearchedRows, row: ResultRow): string {
  return kind === documentRows ? kind.readText(row) : kind.readText(row).slice(0, MAX_TEXT_LENGTH);
}

/** @param hasBody whether the text is held, too */
function toEntry(kind: SearchedRows, row: ResultRow, hasBody: boolean): Entry {
  return {
    stamp: String(row[1]),
    at: Number(row[2]),
    title: foldText(String(row[3])),
    body: hasBody ? foldText(readText(kind, row)) : '',
  };
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
