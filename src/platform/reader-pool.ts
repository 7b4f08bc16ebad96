import { stat } from 'node:fs/promises';
import { totalmem } from 'node:os';
import type { LogOutputChannel } from 'vscode';
import PQueue from 'p-queue';
import { t } from '@vscode/l10n';
import type { CallOptions, Params, ProgressOf } from '../core/rpc/rpc.ts';
import type { JudgedPage } from '../core/domain/page-report.ts';
import { isCanceled, NotebookError } from '../core/domain/errors.ts';
import type {
  AnnotationsRequest,
  PageRequest,
  SavedPdf,
  PictureRequest,
  ReaderApi,
  ReadProgress,
  ReadRequest,
  ReadResult,
} from '../parsers/api.ts';
import type { PageCaptions } from '../parsers/web/page-captions.ts';
import type { Savable } from '../parsers/pdf/saving/save-annotations.ts';
import type { FilePicture } from '../parsers/file-pictures.ts';
import type {
  RecordedSound,
  RecordingDetails,
  RecordingPart,
  RecordingPlan,
  Speaker,
} from '../core/domain/recordings.ts';
import type { KnowledgeReading, KnowledgeRequest } from '../parsers/knowledge-base.ts';
import type { SitePageReading, SitePageRequest } from '../parsers/sites/read-site-page.ts';
import type { SiteList, SiteListRequest } from '../parsers/sites/site-lists.ts';
import { ProcessEndedError, ProcessOnDemand } from './process-on-demand.ts';
import { Disposable } from './disposable.ts';

const READERS = 2;

/** Maximum memory of a reader: the largest files need about 1,000 MB, but malicious files use as much as they can. */
const MAX_MEGABYTES = 1_536;
const MIN_MEGABYTES = 384;
/** Share of the memory that a reader may use on small machines. */
const MEMORY_SHARE = 0.2;

/** Size above which files are read one at a time, in bytes, so that a reader is left for smaller ones. */
const LONG_FILE = 8 * 2 ** 20;

/** Time after which a slow small file gets an additional reader started, in milliseconds. */
const LONG_TIME = 10_000;

/** Limits of a reader, see `ProcessOnDemand`. */
const READER = { idleTimeMs: 30_000, stopTimeoutMs: 2_000 };
const READ_TIMEOUT_MS = 2 * 60_000;

const NEVER_STOPPED = new AbortController().signal;

/** File to read: its name for messages, and its size. */
interface SizedFile {
  readonly name: string;
  readonly bytes: number;
}

/** Reports whether a file of this size takes so long to read that shorter files shouldn't wait for it. */
export function isLong(bytes: number): boolean {
  return bytes > LONG_FILE;
}

/** Pool of a few reader processes, which start on demand and end after a while without work. Small files go first. */
export class ReaderPool extends Disposable {
  readonly #workerPath: string;
  readonly #log: LogOutputChannel;
  readonly #megabytes: number;
  readonly #timeoutMs: number;
  readonly #queue = new PQueue({ concurrency: READERS });
  readonly #longQueue = new PQueue({ concurrency: READERS - 1 });
  /** Readers that have been busy with a small file for a long time. */
  readonly #slow = new Set<ProcessOnDemand<ReaderApi>>();
  readonly #idle: ProcessOnDemand<ReaderApi>[] = [];

  /** `megabytes` limits the memory of a reader, of any kind. */
  constructor(
    workerPath: string,
    log: LogOutputChannel,
    megabytes = mostMemory(),
    timeoutMs = READ_TIMEOUT_MS,
  ) {
    super();
    this.#workerPath = workerPath;
    this.#log = log;
    this.#megabytes = megabytes;
    this.#timeoutMs = timeoutMs;
  }

  /** Reads one document. @throws NotebookError with a sentence for the user. */
  async read(request: ReadRequest, options: CallOptions<ReadProgress>): Promise<ReadResult> {
    return this.#run(await sizedFile(request), 'read', request, options);
  }

