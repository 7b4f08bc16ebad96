import { Worker } from 'node:worker_threads';
import type { ReadDocument } from '../../src/core/domain/document.ts';

export interface PdfTask {
  readonly kind: 'read' | 'getTextContent';
  readonly bytes: Uint8Array;
  readonly name: string;
  readonly password?: string;
}

type PdfRead = Pick<ReadDocument, 'text' | 'map' | 'headings' | 'warnings' | 'title' | 'format'>;

/** Outcome of reading a PDF; times are in milliseconds. `code` is undefined if the error wasn't a notebook error. */
export type PdfOutcome =
  | { readonly kind: 'read'; readonly document: PdfRead; readonly ms: number }
  | { readonly kind: 'raw'; readonly openMs: number; readonly ms: number }
  | { readonly kind: 'refused'; readonly code: string | undefined; readonly message: string }
  | { readonly kind: 'hung' }
  | { readonly kind: 'crashed'; readonly message: string };

export type WorkerNews = { readonly kind: 'progress' } | PdfOutcome;

/** Reads one PDF after another in a worker, which is restarted if a PDF hangs or crashes it. */
export class WatchedPdfReader {
  readonly #patience: number;
  readonly #heapMegabytes: number;
  #worker: Worker | undefined;

  /**
   * Takes the time that a PDF may go without progress as `patience`, in milliseconds. The worker has the product's
   * memory by default.
   */
  constructor(patience: number, heapMegabytes = 1024) {
    this.#patience = patience;
    this.#heapMegabytes = heapMegabytes;
  }

  async run(task: PdfTask): Promise<PdfOutcome> {
    const worker = (this.#worker ??= new Worker(new URL('pdf-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: this.#heapMegabytes },
    }));
    const outcome = await new Promise<PdfOutcome>((resolve) => {
      let timer: NodeJS.Timeout;
      const watch = (): void => {
        clearTimeout(timer);
        timer = setTimeout(end, this.#patience, { kind: 'hung' });
      };
      const onMessage = (news: WorkerNews): void => {
        if (news.kind === 'progress') watch();
        else end(news);
      };
      const onError = (error: Error): void => {
        end({ kind: 'crashed', message: String(error) });
      };
      const end = (ended: PdfOutcome): void => {
        clearTimeout(timer);
        worker.off('message', onMessage).off('error', onError);
        resolve(ended);
      };
      worker.on('message', onMessage).on('error', onError);
      watch();
      worker.postMessage(task);
    });
    // A worker that hangs in a native call ends late, so nobody waits for it.
    if (outcome.kind === 'hung' || outcome.kind === 'crashed') void this.close();
    return outcome;
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    worker?.on('error', () => undefined);
    await worker?.terminate();
  }
}
