import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import PQueue from 'p-queue';
import type { DocumentStamp } from '../indexing/api.ts';
import { isCancelled, NotebookError, throwIfCancelled } from '../notebook/errors.ts';
import type { SiteRules } from '../notebook/site.ts';
import type { SkipCounts, Source, SourceState } from '../notebook/source.ts';
import type { ReadProgress, ReadRequest } from '../reading/api.ts';
import { fetchPage } from '../reading/web/fetch-page.ts';
import { filesOf } from './folder-files.ts';
import { inParallel } from './in-parallel.ts';
import type { NotebookClient } from './notebook-client.ts';
import type { ReaderPool } from './reader-pool.ts';
import type { SiteReader } from './site-reader.ts';
import { tellFailures } from './site-reader.ts';
import { minimumLength } from './settings.ts';
import type { Passwords } from './with-password.ts';
import { withPassword } from './with-password.ts';
import { ToldProgress } from './told-progress.ts';
import { contentOf, nameOf, statOf } from './workspace-files.ts';

/** How many files of one folder are on their way at once. */
const FILES_AT_ONCE = 4;

/** How many files of one folder are looked at at once for whether they changed. */
const STATS_AT_ONCE = 64;

/** How often progress is told, in milliseconds. */
const PROGRESS_INTERVAL = 300;

/** When it is looked again whether a source that another window reads is still unread, in milliseconds. */
const LOOK_AGAIN_INTERVAL = 10_000;

/** Why a reading is broken off that is to go on later. */
const PAUSED = 'paused';

/** Why a reading is broken off that the next window is to go on with. */
const CLOSING = 'closing';

/** How long closing waits for what is being read to be left, in milliseconds. */
const CLOSING_PATIENCE = 3_000;

type Skips = { -readonly [K in keyof SkipCounts]: SkipCounts[K] };

/** One original to read and the document that is kept of it. */
interface Original {
  readonly source: Source;
  readonly key: string;
  readonly uri: vscode.Uri;
  readonly stamp: DocumentStamp | undefined;
}

/** Reads sources that wait for it: one after the other, each of which can be stopped. */
export class SourceReader implements vscode.Disposable {
  readonly #notebook: NotebookClient;
  readonly #readers: ReaderPool;
  readonly #sites: SiteReader;
  readonly #passwords: Passwords;
  readonly #log: vscode.LogOutputChannel;
  readonly #owner = randomUUID();
  readonly #queue = new PQueue({ concurrency: 2 });
  // A site takes its time, and nothing else has to wait for it.
  readonly #siteQueue = new PQueue({ concurrency: 2 });
  readonly #running = new Map<string, AbortController>();
  readonly #left = new Set<Promise<void>>();
  readonly #lookingAgain = new Map<string, NodeJS.Timeout>();
  readonly #activity = new vscode.EventEmitter<void>();

  /** The reading of a source began or ended. */
  readonly onDidChangeActivity = this.#activity.event;

  constructor(
    notebook: NotebookClient,
    readers: ReaderPool,
    sites: SiteReader,
    passwords: Passwords,
    log: vscode.LogOutputChannel,
  ) {
    this.#notebook = notebook;
    this.#readers = readers;
    this.#sites = sites;
    this.#passwords = passwords;
    this.#log = log;
  }

  /** The number of sources being read or waiting for it. */
  get working(): number {
    return this.#running.size;
  }

