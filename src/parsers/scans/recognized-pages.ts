import type { PageNumber } from '../../core/domain/page-number.ts';
import { existsSync, rmSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { deserialize, serialize } from 'node:v8';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { t } from '@vscode/l10n';
import * as v from 'valibot';
import { NotebookError } from '../../core/domain/errors.ts';
import type { RecognizedPage } from './recognized-page.ts';

/**
 * Version of the stored results. Increment it when the format or the recognition changes, which discards older results.
 */
const VERSION = 1;

/** Maximum number of stored pages. Older ones are deleted first. A page needs about 5 kB. */
const MAX_PAGES = 100_000;

/** Maximum time to wait for another process to write, in milliseconds. */
const TIMEOUT_MS = 5_000;

/** Time for which a page is reserved for the process that started on it, in milliseconds. */
const CLAIM_TIME = 5 * 60_000;

/**
 * Cache of recognized text by page picture, and of the pictures of each document's pages. A damaged cache is recreated.
 * `languages` are the recognition languages, joined by plus signs.
 */
export class RecognizedPages {
  readonly #database: DatabaseSync;

  private constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Opens the cache in a file, or creates it. */
  static async open(path: string): Promise<RecognizedPages> {
    const { DatabaseSync } = await import('node:sqlite');
    for (const isSecond of [false, true]) {
      const database = new DatabaseSync(path, { timeout: TIMEOUT_MS });
      try {
        prepare(database);
        return new RecognizedPages(database);
      } catch (error) {
        database.close();
        if (isSecond || !isDamaged(error)) throw error;
        for (const ending of ['', '-wal', '-shm']) rmSync(path + ending, { force: true });
      }
    }
    throw new Error('A database is opened or fails.');
  }

  close(): void {
    this.#database.close();
  }

  /** Returns the stored results for a document's pages, by one-based page number. */
  ofDocument(document: string, languages: string): Map<number, RecognizedPage> {
    const rows = this.#database
      .prepare(
        `SELECT d.page, p.content FROM documents d JOIN pages p ON p.picture = d.picture AND p.languages = ?
         WHERE d.document = ?`,
      )
      .all(languages, document);
    return new Map(
      rows.flatMap(({ page, content }) => {
        const unpacked = unpack(content);
        return unpacked === undefined ? [] : [[Number(page), unpacked]];
      }),
    );
  }

  /** Reports whether the result for a page in these languages is stored. Page numbers are one-based. */
  has(document: string, page: PageNumber, languages: string): boolean {
    return (
      this.#database
        .prepare(
          `SELECT 1 FROM documents d JOIN pages p ON p.picture = d.picture AND p.languages = ?
           WHERE d.document = ? AND d.page = ?`,
        )
        .get(languages, document, page) !== undefined
    );
  }

  /**
   * Reserves a page for recognition; returns `false` if another process reserved it and may still be working on it.
   * @throws NotebookError `disk-full`
   */
  claim(document: string, page: PageNumber): boolean {
    const now = Date.now();
    const claimed = this.#database
      .prepare('SELECT process, until FROM claims WHERE document = ? AND page = ?')
      .get(document, page);
    if (claimed !== undefined && Number(claimed['until']) > now && runs(Number(claimed['process'])))
      return false;
    // If another process was faster, this changes no row.
    const { changes } = runWrite(() =>
      this.#database
        .prepare(
          `INSERT INTO claims (document, page, process, until) VALUES (?, ?, ?, ?)
           ON CONFLICT (document, page) DO UPDATE SET process = excluded.process, until = excluded.until
           WHERE process IS ? AND until IS ?`,
        )
        .run(
          document,
          page,
          process.pid,
          now + CLAIM_TIME,
          claimed?.['process'] ?? null,
          claimed?.['until'] ?? null,
        ),
    );
    return changes > 0;
  }

  /** Lets other processes reserve a page. */
  release(document: string, page: PageNumber): void {
    try {
      this.#database.prepare('DELETE FROM claims WHERE document = ? AND page = ?').run(document, page);
    } catch {
      // The reservation ends with this process anyway.
    }
  }

  /** Reports whether a result is stored for a picture. If so, assigns the picture to the page of the document. */
  adopt(picture: string, languages: string, document: string, page: PageNumber): boolean {
    const isRecognized =
      this.#database
        .prepare('SELECT 1 FROM pages WHERE picture = ? AND languages = ?')
        .get(picture, languages) !== undefined;
    if (isRecognized) this.#place(picture, document, page);
    return isRecognized;
  }

  /** Saves the result for a page. @throws NotebookError `disk-full` */
  put(picture: string, languages: string, content: RecognizedPage, document: string, page: PageNumber): void {
    try {
      runWrite(() => {
        this.#database.exec('BEGIN IMMEDIATE');
        this.#database
          .prepare('INSERT OR REPLACE INTO pages (picture, languages, content) VALUES (?, ?, ?)')
          .run(picture, languages, deflateRawSync(serialize(content)));
        this.#place(picture, document, page);
        this.release(document, page);
        this.#database
          .prepare('DELETE FROM pages WHERE rowid <= (SELECT max(rowid) FROM pages) - ?')
          .run(MAX_PAGES);
        this.#database.exec('COMMIT');
      });
    } finally {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
    }
  }

  #place(picture: string, document: string, page: PageNumber): void {
    this.#database
      .prepare('INSERT OR REPLACE INTO documents (document, page, picture) VALUES (?, ?, ?)')
      .run(document, page, picture);
  }
}

