import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { IndexApi, IndexEvents } from '../../../index/worker/api.ts';
import type { Params } from '../../../core/rpc/rpc.ts';
import { startWorker, type RunningWorker } from '../../../core/rpc/workers.ts';
import type { OnProgress } from './serve-notebook.ts';

/** Heap limit of the index worker. */
const HEAP_MEGABYTES = 4096;
/** Closes an idle notebook after this time, in milliseconds. On Windows an open notebook can't be moved. */
const IDLE_TIME = 20_000;
/**
 * Settings for windows of sentences with up to 1,500 UTF-16 code units, regardless of how the notebook's passages are
 * split.
 */
const PASSAGES = { size: 1500, overlap: 50 };

interface NotebookReaderOptions {
  readonly workerPath: string;
  /** Folder of the notebook on disk. */
  readonly directory: string;
}

interface OpenNotebook {
  readonly worker: RunningWorker<IndexApi>;
  /** Identity of the opened database file, to notice if another one replaced it. */
  readonly file: string;
}

/** Reader for a notebook that another process owns. Opens it at the first call, and closes it when idle. */
export class NotebookReader {
  readonly #options: NotebookReaderOptions;
  readonly #listeners = new Set<OnProgress>();
  #open: Promise<OpenNotebook> | undefined;
  #calls = 0;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(options: NotebookReaderOptions) {
    this.#options = options;
  }

  /** Reports the progress of opening a large notebook until the caller calls the returned function. */
  onProgress(listener: OnProgress): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls the notebook; see `IndexApi`. @throws NotebookError, also if there is no readable notebook */
  async call<M extends keyof IndexApi>(
    method: M,
    params: Params<IndexApi[M]>,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<ReturnType<IndexApi[M]>> {
    clearTimeout(this.#idleTimer);
    this.#calls++;
    try {
      const { worker } = await this.#openCurrent();
      return await worker.client.call(method, params, { signal: options?.signal });
    } finally {
      this.#calls--;
      if (this.#calls === 0) this.#idleTimer = setTimeout(() => void this.close(), IDLE_TIME).unref();
    }
  }

  /** Does nothing: only the editor downloads more of a team notebook. */
  prefetch(): Promise<void> {
    return Promise.resolve();
  }

  /** Closes the notebook; the next call opens it again. */
  async close(): Promise<void> {
    clearTimeout(this.#idleTimer);
    const open = this.#open;
    this.#open = undefined;
    try {
      const { worker } = (await open) ?? {};
      await worker?.client.call('close', {});
      await worker?.terminate();
    } catch {
      // Opening failed, or the worker already ended.
    }
  }

  /** Returns the current notebook. Opens it again if another one took its place or the worker ended. */
  async #openCurrent(): Promise<OpenNotebook> {
    const file = await readIdentity(this.#options.directory);
    const open = this.#open;
    if (open !== undefined && (await open).file !== file && this.#open === open) await this.close();
    this.#open ??= this.#start(file);
    return await this.#open;
  }

  #start(file: string): Promise<OpenNotebook> {
    const ended = (): void => {
      if (this.#open === opening) this.#open = undefined;
    };
    const opening = this.#openWorker(file, ended);
    return opening;
  }

  async #openWorker(file: string, onExit: () => void): Promise<OpenNotebook> {
    const { workerPath, directory } = this.#options;
    const worker = startWorker<IndexEvents, IndexApi>(
      workerPath,
      {
        changed: () => undefined,
        reopened: () => undefined,
        indexing: ({ done, total }) => {
          for (const listener of this.#listeners) listener(done, total);
        },
        resplitting: () => undefined,
        researchChanged: () => undefined,
        tableChanged: () => undefined,
      },
      { heapMegabytes: HEAP_MEGABYTES, onExit },
    );
    try {
      await worker.client.call('open', { directory, settings: PASSAGES, access: 'read' });
      return { worker, file };
    } catch (error) {
      await worker.terminate();
      throw error;
    }
  }
}

async function readIdentity(directory: string): Promise<string> {
  try {
    const { dev, ino } = await stat(join(directory, 'notebook.sqlite'), { bigint: true });
    return `${String(dev)}:${String(ino)}`;
  } catch {
    // The database doesn't exist.
    return 'none';
  }
}
