import * as vscode from 'vscode';
import { t } from '@vscode/l10n';
import type { DocumentStamp } from '../../../index/store/sources/sources-api.ts';
import { isInterrupted, isCanceled, NotebookError } from '../../../core/domain/errors.ts';
import type { Source } from '../../../core/domain/source.ts';
import type { Changes } from './change-settler.ts';
import { walkFiles } from './folder-files.ts';
import { compareFolder, formerDocument, isIn } from './folder-changes.ts';
import { inParallel } from '../../../platform/in-parallel.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import { isLong } from '../../../platform/reader-pool.ts';
import { placesElsewhere } from './same-places.ts';
import { kindOfSkip, noteSkip, type SkippedFiles } from './skipped-files.ts';
import { reportReading } from '../../../platform/report-reading.ts';
import { statFile } from '../../../platform/workspace-files.ts';
import { withoutUsedCaptions } from '../../../core/domain/recordings.ts';
import { statOriginal, type Listings, type OriginalStat } from '../../recordings/editor/captions-beside.ts';

/**
 * Numbers of files of a folder that are read at once: enough short ones that readers and the index never wait for the
 * next, and few long ones, whose texts are in memory until they are stored.
 */
export const SHORT_FILES_AT_ONCE = 16;
const LONG_FILES_AT_ONCE = 4;

/** Number of files of a folder that are checked for changes at once. */
const STATS_AT_ONCE = 64;

/** Original to read, and its stored document. */
export interface Original {
  readonly source: Source;
  readonly key: string;
  readonly uri: vscode.Uri;
  readonly stamp: DocumentStamp | undefined;
  /** Size and time of the file, if they were read before. A later change shows at the next refresh. */
  readonly stat?: OriginalStat | undefined;
  /** Returns the document that a file with this content hash was before it was renamed. */
  readonly formerly?: (hash: string) => DocumentStamp | undefined;
  /** `true` to show no prompts and no progress. */
  readonly isQuiet?: boolean;
}

/** State of reading a folder: the changes to read, the skipped files, and the progress. */
interface FolderReading {
  readonly source: Source;
  readonly changes: Changes;
  readonly skipped: SkippedFiles;
  readonly progress: { done: number; total: number };
}

interface FolderReaderParts {
  readonly notebook: NotebookClient;
  /** @throws NotebookError if the file can't be read. */
  readonly readFile: (original: Original, signal: AbortSignal) => Promise<void>;
  /** Records a file that couldn't be read; returns the reason as a sentence. */
  readonly recordSkipped: (path: string, error: unknown) => string;
}

/** Reads folders: all of their files, or only changes. */
export class FolderReader {
  readonly #parts: FolderReaderParts;

  constructor(parts: FolderReaderParts) {
    this.#parts = parts;
  }

  /**
   * Reports whether changes in a folder affect files that are or would be in the notebook. Changes of ignored files
   * don't.
   */
  async concerns(source: Source, changes: Changes, signal: AbortSignal): Promise<boolean> {
    const folder = folderUri(source);
    if (changes === 'many' || (await statFile(folder)) === undefined) return true;
    const { notebook } = this.#parts;
    const elsewhere = await placesElsewhere(await notebook.call('sources', {}), source);
    for await (const _ of walkFiles(folder, { signal, only: changes, elsewhere })) return true;
    const stamps = await notebook.call('stamps', { sourceId: source.id });
    if (compareFolder([], stamps, changes).removed.length > 0) return true;
    const skippedFiles = await notebook.call('skippedFiles', { sourceId: source.id });
    return skippedFiles.some(({ path }) => isIn(path, changes));
  }

