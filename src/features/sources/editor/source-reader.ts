import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import PQueue from 'p-queue';
import { t } from '@vscode/l10n';
import {
  errorMessage,
  isInterrupted,
  isCanceled,
  NotebookError,
  throwIfCanceled,
} from '../../../core/domain/errors.ts';
import type { ScannedDocument } from '../../../index/store/sources/sources-api.ts';
import type { SiteRules } from '../../../core/domain/site.ts';
import type { Source, SourceState, SourceOrigin } from '../../../core/domain/source.ts';
import type { Changes } from './change-settler.ts';
import { FolderReader } from './folder-reader.ts';
import { followMovedSource } from './moved-sources.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import { OriginalReader } from './original-reader.ts';
import { isLong, type ReaderPool } from '../../../platform/reader-pool.ts';
import { showFailures, type SiteReader } from '../../crawling/editor/site-reader.ts';
import { foldersAround } from './same-places.ts';
import { kindOfSkip, noSkips, noteSkip, skipsBeside, type SkippedFiles } from './skipped-files.ts';
import type { Passwords } from '../../pdf/editor/with-password.ts';
import { statFile, lastSegment } from '../../../platform/workspace-files.ts';
import { reportReading } from '../../../platform/report-reading.ts';
import { withRecordings } from '../../recordings/editor/captions-beside.ts';
import type { Threads } from '../../forge/editor/threads.ts';
import type { Recognition } from '../../../parsers/api.ts';
import { pathBelow } from '../../../index/library/portable-places.ts';
import { resolveInsideRoot } from '../../../core/domain/resolve-inside-root.ts';

/** Interval at which a source that another window reads is checked, in milliseconds. */
const RECHECK_INTERVAL_MS = 10_000;

/** Abort reason of reading that resumes later. */
const PAUSED = 'paused';

/** Abort reason of reading that the next window resumes. */
const CLOSING = 'closing';

/** Maximum time that closing waits for reading to stop, in milliseconds. */
const CLOSING_TIMEOUT_MS = 3_000;

/** Reads queued sources one after the other. Each can be stopped. */
export class SourceReader implements vscode.Disposable {
  readonly #notebook: NotebookClient;
  readonly #readers: ReaderPool;
  readonly #originals: OriginalReader;
  readonly #sites: SiteReader;
  readonly #folders: FolderReader;
  readonly #log: vscode.LogOutputChannel;
  readonly #owner = randomUUID();
  readonly #queue = new PQueue({ concurrency: 2 });
  // Long files and sites have queues of their own, so that other sources don't wait for them.
  readonly #longQueue = new PQueue({ concurrency: 1 });
  readonly #siteQueue = new PQueue({ concurrency: 2 });
  readonly #transcripts: string | undefined;
  readonly #running = new Map<string, AbortController>();
  readonly #left = new Set<Promise<void>>();
  readonly #lookingAgain = new Map<string, NodeJS.Timeout>();
  readonly #activity = new vscode.EventEmitter<void>();

  /** Fires when reading of a source started or ended. */
  readonly onDidChangeActivity = this.#activity.event;

