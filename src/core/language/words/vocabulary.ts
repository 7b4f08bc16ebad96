/** Number of letters by which terms are looked up. */
export const LOOKUP_LETTERS = 4;
const BUCKET_BITS = 16;

/** Vocabularies with fewer terms save no lists of terms, as making them takes less time than reading them. */
const MIN_SAVED_LOOKUP = 2 ** BUCKET_BITS;

/** Content of a vocabulary, for a snapshot. */
interface VocabularyArrays {
  /** UTF-16 code units of the terms, one term after another. */
  readonly units: Uint16Array;
  /** End of each term in `units`. */
  readonly ends: Uint32Array;
  /** Hash table of the terms, with linear probing: their numbers plus one; 0 is free. Its length is a power of two. */
  readonly table: Uint32Array;
  /** Empty for few terms. By term: `shapeOf`. */
  readonly shapes: Uint32Array;
  /** Empty for few terms. `TermLists` by the first and the last letters. */
  readonly lists: readonly Uint32Array[];
}

/** Terms with consecutive numbers from 0, in the order of their first occurrence. Uses no object per term. */
export class Vocabulary {
  #terms = new TermUnits();
  #table: Uint32Array = new Uint32Array(1 << 11);
  #edition = 0;
  /** Terms by their first and last letters, made on the first lookup. */
  #lookup: TermLookup | undefined;

  /** Number of terms. */
  get size(): number {
    return this.#terms.size;
  }

  /** Changes whenever terms get new numbers. */
  get edition(): number {
    return this.#edition;
  }

  /** Returns a term's number; undefined for a new term. */
  find(term: string): number | undefined {
    const entry = this.#table[this.#placeOf(term)] ?? 0;
    return entry === 0 ? undefined : entry - 1;
  }

  /** Returns a term's number, and assigns one to a new term. */
  assignNumber(term: string): number {
    let place = this.#placeOf(term);
    const entry = this.#table[place] ?? 0;
    if (entry !== 0) return entry - 1;
    if (2 * (this.size + 1) > this.#table.length) {
      this.#fillTable(2 * this.#table.length);
      place = this.#placeOf(term);
    }
    this.#terms.push(term);
    this.#table[place] = this.size;
    return this.size - 1;
  }

