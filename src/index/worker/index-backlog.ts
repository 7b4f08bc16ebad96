import type { DocumentChange } from '../store/store.ts';

/** Documents that are yet to be indexed, in the order of their changes. They may be indexed in any order. */
export class IndexBacklog {
  readonly #changes: readonly DocumentChange[];
  readonly #waiting: Set<number>;
  #next = 0;

  /** `changes` are in order. */
  constructor(changes: readonly DocumentChange[] = []) {
    this.#changes = changes;
    this.#waiting = new Set(changes.map(({ documentId }) => documentId));
  }

  /** Number of documents that wait. */
  get size(): number {
    return this.#waiting.size;
  }

  /** Number of documents at first. */
  get total(): number {
    return this.#changes.length;
  }

  /** First change whose document waits. */
  get first(): DocumentChange | undefined {
    for (; this.#next < this.#changes.length; this.#next++) {
      const change = this.#changes[this.#next];
      if (change !== undefined && this.#waiting.has(change.documentId)) return change;
    }
    return undefined;
  }

  /** Returns the documents that wait, in order. */
  documentIds(): number[] {
    return this.#changes
      .slice(this.#next)
      .flatMap(({ documentId }) => (this.#waiting.has(documentId) ? [documentId] : []));
  }

  /** Removes a document that was indexed. */
  delete(documentId: number): void {
    this.#waiting.delete(documentId);
  }
}
