import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { t } from '@vscode/l10n';
import * as v from 'valibot';
import { NotebookError } from '../../core/domain/errors.ts';
import { notebookName, type NotebookEntry } from '../../core/domain/notebook.ts';
import { createFile, replaceFile, deleteAll } from '../../core/domain/write-file.ts';

/** File with the name of the notebook in its folder. */
export const ABOUT = 'about.json';
const TRASH = '.trash';
const UNFINISHED = '.unfinished-';
const REMOVED_SOURCES = 'sources-';

/** Times after which a deleted and an unfinished notebook are removed, in milliseconds. */
const TRASH_LIFETIME_MS = 30 * 24 * 3_600_000;
const UNFINISHED_LIFETIME_MS = 24 * 3_600_000;

/** Deleted notebook that can be restored. */
export interface TrashedNotebook {
  readonly name: string;
  /** Name of its folder in the trash. */
  readonly folder: string;
  readonly deletedAt: number;
}

/** Folder of a notebook that is being created. It's invisible until `keep`. */
interface UnfinishedNotebook {
  readonly directory: string;
  keep(name: string): Promise<NotebookEntry>;
  discard(): Promise<void>;
}

const storedAbout = v.object({
  name: v.pipe(v.string(), v.transform(notebookName), v.nonEmpty()),
  // A damaged creation time doesn't lose the notebook.
  createdAt: v.fallback(v.number(), 0),
});
type About = v.InferOutput<typeof storedAbout>;

/**
 * Notebooks of the user on this machine. Each is a folder named by its ID. Any window can open a notebook that has a
 * name. Each change is a single rename, so windows need no locks, and a kill leaves nothing incomplete.
 */
