/** Runs repeatedly requested work at most once per interval, in milliseconds. */
export class Throttle {
  readonly #work: () => void;
  readonly #interval: number;
  #doneAt = -Infinity;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(action: () => void, interval: number) {
    this.#work = action;
    this.#interval = interval;
  }

  /**
   * Runs the work at once, or as soon as an interval has passed since the last run. Also works while busy code blocks
   * timers.
   */
  ask(): void {
    const wait = this.#doneAt + this.#interval - performance.now();
    if (wait <= 0) this.#do();
    else this.#timer ??= setTimeout(() => this.#do(), wait);
  }

  /** Runs the work after an interval, so that one run covers all requests until then. */
  gather(): void {
    this.#timer ??= setTimeout(() => this.#do(), this.#interval);
  }

  /** Cancels work that hasn't run yet. */
  dispose(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #do(): void {
    this.dispose();
    this.#doneAt = performance.now();
    this.#work();
  }
}
