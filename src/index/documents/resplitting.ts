import { setImmediate as yieldToMessages } from 'node:timers/promises';
import { NotebookError, throwIfCanceled } from '../../core/domain/errors.ts';
import type { PassageSettings } from '../../core/domain/settings.ts';
import { splitForWindows } from './splitter.ts';
import type { Store } from '../store/store.ts';

export interface ResplittingEvents {
  resplitting(done: number, total: number): void;
}

/** Background job that splits documents again after the passage settings changed. */
export class Resplitting {
  readonly #store: Store;
  readonly #change: (action: () => void) => Promise<void>;
  readonly #events: ResplittingEvents;
  #running: AbortController | undefined;

  /** `change` runs a change of the store and then updates the index. */
  constructor(store: Store, change: (action: () => void) => Promise<void>, events: ResplittingEvents) {
    this.#store = store;
    this.#change = change;
    this.#events = events;
  }

  /** Stops a running job and starts with these settings. Resolves when all documents are done or the job is stopped. */
  async start(settings: PassageSettings): Promise<void> {
    this.stop();
    const controller = new AbortController();
    this.#running = controller;
    let documents: readonly number[] = [];
    try {
      documents = this.#store.documents.splitOtherwise(settings);
      for (const [done, documentId] of documents.entries()) {
        throwIfCanceled(controller.signal);
        await this.#splitAgain(documentId, settings);
        this.#events.resplitting(done + 1, documents.length);
        await yieldToMessages();
      }
    } catch {
      // New settings, closing, or a full disk can interrupt the job. The next opening continues with the remaining
      // documents.
      if (!controller.signal.aborted) this.#events.resplitting(documents.length, documents.length);
    }
  }

  /** Stops after the current document. */
  stop(): void {
    this.#running?.abort();
  }

  /** Splits a document again. One that can't be unpacked keeps its passages. */
  async #splitAgain(documentId: number, settings: PassageSettings): Promise<void> {
    try {
      await this.#change(() => this.#store.documents.splitAgain(documentId, splitForWindows, settings));
    } catch (error) {
      if (!(error instanceof NotebookError) || error.code !== 'damaged') throw error;
    }
  }
}