  /** Yields the terms in the order of their numbers. */
  *terms(): Generator<string> {
    for (let number = 0; number < this.size; number++) yield this.#terms.text(number);
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
  findSimilar(words: readonly string[]): string[] {
    return this.#updatedLookup().findSimilar(words);
  }

  /** Removes terms by number. The remaining ones fill the gaps. */
  keep(shouldKeep: (number: number) => boolean): void {
    this.#terms.keep(shouldKeep);
    this.#fillTable(this.#table.length);
    this.#edition++;
    this.#lookup = undefined;
  }

  /** Returns the content, which shares the memory of the vocabulary until a term is added. */
  arrays(): VocabularyArrays {
    const isLarge = this.size >= MIN_SAVED_LOOKUP;
    const { shapes, lists } = isLarge ? this.#updatedLookup().arrays() : { shapes: NO_WORDS, lists: [] };
    return { units: this.#terms.units(), ends: this.#terms.ends(), table: this.#table, shapes, lists };
  }

  /** Returns a vocabulary that uses these arrays. */
  static from({ units, ends, table, shapes, lists }: VocabularyArrays): Vocabulary {
    const vocabulary = new Vocabulary();
    vocabulary.#terms = new TermUnits(units, ends);
    vocabulary.#table = table;
    if (lists.length > 0) vocabulary.#lookup = new TermLookup(vocabulary.#terms, shapes, lists);
    return vocabulary;
  }

  #updatedLookup(): TermLookup {
    this.#lookup ??= new TermLookup(this.#terms);
    this.#lookup.update();
    return this.#lookup;
  }

  /** Returns the place of a term in the table, or the free place for it. */
  #placeOf(term: string): number {
    const last = this.#table.length - 1;
    let hash = 0;
    for (let i = 0; i < term.length; i++) hash = (Math.imul(hash, 31) + term.charCodeAt(i)) | 0;
    let place = mix(hash) & last;
    for (let entry; (entry = this.#table[place] ?? 0) !== 0; place = (place + 1) & last)
      if (this.#terms.isAt(entry - 1, term)) break;
    return place;
  }

  #fillTable(places: number): void {
    const table = new Uint32Array(places);
    for (let number = 0; number < this.size; number++) {
      let place = mix(this.#terms.hash(number)) & (places - 1);
      while (table[place] !== 0) place = (place + 1) & (places - 1);
      table[place] = number + 1;
    }
    this.#table = table;
  }
}

/** Maximum number of terms that are kept as strings, because making a string takes longer than finding its term. */
const MAX_TEXTS = 2 ** 16;

const NO_WORDS = new Uint32Array(0);

/** UTF-16 code units of terms by number. */
class TermUnits {
  #units: Uint16Array;
  #ends: Uint32Array;
  #size: number;

  constructor(units: Uint16Array = new Uint16Array(0), ends: Uint32Array = NO_WORDS) {
    this.#units = units;
    this.#ends = ends;
    this.#size = ends.length;
  }

  get size(): number {
    return this.#size;
  }

  units(): Uint16Array {
    return this.#units.subarray(0, this.start(this.#size));
  }

  ends(): Uint32Array {
    return this.#ends.subarray(0, this.#size);
  }

  start(number: number): number {
    return number === 0 ? 0 : (this.#ends[number - 1] ?? 0);
  }

  length(number: number): number {
    return (this.#ends[number] ?? 0) - this.start(number);
  }

  /** Returns the code unit at a position of all terms; 0 if there is none. */
  unit(at: number): number {
    return this.#units[at] ?? 0;
  }

  text(number: number): string {
    const { buffer, byteOffset, byteLength } = this.#units.subarray(this.start(number), this.#ends[number]);
    return Buffer.from(buffer, byteOffset, byteLength).toString('utf16le');
  }

  hash(number: number): number {
    const end = this.#ends[number] ?? 0;
    let hash = 0;
    for (let at = this.start(number); at < end; at++)
      hash = (Math.imul(hash, 31) + (this.#units[at] ?? 0)) | 0;
    return hash;
  }

  isAt(number: number, term: string): boolean {
    return this.length(number) === term.length && this.hasAt(this.start(number), term);
  }

  /** Reports whether letters are at a position of all terms. */
  hasAt(position: number, letters: string): boolean {
    for (let i = 0; i < letters.length; i++)
      if (this.#units[position + i] !== letters.charCodeAt(i)) return false;
    return true;
  }

  push(term: string): void {
    const start = this.start(this.#size);
    const end = start + term.length;
    if (end > this.#units.length) {
      const units = new Uint16Array(Math.max(2 * end, 1 << 10));
      units.set(this.#units);
      this.#units = units;
    }
    for (let i = 0; i < term.length; i++) this.#units[start + i] = term.charCodeAt(i);
    if (this.#size === this.#ends.length) this.#ends = longer(this.#ends);
    this.#ends[this.#size++] = end;
  }

  keep(shouldKeep: (number: number) => boolean): void {
    let size = 0;
    let end = 0;
    for (let number = 0, start = 0; number < this.#size; number++) {
      const next = this.#ends[number] ?? 0;
      if (shouldKeep(number)) {
        this.#units.copyWithin(end, start, next);
        end += next - start;
        this.#ends[size++] = end;
      }
      start = next;
    }
    this.#size = size;
  }
}

/** Lists of terms with the same first letters, and with the same last letters. */
class TermLookup {
  readonly #terms: TermUnits;
  readonly #starts: TermLists;
  readonly #ends: TermLists;
  readonly #texts = new Map<number, string>();
  #shapes: Uint32Array;
  #size: number;

  /** Continues saved lists if there are some. */
  constructor(terms: TermUnits, shapes: Uint32Array = NO_WORDS, lists: readonly Uint32Array[] = []) {
    const [startHeads, startPrevious, endHeads, endPrevious] = lists;
    this.#terms = terms;
    this.#shapes = shapes;
    this.#size = shapes.length;
    this.#starts = new TermLists(startHeads, startPrevious);
    this.#ends = new TermLists(endHeads, endPrevious);
  }

  /** Adds the terms that are new. */
  update(): void {
    const terms = this.#terms;
    for (let number = this.#size; number < terms.size; number++) {
      if (number === this.#shapes.length) this.#shapes = longer(this.#shapes);
      const start = terms.start(number);
      const length = terms.length(number);
      const end = start + length;
      this.#shapes[number] = shapeOf(length, start, end, terms);
      const isLong = length >= LOOKUP_LETTERS;
      this.#starts.push(number, isLong ? bucketAt(start, terms) : undefined);
      this.#ends.push(number, isLong ? bucketAt(end - LOOKUP_LETTERS, terms) : undefined);
    }
    this.#size = terms.size;
  }

  arrays(): Pick<VocabularyArrays, 'shapes' | 'lists'> {
    return {
      shapes: this.#shapes.subarray(0, this.#size),
      lists: [...this.#starts.arrays(this.#size), ...this.#ends.arrays(this.#size)],
    };
  }

  find(letters: string, isStart: boolean): string[] {
    if (letters.length < LOOKUP_LETTERS) throw new RangeError(`“${letters}” is too short.`);
    const terms = this.#terms;
    const lists = isStart ? this.#starts : this.#ends;
    const matches: string[] = [];
    const bucket = bucketAt(isStart ? 0 : letters.length - LOOKUP_LETTERS, new Letters(letters));
    for (let count = lists.last(bucket); count !== 0; count = lists.before(count)) {
      const longer = terms.length(count - 1) - letters.length;
      if (longer >= 0 && terms.hasAt(terms.start(count - 1) + (isStart ? 0 : longer), letters))
        matches.push(this.#text(count - 1));
    }
    return matches.reverse();
  }

  #text(number: number): string {
    let text = this.#texts.get(number);
    if (text === undefined) {
      if (this.#texts.size === MAX_TEXTS) this.#texts.clear();
      this.#texts.set(number, (text = this.#terms.text(number)));
    }
    return text;
  }

  findSimilar(words: readonly string[]): string[] {
    const similar: string[] = [];
    const wordShapes = words.map((word) => shapeOf(word.length, 0, word.length, new Letters(word)));
    for (let number = 0; number < this.#size; number++) {
      const shape = this.#shapes[number] ?? 0;
      if (wordShapes.some((wordShape) => isNear(wordShape, shape))) similar.push(this.#text(number));
    }
    return similar;
  }
}

/** Linked lists of terms: by bucket the last term, and by term the one before it, each as its number plus one. */
class TermLists {
  readonly #heads: Uint32Array;
  #previous: Uint32Array;

  constructor(heads: Uint32Array = new Uint32Array(2 ** BUCKET_BITS), previous: Uint32Array = NO_WORDS) {
    this.#heads = heads;
    this.#previous = previous;
  }

  /** Adds a term to a bucket, or to none. */
  push(number: number, bucket: number | undefined): void {
    if (number === this.#previous.length) this.#previous = longer(this.#previous);
    this.#previous[number] = bucket === undefined ? 0 : (this.#heads[bucket] ?? 0);
    if (bucket !== undefined) this.#heads[bucket] = number + 1;
  }

  last(bucket: number): number {
    return this.#heads[bucket] ?? 0;
  }

  before(count: number): number {
    return this.#previous[count - 1] ?? 0;
  }

  arrays(size: number): readonly Uint32Array[] {
    return [this.#heads, this.#previous.subarray(0, size)];
  }
}

/** Source of code units: the terms, or a word. */
interface Units {
  readonly unit: (at: number) => number;
}

class Letters implements Units {
  readonly #letters: string;

  constructor(letters: string) {
    this.#letters = letters;
  }

  unit(at: number): number {
    return this.#letters.charCodeAt(at);
  }
}

const END_BITS = 13;
const END_MASK = 2 ** END_BITS - 1;
const MAX_LENGTH = 63;
/** Swapped letters in the middle of shorter words change both their beginning and their end. */
const MIN_LENGTH_WITH_ENDS = 5;

/** Returns a term's length, at most `MAX_LENGTH`, and hashes of its first two and its last two letters. */
function shapeOf(length: number, start: number, end: number, units: Units): number {
  const first = length < 2 ? 0 : pairAt(start, units);
  const last = length < 2 ? 0 : pairAt(end - 2, units);
  return ((Math.min(length, MAX_LENGTH) << (2 * END_BITS)) | (first << END_BITS) | last) >>> 0;
}

function pairAt(at: number, units: Units): number {
  return (Math.imul(units.unit(at), 31) + units.unit(at + 1)) & END_MASK;
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

function bucketAt(at: number, units: Units): number {
  let hash = 0;
  for (let i = at; i < at + LOOKUP_LETTERS; i++) hash = (Math.imul(hash, 31) + units.unit(i)) | 0;
  return Math.imul(hash, 0x9e3779b1) >>> (32 - BUCKET_BITS);
}

function mix(hash: number): number {
  const mixed = Math.imul(hash, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}

function longer(array: Uint32Array): Uint32Array {
  const twice = new Uint32Array(Math.max(2 * array.length, 1 << 10));
  twice.set(array);
  return twice;
}
