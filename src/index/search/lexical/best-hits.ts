/** Slot of a passage in the postings, with its score. */
export type Scored = [slot: number, score: number];

/** Heap of the best hits, with the worst of them at its root. */
export class BestHits {
  readonly #limit: number;
  readonly #heap: Scored[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Minimum score for a new hit. */
  get least(): number {
    return this.#heap.length < this.#limit ? -Infinity : (this.#heap[0]?.[1] ?? Infinity);
  }

  /** Adds a hit if it's better than the worst one so far. */
  offer(slot: number, score: number): void {
    const heap = this.#heap;
    if (heap.length < this.#limit) {
      heap.push([slot, score]);
      for (let i = heap.length - 1; i > 0;) {
        const parent = (i - 1) >> 1;
        if (!this.#swapIfWorse(i, parent)) break;
        i = parent;
      }
      return;
    }
    const worst = heap[0];
    if (worst === undefined || score < worst[1] || (score === worst[1] && slot > worst[0])) return;
    worst[0] = slot;
    worst[1] = score;
    for (let i = 0; ;) {
      const left = 2 * i + 1;
      const child = left + 1 < heap.length && this.#isWorse(left + 1, left) ? left + 1 : left;
      if (child >= heap.length || !this.#swapIfWorse(child, i)) break;
      i = child;
    }
  }

  /** Returns the hits, best first, equal ones by slot. */
  sortHits(): Scored[] {
    return this.#heap.sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  }

  #isWorse(i: number, j: number): boolean {
    const a = this.#heap[i];
    const b = this.#heap[j];
    return a !== undefined && b !== undefined && (a[1] < b[1] || (a[1] === b[1] && a[0] > b[0]));
  }

  #swapIfWorse(child: number, parent: number): boolean {
    const a = this.#heap[child];
    const b = this.#heap[parent];
    if (a === undefined || b === undefined || !this.#isWorse(child, parent)) return false;
    this.#heap[child] = b;
    this.#heap[parent] = a;
    return true;
  }
}
