import { randomInt } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type * as sqlite from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { t } from '@vscode/l10n';
import { isCanceled, isDiskFull, NotebookError } from '../../../core/domain/errors.ts';
import { migrations } from './migrations.ts';

/** Time that a write waits for another window's write, in milliseconds. */
const BUSY_TIMEOUT = 10_000;

/** Delay before a retry of operations for which SQLite itself doesn't wait, in milliseconds. */
const RETRY_DELAY = 20;

/** Size in bytes to which the log is truncated after a large change. */
const MAX_LOG_BYTES = 16 * 2 ** 20;

/** Maximum number of migrations that a newer version can be ahead; more means damage. */
const MAX_VERSIONS_AHEAD = 10_000;

const SQLITE_NOMEM = 7;
const SQLITE_BUSY = 5;
const SQLITE_FULL = 13;
const SQLITE_READONLY = 8;
const SQLITE_IOERR = 10;
const SQLITE_CORRUPT = 11;
const SQLITE_CANTOPEN = 14;
const SQLITE_NOTADB = 26;
/** Error code for a file that ends within a page. */
const SQLITE_IOERR_SHORT_READ = 522;

/** Row of a table by column names. */
export type Row = Record<string, unknown>;

/** Returns the text of a column; undefined if it has none. */
export function optionalText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Returns the number in a column; undefined if it has none. */
export function optionalNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

export interface OpenDatabase {
  readonly database: sqlite.DatabaseSync;
  readonly readOnly: boolean;
  /** One sentence for the user if there was a problem with the database. */
  readonly notice: string | undefined;
}

/** Returns the identity of the file at a path, to notice a replacement; undefined if there is none. */
export function fileAt(path: string): string | undefined {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat && `${String(stat.dev)}:${String(stat.ino)}`;
}

/** File of each open database. */
const openedFiles = new WeakMap<
  sqlite.DatabaseSync,
  { readonly path: string; readonly file: string | undefined }
>();

/** Reports whether another window has repaired a damaged database and put the new file in its place. */
export function isReplaced(database: sqlite.DatabaseSync): boolean {
  const opened = openedFiles.get(database);
  if (opened === undefined) return false;
  const currentFile = fileAt(opened.path);
  return currentFile !== undefined && currentFile !== opened.file;
}

/** Error for a database that another window replaced. It must be opened again. */
export class ReplacedError extends Error {}

/**
 * Opens a notebook's database for reading while others write to it. Doesn't create, migrate, or quarantine anything.
 * @throws NotebookError `not-found` if there is none yet, `older-database` unless it `allowsOlder`, `damaged`,
 * `needs-newer-editor`, `timeout`
 */
export async function openDatabaseToRead(
  directory: string,
  { allowsOlder = false }: { readonly allowsOlder?: boolean } = {},
): Promise<OpenDatabase> {
  const path = join(directory, 'notebook.sqlite');
  const { DatabaseSync } = await loadSqlite();
  if (!existsSync(path)) throw noNotebook();
  let database: sqlite.DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT });
    const version = readVersion(database);
    // A window that is creating the notebook has written the file, but not its tables yet.
    if (version === 0) throw noNotebook();
    if (version < migrations.length && !allowsOlder)
      throw new NotebookError(
        'older-database',
        t(
          'This notebook was last used with an older version of Open Notebook. Open it once in VS Code to upgrade it.',
        ),
      );
    openedFiles.set(database, { path, file: fileAt(path) });
    return { database, readOnly: true, notice: undefined };
  } catch (error) {
    if (database?.isOpen) database.close();
    throw isDamaged(error) ? damagedError(error) : userError(error);
  }
}

/** Returns the error for a damaged database that is only open for reading. */
export function damagedError(cause: unknown): NotebookError {
  return new NotebookError(
    'damaged',
    t('The notebook’s database is damaged. Open the notebook in VS Code to repair it.'),
    { cause },
  );
}

function noNotebook(): NotebookError {
  return new NotebookError(
    'not-found',
    t('There’s no notebook yet. Add a source in VS Code, then ask again.'),
  );
}

/** Opens or creates a database. @throws DamagedError if the database is damaged */
export async function openWhole(path: string): Promise<OpenDatabase> {
  const { DatabaseSync } = await loadSqlite();
  // SQLite removes the log when the last writing connection closes. A log with content may mean a crash.
  const endedWell = (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0;
  const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT });
  try {
    const version = readVersion(database);
    if (version < 0 || version > migrations.length + MAX_VERSIONS_AHEAD) throw new DamagedError();
    if (version > migrations.length) {
      database.close();
      return {
        database: new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT }),
        readOnly: true,
        notice: t(
          'This notebook is read-only because it was last used with a newer version of Open Notebook. Update the extension to edit the notebook.',
        ),
      };
    }
    await useLog(database);
    database.exec(
      `PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA journal_size_limit = ${String(MAX_LOG_BYTES)};`,
    );
    if (!endedWell && database.prepare('PRAGMA quick_check(1)').get()?.['quick_check'] !== 'ok')
      throw new DamagedError();
    migrate(database);
    openedFiles.set(database, { path, file: fileAt(path) });
    return { database, readOnly: false, notice: undefined };
  } catch (error) {
    if (database.isOpen) database.close();
    throw error;
  }
}

