import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { t } from '@vscode/l10n';
import { NotebookError } from '../../../core/domain/errors.ts';
import { createFile, settleFile, writeAll } from '../../../core/domain/write-file.ts';
import {
  fileAt,
  isDamaged,
  loadSqlite,
  mayTellOfDamage,
  openWhole,
  userError,
  type OpenDatabase,
} from './database.ts';
import { isWhole, salvage, type Saved } from './salvage.ts';

/** Time that a window waits for another one to repair a database, and polling interval, in milliseconds. */
const TIMEOUT_MS = 300_000;
const INTERVAL = 50;

/** SQLite's default page size, which all notebooks use, length of the file header, and offset of the page count. */
const PAGE = 4096;
const HEADER = 100;
const PAGES_AT = 28;
/** Header bytes that mean write-ahead logging. */
const LOG_MODE_AT = 18;
const WRITE_AHEAD_LOG = Buffer.of(2, 2);

const ENDINGS = ['-wal', '-shm', ''] as const;

/**
 * Opens or creates a notebook's database in a folder. Opens one from a newer version for reading only. Quarantines a
 * damaged one and recovers its readable content.
 * @throws NotebookError `needs-newer-editor` if the editor's Node has no SQLite, `disk-full`, `timeout`, `damaged` if
 * another window keeps a damaged one open
 */
export async function openDatabase(directory: string): Promise<OpenDatabase> {
  const path = join(directory, 'notebook.sqlite');
  try {
    mkdirSync(directory, { recursive: true });
    await finishSaving(path);
    return await openWhole(path);
  } catch (error) {
    if (!mayTellOfDamage(error)) throw userError(error);
    const { notice } = await repairDatabase(path, fileAt(path), true);
    return { ...(await openWhole(path)), notice };
  }
}

/** Result of a repair; `notice` is set if the database was damaged and has been replaced. */
interface RepairedDatabase {
  readonly notice: string | undefined;
}

/**
 * Quarantines a damaged database and replaces it with one that has the readable content. Does nothing if another window
 * did so since `file` was opened, or if the database turns out to be intact, unless the caller `isSure`.
 *
 * Works on a copy, and renames the damaged file only when the new one is complete. If the process is killed, one of the
 * two remains.
 * @throws NotebookError `disk-full`, `damaged` if the file can't be renamed, `timeout`
 */
export async function repairDatabase(
  path: string,
  file: string | undefined,
  isSure: boolean,
): Promise<RepairedDatabase> {
  try {
    return await alone(path, async () => {
      putInPlace(path);
      if (fileAt(path) !== file) return { notice: undefined };
      const { DatabaseSync } = await loadSqlite();
      if (!isSure && wholeAt(path, DatabaseSync)) return { notice: undefined };
      const readableDatabase = heldBack(path, DatabaseSync);
      const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-');
      try {
        const saved = await save(path, stamp);
        if (process.platform === 'win32') readableDatabase?.close();
        putInPlace(path);
        return { notice: recoveryNotice(`${path}.damaged-${stamp}`, saved) };
      } finally {
        if (readableDatabase?.isOpen) readableDatabase.close();
      }
    });
  } catch (error) {
    throw userError(error);
  }
}

/** Finishes a repair that was interrupted by a kill: moves the recovered database into place. */
async function finishSaving(path: string): Promise<void> {
  if (savedAt(path) === undefined) return;
  await alone(path, () => {
    putInPlace(path);
    return Promise.resolve();
  });
}

/** Runs `work` under a lock that excludes other windows. The lock ends with its process. */
async function alone<T>(path: string, action: () => Promise<T>): Promise<T> {
  const { DatabaseSync } = await loadSqlite();
  const lock = new DatabaseSync(`${path}.lock`, { timeout: 0 });
  const end = Date.now() + TIMEOUT_MS;
  try {
    for (;;)
      try {
        lock.exec('BEGIN EXCLUSIVE');
        break;
      } catch (error) {
        if (Date.now() > end) throw error;
        await delay(INTERVAL);
      }
    return await action();
  } finally {
    lock.close();
  }
}

function wholeAt(path: string, Database: typeof DatabaseSync): boolean {
  try {
    const database = new Database(path, { readOnly: true });
    try {
      return isWhole(database);
    } finally {
      database.close();
    }
  } catch (error) {
    return !isDamaged(error);
  }
}

/** Returns a connection that blocks writes of other windows to a damaged database, if possible. */
function heldBack(path: string, Database: typeof DatabaseSync): DatabaseSync | undefined {
  let database: DatabaseSync | undefined;
  try {
    database = new Database(path, { timeout: 0 });
    database.exec('BEGIN IMMEDIATE');
    return database;
  } catch {
    // Another window holds the lock, or the file can't be opened.
    if (database?.isOpen) database.close();
    return undefined;
  }
}

