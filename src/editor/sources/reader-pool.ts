import type { Disposable, LogOutputChannel } from 'vscode';
import PQueue from 'p-queue';
import { t } from '@vscode/l10n';
import type { CallOptions, Client, NothingAsked } from '../../messages/rpc.ts';
import { isBrokenOff, isCancelled, NotebookError } from '../../notebook/errors.ts';
import type { ReaderApi, ReadProgress, ReadRequest, ReadResult } from '../../reading/api.ts';
import type { KnowledgeReading, KnowledgeRequest } from '../../reading/knowledge-base.ts';
import type { SitePageReading, SitePageRequest } from '../../reading/sites/read-site-page.ts';
import type { SiteList, SiteListRequest } from '../../reading/sites/site-lists.ts';
import type { RunningWorker } from '../../messages/workers.ts';

const READERS = 2;
const HEAP_MEGABYTES = 1024;

/** How long a reader may go on after it was told to stop before it is ended, in milliseconds. */
const STOP_PATIENCE = 2_000;

/** How long a document may be read without any progress, in milliseconds. */
const READ_PATIENCE = 2 * 60_000;

/** How long a reader with nothing to do is kept, in milliseconds. */
const IDLE_TIME = 30_000;

/** Asks a reader for something; `onSign` is to be told each time that it shows a sign of work. */
type Work<T> = (client: Client<ReaderApi>, onSign: () => void) => Promise<T>;

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
    return this.#run(request.name, options.signal, (client, onSign) =>
      client.call('read', request, {
        signal: options.signal,
        onProgress: (progress) => {
          onSign();
          options.onProgress?.(progress);
        },
      }),
    );
  }

  /** Reads a file of the Streamlit app's knowledge base. @throws NotebookError with a sentence for the user. */
  async readKnowledge(request: KnowledgeRequest, signal: AbortSignal): Promise<KnowledgeReading> {
    return this.#run(request.name, signal, (client) => client.call('readKnowledge', request, { signal }));
  }

  /** Reads a page of a site. @throws NotebookError with a sentence for the user. */
  async readSitePage(request: SitePageRequest, signal: AbortSignal): Promise<SitePageReading> {
    return this.#run(request.url, signal, (client, onSign) =>
      client.call('readSitePage', request, { signal, onProgress: onSign }),
    );
  }

  /** Reads a list of a site's pages. @throws NotebookError with a sentence for the user. */
  async readSiteList(request: SiteListRequest, signal: AbortSignal): Promise<SiteList> {
    return this.#run(request.url, signal, (client) => client.call('readSiteList', request, { signal }));
  }

  async #run<T>(name: string, signal: AbortSignal | undefined, work: Work<T>): Promise<T> {
    return this.#queue.add(
      async () => {
        clearTimeout(this.#idleTimer);
        const worker = this.#idle.pop() ?? (await this.#start());
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
    work: Work<T>,
  ): Promise<T> {
    // A worker that hangs may end late; nobody waits for that.
    const given = Promise.withResolvers<never>();
    const giveUp = (reason: NotebookError): void => {
      this.#all.delete(worker);
      void worker.terminate();
      given.reject(reason);
    };
    let patience: NodeJS.Timeout | undefined;
    const wait = (): void => {
      clearTimeout(patience);
      patience = setTimeout(giveUp, READ_PATIENCE, stuckError(name));
    };
    let stopping: NodeJS.Timeout | undefined;
    const onAbort = (): void => {
      stopping = setTimeout(giveUp, STOP_PATIENCE, new NotebookError('cancelled', t('Stopped.')));
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    wait();
    try {
      return await Promise.race([work(worker.client, wait), given.promise]);
    } catch (error) {
      if (signal?.aborted) throw new NotebookError('cancelled', t('Stopped.'), { cause: error });
      throw this.#readingError(error, name);
    } finally {
      clearTimeout(patience);
      clearTimeout(stopping);
      signal?.removeEventListener('abort', onAbort);
    }
  }

  #readingError(error: unknown, name: string): unknown {
    if (isBrokenOff(error))
      return new NotebookError(
        'damaged',
        t('{0} could not be read: it may be damaged, or need more memory than there is.', name),
        { cause: error },
      );
    if (error instanceof NotebookError || isCancelled(error)) return error;
    this.#log.error(`Reading ${name}:`, error);
    return new NotebookError('internal', t('{0} could not be read. The log tells more.', name), {
      action: 'showLog',
      cause: error,
    });
  }

  async #start(): Promise<RunningWorker<ReaderApi>> {
    const { startWorker } = await import('../../messages/workers.ts');
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

function stuckError(name: string): NotebookError {
  return new NotebookError(
    'damaged',
    t(
      '{0} was given up: nothing came of reading it for two minutes. It may be damaged, so save it anew.',
      name,
    ),
  );
}
