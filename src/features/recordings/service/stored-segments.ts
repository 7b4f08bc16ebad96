import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { t } from '@vscode/l10n';
import { isDiskFull, NotebookError } from '../../../core/domain/errors.ts';
import { replaceFile } from '../../../core/domain/write-file.ts';

/** Maximum bytes of saved segments, of speech or of transcripts. The least recently used are deleted. */
const MAX_BYTES = 500_000_000;

/** Saved segments in a local folder, one file each, named by the hash of everything that their content depends on. */
export class StoredSegments {
  readonly #folder: string;
  readonly #mostBytes: number;

  constructor(folder: string, mostBytes: number = MAX_BYTES) {
    this.#folder = folder;
    this.#mostBytes = mostBytes;
  }

  /** Reports whether the segment of a key is saved. */
  async has(key: string): Promise<boolean> {
    // The segment isn't saved.
    return (await stat(this.#path(key)).catch(() => undefined)) !== undefined;
  }

  /** Returns the content of a segment; undefined if it isn't saved. */
  async find(key: string): Promise<Uint8Array | undefined> {
    // The segment isn't saved.
    return await readFile(this.#path(key)).catch(() => undefined);
  }

  /** Saves the content of a segment. @throws NotebookError `disk-full` */
  async keep(key: string, bytes: Uint8Array): Promise<void> {
    try {
      await mkdir(this.#folder, { recursive: true });
      await replaceFile(this.#path(key), bytes);
    } catch (error) {
      throw isDiskFull(error)
        ? new NotebookError(
            'disk-full',
            t('Can’t save the finished part because the disk is full. Free up some space, then try again.'),
            { action: 'tryAgain', cause: error },
          )
        : error;
    }
  }

  /** Marks those with these keys as used, and removes others, the oldest first, until the rest is small enough. */
  async clear(used: ReadonlySet<string>): Promise<void> {
    const names = await readdir(this.#folder).catch(() => []);
    const now = new Date();
    const others: { readonly path: string; readonly size: number; readonly usedAt: number }[] = [];
    let size = 0;
    for (const name of names) {
      const path = join(this.#folder, name);
      // Another window may have removed the file.
      const stats = await stat(path).catch(() => undefined);
      if (stats === undefined) continue;
      size += stats.size;
      // If the new time can't be set, the file is only removed earlier than the others.
      if (used.has(name)) await utimes(path, now, now).catch(() => undefined);
      else others.push({ path, size: stats.size, usedAt: stats.mtimeMs });
    }
    for (const other of others.sort((a, b) => a.usedAt - b.usedAt)) {
      if (size <= this.#mostBytes) return;
      await rm(other.path, { force: true });
      size -= other.size;
    }
  }

  #path(key: string): string {
    return join(this.#folder, key);
  }
}

/** Returns the hash of everything that a segment's content depends on. */
export function segmentKey(dependsOn: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(dependsOn)).digest('hex').slice(0, 40);
}