  /** @throws NotebookError if the folder doesn't exist, or reading was stopped. */
  async read({ source, changes, skipped, progress }: FolderReading, signal: AbortSignal): Promise<void> {
    const { notebook } = this.#parts;
    const folder = folderUri(source);
    if ((await statFile(folder)) === undefined)
      throw new NotebookError(
        'not-found',
        t(
          'Can’t find the folder. The text from its files is kept. Restore the folder and refresh, or remove this source.',
        ),
      );
    const allPaths: string[] = [];
    // Skips files that were added on their own, because they stay separate sources.
    const elsewhere = await placesElsewhere(await notebook.call('sources', {}), source);
    const only = changes === 'many' ? undefined : changes;
    for await (const path of walkFiles(folder, { signal, only, elsewhere })) allPaths.push(path);
    const paths = withoutUsedCaptions(allPaths);
    const stamps = await notebook.call('stamps', { sourceId: source.id });
    const { stored, removed: missing } = compareFolder(paths, stamps, changes);
    progress.total = paths.length;

    const leaving = new Map(missing.map((stamp) => [stamp.id, stamp]));
    await reportReading(notebook, source.id, progress, async (reportProgress) => {
      // Checking thousands of files takes seconds, and their number is known already.
      reportProgress();
      const { short, long, stats } = await this.#changedFiles(folder, paths, stored, signal);
      progress.done = paths.length - short.length - long.length;
      reportProgress();
      const readChanged = async (path: string, going: AbortSignal): Promise<void> => {
        const formerly = (hash: string): DocumentStamp | undefined => {
          const former = formerDocument(path, hash, leaving.values());
          if (former !== undefined) leaving.delete(former.id);
          return former;
        };
        const uri = vscode.Uri.joinPath(folder, path);
        const stamp = stored.get(path);
        const stat = stats.get(path);
        const original = { source, key: path, uri, stamp, stat, ...(stamp === undefined && { formerly }) };
        await this.#readOne(original, skipped, going);
        progress.done++;
        reportProgress();
      };
      await inParallel(short, SHORT_FILES_AT_ONCE, signal, readChanged);
      await inParallel(long, LONG_FILES_AT_ONCE, signal, readChanged);
    });

    // If the folder disappeared during reading, nothing can be compared; the documents stay.
    if ((await statFile(folder)) === undefined)
      throw new NotebookError(
        'not-found',
        t(
          'The folder was deleted while Open Notebook was reading it. The text from its files is kept. Restore the folder and refresh, or remove this source.',
        ),
      );
    await this.#remove([...leaving.values()]);
  }

  async #remove(removed: readonly DocumentStamp[]): Promise<void> {
    if (removed.length > 0)
      await this.#parts.notebook.call('removeDocuments', { documentIds: removed.map(({ id }) => id) });
  }

  /** Returns the files that changed since they were last read, and their sizes and times. */
  async #changedFiles(
    folder: vscode.Uri,
    paths: readonly string[],
    stamps: ReadonlyMap<string, DocumentStamp>,
    signal: AbortSignal,
  ): Promise<{
    readonly short: readonly string[];
    readonly long: readonly string[];
    readonly stats: ReadonlyMap<string, OriginalStat>;
  }> {
    const changed = new Set(paths);
    const stats = new Map<string, OriginalStat>();
    const long = new Set<string>();
    const listings: Listings = new Map();
    await inParallel(paths, STATS_AT_ONCE, signal, async (path) => {
      const stamp = stamps.get(path);
      const stat = await statOriginal(vscode.Uri.joinPath(folder, path), listings);
      if (isLong(stat?.size ?? 0)) long.add(path);
      if (stamp !== undefined && stamp.size === stat?.size && stamp.modifiedAt === stat.mtime)
        changed.delete(path);
      else if (stat !== undefined) stats.set(path, stat);
    });
    return {
      short: [...changed].filter((path) => !long.has(path)),
      long: [...changed].filter((path) => long.has(path)),
      stats,
    };
  }

  /**
   * Reads a file of a folder, or counts it as skipped. Removes the document of a file that became empty, binary, or too
   * large.
   */
  async #readOne(original: Original, skipped: SkippedFiles, signal: AbortSignal): Promise<void> {
    const { key, stamp } = original;
    try {
      await this.#parts.readFile(original, signal);
    } catch (error) {
      if (isCanceled(error) || signal.aborted) throw error;
      if (isInterrupted(error) || (error instanceof NotebookError && error.code === 'disk-full')) throw error;
      const kind = kindOfSkip(error);
      if (stamp !== undefined && kind !== 'failed') await this.#remove([stamp]);
      noteSkip(skipped, key, kind, this.#parts.recordSkipped(key, error));
    }
  }
}

function folderUri({ id, origin }: Source): vscode.Uri {
  if (origin.kind !== 'folder') throw new Error(`The source ${id} is no folder.`);
  return vscode.Uri.parse(origin.uri);
}
