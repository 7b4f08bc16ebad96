import { BestHits, type Scored } from './best-hits.ts';
import type { Norms } from './block-impacts.ts';
import { MaxScore, type SearchWork } from './max-score.ts';
import { inverseDocumentFrequency, type Ranking } from '../../../core/language/words/bm25.ts';
import { isProgrammingLanguage } from '../../../core/language/words/code-words.ts';
import { fold } from '../../../core/language/words/folding.ts';
import { expandWords, shareOfSpelling } from '../../../core/language/words/other-forms.ts';
import { isSingleWord } from '../../../core/language/words/word-terms.ts';
import { lackingTerms, similarWords } from '../../../core/language/words/spelling.ts';
import { PostingLists } from './posting-lists.ts';
import { BLOCK_BITS, HIGHEST_SLOT, numberSlot, readCount, type PostingReader } from './posting-reader.ts';
import { RANKING_WEIGHTS } from './ranking-weights.ts';
import type { SnapshotReader, SnapshotWriter } from './snapshot-arrays.ts';
import type {
  QuestionWords,
  NeededTerm,
  PassageTerms,
  WordTokenizer,
} from '../../../core/language/words/tokenizer.ts';
import { LOOKUP_LETTERS, Vocabulary } from '../../../core/language/words/vocabulary.ts';

/** Maximum number of hits per search. */
export const MAX_HITS = 256;

/** Maximum number of postings read by a search. */
const MAX_POSTINGS = 1_500_000;

/** Time of looking up a slot in a list, in postings that are read in a row. */
const SEEK_COST = 16;

/**
 * Number of passages with a term, evenly spread, that show whether all of them also have another one. With 16, 64, and
 * all passages, `everyday --mixed` has the same figures.
 */
const SAMPLED_PASSAGES = 16;

/** Minimum number of postings for which a table of all passages replaces lookups. */
const MIN_TABLE_POSTINGS = 1_000;

/** Maximum number of letters that stemming takes from a word's end. */
const MAX_ENDING = 4;

/**
 * Share of the weight of words that replace a lacking one, since most lacking words aren't misspelled: "letter" must not
 * rank "getter" high. Of .2, .35, .5, .7, and 1, .5 finds most answers to the questions of test/fixtures/floors: the
 * first page has 55.0 % instead of 54.3 %, and the first excerpt 38.6 % instead of 37.1 %.
 */
const CORRECTED_SHARE = 0.5;

/**
 * Share of the weight of a programming language's name in a question whose answer may be in code: "python" is rare in
 * Python, and doesn't say what the code does. With .25, .5, and 1, 247 questions of CoSQA's development set find their
 * function with an MRR of .548, .549, and .524.
 */
const PROGRAMMING_LANGUAGE_SHARE = 0.5;

/** Maximum number of a phrase's words, the rarest ones, that select passages. */
const MAX_REQUIRED_WORDS = 32;

/**
 * Inverted index with the count of each term in each passage. Passages have slots, ascending from 1, which are never
 * reused. A removed passage is a tombstone until `compact` closes the gaps.
 */
export class Postings {
  /** Terms of all passages. */
  readonly vocabulary: Vocabulary;
  #lists = new PostingLists(() => this.#norms(RANKING_WEIGHTS));
  /** Length of each slot's passage in terms, at most 65,535, and whether the slot has a passage. */
  #lengths: Uint16Array = new Uint16Array(1024);
  #present: Uint8Array = new Uint8Array(1024);
  #slots = 0;
  #live = 0;
  #totalLength = 0;
  /** Slots of removed passages, in the order of their removal. */
  #removed: number[] = [];
  /** Number of removed passages with a term among the first `seen` ones. */
  readonly #removedByTerm = new Map<number, { seen: number; count: number }>();
  /** Counters of the work of searches. */
  readonly work: SearchWork = { postings: 0, lookups: 0 };
  readonly #maxScore = new MaxScore(this.work);
  /** Terms to search for the last question. */
  #found: { readonly key: string; readonly terms: ReadonlyMap<string, number> } | undefined;

  constructor(vocabulary = new Vocabulary()) {
    this.vocabulary = vocabulary;
  }

  /** Number of passages. */
  get size(): number {
    return this.#live;
  }

