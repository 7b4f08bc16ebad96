/** Activity that ends when it is disposed of. */
export interface Subscription {
  dispose(): void;
}

/** Calls the listener for each event until the subscription is disposed of. VS Code's events have the same form. */
export type Event<T> = (listener: (event: T) => void) => Subscription;

/** Emits events like VS Code's emitter, without VS Code. */
export class Emitter<T> implements Subscription {
  readonly #listeners = new Set<(event: T) => void>();

  readonly event: Event<T> = (listener) => {
    // The same listener may be added twice.
    const own = (event: T): void => listener(event);
    this.#listeners.add(own);
    return { dispose: () => void this.#listeners.delete(own) };
  };

  /** Notifies all current listeners. An error in one of them doesn't stop the others. */
  fire(event: T): void {
    for (const listener of [...this.#listeners])
      try {
        listener(event);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
  }

  dispose(): void {
    this.#listeners.clear();
  }
}
