import { setTimeout as sleep } from 'node:timers/promises';
import PQueue from 'p-queue';
import { throwIfCancelled } from '../../notebook/errors.ts';

/** How a host is asked: so many requests at once at most, and a pause between their beginnings in milliseconds. */
export interface PaceSettings {
  readonly requestsAtOnce: number;
  readonly pause: number;
}

/** Lets requests to one host through at its pace, whoever makes them. */
export class Pace {
  readonly #settings: () => PaceSettings;
  readonly #queue = new PQueue();
  #crawlDelay = 0;
  #nextAt = 0;
  #heldUntil = 0;

  /** `settings` are asked for with every request, so that a change needs no new crawl. */
  constructor(settings: () => PaceSettings) {
    this.#settings = settings;
  }

  /** Lengthens the pause to what the host's robots.txt asks for, in milliseconds. */
  slowDownTo(crawlDelay: number): void {
    this.#crawlDelay = crawlDelay;
  }

  /** Begins no request for some milliseconds, because the host is too busy. */
  holdFor(milliseconds: number): void {
    this.#heldUntil = Math.max(this.#heldUntil, Date.now() + milliseconds);
  }

  /** Makes a request in its turn. @throws NotebookError `cancelled`, and whatever `request` throws. */
  async run<T>(request: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const { requestsAtOnce, pause } = this.#settings();
    // Who asks for a pause between requests does not want two at once.
    this.#queue.concurrency = this.#crawlDelay > 0 ? 1 : requestsAtOnce;
    return this.#queue.add(async () => {
      const early = (): number => Math.max(this.#nextAt, this.#heldUntil) - Date.now();
      for (let wait = early(); wait > 0; wait = early()) await waitFor(wait, signal);
      throwIfCancelled(signal);
      // From when it sets out, which on a busy machine is later than it might have.
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
    throwIfCancelled(signal);
    throw error;
  }
}
