import type { Within } from '../../store/sources/sources-api.ts';

/** Documents of vectors, each with a small number by which an index of vectors filters. */
export class VectorOwners {
  readonly #numbers = new Map<number, number>();
  readonly #documentIds: number[] = [];
  readonly #sources: number[] = [];
  readonly #sourceNumbers = new Map<string, number>();

  /** Returns the number of a document, which never changes its source. */
  number(documentId: number, sourceId: string): number {
    const known = this.#numbers.get(documentId);
    if (known !== undefined) return known;
    let source = this.#sourceNumbers.get(sourceId);
    if (source === undefined) this.#sourceNumbers.set(sourceId, (source = this.#sourceNumbers.size));
    const number = this.#documentIds.push(documentId) - 1;
    this.#numbers.set(documentId, number);
    this.#sources.push(source);
    return number;
  }

  /** Returns a 1 for each document in a scope, by its number. */
  markIncluded(within: Within): Uint8Array {
    const included = new Uint8Array(this.#documentIds.length);
    if (within.kind === 'documents') {
      for (const documentId of within.documentIds) {
        const number = this.#numbers.get(documentId);
        if (number !== undefined) included[number] = 1;
      }
      return included;
    }
    const sources = new Set(within.sourceIds.map((sourceId) => this.#sourceNumbers.get(sourceId)));
    for (let number = 0; number < included.length; number++)
      included[number] = sources.has(this.#sources[number]) ? 1 : 0;
    return included;
  }
}