  /** Highest slot in use. */
  get slots(): number {
    return this.#slots;
  }

  /** Number of terms. */
  get terms(): number {
    return this.vocabulary.size;
  }

  /** Reports whether a slot has a passage. */
  has(slot: number): boolean {
    return this.#present[slot] === 1;
  }

  /** Adds a passage after all others. @throws RangeError if the slot isn't the next one */
  add(slot: number, { numbers, length }: PassageTerms): void {
    if (slot <= this.#slots || slot > HIGHEST_SLOT)
      throw new RangeError(`Slot ${String(slot)} can't be added.`);
    this.#reserveSlots(slot);
    this.#found = undefined;
    this.#lists.add(slot, numbers);
    this.#slots = slot;
    this.#present[slot] = 1;
    this.#lengths[slot] = Math.min(length, 65_535);
    this.#totalLength += this.#lengths[slot] ?? 0;
    this.#live++;
  }

  /** Makes a passage a tombstone. Returns `true` if it existed. */
  remove(slot: number): boolean {
    if (!this.has(slot)) return false;
    this.#found = undefined;
    this.#present[slot] = 0;
    this.#removed.push(slot);
    this.#totalLength -= this.#lengths[slot] ?? 0;
    this.#live--;
    return true;
  }

  /** Returns a term's inverse document frequency among the current passages. */
  inverseDocumentFrequency(term: string): number {
    const number = this.vocabulary.find(term);
    const holding = number === undefined ? 0 : this.#countLive(number);
    return inverseDocumentFrequency(holding, this.#live);
  }

  /**
   * Returns the terms to search, each with the share of its weight that counts, 0 to 1: the terms of a question, those
   * of its other spellings, and other forms of its words. Replaces a word that no passage has in any form with similar
   * words.
   * With `holdsProse`, prose must have the parts of a word, compounds with it, and similar words if it has any word of
   * the question, because code has most letters in some name: "fare" isn't `fa` and `re`.
   */
  foundTerms(
    question: QuestionWords,
    tokenizer: WordTokenizer,
    holdsProse?: (slots: Iterable<number>) => boolean,
  ): ReadonlyMap<string, number> {
    const key = [
      ...[...question.terms, '', ...question.spellings, '', ...question.words.map(({ raw }) => raw)],
      String(holdsProse === undefined),
    ].join('\n');
    // Cached, as a question is first searched and then weighed.
    if (this.#found?.key === key) return this.#found.terms;
    const isThere = (term: string): boolean => this.#isThere(term);
    const terms = new Map(question.terms.map((term) => [term, 1]));
    const joined = question.joined
      .filter((letters) => this.#mayHaveForm(letters))
      .flatMap((letters) => tokenizer.termsOfJoined(letters));
    const spellings = [...question.spellings, ...joined].filter((term) => !terms.has(term) && isThere(term));
    for (const term of spellings) terms.set(term, shareOfSpelling(term));
    let isAboutProse: boolean | undefined;
    const mayBeCode = (): boolean => {
      isAboutProse ??= holdsProse?.(this.#liveSlots(question.terms)) ?? false;
      return !isAboutProse;
    };
    const isEvident = (slots: () => Iterable<number>): boolean =>
      mayBeCode() || holdsProse?.(slots()) !== false;
    for (const term of question.terms)
      if (isProgrammingLanguage(term) && mayBeCode()) terms.set(term, PROGRAMMING_LANGUAGE_SHARE);
    const holdingByTerms = new Map<readonly string[], (slot: number) => boolean>();
    const others = expandWords(question, {
      isThere,
      startingWith: (letters) => this.vocabulary.startingWith(letters),
      endingWith: (letters) => this.vocabulary.endingWith(letters),
      rarity: (term) => this.inverseDocumentFrequency(term),
      isTogether: (a, b) => {
        const [fewer, more] = this.#countPostings(a) < this.#countPostings(b) ? [a, b] : [b, a];
        const isHolding = this.#seekTerms(more);
        return (
          !this.#everySlot(fewer, (slot) => !isHolding(slot)) &&
          isEvident(() => this.#liveSlots(fewer, this.#seekTerms(more)))
        );
      },
      isEvident: (term) => isEvident(() => this.#liveSlots([term])),
      mayBeCode,
      isOnlyWith: (term, others) => {
        if (!others.some(isThere)) return false;
        const isHolding = holdingByTerms.get(others) ?? this.#seekTerms(others);
        holdingByTerms.set(others, isHolding);
        return this.#everySlot([term], isHolding, SAMPLED_PASSAGES);
      },
    });
    for (const [term, share] of others.terms) if (!terms.has(term)) terms.set(term, share);
    const lacking = lackingTerms(question.terms, isThere).filter((term) => !others.replaced.has(term));
    for (const term of [...lacking, ...others.replaced]) terms.delete(term);
    if (lacking.length > 0 && spellings.length === 0)
      for (const word of similarWords(lacking, this.vocabulary.findSimilar(lacking)))
        if (isEvident(() => this.#liveSlots([word]))) terms.set(word, CORRECTED_SHARE);
    for (const { raw, terms: stems } of question.words) if (isSingleWord(raw)) this.#weighAsOne(stems, terms);
    this.#found = { key, terms };
    return terms;
  }

  /**
   * Limits the weights of a word's stems in several languages to that of the most frequent one. The others are rare in
   * a notebook with few texts in their language, but mean the same.
   */
  #weighAsOne(stems: readonly string[], shares: Map<string, number>): void {
    const weighed = stems.filter((stem) => shares.has(stem) && this.#isThere(stem));
    if (weighed.length < 2) return;
    const rarity = weighed.map((stem) => this.inverseDocumentFrequency(stem));
    const least = Math.min(...rarity);
    for (const [i, stem] of weighed.entries())
      shares.set(stem, ((shares.get(stem) ?? 1) * least) / (rarity[i] ?? least));
  }

  /** Reports whether a term may be a stem of a word. Stemming takes longer than the lookup. */
  #mayHaveForm(lower: string): boolean {
    const letters = fold(lower);
    return (
      letters.length < LOOKUP_LETTERS ||
      this.vocabulary.startingWith(letters.slice(0, Math.max(LOOKUP_LETTERS, letters.length - MAX_ENDING)))
        .length > 0
    );
  }

  /** Returns the slots of the passages that hold one of these terms; none if a term is in more than `limit` passages. */
  slotsHolding(terms: readonly string[], limit: number): ReadonlySet<number> {
    const slots = new Set<number>();
    for (const number of terms.flatMap((term) => this.vocabulary.find(term) ?? [])) {
      if (this.#lists.listLength(number) > limit) return new Set();
      eachPosting(this.#lists.of(number), (posting) => {
        const slot = numberSlot(posting);
        if (this.has(slot)) slots.add(slot);
      });
    }
    return slots;
  }

  /** Yields the slots that pass a test of the passages with one of these terms, term by term. */
  *#liveSlots(terms: readonly string[], test = (_slot: number): boolean => true): Generator<number, void> {
    for (const postings of this.#listsOf(terms))
      for (let at = 0; at < postings.length; at++) {
        const slot = numberSlot(postings.at(at));
        if (this.has(slot) && test(slot)) yield slot;
      }
  }

  #listsOf(terms: readonly string[]): PostingReader[] {
    return terms.flatMap((term) => this.vocabulary.find(term) ?? []).map((number) => this.#lists.of(number));
  }

  #countPostings(terms: readonly string[]): number {
    return terms
      .flatMap((term) => this.vocabulary.find(term) ?? [])
      .reduce((sum, number) => sum + this.#lists.listLength(number), 0);
  }

  /**
   * Reports whether a test is true for all passages with one of these terms, or for up to twice `maxTests` of them that
   * are evenly spread. Ends with the first one that fails.
   */
  #everySlot(terms: readonly string[], test: (slot: number) => boolean, maxTests = Infinity): boolean {
    for (const postings of this.#listsOf(terms)) {
      const step = Math.max(1, Math.floor(postings.length / maxTests));
      for (let at = 0; at < postings.length; at += step) {
        // Loading a block takes less time only if all of it is tested.
        if (step === 1 && maxTests === Infinity) postings.load(at >>> BLOCK_BITS);
        this.work.postings++;
        const slot = numberSlot(postings.at(at));
        if (this.has(slot) && !test(slot)) return false;
      }
    }
    return true;
  }

  /** Returns a function that reports whether the passage in a slot has one of these terms. Ascending slots are fast. */
  #seekTerms(terms: readonly string[]): (slot: number) => boolean {
    const lists = this.#listsOf(terms);
    const size = this.#countPostings(terms);
    let isInList: Uint8Array | undefined;
    let lookups = 0;
    return (slot) => {
      // After many lookups, a table of all passages takes less time than further ones.
      if (isInList === undefined && ++lookups * SEEK_COST > Math.max(size, MIN_TABLE_POSTINGS)) {
        isInList = new Uint8Array(this.#slots + 1);
        const table = isInList;
        for (const postings of lists)
          eachPosting(postings, (posting) => {
            table[numberSlot(posting)] = 1;
          });
        this.work.postings += size;
      }
      if (isInList !== undefined) return isInList[slot] === 1;
      this.work.lookups++;
      return lists.some((postings) => postings.find(slot) !== 0);
    };
  }

  #isThere(term: string): boolean {
    const number = this.vocabulary.find(term);
    if (number === undefined) return false;
    if (this.#live === this.#slots) return this.#lists.listLength(number) > 0;
    const postings = this.#lists.of(number);
    for (let at = 0; at < postings.length; at++) if (this.has(numberSlot(postings.at(at)))) return true;
    return false;
  }

  /**
   * Returns a function that reports whether a slot's passage may contain all these terms. Without terms, every passage
   * may.
   */
  holding(needed: readonly NeededTerm[]): (slot: number) => boolean {
    const lists = needed
      .map(({ anyOf, times }) => {
        const readers = anyOf
          .flatMap((term) => this.vocabulary.find(term) ?? [])
          .map((number) => this.#lists.of(number));
        return { found: readers, times, postings: readers.reduce((sum, { length }) => sum + length, 0) };
      })
      .sort((a, b) => a.postings - b.postings)
      .slice(0, MAX_REQUIRED_WORDS);
    const matchedLists = new Uint8Array(this.#slots + 1);
    for (const [step, { found, times }] of lists.entries())
      for (const postings of found)
        eachPosting(postings, (posting) => {
          const slot = numberSlot(posting);
          if (matchedLists[slot] === step && readCount(posting) >= times) matchedLists[slot] = step + 1;
        });
    return (slot) => matchedLists[slot] === lists.length;
  }

  /**
   * Returns the best current passages by BM25, best first, equal ones by slot; at most `limit`. `shares` has the terms
   * whose weight counts in part.
   */
  search(
    terms: readonly string[],
    { k, b, limit = MAX_HITS }: Ranking & { readonly limit?: number },
    accepts?: (slot: number) => boolean,
    shares?: ReadonlyMap<string, number>,
  ): Scored[] {
    const sharesByNumber = new Map(
      Array.from(shares ?? [], ([term, share]) => [this.vocabulary.find(term), share]),
    );
    const norms = this.#norms({ k, b });
    const lists = this.#selectTerms(terms).map((number) => {
      const postings = this.#lists.of(number);
      const share = sharesByNumber.get(number) ?? 1;
      return {
        postings,
        weight: share * (k + 1) * inverseDocumentFrequency(this.#countLive(number), this.#live),
        looseness: this.#lists.updateLevels(number, postings, norms),
      };
    });
    const present = this.#present;
    const isLive =
      this.#live < this.#slots
        ? (slot: number) => present[slot] === 1 && (accepts === undefined || accepts(slot))
        : accepts;
    const best = new BestHits(limit);
    this.#maxScore.search(lists, norms, best, isLive);
    return best.sortHits();
  }

  /**
   * Closes the gaps of removed passages and drops unused terms. Returns the new slot for each old one; 0 for removed
   * ones.
   */
  compact(): Uint32Array {
    this.#found = undefined;
    const moved = new Uint32Array(this.#slots + 1);
    let slots = 0;
    for (let slot = 1; slot <= this.#slots; slot++) {
      if (!this.has(slot)) continue;
      slots++;
      moved[slot] = slots;
      this.#lengths[slots] = this.#lengths[slot] ?? 0;
    }
    this.#removed = [];
    this.#removedByTerm.clear();
    this.vocabulary.keep(this.#lists.compact(moved));
    this.#slots = slots;
    this.#present.fill(0).fill(1, 1, slots + 1);
    return moved;
  }

  /** Writes the postings; call `compact` first. @throws Error if there are gaps */
  write(writer: SnapshotWriter): void {
    if (this.#live !== this.#slots) throw new Error('Postings with gaps can not be written.');
    const { units, ends, table, shapes, lists } = this.vocabulary.arrays();
    for (const array of [units, ends, table, shapes]) writer.array(array);
    writer.array(Float64Array.of(lists.length));
    for (const list of lists) writer.array(list);
    writer.array(this.#lengths.subarray(0, this.#slots + 1));
    this.#lists.write(writer, this.vocabulary.size);
  }

  /** Uses the postings in a snapshot. */
  static read(reader: SnapshotReader): Postings {
    const units = reader.array(Uint16Array);
    const ends = reader.array(Uint32Array);
    const table = reader.array(Uint32Array);
    const shapes = reader.array(Uint32Array);
    const [listCount = 0] = reader.array(Float64Array);
    const lists = Array.from({ length: listCount }, () => reader.array(Uint32Array));
    const postings = new Postings(Vocabulary.from({ units, ends, table, shapes, lists }));
    postings.#lengths = reader.array(Uint16Array);
    for (const length of postings.#lengths) postings.#totalLength += length;
    postings.#present = new Uint8Array(postings.#lengths.length).fill(1, 1);
    postings.#slots = postings.#lengths.length - 1;
    postings.#live = postings.#slots;
    postings.#lists = PostingLists.read(reader, () => postings.#norms(RANKING_WEIGHTS));
    return postings;
  }

  /**
   * Returns the numbers of the terms. Keeps only the rarest of many or very common ones, so that every question is
   * fast.
   */
  #selectTerms(terms: readonly string[]): number[] {
    const numbers = terms.flatMap((term) => this.vocabulary.find(term) ?? []);
    const listLength = (number: number): number => this.#lists.listLength(number);
    let rest = MAX_POSTINGS;
    if (numbers.reduce((sum, number) => sum + listLength(number), 0) <= rest) return numbers;
    return numbers
      .sort((a, b) => listLength(a) - listLength(b))
      .filter((number, i) => (rest -= listLength(number)) >= 0 || i === 0);
  }

  /** Returns the number of current passages with a term. Looks for those that were removed since the last call only. */
  #countLive(number: number): number {
    const postings = this.#lists.of(number);
    if (this.#removed.length === 0) return postings.length;
    const known = this.#removedByTerm.get(number) ?? { seen: 0, count: 0 };
    const unseen = this.#removed.length - known.seen;
    if (unseen * SEEK_COST < postings.length)
      for (; known.seen < this.#removed.length; known.seen++) {
        const slot = this.#removed[known.seen] ?? 0;
        known.count += Number(postings.find(slot) !== 0);
        this.work.lookups++;
      }
    else if (unseen > 0) {
      known.count = 0;
      const present = this.#present;
      eachPosting(postings, (posting) => {
        known.count += 1 - (present[numberSlot(posting)] ?? 0);
      });
      known.seen = this.#removed.length;
      this.work.postings += postings.length;
    }
    this.#removedByTerm.set(number, known);
    return postings.length - known.count;
  }

  #norms({ k, b }: Ranking): Norms {
    return {
      constant: k * (1 - b),
      byLength: (k * b * this.#live) / Math.max(this.#totalLength, 1),
      lengths: this.#lengths,
    };
  }

  #reserveSlots(highest: number): void {
    if (highest < this.#present.length) return;
    const size = Math.max(highest + 1, Math.ceil(this.#present.length * 1.5));
    this.#lengths = growArray(this.#lengths, new Uint16Array(size));
    this.#present = growArray(this.#present, new Uint8Array(size));
  }
}

function eachPosting(postings: PostingReader, visit: (posting: number) => void): void {
  for (let block = 0; block < postings.blocks; block++) {
    const size = postings.load(block);
    for (let i = 0; i < size; i++) visit(postings.postings[i] ?? 0);
  }
  postings.release();
}

function growArray<T extends Uint8Array | Uint16Array | Uint32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
