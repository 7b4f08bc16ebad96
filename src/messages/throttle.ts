/** Has something done now and then that is asked for again and again: once in an interval, in milliseconds. */
export class Throttle {
  readonly #work: () => void;
  readonly #interval: number;
  #doneAt = -Infinity;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(work: () => void, interval: number) {
    this.#work = work;
    this.#interval = interval;
  }

  /** To be done at once, or as soon as an interval has passed since it was done; also in work that lets no timer run. */
  ask(): void {
    const wait = this.#doneAt + this.#interval - performance.now();
    if (wait <= 0) this.#do();
    else this.#timer ??= setTimeout(() => this.#do(), wait);
  }

  /** To be done when an interval has passed, so that what comes meanwhile is done with it. */
  gather(): void {
    this.#timer ??= setTimeout(() => this.#do(), this.#interval);
  }

  /** What was asked for and not done is not done any more. */
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