  /** Reads a file of the Streamlit app's knowledge base. @throws NotebookError with a sentence for the user. */
  async readKnowledge(request: KnowledgeRequest, signal: AbortSignal): Promise<KnowledgeReading> {
    return this.#run(await sizedFile(request), 'readKnowledge', request, { signal });
  }

  /** Extracts an image from a file; undefined if there is none. @throws NotebookError with a sentence for the user. */
  async readPicture(request: PictureRequest): Promise<FilePicture | undefined> {
    return this.#run(await sizedFile(request), 'readPicture', request);
  }

  /** Reads a page of a site. @throws NotebookError with a sentence for the user. */
  async readSitePage(request: SitePageRequest, signal: AbortSignal): Promise<SitePageReading> {
    const page = { name: request.url, bytes: request.bytes.length };
    return this.#run(page, 'readSitePage', request, { signal });
  }

  /** Reads a list of a site's pages. @throws NotebookError with a sentence for the user. */
  async readSiteList(request: SiteListRequest, signal: AbortSignal): Promise<SiteList> {
    const list = { name: request.url, bytes: request.bytes.length };
    return this.#run(list, 'readSiteList', request, { signal });
  }

  /** Returns which blocks of a page are extracted, and why. @throws NotebookError with a sentence for the user. */
  async explainPage(request: PageRequest, signal: AbortSignal): Promise<JudgedPage> {
    return this.#run(await sizedFile(request), 'explainPage', request, { signal });
  }

  /** Returns the captions that a page with a video offers. @throws NotebookError with a sentence for the user. */
  async findPageCaptions(request: PageRequest, signal: AbortSignal): Promise<PageCaptions | undefined> {
    return this.#run(await sizedFile(request), 'findPageCaptions', request, { signal });
  }

  /** Converts an image to a PDF for display. @throws NotebookError with a sentence for the user. */
  async pdfOfPicture(picture: Pick<ReadRequest, 'content' | 'name'>): Promise<Uint8Array> {
    return this.#run(await sizedFile(picture), 'pdfOfPicture', picture);
  }

  /** Returns the duration and the tracks of a recording. @throws NotebookError with a sentence for the user. */
  async describeRecording(file: Pick<ReadRequest, 'content' | 'name'>): Promise<RecordingDetails> {
    return this.#run({ name: file.name, bytes: 0 }, 'describeRecording', file);
  }

  /** Returns the SHA-256 of a file and its size in bytes. @throws NotebookError with a sentence for the user. */
  async hashRecording(
    file: Pick<ReadRequest, 'content' | 'name'>,
    signal: AbortSignal,
  ): Promise<{ readonly hash: string; readonly size: number }> {
    return this.#run({ name: file.name, bytes: 0 }, 'hashRecording', file, { signal });
  }

  /** Returns the speakers that captions name. @throws NotebookError with a sentence for the user. */
  async listSpeakers(file: Params<ReaderApi['listSpeakers']>): Promise<readonly Speaker[]> {
    return this.#run({ name: file.name, bytes: 0 }, 'listSpeakers', file);
  }

  /** Returns the parts in which a recording is transcribed. @throws NotebookError with a sentence for the user. */
  async planRecording(
    file: Pick<ReadRequest, 'content' | 'name'>,
    signal: AbortSignal,
  ): Promise<RecordingPlan> {
    return this.#run(await sizedFile(file), 'planRecording', file, { signal });
  }

  /** Returns the sound of a part of a recording. @throws NotebookError with a sentence for the user. */
  async cutRecording(
    file: Pick<ReadRequest, 'content' | 'name'>,
    part: RecordingPart,
    signal: AbortSignal,
  ): Promise<RecordedSound> {
    return this.#run({ name: file.name, bytes: 0 }, 'cutRecording', { ...file, part }, { signal });
  }

  /** Reports whether annotations can be saved in a PDF. @throws NotebookError with a sentence for the user. */
  async savableAnnotations(file: Pick<ReadRequest, 'content' | 'name'>): Promise<Savable> {
    return this.#run({ name: file.name, bytes: 0 }, 'savableAnnotations', file);
  }

