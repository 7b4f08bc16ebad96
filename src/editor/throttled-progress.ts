import type { NotebookClient } from './notebook-client.ts';

/** How often progress is told, in milliseconds. */
const TELLING_INTERVAL = 300;

/** How often it is told that the work goes on, whether or not it has come further, in milliseconds. */
const LIVING_INTERVAL = 10_000;

/** Tells how far some work has come: soon after each step, not too often, and now and then that it goes on at all. */
export class ThrottledProgress {
  readonly #tell: () => Promise<unknown>;
  readonly #living: NodeJS.Timeout;
  #next: NodeJS.Timeout | undefined;
  #toldAt = 0;

  /** What can't be told is told with the next step. */
  constructor(tell: () => Promise<unknown>) {
    this.#tell = tell;
    this.#living = setInterval(() => this.#tellNow(), LIVING_INTERVAL);
  }

  /** The work has come further. */
  changed(): void {
    const wait = this.#toldAt + TELLING_INTERVAL - Date.now();
    if (wait <= 0) this.#tellNow();
    else this.#next ??= setTimeout(() => this.#tellNow(), wait);
  }

  dispose(): void {
    clearInterval(this.#living);
    clearTimeout(this.#next);
  }

  #tellNow(): void {
    clearTimeout(this.#next);
    this.#next = undefined;
    this.#toldAt = Date.now();
    this.#tell().catch(() => undefined);
  }
}

/** Does some of the reading of a source, and tells how far `progress` has come whenever `changed` is called. */
export async function tellingReading<T>(
  notebook: NotebookClient,
  sourceId: string,
  progress: { readonly done: number; readonly total: number },
  read: (changed: () => void) => Promise<T>,
): Promise<T> {
  const told = new ThrottledProgress(() =>
    notebook.call('setSourceState', { sourceId, state: { kind: 'reading', ...progress } }),
  );
  try {
    return await read(() => told.changed());
  } finally {
    told.dispose();
  }
}