  /** `transcripts` is the folder with the stored transcripts of recordings. */
  constructor(
    notebook: NotebookClient,
    readers: ReaderPool,
    sites: SiteReader,
    passwords: Passwords,
    recognition: () => Promise<Recognition | undefined>,
    threads: Pick<Threads, 'asking' | 'read'>,
    log: vscode.LogOutputChannel,
    transcripts?: string,
  ) {
    this.#notebook = notebook;
    this.#readers = readers;
    this.#transcripts = transcripts;
    this.#originals = new OriginalReader(notebook, readers, passwords, recognition, threads, transcripts);
    this.#sites = sites;
    this.#folders = new FolderReader({
      notebook,
      readFile: (original, signal) => this.#originals.readFile(original, signal),
      recordSkipped: (path, error) => {
        const reason = this.#explain(error);
        log.info(`Passed over ${path}: ${reason}`);
        return reason;
      },
    });
    this.#log = log;
  }

  /** Number of sources that are being read or queued. */
  get working(): number {
    return this.#running.size;
  }

  /**
   * Reads a source again, after those already queued. With `changes`, reads only these parts of a folder. Resolves when
   * it is done, even if it failed.
   */
  async read(source: Source, changes: Changes = 'many'): Promise<void> {
    if (this.#running.has(source.id)) return;
    const controller = new AbortController();
    this.#running.set(source.id, controller);
    this.#activity.fire();
    try {
      const reading = (await this.#chooseQueue(source)).add(() =>
        this.#readWhereItIs(source, changes, controller.signal),
      );
      this.#left.add(reading);
      await reading.finally(() => this.#left.delete(reading));
    } catch (error) {
      this.#log.error(`Reading the source ${source.id}:`, error);
    } finally {
      this.#running.delete(source.id);
      this.#activity.fire();
    }
  }

  /** Reads the folders around a file or folder again, because it became a separate source or no longer is one. */
  async readAround(uri: string, sources: readonly Source[]): Promise<void> {
    for (const { source, path } of await foldersAround(sources, uri)) {
      await this.waitUntilIdle(source.id);
      await this.read(source, new Set([path]));
    }
  }

  async #chooseQueue({ origin }: Source): Promise<PQueue> {
    if (origin.kind === 'site') return this.#siteQueue;
    const stat = origin.kind === 'file' ? await statFile(vscode.Uri.parse(origin.uri)) : undefined;
    return isLong(stat?.size ?? 0) ? this.#longQueue : this.#queue;
  }

  /**
   * Reads a document again even if its original is unchanged, once its source isn't being read. Removes the document if
   * it turns out to be empty.
   * @throws NotebookError `cancelled`, `disk-full`, `broken-off`
   */
  async readAnew(source: Source, { id, key, uri }: ScannedDocument, signal: AbortSignal): Promise<void> {
    await this.waitUntilIdle(source.id);
    try {
      if (source.origin.kind === 'page')
        await this.#originals.readPage(source, source.origin.url, signal, true);
      else
        await this.#originals.readFile(
          { source, key, uri: vscode.Uri.parse(uri), stamp: undefined, isQuiet: true },
          signal,
        );
    } catch (error) {
      if (isCanceled(error) || isInterrupted(error)) throw error;
      if (error instanceof NotebookError && error.code === 'disk-full') throw error;
      const reason = this.#explain(error);
      this.#log.info(`Nothing was read of ${key || uri}: ${reason}`);
      await this.#notebook.call('removeDocuments', { documentIds: [id] });
      if (source.origin.kind === 'folder') await this.#passOver(source.id, key, error, reason);
      else
        await this.#notebook.call('setSourceState', {
          sourceId: source.id,
          state: this.#failedBy(error),
        });
    }
  }

  /** Reads the documents of a PDF again because its highlights in the notebook changed; `pdf` contains its bytes. */
  async readMarked(uri: string, pdf: vscode.Uri): Promise<void> {
    for (const document of await this.#notebook.call('documentsAt', { uri })) {
      await this.waitUntilIdle(document.sourceId);
      const controller = new AbortController();
      this.#running.set(document.sourceId, controller);
      try {
        await this.#originals.readMarked(document, pdf, controller.signal);
      } catch (error) {
        this.#log.info(`The marks of ${uri} were not read: ${this.#explain(error)}`);
      } finally {
        this.#running.delete(document.sourceId);
        this.#activity.fire();
      }
    }
  }

  /** Records a file of a folder as skipped that was readable at first. */
  async #passOver(sourceId: string, path: string, error: unknown, reason: string): Promise<void> {
    const source = (await this.#notebook.call('sources', {})).find(({ id }) => id === sourceId);
    if (source === undefined) return;
    const before = await this.#notebook.call('skippedFiles', { sourceId });
    const skipped = skipsBeside(new Set([path]), source.skipped, before);
    noteSkip(skipped, path, kindOfSkip(error), reason);
    const { files: skippedFiles, ...counts } = skipped;
    await this.#notebook.call('finishSource', {
      sourceId,
      skipped: counts,
      skippedFiles,
      state: source.state,
    });
  }

  /** Resolves when a source isn't being read. */
  async waitUntilIdle(sourceId: string): Promise<void> {
    while (this.#running.has(sourceId))
      await new Promise<void>((resolve) => {
        const listening = this.#activity.event(() => {
          listening.dispose();
          resolve();
        });
      });
  }

  /** Reads a file of a source again once the source isn't being read; '' is the source itself. */
  async readPart({ id }: Source, path: string): Promise<void> {
    await this.waitUntilIdle(id);
    const source = (await this.#notebook.call('sources', {})).find((candidate) => candidate.id === id);
    if (source !== undefined) await this.read(source, path === '' ? 'many' : new Set([path]));
  }

  /** Stops reading one source, or all. Documents that were read stay. */
  stop(sourceId?: string): void {
    for (const [id, controller] of this.#running)
      if (sourceId === undefined || id === sourceId) controller.abort();
  }

  /** Stops reading a source so that the next read resumes from there. */
  pause(sourceId: string): void {
    this.#running.get(sourceId)?.abort(PAUSED);
  }

  /** Ends a paused crawl. Its documents stay. */
  async endPaused({ id, state }: Source): Promise<void> {
    if (state.kind !== 'paused' || this.#running.has(id)) return;
    await this.#notebook.call('finishCrawl', { sourceId: id, stopped: true });
    const skipped = await this.#sites.countSkipped(id);
    await this.#notebook.call('finishSource', {
      sourceId: id,
      state: { ...state, kind: 'stopped' },
      skipped,
      skippedFiles: [],
    });
  }

  /** Leaves unfinished sources to the next window that opens the notebook. */
  async leave(): Promise<void> {
    for (const timer of this.#lookingAgain.values()) clearTimeout(timer);
    this.#lookingAgain.clear();
    for (const controller of this.#running.values()) controller.abort(CLOSING);
    // Reading that waits for the user's answer stops with it and writes nothing anymore.
    await Promise.race([
      Promise.allSettled(this.#left),
      sleep(CLOSING_TIMEOUT_MS, undefined, { ref: false }),
    ]);
  }

  dispose(): void {
    void this.leave();
    this.#activity.dispose();
  }

  /** Reads a source. If another program moved its file or folder, reads all of it at its new location. */
  async #readWhereItIs(source: Source, changes: Changes, signal: AbortSignal): Promise<void> {
    const parts = { notebook: this.#notebook, readers: this.#readers, transcripts: this.#transcripts };
    // An error in the search for a moved source also prevents reading, which then reports it.
    const relocated = await followMovedSource(source, parts, signal).catch(() => source);
    await this.#readSource(relocated, relocated === source ? changes : 'many', signal);
    // A source that was moved while it was read is read at its new location.
    const later = signal.aborted
      ? relocated
      : await followMovedSource(relocated, parts, signal).catch(() => relocated);
    if (later !== relocated) await this.#readSource(later, 'many', signal);
  }

  async #readSource(
    source: Source,
    changed: Changes,
    signal: AbortSignal,
    isSecondTry = false,
  ): Promise<void> {
    // Sources that hadn't started before the window closed stay queued.
    if (signal.reason === CLOSING) return;
    const changes =
      source.origin.kind === 'folder' && changed !== 'many'
        ? await withRecordings(vscode.Uri.parse(source.origin.uri), changed)
        : changed;
    const inPart = changes !== 'many' && source.origin.kind === 'folder' && source.state.kind === 'ready';
    if (inPart && !(await this.#folders.concerns(source, changes, signal))) return;
    const skipped = inPart
      ? skipsBeside(
          changes,
          source.skipped,
          await this.#notebook.call('skippedFiles', { sourceId: source.id }),
        )
      : noSkips();
    let state: SourceState = { kind: 'ready' };
    const progress = { done: 0, total: 0 };
    try {
      if (!(await this.#notebook.call('claimSource', { sourceId: source.id, owner: this.#owner }))) {
        this.#lookAgain(source.id);
        return;
      }
      throwIfCanceled(signal);
      await this.#notebook.call('setSourceState', {
        sourceId: source.id,
        state: {
          kind: 'reading',
          done: 0,
          total: source.origin.kind === 'folder' || source.origin.kind === 'site' ? 0 : 1,
        },
      });
      await this.#readOrigin(source, inPart ? changes : 'many', skipped, progress, signal);
    } catch (error) {
      // The index worker died. Its committed work is saved, and another worker resumes from there.
      if (isInterrupted(error) && !isSecondTry) {
        await this.#readSource(source, changes, signal, true);
        return;
      }
      if (signal.reason === CLOSING) {
        await this.#notebook.call('releaseSource', { sourceId: source.id, owner: this.#owner });
        return;
      }
      if (isCanceled(error)) state = { kind: signal.reason === PAUSED ? 'paused' : 'stopped', ...progress };
      else state = this.#failedBy(error);
    }
    if (state.kind === 'stopped' && source.origin.kind === 'site')
      await this.#notebook.call('finishCrawl', { sourceId: source.id, stopped: true });
    const { files: skippedFiles, ...counts } = skipped;
    await this.#notebook.call('finishSource', { sourceId: source.id, skipped: counts, skippedFiles, state });
  }

  /** Checks a source that another window reads, and reads it here if that window died. */
  #lookAgain(sourceId: string): void {
    const look = async (): Promise<void> => {
      this.#lookingAgain.delete(sourceId);
      const source = (await this.#notebook.call('sources', {})).find(({ id }) => id === sourceId);
      if (source?.state.kind === 'queued' || source?.state.kind === 'reading') await this.read(source);
    };
    clearTimeout(this.#lookingAgain.get(sourceId));
    const lookOrLog = (): void =>
      void look().catch((error: unknown) =>
        this.#log.trace(`Checking the source ${sourceId} again:`, errorMessage(error)),
      );
    const timer = setTimeout(lookOrLog, RECHECK_INTERVAL_MS);
    this.#lookingAgain.set(sourceId, timer);
  }

  async #readOrigin(
    source: Source,
    changes: Changes,
    skipped: SkippedFiles,
    progress: { done: number; total: number },
    signal: AbortSignal,
  ): Promise<void> {
    const { origin } = source;
    if (origin.kind === 'file' || origin.kind === 'folder') await checkPlace(origin);
    switch (origin.kind) {
      case 'file': {
        const [stamp] = await this.#notebook.call('stamps', { sourceId: source.id });
        await this.#originals.readFile({ source, key: '', uri: vscode.Uri.parse(origin.uri), stamp }, signal);
        return;
      }
      case 'folder':
        await this.#folders.read({ source, changes, skipped, progress }, signal);
        return;
      case 'page':
        await this.#originals.readPage(source, origin.url, signal);
        return;
      case 'site':
        await this.#readSite(source, origin, skipped, progress, signal);
        return;
      case 'selection':
      case 'text':
      case 'copy':
        // These sources are stored completely when they are added; there is nothing else to read.
        return;
    }
  }

  async #readSite(
    source: Source,
    rules: SiteRules,
    skipped: SkippedFiles,
    progress: { done: number; total: number },
    signal: AbortSignal,
  ): Promise<void> {
    const skips = await reportReading(this.#notebook, source.id, progress, (changed) =>
      this.#sites.read(
        source.id,
        rules,
        ({ fetched, waiting }) => {
          progress.done = fetched;
          progress.total = Math.min(rules.limit, fetched + waiting);
          changed();
        },
        signal,
      ),
    );
    Object.assign(skipped, skips);
    if (skipped.failed > 0) void showFailures(source.title, skipped.failed, source.id);
  }

  #failedBy(error: unknown): SourceState {
    const reason = this.#explain(error);
    return { kind: 'failed', reason, ...(error instanceof NotebookError && { code: error.code }) };
  }

  #explain(error: unknown): string {
    if (error instanceof NotebookError) return error.message;
    this.#log.error(error instanceof Error ? error : String(error));
    return vscode.l10n.t('Open Notebook couldn’t read this source. Run “Show Log” for details.');
  }
}

/**
 * Checks that a file or folder is inside the location that an imported or shared notebook may use, because it may
 * have been replaced by a link.
 * @throws NotebookError `forbidden`
 */
async function checkPlace({
  uri,
  within,
}: Extract<SourceOrigin, { kind: 'file' | 'folder' }>): Promise<void> {
  if (within === undefined) return;
  const place = vscode.Uri.parse(uri);
  // Reading reports a missing file.
  if ((await statFile(place)) === undefined || (await isIn(uri, within))) return;
  throw new NotebookError(
    'forbidden',
    t(
      'Can’t read {0} because it now leads to a different location than when it was shared or imported. Remove the source, then add the correct file or folder.',
      lastSegment(place),
    ),
  );
}

async function isIn(uri: string, within: string): Promise<boolean> {
  const path = pathBelow(uri, [within]);
  const folder = vscode.Uri.parse(within);
  if (path === undefined || folder.scheme !== 'file') return false;
  return (await resolveInsideRoot(folder.fsPath, path)) !== undefined;
}
