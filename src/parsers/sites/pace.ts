import { setTimeout as sleep } from 'node:timers/promises';
import PQueue from 'p-queue';
import { throwIfCanceled } from '../../core/domain/errors.ts';

/**
 * Request limits of a host: the maximum number of concurrent requests, and the pause between their starts in
 * milliseconds.
 */
export interface PaceSettings {
  readonly requestsAtOnce: number;
  readonly pause: number;
}

/** Rate limiter of all requests to one host. */
export class Pace {
  readonly #settings: () => PaceSettings;
  readonly #queue = new PQueue();
  #crawlDelay = 0;
  #nextAt = 0;
  #heldUntil = 0;

  /** Creates a pace that reads `settings` before every request, so a change applies to a running crawl. */
  constructor(settings: () => PaceSettings) {
    this.#settings = settings;
  }

  /** Lengthens the pause to the crawl delay of the host's robots.txt, in milliseconds. */
  slowDownTo(crawlDelay: number): void {
    this.#crawlDelay = crawlDelay;
  }

  /** Delays the next request by some milliseconds, because the host is too busy. */
  holdFor(milliseconds: number): void {
    this.#heldUntil = Math.max(this.#heldUntil, Date.now() + milliseconds);
  }

  /** Makes a request when the limits allow it. @throws NotebookError `cancelled`, and whatever `request` throws. */
  async run<T>(request: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const { requestsAtOnce, pause } = this.#settings();
    // A host that requires a pause between requests doesn't want concurrent ones.
    this.#queue.concurrency = this.#crawlDelay > 0 ? 1 : requestsAtOnce;
    return this.#queue.add(async () => {
      const early = (): number => Math.max(this.#nextAt, this.#heldUntil) - Date.now();
      for (let wait = early(); wait > 0; wait = early()) await waitFor(wait, signal);
      throwIfCanceled(signal);
      // Count from the actual start, which can be late on a busy machine.
      this.#nextAt = Date.now() + Math.max(pause, this.#crawlDelay);
      return request();
    });
  }
}

/** Waits some milliseconds. @throws NotebookError `cancelled` */
export async function waitFor(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(milliseconds, undefined, signal ? { signal } : {});
  } catch (error) {
    throwIfCanceled(signal);
    throw error;
  }
}
