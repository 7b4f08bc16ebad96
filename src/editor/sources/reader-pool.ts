import { stat } from 'node:fs/promises';
import { totalmem } from 'node:os';
import type { Disposable, LogOutputChannel } from 'vscode';
import PQueue from 'p-queue';
import { t } from '@vscode/l10n';
import type { CallOptions, Client, NothingAsked } from '../../messages/rpc.ts';
import type { JudgedPage } from '../../notebook/page-report.ts';
import { isBrokenOff, isCancelled, NotebookError } from '../../notebook/errors.ts';
import type {
  AnnotationsRequest,
  PageRequest,
  SavedPdf,
  PictureRequest,
  ReaderApi,
  ReadProgress,
  ReadRequest,
  ReadResult,
} from '../../reading/api.ts';
import type { Savable } from '../../reading/pdf/saving/save-annotations.ts';
import type { FilePicture } from '../../reading/file-pictures.ts';
import type { KnowledgeReading, KnowledgeRequest } from '../../reading/knowledge-base.ts';
import type { SitePageReading, SitePageRequest } from '../../reading/sites/read-site-page.ts';
import type { SiteList, SiteListRequest } from '../../reading/sites/site-lists.ts';
import type { RunningProcess } from '../../messages/processes.ts';

const READERS = 2;

/** What a reader may take: the largest files take up to about 1,000 MB, those that were made to harm whatever there is. */
const MOST_MEGABYTES = 1_536;
const LEAST_MEGABYTES = 384;
/** On small machines the same share of what they have. */
const MEMORY_SHARE = 0.2;

/** Files of more bytes are read one after the other, so that a reader is left for shorter ones. */
const LONG_FILE = 8 * 2 ** 20;

/** While a shorter one has been read for so long, in milliseconds, there is another reader. */
const LONG_TIME = 10_000;

/** How long a reader may go on after it was told to stop before it is ended, in milliseconds. */
const STOP_PATIENCE = 2_000;

/** How long a document may be read without any progress, in milliseconds. */
const READ_PATIENCE = 2 * 60_000;

/** How long a reader with nothing to do is kept, in milliseconds. */
const IDLE_TIME = 30_000;

/** What is read: a name to tell it by, and how long it is. */
interface Given {
  readonly name: string;
  readonly bytes: number;
}

/** Asks a reader for something; `onSign` is to be told each time that it shows a sign of work. */
type Work<T> = (client: Client<ReaderApi>, onSign: () => void) => Promise<T>;

/** Whether a file of some bytes takes long enough to be read that shorter ones should not wait for it. */
export function isLong(bytes: number): boolean {
  return bytes > LONG_FILE;
}

/**
 * A few reader processes, started when there is something to read and ended when there has been nothing for a while.
 * Short files go first.
 */
export class ReaderPool implements Disposable {
  readonly #workerPath: string;
  readonly #log: LogOutputChannel;
  readonly #megabytes: number;
  readonly #patience: number;
  readonly #queue = new PQueue({ concurrency: READERS });
  readonly #longQueue = new PQueue({ concurrency: READERS - 1 });
  /** Those that have read a short file for long. */
  readonly #slow = new Set<RunningProcess<ReaderApi>>();
  readonly #idle: RunningProcess<ReaderApi>[] = [];
  readonly #all = new Set<RunningProcess<ReaderApi>>();
  #idleTimer: NodeJS.Timeout | undefined;

  /** `megabytes`: what a reader may take, of memory of any kind. */
  constructor(workerPath: string, log: LogOutputChannel, megabytes = mostMemory(), patience = READ_PATIENCE) {
    this.#workerPath = workerPath;
    this.#log = log;
    this.#megabytes = megabytes;
    this.#patience = patience;
  }

  /** Reads one document. @throws NotebookError with a sentence for the user. */
  async read(request: ReadRequest, options: CallOptions<ReadProgress>): Promise<ReadResult> {
    const given = { name: request.name, bytes: await measureContent(request.content) };
    return this.#run(given, options.signal, (client, onSign) =>
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
    const given = { name: request.name, bytes: await measureContent(request.content) };
    return this.#run(given, signal, (client) => client.call('readKnowledge', request, { signal }));
  }

  /** Takes a picture out of a file; undefined where there is none. @throws NotebookError with a sentence for the user. */
  async readPicture(request: PictureRequest): Promise<FilePicture | undefined> {
    const given = { name: request.name, bytes: await measureContent(request.content) };
    return this.#run(given, undefined, (client) => client.call('readPicture', request));
  }