  /**
   * Returns the bytes to append to a PDF to change its annotations and its form.
   * @throws NotebookError with a sentence for the user.
   */
  async saveAnnotations(request: AnnotationsRequest): Promise<SavedPdf> {
    return this.#run({ name: request.name, bytes: 0 }, 'saveAnnotations', request);
  }

  async #run<M extends keyof ReaderApi>(
    { name, bytes }: SizedFile,
    method: M,
    params: Params<ReaderApi[M]>,
    { signal, onProgress }: CallOptions<ProgressOf<ReaderApi[M]>> = {},
  ): Promise<ReturnType<ReaderApi[M]>> {
    const options = { priority: -bytes, ...(signal && { signal }) };
    const read = (): Promise<ReturnType<ReaderApi[M]>> =>
      this.#queue.add(async () => {
        const reader = this.#idle.pop() ?? this.#addReader();
        const slowness = setTimeout(() => {
          if (!isLong(bytes)) this.#slow.add(reader);
          this.#adjust();
        }, LONG_TIME);
        try {
          return await reader.call(method, params, signal ?? NEVER_STOPPED, onProgress);
        } catch (error) {
          throw this.#readingError(error, name);
        } finally {
          clearTimeout(slowness);
          this.#slow.delete(reader);
          this.#adjust();
          this.#idle.push(reader);
        }
      }, options);
    return isLong(bytes) ? this.#longQueue.add(read, options) : read();
  }

  #adjust(): void {
    this.#queue.concurrency = this.#slow.size > 0 ? READERS + 1 : READERS;
  }

  override dispose(): void {
    this.#longQueue.clear();
    this.#queue.clear();
    super.dispose();
  }

  #readingError(error: unknown, name: string): unknown {
    if (error instanceof ProcessEndedError)
      switch (error.reason) {
        case 'memory':
          return new NotebookError(
            'too-large',
            t(
              'Can’t read {0} because it needs more than the {1} MB of memory that reading can use. Split the file, then add a part of it.',
              name,
              this.#megabytes,
            ),
            { cause: error },
          );
        case 'timeout':
          return new NotebookError(
            'damaged',
            t(
              'Stopped reading {0} after two minutes without progress. The file may be damaged. Save it again, then retry.',
              name,
            ),
            { cause: error },
          );
        case 'crash':
          return new NotebookError(
            'damaged',
            t('Can’t read {0}. The file may be damaged. Save it again, then retry.', name),
            { cause: error },
          );
      }
    // The log shows where an unexpected error occurred.
    if ((error instanceof NotebookError && error.code !== 'internal') || isCanceled(error)) return error;
    this.#log.error(`Reading ${name}:`, error);
    return new NotebookError('internal', t('Can’t read {0}. See the log for details.', name), {
      action: 'showLog',
      cause: error,
    });
  }

  #addReader(): ProcessOnDemand<ReaderApi> {
    const reader = new ProcessOnDemand<ReaderApi>({
      path: this.#workerPath,
      name: 'A reader',
      log: this.#log,
      megabytes: this.#megabytes,
      timeoutMs: this.#timeoutMs,
      ...READER,
    });
    this._register(reader);
    return reader;
  }
}

/** Returns the memory limit of a reader on this machine, or within the limits of its container, in megabytes. */
function mostMemory(): number {
  const constrained = process.constrainedMemory();
  const memoryBytes = constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
  const share = Math.round((MEMORY_SHARE * memoryBytes) / 2 ** 20);
  return Math.min(MAX_MEGABYTES, Math.max(MIN_MEGABYTES, share));
}

/** Returns the size of a file. A missing file has no bytes, and reading it reports why. */
async function sizedFile({ content, name }: Pick<ReadRequest, 'content' | 'name'>): Promise<SizedFile> {
  if (content.kind === 'bytes') return { name, bytes: content.bytes.length };
  if (content.size !== undefined) return { name, bytes: content.size };
  return {
    name,
    bytes: await stat(content.path).then(
      ({ size }) => size,
      () => 0,
    ),
  };
}