/**
 * Turns on write-ahead logging: a killed process loses nothing that was committed, and readers never wait for a writer.
 */
async function useLog(database: sqlite.DatabaseSync): Promise<void> {
  const end = Date.now() + BUSY_TIMEOUT;
  for (;;)
    try {
      database.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      // If two windows create the same notebook, SQLite lets one start the log and rejects the other at once.
      if (primaryCode(error) !== SQLITE_BUSY || Date.now() > end) throw error;
      await delay(RETRY_DELAY);
    }
}

/** @throws NotebookError `needs-newer-editor` */
export async function loadSqlite(): Promise<typeof sqlite> {
  try {
    return await import('node:sqlite');
  } catch (error) {
    throw new NotebookError(
      'needs-newer-editor',
      t(
        'This version of VS Code doesn’t include SQLite, which stores your notebook. Update to VS Code 1.104 or later.',
      ),
      { cause: error },
    );
  }
}

/** Closes a database and merges its log, which SQLite would keep while another process reads. */
export function closeDatabase(database: sqlite.DatabaseSync): void {
  try {
    database.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)');
  } catch {
    // Readers can't merge the log, and a process that is writing right now merges it later.
  }
  database.close();
}

/** Returns the number of migrations applied to a database. */
function readVersion(database: sqlite.DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0);
}

function migrate(database: sqlite.DatabaseSync): void {
  transaction(database, () => {
    const done = readVersion(database);
    // The application ID in the file's header distinguishes this notebook's database from one that replaced it.
    if (done === 0) database.exec(`PRAGMA application_id = ${String(randomInt(1, 2 ** 31))}`);
    for (const step of migrations.slice(done)) database.exec(step);
    if (done < migrations.length) database.exec(`PRAGMA user_version = ${String(migrations.length)}`);
  });
}

/**
 * Runs `work` in a transaction that takes the write lock immediately and is rolled back on an error. If a transaction
 * is already open, `work` becomes part of it.
 * @throws NotebookError `disk-full`, `timeout` if another window kept the lock, and all errors of `work`
 */
export function transaction<T>(database: sqlite.DatabaseSync, action: () => T): T {
  if (database.isTransaction) return action();
  try {
    database.exec('BEGIN IMMEDIATE');
    if (isReplaced(database)) throw new ReplacedError();
    const result = action();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    rollBack(database);
    throw userError(error);
  }
}

/** Runs `work` with a consistent view of the database, even if other windows commit. */
export function reading<T>(database: sqlite.DatabaseSync, action: () => T): T {
  if (database.isTransaction) return action();
  database.exec('BEGIN');
  try {
    return action();
  } finally {
    rollBack(database);
  }
}

/** Rolls back a transaction, unless a full disk already ended it, because rolling back twice would be an error. */
function rollBack(database: sqlite.DatabaseSync): void {
  if (database.isOpen && database.isTransaction) database.exec('ROLLBACK');
}

class DamagedError extends Error {}

function fullCode(error: unknown): number | undefined {
  const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined;
  return typeof code === 'number' ? code : undefined;
}

function primaryCode(error: unknown): number | undefined {
  const code = fullCode(error);
  return code === undefined ? undefined : code & 0xff;
}

/** Reports whether an error means that a database is damaged. */
export function isDamaged(error: unknown): boolean {
  const code = primaryCode(error);
  return (
    error instanceof DamagedError ||
    code === SQLITE_CORRUPT ||
    code === SQLITE_NOTADB ||
    fullCode(error) === SQLITE_IOERR_SHORT_READ
  );
}

/**
 * Reports whether a damaged database may have caused an error. This excludes errors from the disk, from other windows,
 * and from our own code.
 */
export function mayTellOfDamage(error: unknown): boolean {
  if (isDamaged(error)) return true;
  if (error instanceof NotebookError) return isDamaged(error.cause);
  if (isDiskFull(error) || isCanceled(error) || error instanceof ReplacedError) return false;
  const code = primaryCode(error);
  if (code === undefined) return !(error instanceof Error && 'syscall' in error);
  return ![SQLITE_BUSY, SQLITE_NOMEM, SQLITE_READONLY, SQLITE_IOERR, SQLITE_FULL, SQLITE_CANTOPEN].includes(
    code,
  );
}

/** Converts known errors of a database or its disk to an error with a message for the user. */
export function userError(error: unknown): unknown {
  const code = primaryCode(error);
  if (isDiskFull(error) || code === SQLITE_FULL || (code === SQLITE_IOERR && !isDamaged(error)))
    return new NotebookError(
      'disk-full',
      t(
        'Can’t save the notebook because the disk is full. Previously saved data is intact. Free up some space, then try again.',
      ),
      { action: 'tryAgain', cause: error },
    );
  if (code === SQLITE_BUSY)
    return new NotebookError(
      'timeout',
      t('Another window is still saving this notebook. Try again in a moment.'),
      { action: 'tryAgain', cause: error },
    );
  if (code === SQLITE_READONLY)
    return new NotebookError(
      'newer-database',
      t(
        'This notebook is read-only because a newer version of Open Notebook created it. Update the extension to edit the notebook.',
      ),
      { cause: error },
    );
  return error;
}