export class NotebookFolders {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /**
   * Returns the folder of a notebook, even if it doesn't exist.
   * @throws NotebookError `not-found` if the ID isn't valid
   */
  directoryFor(id: string): string {
    if (!/^[\da-z][\w-]{0,63}$/.test(id))
      throw new NotebookError('not-found', t('This notebook doesn’t exist. Choose another notebook.'));
    return join(this.#directory, id);
  }

  /** Reports whether a notebook with this ID exists. */
  has(id: string): boolean {
    return existsSync(join(this.directoryFor(id), ABOUT));
  }

  /** Returns all notebooks with a name, the last used first. */
  async list(): Promise<NotebookEntry[]> {
    const names = await namesIn(this.#directory);
    const entries = await Promise.all(
      names.filter((name) => !name.startsWith('.')).map((name) => this.entry(name)),
    );
    return entries.filter((entry) => entry !== undefined).toSorted((a, b) => b.usedAt - a.usedAt);
  }

  /** Returns a notebook; undefined if it doesn't exist or has no name. */
  async entry(id: string): Promise<NotebookEntry | undefined> {
    const path = join(this.directoryFor(id), ABOUT);
    const about = await readAbout(path);
    if (about === undefined) return undefined;
    const { mtimeMs: usedAt } = await stat(path);
    return { id, ...about, usedAt };
  }

  /** Creates an empty notebook with this name. */
  async create(name: string): Promise<NotebookEntry> {
    return (await this.begin()).keep(name);
  }

  /**
   * Starts a notebook that stays invisible until it's filled. If a notebook with the same ID appears meanwhile,
   * the new notebook is deleted instead.
   */
  async begin(id: string = randomUUID()): Promise<UnfinishedNotebook> {
    const directory = join(this.#directory, UNFINISHED + randomUUID());
    await mkdir(directory, { recursive: true });
    return {
      directory,
      keep: async (name) => {
        await createFile(join(directory, ABOUT), aboutText({ name, createdAt: Date.now() }));
        await rename(directory, this.directoryFor(id)).catch(async (error: unknown) => {
          if (!this.has(id)) throw error;
          await deleteAll(directory);
        });
        const entry = await this.entry(id);
        if (entry === undefined) throw new Error('A notebook that was made is not there.');
        return entry;
      },
      discard: () => deleteAll(directory),
    };
  }

  /** Renames a notebook, or names one without a name. @throws NotebookError `not-found` */
  async rename(id: string, name: string): Promise<void> {
    const directory = this.directoryFor(id);
    if (!existsSync(directory)) throw notebookNotFound();
    const path = join(directory, ABOUT);
    const before = await readAbout(path);
    await replaceFile(path, aboutText({ name, createdAt: before?.createdAt ?? Date.now() }));
  }

  /** Records that a window shows a notebook now. */
  async use(id: string): Promise<void> {
    const now = new Date();
    // The time only sorts the list of notebooks.
    await utimes(join(this.directoryFor(id), ABOUT), now, now).catch(() => undefined);
  }

  /** Moves a notebook to the trash, from where it can be restored for a while. @throws NotebookError `not-found` */
  async remove(id: string): Promise<TrashedNotebook> {
    const entry = await this.entry(id);
    if (entry === undefined) throw notebookNotFound();
    const deletedAt = Date.now();
    const folder = `${String(deletedAt)}-${id}`;
    await mkdir(join(this.#directory, TRASH), { recursive: true });
    try {
      await rename(this.directoryFor(id), join(this.#directory, TRASH, folder));
    } catch (error) {
      throw new NotebookError(
        'internal',
        t(
          'Can’t delete the notebook “{0}”. Close other windows that have it open, then try again.',
          entry.name,
        ),
        { cause: error },
      );
    }
    return { name: entry.name, folder, deletedAt };
  }

  /** Returns the deleted notebooks that can be restored, the latest first. */
  async listRemoved(): Promise<TrashedNotebook[]> {
    const folders = await namesIn(join(this.#directory, TRASH));
    const trashed = await Promise.all(
      folders.map(async (folder) => {
        const about = await readAbout(join(this.#directory, TRASH, folder, ABOUT));
        return about && { name: about.name, folder, deletedAt: Number.parseInt(folder, 10) };
      }),
    );
    return trashed.filter((entry) => entry !== undefined).toSorted((a, b) => b.deletedAt - a.deletedAt);
  }

  /** Restores a deleted notebook, with another ID if its own is in use. @throws NotebookError `not-found` */
  async restore({ folder }: TrashedNotebook): Promise<NotebookEntry> {
    const [, own = ''] = /^\d+-(.+)$/.exec(folder) ?? [];
    const id = existsSync(this.directoryFor(own)) ? randomUUID() : own;
    try {
      await rename(join(this.#directory, TRASH, folder), this.directoryFor(id));
    } catch (error) {
      throw new NotebookError('not-found', t('This notebook can no longer be restored.'), {
        cause: error,
      });
    }
    const entry = await this.entry(id);
    if (entry === undefined) throw notebookNotFound();
    return entry;
  }

  /** Returns a new folder for a notebook of removed sources. It's removed after the same time as deleted notebooks. */
  newFolderForRemovedSources(): string {
    const name = `${REMOVED_SOURCES}${String(Date.now())}-${randomUUID()}`;
    return join(this.#directory, TRASH, name);
  }

  /** Deletes notebooks that were deleted long ago, and unfinished ones. */
  async tidy(now = Date.now()): Promise<void> {
    for (const { folder, deletedAt } of await this.listRemoved())
      if (now - deletedAt > TRASH_LIFETIME_MS) await deleteAll(join(this.#directory, TRASH, folder));
    for (const name of await namesIn(join(this.#directory, TRASH)))
      if (name.startsWith(REMOVED_SOURCES)) {
        const removedAt = Number.parseInt(name.slice(REMOVED_SOURCES.length), 10);
        if (now - removedAt > TRASH_LIFETIME_MS) await deleteAll(join(this.#directory, TRASH, name));
      }
    for (const name of await namesIn(this.#directory)) {
      if (!name.startsWith(UNFINISHED)) continue;
      const folder = join(this.#directory, name);
      const { mtimeMs } = await stat(folder);
      if (now - mtimeMs > UNFINISHED_LIFETIME_MS) await deleteAll(folder);
    }
  }
}

async function namesIn(directory: string): Promise<string[]> {
  return readdir(directory).catch(() => []);
}

async function readAbout(path: string): Promise<About | undefined> {
  try {
    return v.parse(storedAbout, JSON.parse(await readFile(path, 'utf8')));
  } catch {
    // A missing or unreadable file means that the notebook has no name.
    return undefined;
  }
}

function aboutText(about: About): string {
  return JSON.stringify({ version: 1, ...about });
}

function notebookNotFound(): NotebookError {
  return new NotebookError('not-found', t('This notebook no longer exists. It may have been deleted.'));
}
