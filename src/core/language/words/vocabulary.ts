/** Number of letters by which terms are looked up. */
export const LOOKUP_LETTERS = 4;
const BUCKET_BITS = 16;

/** Terms with consecutive numbers from 0, in the order of their first occurrence. */
export class Vocabulary {
  readonly #numbers = new Map<string, number>();
  #edition = 0;
  /** Terms by their first and last letters, made on the first lookup. */
  #lookup: TermLookup | undefined;

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

  /**
   * Returns the terms that start with these letters, the first ones first.
   * @throws RangeError if there are fewer than `LOOKUP_LETTERS` letters
   */
  startingWith(letters: string): string[] {
    return this.#updatedLookup().find(letters, true);
  }

  /**
   * Returns the terms that end with these letters, the first ones first.
   * @throws RangeError if there are fewer than `LOOKUP_LETTERS` letters
   */
  endingWith(letters: string): string[] {
    return this.#updatedLookup().find(letters, false);
  }

  /**
   * Returns all terms that are one edit from one of these words, and others that have a similar length and beginning or
   * end. Compares numbers, which is many times faster than comparing words.
   */
  near(words: readonly string[]): string[] {
    return this.#updatedLookup().near(words);
  }

  #updatedLookup(): TermLookup {
    this.#lookup ??= new TermLookup(this.#numbers.keys());
    this.#lookup.readUpTo(this.#numbers.size);
    return this.#lookup;
  }

  /** Removes terms by number. The remaining ones fill the gaps. */
  keep(isKept: (number: number) => boolean): void {
    let next = 0;
    for (const [term, number] of this.#numbers) {
      if (isKept(number)) this.#numbers.set(term, next++);
      else this.#numbers.delete(term);
    }
    this.#edition++;
    this.#lookup = undefined;
  }
}

/** Lists of terms with the same first letters, and with the same last letters. */
class TermLookup {
  readonly #terms: string[] = [];
  /** The map's iterator, which also yields terms that are added later. It must not reach the end. */
  readonly #unread: Iterator<string>;
  readonly #starts = makeLists();
  readonly #ends = makeLists();
  #shapes = new Uint32Array(1024);

  constructor(unread: Iterator<string>) {
    this.#unread = unread;
  }

  readUpTo(size: number): void {
    while (this.#terms.length < size) {
      const term: unknown = this.#unread.next().value;
      if (typeof term !== 'string') return;
      if (this.#terms.length === this.#shapes.length) {
        const longer = new Uint32Array(2 * this.#shapes.length);
        longer.set(this.#shapes);
        this.#shapes = longer;
      }
      this.#shapes[this.#terms.length] = shapeOf(term);
      this.#terms.push(term);
      link(this.#starts, term, 0);
      link(this.#ends, term, term.length - LOOKUP_LETTERS);
    }
  }

  find(letters: string, isStart: boolean): string[] {
    if (letters.length < LOOKUP_LETTERS) throw new RangeError(`“${letters}” is too short.`);
    const { heads, previous } = isStart ? this.#starts : this.#ends;
    const matches: string[] = [];
    let count = heads[bucketOf(letters, isStart ? 0 : letters.length - LOOKUP_LETTERS)] ?? 0;
    for (; count !== 0; count = previous[count - 1] ?? 0) {
      const term = this.#terms[count - 1] ?? '';
      if (isStart ? term.startsWith(letters) : term.endsWith(letters)) matches.push(term);
    }
    return matches.reverse();
  }

  near(words: readonly string[]): string[] {
    const similar: string[] = [];
    const wanted = words.map(shapeOf);
    for (let number = 0; number < this.#terms.length; number++) {
      const shape = this.#shapes[number] ?? 0;
      if (wanted.some((word) => isNear(word, shape))) similar.push(this.#terms[number] ?? '');
    }
    return similar;
  }
}

const END_BITS = 13;
const END_MASK = 2 ** END_BITS - 1;
const MAX_LENGTH = 63;
/** Swapped letters in the middle of shorter words change both their beginning and their end. */
const MIN_LENGTH_WITH_ENDS = 5;

/** Returns a term's length, at most `MAX_LENGTH`, and hashes of its first two and its last two letters. */
function shapeOf(term: string): number {
  const { length } = term;
  return (
    ((Math.min(length, MAX_LENGTH) << (2 * END_BITS)) |
      (pairOf(term, 0) << END_BITS) |
      pairOf(term, Math.max(0, length - 2))) >>>
    0
  );
}

function pairOf(term: string, at: number): number {
  return (Math.imul(term.charCodeAt(at), 31) + term.charCodeAt(at + 1)) & END_MASK;
}

function isNear(a: number, b: number): boolean {
  const length = a >>> (2 * END_BITS);
  const longer = length - (b >>> (2 * END_BITS));
  if (longer < -1 || longer > 1) return false;
  const different = a ^ b;
  return (
    length < MIN_LENGTH_WITH_ENDS ||
    (different & END_MASK) === 0 ||
    ((different >>> END_BITS) & END_MASK) === 0
  );
}

/** Linked lists of terms: by bucket the last term, and by term the one before it, each as its number plus one. */
interface TermLists {
  readonly heads: Int32Array;
  readonly previous: number[];
}

function makeLists(): TermLists {
  return { heads: new Int32Array(2 ** BUCKET_BITS), previous: [] };
}

function link({ heads, previous }: TermLists, term: string, at: number): void {
  if (term.length < LOOKUP_LETTERS) {
    previous.push(0);
    return;
  }
  const bucket = bucketOf(term, at);
  heads[bucket] = previous.push(heads[bucket] ?? 0);
}

function bucketOf(term: string, at: number): number {
  let hash = 0;
  for (let i = at; i < at + LOOKUP_LETTERS; i++) hash = Math.imul(hash, 31) + term.charCodeAt(i);
  return Math.imul(hash, 0x9e3779b1) >>> (32 - BUCKET_BITS);
}
