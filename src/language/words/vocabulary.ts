/** Terms and their numbers, which go up from 0 without gaps in the order in which the terms came up. */
export class Vocabulary {
  readonly #numbers = new Map<string, number>();
  #edition = 0;

  /** Number of terms. */
  get size(): number {
    return this.#numbers.size;
  }

  /** Another one each time when terms get other numbers. */
  get edition(): number {
    return this.#edition;
  }

  /** A term's number, or undefined where it never came up. */
  find(term: string): number | undefined {
    return this.#numbers.get(term);
  }

  /** A term's number, a new one where it has none. */
  assignNumber(term: string): number {
    const known = this.#numbers.get(term);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(term, number);
    return number;
  }

  /** In the order of their numbers. */
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
