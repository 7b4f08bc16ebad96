import type { Subscription } from './emitter.ts';

/** Base class of objects that own disposables. Works without VS Code. */
export abstract class Disposable implements Subscription {
  readonly #owned = new Set<Subscription>();
  #isDisposed = false;

  /**
   * Disposes of everything registered, in order, once. An error in one of them doesn't stop the others.
   * @throws the first error
   */
  dispose(): void {
    this.#isDisposed = true;
    const errors: unknown[] = [];
    for (const disposable of this.#owned)
      try {
        this.#owned.delete(disposable);
        disposable.dispose();
      } catch (error) {
        errors.push(error);
      }
    if (errors.length > 0) throw errors[0];
  }

  /** Disposes of the arguments together with this object, at once if it already was. Returns the first one. */
  protected _register<T extends Subscription>(disposable: T, ...others: readonly Subscription[]): T {
    for (const subscription of [disposable, ...others])
      if (this.#isDisposed) subscription.dispose();
      else this.#owned.add(subscription);
    return disposable;
  }
}
