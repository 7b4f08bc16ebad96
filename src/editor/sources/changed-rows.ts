/**
 * The rows of a list that show something else than before, by their keys; `all` where some came, went or moved. Both tell in
 * the list's order what each row shows.
 */
export function changedRows(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly string[] | 'all' {
  const keys = [...after.keys()];
  const isSameList = before.size === after.size && [...before.keys()].every((key, i) => key === keys[i]);
  return isSameList ? keys.filter((key) => before.get(key) !== after.get(key)) : 'all';
}

/**
 * Has something done at once, and while it is asked for again and again once in an interval, in milliseconds. Ends with
 * `dispose`.
 */
export class Throttle {
  readonly #work: () => void;
  readonly #interval: number;
  #timer: NodeJS.Timeout | undefined;
  #isAsked = false;

  constructor(work: () => void, interval: number) {
    this.#work = work;
    this.#interval = interval;
  }

  ask(): void {
    if (this.#timer !== undefined) {
      this.#isAsked = true;
      return;
    }
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (!this.#isAsked) return;
      this.#isAsked = false;
      this.ask();
    }, this.#interval);
    this.#work();
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }
}