/** Writes the readable content of a database to a new one next to it, which gets its final name once it's complete. */
async function save(path: string, stamp: string): Promise<Saved> {
  const { DatabaseSync } = await loadSqlite();
  const [copy, unfinished] = [`${path}.copy`, `${path}.unfinished`];
  const removeAll = (of: string): void => {
    for (const ending of [...ENDINGS, '-journal']) rmSync(of + ending, { force: true });
  };
  removeAll(copy);
  removeAll(unfinished);
  try {
    for (const ending of ['', '-wal'])
      if (existsSync(path + ending)) await createFile(copy + ending, { copyOf: path + ending });
    const { database: fresh } = await openWhole(unfinished);
    let saved: Saved;
    try {
      fresh.exec('PRAGMA journal_mode = DELETE');
      await mendBeginning(copy, fresh, unfinished, DatabaseSync);
      const damaged = new DatabaseSync(copy, { timeout: 0 });
      try {
        damaged.exec('PRAGMA writable_schema = ON');
        saved = salvage(damaged, fresh);
      } finally {
        damaged.close();
      }
    } finally {
      fresh.close();
    }
    const file = await open(unfinished, 'r+');
    try {
      await settleFile(file, 0);
    } finally {
      await file.close();
    }
    renameSync(unfinished, `${path}.saved-${stamp}`);
    return saved;
  } finally {
    removeAll(copy);
    removeAll(unfinished);
  }
}

/**
 * Replaces the schema pages of a copy whose tables can't be read with those of a new database. They are identical for
 * notebooks of this version.
 */
async function mendBeginning(
  copy: string,
  fresh: DatabaseSync,
  freshPath: string,
  Database: typeof DatabaseSync,
): Promise<void> {
  if (knowsItsTables(copy, Database)) return;
  const whole = readFileSync(freshPath);
  const file = await open(copy, 'r+');
  try {
    const { size } = await file.stat();
    const size32 = Buffer.alloc(4);
    size32.writeUInt32BE(Math.floor(size / PAGE));
    // First replace only the header, which keeps the database's own schema pages.
    await writeAll(file, whole.subarray(0, HEADER), 0);
    await writeAll(file, size32, PAGES_AT);
    await writeAll(file, WRITE_AHEAD_LOG, LOG_MODE_AT);
    if (knowsItsTables(copy, Database)) return;
    const pages = fresh.prepare("SELECT pageno FROM dbstat WHERE name = 'sqlite_schema'");
    for (const { pageno } of pages.all()) {
      const start = (Number(pageno) - 1) * PAGE;
      if (start < size) await writeAll(file, whole.subarray(start, start + PAGE), start);
    }
    await writeAll(file, size32, PAGES_AT);
    await writeAll(file, WRITE_AHEAD_LOG, LOG_MODE_AT);
  } finally {
    await file.close();
  }
}

function knowsItsTables(path: string, Database: typeof DatabaseSync): boolean {
  try {
    const database = new Database(path, { timeout: 0 });
    try {
      database.exec('PRAGMA writable_schema = ON');
      const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
      return ['notes', 'turns', 'documents'].every((table) => {
        if (!tables.some(({ name }) => name === table)) return false;
        database.prepare(`SELECT * FROM ${table}`);
        return true;
      });
    } finally {
      database.close();
    }
  } catch {
    // The schema is damaged.
    return false;
  }
}

function savedAt(path: string): string | undefined {
  const beginning = `${basename(path)}.saved-`;
  const folder = dirname(path);
  if (!existsSync(folder)) return undefined;
  const name = readdirSync(folder).find((file) => file.startsWith(beginning));
  return name === undefined ? undefined : join(folder, name);
}

/** Renames a damaged database and moves the recovered one into its place. It's safe to stop after any step. */
function putInPlace(path: string): void {
  const saved = savedAt(path);
  if (saved === undefined) return;
  const aside = `${path}.damaged-${saved.slice(`${path}.saved-`.length)}`;
  try {
    // Move the log first, or SQLite would use it with the other database.
    for (const ending of ENDINGS) if (existsSync(path + ending)) renameSync(path + ending, aside + ending);
    renameSync(saved, path);
  } catch (error) {
    throw new NotebookError(
      'damaged',
      t(
        'Can’t repair the notebook’s damaged database while another window has it open. Close this notebook’s other windows, then try again.',
      ),
      { action: 'tryAgain', cause: error },
    );
  }
}

function recoveryNotice(
  aside: string,
  { notes = 0, conversations = 0, documents = 0, researches = 0 }: Saved,
): string {
  if (notes + conversations + documents + researches === 0)
    return t(
      'The notebook’s database was damaged, so Open Notebook moved it to {0}. Nothing could be recovered. Add your sources again.',
      aside,
    );
  return t(
    'The notebook’s database was damaged, so Open Notebook moved it to {0}. Recovered notes: {1}, conversations: {2}, documents: {3}, research projects: {4}.',
    aside,
    notes.toLocaleString(),
    conversations.toLocaleString(),
    documents.toLocaleString(),
    researches.toLocaleString(),
  );
}
