/** Terms with consecutive numbers from 0, in the order of their first occurrence. */
export class Vocabulary {
  readonly #numbers = new Map<string, number>();
  #edition = 0;

  /** Number of terms. */
  get size(): number {
    return this.#numbers.size;
  }

  /** Changes whenever terms get new numbers. */
  get edition(): number {
    return this.#edition;
  }

  /** Returns a term's number; undefined for a new term. */
  find(term: string): number | undefined {
    return this.#numbers.get(term);
  }

  /** Returns a term's number, and assigns one to a new term. */
  assignNumber(term: string): number {
    const known = this.#numbers.get(term);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(term, number);
    return number;
  }

  /** Yields the terms in the order of their numbers. */
  terms(): IterableIterator<string> {
    return this.#numbers.keys();
  }

  /** Removes terms by number. The remaining ones fill the gaps. */
  keep(isKept: (number: number) => boolean): void {
    let next = 0;
    for (const [term, number] of this.#numbers) {
      if (isKept(number)) this.#numbers.set(term, next++);
      else this.#numbers.delete(term);
    }
    this.#edition++;
  }
}