  /** Reads a source again, after those that already wait. Resolves when it is done, whatever came of it. */
  async read(source: Source): Promise<void> {
    if (this.#running.has(source.id)) return;
    const controller = new AbortController();
    this.#running.set(source.id, controller);
    this.#activity.fire();
    try {
      const queue = source.origin.kind === 'site' ? this.#siteQueue : this.#queue;
      const reading = queue.add(() => this.#readSource(source, controller.signal));
      this.#left.add(reading);
      await reading.finally(() => this.#left.delete(reading));
    } catch (error) {
      this.#log.error(`Reading the source ${source.id}:`, error);
    } finally {
      this.#running.delete(source.id);
      this.#activity.fire();
    }
  }

  /** Stops reading one source, or all; what is done stays. */
  stop(sourceId?: string): void {
    for (const [id, controller] of this.#running)
      if (sourceId === undefined || id === sourceId) controller.abort();
  }

  /** Stops reading a source that is to go on where it was when it is read again. */
  pause(sourceId: string): void {
    this.#running.get(sourceId)?.abort(PAUSED);
  }

  /** Leaves what is being read to the next window, or to another one. */
  async close(): Promise<void> {
    for (const timer of this.#lookingAgain.values()) clearTimeout(timer);
    for (const controller of this.#running.values()) controller.abort(CLOSING);
    await Promise.race([Promise.allSettled(this.#left), sleep(CLOSING_PATIENCE, undefined, { ref: false })]);
  }

  dispose(): void {
    void this.close();
    this.#activity.dispose();
  }

  async #readSource(source: Source, signal: AbortSignal, isSecondTry = false): Promise<void> {
    // What was not begun before the window closed still waits.
    if (signal.reason === CLOSING) return;
    const skipped: Skips = { binary: 0, tooLarge: 0, tooShort: 0, failed: 0 };
    let state: SourceState = { kind: 'ready' };
    const progress = { done: 0, total: 0 };
    try {
      if (!(await this.#notebook.call('claimSource', { sourceId: source.id, owner: this.#owner }))) {
        this.#lookAgain(source.id);
        return;
      }
      throwIfCancelled(signal);
      await this.#notebook.call('setSourceState', {
        sourceId: source.id,
        state: {
          kind: 'reading',
          done: 0,
          total: source.origin.kind === 'folder' || source.origin.kind === 'site' ? 0 : 1,
        },
      });
      await this.#readOrigin(source, skipped, progress, signal);
    } catch (error) {
      // The index worker died. What it had committed stands, and another goes on from there.
      if (isBrokenOff(error) && !isSecondTry) {
        await this.#readSource(source, signal, true);
        return;
      }
      if (signal.reason === CLOSING) {
        await this.#notebook.call('releaseSource', { sourceId: source.id, owner: this.#owner });
        return;
      }
      if (isCancelled(error)) state = { kind: signal.reason === PAUSED ? 'paused' : 'stopped', ...progress };
      else state = { kind: 'failed', reason: this.#reasonOf(error) };
    }
    if (state.kind === 'stopped' && source.origin.kind === 'site')
      await this.#notebook.call('finishCrawl', { sourceId: source.id, stopped: true });
    await this.#notebook.call('finishSource', { sourceId: source.id, skipped, state });
  }

  /** Another window reads a source, or did until it died: then it is read here. */
  #lookAgain(sourceId: string): void {
    const look = async (): Promise<void> => {
      this.#lookingAgain.delete(sourceId);
      const source = (await this.#notebook.call('sources', {})).find(({ id }) => id === sourceId);
      if (source?.state.kind === 'queued' || source?.state.kind === 'reading') await this.read(source);
    };
    clearTimeout(this.#lookingAgain.get(sourceId));
    const timer = setTimeout(() => void look().catch(() => undefined), LOOK_AGAIN_INTERVAL);
    this.#lookingAgain.set(sourceId, timer);
  }

  async #readOrigin(
    source: Source,
    skipped: Skips,
    progress: { done: number; total: number },
    signal: AbortSignal,
  ): Promise<void> {
    const { origin } = source;
    switch (origin.kind) {
      case 'file': {
        const [stamp] = await this.#notebook.call('stamps', { sourceId: source.id });
        await this.#readFile({ source, key: '', uri: vscode.Uri.parse(origin.uri), stamp }, signal);
        return;
      }
      case 'folder':
        await this.#readFolder(source, vscode.Uri.parse(origin.uri), skipped, progress, signal);
        return;
      case 'page':
        await this.#readPage(source, origin.url, signal);
        return;
      case 'site':
        await this.#readSite(source, origin, skipped, progress, signal);
        return;
      case 'selection':
      case 'text':
        // Both are kept whole when they are added; there is nothing else to read.
        return;
    }
  }

  /** @throws NotebookError where the file can't be read. */
  async #readFile({ source, key, uri, stamp }: Original, signal: AbortSignal): Promise<void> {
    const stat = await statOf(uri);
    if (stat === undefined)
      throw new NotebookError(
        'not-found',
        `${nameOf(uri)} is no longer there. Remove this source, or put the file back and refresh.`,
      );
    if (stamp?.size === stat.size && stamp.modifiedAt === stat.mtime) return;
    const name = nameOf(uri);
    const request: ReadRequest = {
      content: await contentOf(uri),
      name,
      mediaType: undefined,
      pageUrl: undefined,
      knownHash: stamp?.hash,
      minimumLength: name.toLowerCase().endsWith('.pdf') ? minimumLength() : 1,
    };
    // A folder may hold many that are encrypted: a box for each would be in the way.
    const isItself = source.origin.kind === 'file';
    const onProgress = isItself ? this.#pagesTeller(source) : undefined;
    const result = await withPassword(
      this.#passwords,
      { file: uri.toString(), mayAsk: isItself, signal },
      (password) => this.#readers.read({ ...request, password }, { signal, onProgress }),
    );
    if (result.kind === 'unchanged') {
      if (stamp !== undefined)
        await this.#notebook.call('touchDocument', {
          documentId: stamp.id,
          size: stat.size,
          modifiedAt: stat.mtime,
        });
      return;
    }
    throwIfCancelled(signal);
    await this.#notebook.call('putDocument', {
      sourceId: source.id,
      input: {
        key,
        uri: uri.toString(),
        hash: result.hash,
        size: stat.size,
        modifiedAt: stat.mtime,
        document: result.document,
      },
    });
  }

  /** Tells how many pages of a source's only document are read, now and then. */
  #pagesTeller(source: Source): (progress: ReadProgress) => void {
    let toldAt = Date.now();
    return (progress) => {
      if (Date.now() - toldAt < PROGRESS_INTERVAL) return;
      toldAt = Date.now();
      this.#notebook
        .call('setSourceState', { sourceId: source.id, state: { kind: 'reading', ...progress } })
        .catch(() => {
          // The reading itself will say what is wrong.
        });
    };
  }

  async #readFolder(
    source: Source,
    folder: vscode.Uri,
    skipped: Skips,
    progress: { done: number; total: number },
    signal: AbortSignal,
  ): Promise<void> {
    if ((await statOf(folder)) === undefined)
      throw new NotebookError(
        'not-found',
        'The folder is no longer there; what was read of it is kept. Remove this source, or put the folder back and refresh.',
      );
    const paths: string[] = [];
    for await (const path of filesOf(folder, signal)) paths.push(path);
    const stamps = new Map(
      (await this.#notebook.call('stamps', { sourceId: source.id })).map((stamp) => [stamp.key, stamp]),
    );
    progress.total = paths.length;

    let toldAt = 0;
    const tell = async (): Promise<void> => {
      if (Date.now() - toldAt < PROGRESS_INTERVAL) return;
      toldAt = Date.now();
      await this.#notebook.call('setSourceState', {
        sourceId: source.id,
        state: { kind: 'reading', ...progress },
      });
    };

    const changed = await this.#changedFiles(folder, paths, stamps, signal);
    progress.done = paths.length - changed.length;
    await inParallel(changed, FILES_AT_ONCE, signal, async (path, going) => {
      await this.#readOneOf(folder, path, source, stamps.get(path), skipped, going);
      progress.done++;
      await tell();
    });

    // A folder that vanished while it was read leaves nothing to compare with; what was read of it stays.
    if ((await statOf(folder)) === undefined)
      throw new NotebookError(
        'not-found',
        'The folder was removed while it was read; what was read of it is kept. Remove this source, or put the folder back and refresh.',
      );
    const present = new Set(paths);
    const gone = [...stamps.values()].filter(({ key }) => !present.has(key)).map(({ id }) => id);
    if (gone.length > 0) await this.#notebook.call('removeDocuments', { documentIds: gone });
  }

