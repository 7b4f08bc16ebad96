/** What is ended by disposing of it. */
export interface Subscription {
  dispose(): void;
}

/** Calls back for each thing that is told, until the subscription is disposed of; an event of the editor's is one. */
export type Event<T> = (listener: (told: T) => void) => Subscription;

/** Tells those who listen: what the editor's emitter does, without the editor. */
export class Emitter<T> implements Subscription {
  readonly #listeners = new Set<(told: T) => void>();

  readonly event: Event<T> = (listener) => {
    // A listener may listen twice.
    const own = (told: T): void => listener(told);
    this.#listeners.add(own);
    return { dispose: () => void this.#listeners.delete(own) };
  };

  /** Tells all that listen now; what one of them throws hinders no other. */
  fire(told: T): void {
    for (const listener of [...this.#listeners])
      try {
        listener(told);
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

/** Disposes of several at once. */
export function together(...subscriptions: readonly Subscription[]): Subscription {
  return {
    dispose: () => {
      for (const subscription of subscriptions) subscription.dispose();
    },
  };
}