/** Runs a function that writes. @throws NotebookError `disk-full` if there is no space to write */
function runWrite<T>(action: () => T): T {
  try {
    return action();
  } catch (cause) {
    if (![SQLITE_FULL, SQLITE_IOERR].includes(errorCode(cause))) throw cause;
    throw new NotebookError(
      'disk-full',
      t(
        'Text recognition is paused because the disk is full. Free up some space, then resume text recognition.',
      ),
      { cause },
    );
  }
}

/**
 * Returns the stored results for a document's pages; empty if no page was ever recognized or the cache can't be read.
 */
export async function readRecognized(
  path: string,
  document: string,
  languages: string,
): Promise<ReadonlyMap<number, RecognizedPage>> {
  if (!existsSync(path)) return new Map();
  let pages: RecognizedPages | undefined;
  try {
    pages = await RecognizedPages.open(path);
    return pages.ofDocument(document, languages);
  } catch {
    // Text recognition runs again for a cache that can't be read.
    return new Map();
  } finally {
    pages?.close();
  }
}

function prepare(database: DatabaseSync): void {
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
  const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
  if (version === VERSION) return;
  database.exec(`
    BEGIN IMMEDIATE;
    DROP TABLE IF EXISTS pages;
    DROP TABLE IF EXISTS documents;
    DROP TABLE IF EXISTS claims;
    CREATE TABLE pages (
      rowid INTEGER PRIMARY KEY,
      picture TEXT NOT NULL,
      languages TEXT NOT NULL,
      content BLOB NOT NULL,
      UNIQUE (picture, languages)
    ) STRICT;
    CREATE TABLE documents (
      document TEXT NOT NULL,
      page INTEGER NOT NULL,
      picture TEXT NOT NULL,
      PRIMARY KEY (document, page)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE claims (
      document TEXT NOT NULL,
      page INTEGER NOT NULL,
      process INTEGER NOT NULL,
      until INTEGER NOT NULL,
      PRIMARY KEY (document, page)
    ) STRICT, WITHOUT ROWID;
    PRAGMA user_version = ${String(VERSION)};
    COMMIT;
  `);
}

const box = v.tuple([v.number(), v.number(), v.number(), v.number()]);
const recognizedPage = v.object({
  lines: v.array(
    v.object({
      baseline: v.number(),
      ascent: v.number(),
      descent: v.number(),
      words: v.array(v.object({ text: v.string(), confidence: v.number(), box })),
    }),
  ),
  toSeen: v.tuple([...box.items, v.number(), v.number()]),
  problem: v.optional(v.string()),
});

/** Returns the stored page; undefined if it can't be decompressed, so that the page is recognized again. */
function unpack(content: unknown): RecognizedPage | undefined {
  try {
    return v.parse(recognizedPage, deserialize(inflateRawSync(v.parse(v.instance(Uint8Array), content))));
  } catch {
    // The stored page is damaged.
    return undefined;
  }
}

/** Reports whether a process of this machine is running, or another process that reuses its ID. */
function runs(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    // A process of another user is running, too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

const SQLITE_IOERR = 10;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_NOTADB = 26;

function isDamaged(error: unknown): boolean {
  const code = errorCode(error);
  return code === SQLITE_CORRUPT || code === SQLITE_NOTADB;
}

/** Returns SQLite's primary code of an error, without its extended bits; -1 for other errors. */
function errorCode(error: unknown): number {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : -1;
}