  /** Reads a page of a site. @throws NotebookError with a sentence for the user. */
  async readSitePage(request: SitePageRequest, signal: AbortSignal): Promise<SitePageReading> {
    const given = { name: request.url, bytes: request.bytes.length };
    return this.#run(given, signal, (client, onSign) =>
      client.call('readSitePage', request, { signal, onProgress: onSign }),
    );
  }

  /** Reads a list of a site's pages. @throws NotebookError with a sentence for the user. */
  async readSiteList(request: SiteListRequest, signal: AbortSignal): Promise<SiteList> {
    const given = { name: request.url, bytes: request.bytes.length };
    return this.#run(given, signal, (client) => client.call('readSiteList', request, { signal }));
  }

  /** Which blocks of a page are taken, and why. @throws NotebookError with a sentence for the user. */
  async explainPage(request: PageRequest, signal: AbortSignal): Promise<JudgedPage> {
    const given = { name: request.name, bytes: await measureContent(request.content) };
    return this.#run(given, signal, (client) => client.call('explainPage', request, { signal }));
  }

  /** Makes a PDF of a picture, to be shown. @throws NotebookError with a sentence for the user. */
  async pdfOfPicture(picture: Pick<ReadRequest, 'content' | 'name'>): Promise<Uint8Array> {
    const given = { name: picture.name, bytes: await measureContent(picture.content) };
    return this.#run(given, undefined, (client) => client.call('pdfOfPicture', picture));
  }

  /** Whether annotations can be saved in a PDF. @throws NotebookError with a sentence for the user. */
  async savableAnnotations(file: Pick<ReadRequest, 'content' | 'name'>): Promise<Savable> {
    return this.#run({ name: file.name, bytes: 0 }, undefined, (client) =>
      client.call('savableAnnotations', file),
    );
  }

  /** What is to be put behind a PDF for its annotations and its form to be changed. @throws NotebookError with a sentence for the user. */
  async saveAnnotations(request: AnnotationsRequest): Promise<SavedPdf> {
    return this.#run({ name: request.name, bytes: 0 }, undefined, (client) =>
      client.call('saveAnnotations', request),
    );
  }

  async #run<T>({ name, bytes }: Given, signal: AbortSignal | undefined, work: Work<T>): Promise<T> {
    const options = { priority: -bytes, ...(signal && { signal }) };
    const read = (): Promise<T> =>
      this.#queue.add(() => this.#readOne({ name, isLong: isLong(bytes) }, signal, work), options);
    return isLong(bytes) ? this.#longQueue.add(read, options) : read();
  }

  async #readOne<T>(
    { name, isLong }: { readonly name: string; readonly isLong: boolean },
    signal: AbortSignal | undefined,
    work: Work<T>,
  ): Promise<T> {
    clearTimeout(this.#idleTimer);
    const worker = this.#idle.pop() ?? (await this.#start());
    const slowness = setTimeout(() => {
      if (!isLong) this.#slow.add(worker);
      this.#adjust();
    }, LONG_TIME);
    try {
      return await this.#runWith(worker, name, signal, work);
    } finally {
      clearTimeout(slowness);
      this.#slow.delete(worker);
      this.#adjust();
      if (this.#all.has(worker)) this.#idle.push(worker);
      this.#idleTimer = setTimeout(() => this.#endIdle(), IDLE_TIME).unref();
    }
  }

  #adjust(): void {
    this.#queue.concurrency = this.#slow.size > 0 ? READERS + 1 : READERS;
  }

  dispose(): void {
    clearTimeout(this.#idleTimer);
    this.#longQueue.clear();
    this.#queue.clear();
    for (const worker of this.#all) void worker.terminate();
  }

  async #runWith<T>(
    worker: RunningProcess<ReaderApi>,
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
      patience = setTimeout(giveUp, this.#patience, stuckError(name));
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
      throw this.#readingError(error, name, worker);
    } finally {
      clearTimeout(patience);
      clearTimeout(stopping);
      signal?.removeEventListener('abort', onAbort);
    }
  }

  #readingError(error: unknown, name: string, worker: RunningProcess<ReaderApi>): unknown {
    if (isBrokenOff(error))
      return worker.ranOutOfMemory
        ? new NotebookError(
            'too-large',
            t(
              '{0} is too large to read: what it holds needs more memory than the {1} MB that reading may take; add a part of it.',
              name,
              this.#megabytes,
            ),
            { cause: error },
          )
        : new NotebookError(
            'damaged',
            t('{0} could not be read, because it may be damaged; save it anew.', name),
            { cause: error },
          );
    // What nobody expected tells where it happened, which is for the log.
    if ((error instanceof NotebookError && error.code !== 'internal') || isCancelled(error)) return error;
    this.#log.error(`Reading ${name}:`, error);
    return new NotebookError('internal', t('{0} could not be read. The log tells more.', name), {
      action: 'showLog',
      cause: error,
    });
  }

  async #start(): Promise<RunningProcess<ReaderApi>> {
    const { startProcess } = await import('../../messages/processes.ts');
    const worker = startProcess<NothingAsked, ReaderApi>(
      this.#workerPath,
      {},
      {
        megabytes: this.#megabytes,
        onExit: (error) => {
          this.#all.delete(worker);
          const idle = this.#idle.indexOf(worker);
          if (idle >= 0) this.#idle.splice(idle, 1);
          if (error !== undefined) this.#log.error('A reader ended:', error);
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

/** What a reader may take on this machine, or within the limits that it is run in, in megabytes. */
function mostMemory(): number {
  const constrained = process.constrainedMemory();
  const all = constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
  const share = Math.round((MEMORY_SHARE * all) / 2 ** 20);
  return Math.min(MOST_MEGABYTES, Math.max(LEAST_MEGABYTES, share));
}

/** How many bytes are to be read; none of what is not there, as its reading will tell. */
async function measureContent(content: ReadRequest['content']): Promise<number> {
  if (content.kind === 'bytes') return content.bytes.length;
  return stat(content.path).then(
    ({ size }) => size,
    () => 0,
  );
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
