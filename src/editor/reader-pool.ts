import type { Disposable, LogOutputChannel } from 'vscode';
import PQueue from 'p-queue';
import type { CallOptions, Client, NothingAsked } from '../messages/rpc.ts';
import { isCancelled, NotebookError } from '../notebook/errors.ts';
import type { ReaderApi, ReadProgress, ReadRequest, ReadResult } from '../reading/api.ts';
import type { SitePageReading, SitePageRequest } from '../reading/sites/read-site-page.ts';
import type { SiteList, SiteListRequest } from '../reading/sites/site-lists.ts';
import type { RunningWorker } from './workers.ts';
import { startWorker } from './workers.ts';

const READERS = 2;
const HEAP_MEGABYTES = 1024;

/** How long a reader may go on after it was told to stop before it is ended, in milliseconds. */
const STOP_PATIENCE = 2_000;

/** How long one document may take, in milliseconds. */
const READ_PATIENCE = 5 * 60_000;

/** How long a reader with nothing to do is kept, in milliseconds. */
const IDLE_TIME = 30_000;

/** A few reader workers, started when there is something to read and ended when there has been nothing for a while. */
export class ReaderPool implements Disposable {
  readonly #workerPath: string;
  readonly #log: LogOutputChannel;
  readonly #queue = new PQueue({ concurrency: READERS });
  readonly #idle: RunningWorker<ReaderApi>[] = [];
  readonly #all = new Set<RunningWorker<ReaderApi>>();
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(workerPath: string, log: LogOutputChannel) {
    this.#workerPath = workerPath;
    this.#log = log;
  }

  /** Reads one document. @throws NotebookError with a sentence for the user. */
  async read(request: ReadRequest, options: CallOptions<ReadProgress>): Promise<ReadResult> {
    return this.#run(request.name, options.signal, (client) => client.call('read', request, options));
  }

  /** Reads a page of a site. @throws NotebookError with a sentence for the user. */
  async readSitePage(request: SitePageRequest, signal: AbortSignal): Promise<SitePageReading> {
    return this.#run(request.url, signal, (client) => client.call('readSitePage', request, { signal }));
  }

  /** Reads a list of a site's pages. @throws NotebookError with a sentence for the user. */
  async readSiteList(request: SiteListRequest, signal: AbortSignal): Promise<SiteList> {
    return this.#run(request.url, signal, (client) => client.call('readSiteList', request, { signal }));
  }

  async #run<T>(
    name: string,
    signal: AbortSignal | undefined,
    work: (client: Client<ReaderApi>) => Promise<T>,
  ): Promise<T> {
    return this.#queue.add(
      async () => {
        clearTimeout(this.#idleTimer);
        const worker = this.#idle.pop() ?? this.#start();
        try {
          return await this.#runWith(worker, name, signal, work);
        } finally {
          if (this.#all.has(worker)) this.#idle.push(worker);
          this.#idleTimer = setTimeout(() => {
            this.#endIdle();
          }, IDLE_TIME).unref();
        }
      },
      signal === undefined ? {} : { signal },
    );
  }

  dispose(): void {
    clearTimeout(this.#idleTimer);
    this.#queue.clear();
    for (const worker of this.#all) void worker.terminate();
  }

  async #runWith<T>(
    worker: RunningWorker<ReaderApi>,
    name: string,
    signal: AbortSignal | undefined,
    work: (client: Client<ReaderApi>) => Promise<T>,
  ): Promise<T> {
    const end = (): void => {
      this.#all.delete(worker);
      void worker.terminate();
    };
    const patience = AbortSignal.timeout(READ_PATIENCE);
    patience.addEventListener('abort', end, { once: true });
    let stopping: NodeJS.Timeout | undefined;
    const onAbort = (): void => {
      stopping = setTimeout(end, STOP_PATIENCE);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      return await work(worker.client);
    } catch (error) {
      if (signal?.aborted) throw new NotebookError('cancelled', 'Stopped.', { cause: error });
      if (patience.aborted)
        throw new NotebookError('timeout', `Reading ${name} took more than five minutes and was given up.`, {
          cause: error,
        });
      if (error instanceof NotebookError && error.code === 'connection')
        throw new NotebookError(
          'damaged',
          `${name} could not be read: it may be damaged, or need more memory than there is.`,
          { cause: error },
        );
      if (error instanceof NotebookError || isCancelled(error)) throw error;
      this.#log.error(`Reading ${name}:`, error);
      throw new NotebookError('internal', `${name} could not be read. The log tells more.`, {
        action: 'showLog',
        cause: error,
      });
    } finally {
      patience.removeEventListener('abort', end);
      clearTimeout(stopping);
      signal?.removeEventListener('abort', onAbort);
    }
  }

  #start(): RunningWorker<ReaderApi> {
    const worker = startWorker<NothingAsked, ReaderApi>(
      this.#workerPath,
      {},
      {
        heapMegabytes: HEAP_MEGABYTES,
        onExit: (error) => {
          this.#all.delete(worker);
          const idle = this.#idle.indexOf(worker);
          if (idle >= 0) this.#idle.splice(idle, 1);
          if (error !== undefined) this.#log.error('A reader worker ended:', error);
        },
      },
    );
    this.#all.add(worker);
    return worker;
  }

  #endIdle(): void {
    for (const worker of this.#idle.splice(0)) void worker.terminate();
  }
}