  /** The files that are not as they were when they were last read. */
  async #changedFiles(
    folder: vscode.Uri,
    paths: readonly string[],
    stamps: ReadonlyMap<string, DocumentStamp>,
    signal: AbortSignal,
  ): Promise<string[]> {
    const changed = new Set(paths);
    await inParallel(paths, STATS_AT_ONCE, signal, async (path) => {
      const stamp = stamps.get(path);
      const stat = stamp && (await statOf(vscode.Uri.joinPath(folder, path)));
      if (stamp !== undefined && stamp.size === stat?.size && stamp.modifiedAt === stat.mtime)
        changed.delete(path);
    });
    return [...changed];
  }

  /** Reads a folder's file, or counts why it was passed over. A file that became empty, binary or too large leaves the notebook. */
  async #readOneOf(
    folder: vscode.Uri,
    path: string,
    source: Source,
    stamp: DocumentStamp | undefined,
    skipped: Skips,
    signal: AbortSignal,
  ): Promise<void> {
    try {
      await this.#readFile({ source, key: path, uri: vscode.Uri.joinPath(folder, path), stamp }, signal);
    } catch (error) {
      if (isCancelled(error) || signal.aborted) throw error;
      if (isBrokenOff(error) || (error instanceof NotebookError && error.code === 'disk-full')) throw error;
      const reason = skipReason(error);
      skipped[reason]++;
      if (stamp !== undefined && reason !== 'failed')
        await this.#notebook.call('removeDocuments', { documentIds: [stamp.id] });
      this.#log.info(`Passed over ${path}: ${this.#reasonOf(error)}`);
    }
  }

  async #readPage(source: Source, url: string, signal: AbortSignal): Promise<void> {
    const [stamp] = await this.#notebook.call('stamps', { sourceId: source.id });
    const page = await fetchPage(url, { fetch, signal });
    const result = await this.#readers.read(
      {
        content: { kind: 'bytes', bytes: page.bytes },
        name: new URL(page.url).pathname.split('/').at(-1) ?? '',
        mediaType: page.mediaType,
        pageUrl: page.url,
        knownHash: stamp?.hash,
        minimumLength: minimumLength(),
      },
      { signal },
    );
    if (result.kind === 'unchanged') return;
    await this.#notebook.call('putDocument', {
      sourceId: source.id,
      input: {
        key: '',
        uri: page.url,
        hash: result.hash,
        size: page.bytes.length,
        modifiedAt: Date.now(),
        document: result.document,
      },
    });
    const { title } = result.document;
    if (title !== undefined && source.title === url)
      await this.#notebook.call('renameSource', { sourceId: source.id, title });
  }

  async #readSite(
    source: Source,
    rules: SiteRules,
    skipped: Skips,
    progress: { done: number; total: number },
    signal: AbortSignal,
  ): Promise<void> {
    const told = new ToldProgress(() =>
      this.#notebook.call('setSourceState', {
        sourceId: source.id,
        state: { kind: 'reading', ...progress },
      }),
    );
    try {
      const skips = await this.#sites.read(
        source.id,
        rules,
        ({ fetched, waiting }) => {
          progress.done = fetched;
          progress.total = Math.min(rules.limit, fetched + waiting);
          told.changed();
        },
        signal,
      );
      Object.assign(skipped, skips);
    } finally {
      told.dispose();
    }
    if (skipped.failed > 0) void tellFailures(source.title, skipped.failed, source.id);
  }

  #reasonOf(error: unknown): string {
    if (error instanceof NotebookError) return error.message;
    this.#log.error(error instanceof Error ? error : String(error));
    return vscode.l10n.t('It could not be read. The log tells more.');
  }
}

/** Whether the index worker went away in the middle of a call. */
function isBrokenOff(error: unknown): boolean {
  return error instanceof NotebookError && error.code === 'connection';
}

function skipReason(error: unknown): keyof SkipCounts {
  const code = error instanceof NotebookError ? error.code : 'internal';
  switch (code) {
    case 'binary':
    case 'unsupported':
      return 'binary';
    case 'too-large':
      return 'tooLarge';
    case 'empty':
    case 'too-short':
      return 'tooShort';
    default:
      return 'failed';
  }
}
