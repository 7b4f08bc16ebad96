import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Postings } from '../../src/index/search/lexical/postings.ts';
import { scoreOf, LEVEL_SHARE } from '../../src/index/search/lexical/block-impacts.ts';
import { PostingLists } from '../../src/index/search/lexical/posting-lists.ts';
import { BLOCK_POSTINGS } from '../../src/index/search/lexical/posting-reader.ts';
import { rounds } from '../support/test-size.mjs';
import { congruentialRandom } from '../support/durability-random.ts';

const RANKING = { k: 1.5, b: 0.9 };

const termOf = (number: number): string => `term${String(number)}`;

/** Passages in an index, and in plain maps. */
class Corpus {
  readonly postings = new Postings();
  #lists = new Map<number, Map<number, number>>();
  #lengths = new Map<number, number>();

  constructor(terms: number) {
    for (let term = 0; term < terms; term++) this.postings.vocabulary.assignNumber(termOf(term));
  }

  get size(): number {
    return this.#lengths.size;
  }

  add(terms: readonly number[]): void {
    const slot = this.postings.slots + 1;
    this.postings.add(slot, { numbers: Uint32Array.from(terms), length: terms.length });
    this.#lengths.set(slot, terms.length);
    for (const term of terms) {
      const list = this.#lists.get(term) ?? new Map<number, number>();
      this.#lists.set(term, list.set(slot, (list.get(slot) ?? 0) + 1));
    }
  }

  remove(slot: number): void {
    assert.ok(this.postings.remove(slot));
    this.#lengths.delete(slot);
    for (const list of this.#lists.values()) list.delete(slot);
  }

  /** Closes the gaps of removed passages. */
  compact(): void {
    const moved = this.postings.compact();
    const move = (map: ReadonlyMap<number, number>): Map<number, number> =>
      new Map(Array.from(map, ([slot, value]) => [moved[slot] ?? 0, value]));
    this.#lengths = move(this.#lengths);
    this.#lists = new Map(Array.from(this.#lists, ([term, list]) => [term, move(list)]));
  }

  slots(): number[] {
    return [...this.#lengths.keys()];
  }

  /** Returns textbook BM25 scores by slot. */
  scores(terms: readonly number[], accepts: (slot: number) => boolean): Map<number, number> {
    const average = this.#totalLength() / this.size;
    const scores = new Map<number, number>();
    for (const term of terms) {
      const list = this.#lists.get(term) ?? new Map<number, number>();
      const rarity = Math.log(1 + (this.size - list.size + 0.5) / (list.size + 0.5));
      for (const [slot, count] of list) {
        if (!accepts(slot)) continue;
        const norm = RANKING.k * (1 - RANKING.b + (RANKING.b * (this.#lengths.get(slot) ?? 0)) / average);
        scores.set(slot, (scores.get(slot) ?? 0) + (rarity * count * (RANKING.k + 1)) / (count + norm));
      }
    }
    return scores;
  }

  #totalLength(): number {
    let total = 0;
    for (const length of this.#lengths.values()) total += length;
    return total;
  }

  assertSameHits(terms: readonly number[], limit: number, accepts?: (slot: number) => boolean): void {
    const scores = this.scores(terms, accepts ?? (() => true));
    const expected = Float64Array.from(scores.values()).sort().reverse().subarray(0, limit);
    const hits = this.postings.search(terms.map(termOf), { ...RANKING, limit }, accepts);
    assert.equal(hits.length, expected.length);
    for (const [i, [slot, score]] of hits.entries()) {
      assert.ok(Math.abs(score - (expected[i] ?? NaN)) < 1e-9, `rank ${String(i)}`);
      assert.ok(Math.abs(score - (scores.get(slot) ?? NaN)) < 1e-9, `slot ${String(slot)}`);
      const [before, scoreBefore] = hits[i - 1] ?? [0, Infinity];
      assert.ok(score < scoreBefore || (score === scoreBefore && slot > before), 'order');
    }
  }
}

describe('search with MaxScore', () => {
  const TERMS = 400;

  /** Adds passages of terms with frequencies as in natural language. Every seventh passage repeats an earlier one. */
  function addPassages(corpus: Corpus, count: number, longest: number, random: () => number): void {
    const earlier: number[][] = [];
    for (let i = 0; i < count; i++) {
      const length = 1 + Math.floor(random() * longest);
      const terms =
        i % 7 === 6
          ? (earlier[Math.floor(random() * earlier.length)] ?? [])
          : Array.from({ length }, () => Math.floor(TERMS ** random()) - 1);
      earlier.push(terms);
      corpus.add(terms);
    }
  }

  const drawTerms = (random: () => number): number[] => [
    ...new Set(
      Array.from({ length: 1 + Math.floor(random() * 12) }, () => Math.floor(TERMS ** random()) - 1),
    ),
  ];

  test('finds the hits of a search of all postings', () => {
    const random = congruentialRandom(7);
    const corpus = new Corpus(TERMS);
    // Later passages change the average length, and lists grow and lose passages between questions.
    for (const longest of [8, 60, 20]) {
      addPassages(corpus, 6_000, longest, random);
      for (let i = 0; i < rounds(60, 1_000); i++) {
        const source = Math.floor(random() * 10);
        const accepts = i % 3 === 0 ? (slot: number) => slot % 10 === source : undefined;
        corpus.assertSameHits(drawTerms(random), [1, 10, 256][i % 3] ?? 1, accepts);
      }
      for (const slot of corpus.slots()) if (random() < 0.02) corpus.remove(slot);
      for (let i = 0; i < rounds(20, 300); i++) corpus.assertSameHits(drawTerms(random), 10);
    }
    corpus.compact();
    for (let i = 0; i < rounds(20, 300); i++) corpus.assertSameHits(drawTerms(random), 10);
  });

  test('reads a small part of the postings', () => {
    const random = congruentialRandom(3);
    const corpus = new Corpus(TERMS);
    addPassages(corpus, 40_000, 40, random);
    let all = 0;
    const { postings, lookups } = { ...corpus.postings.work };
    for (let i = 0; i < 40; i++) {
      const terms = drawTerms(random);
      for (const term of terms) all += corpus.postings.slotsHolding([termOf(term)], Infinity).size;
      corpus.postings.search(terms.map(termOf), { ...RANKING, limit: 10 });
    }
    const { work } = corpus.postings;
    const read = (work.postings - postings) / all;
    const lookedUp = (work.lookups - lookups) / all;
    assert.ok(read < 0.3, `${String(read)} of the postings read`);
    assert.ok(lookedUp < 0.1, `${String(lookedUp)} of the postings looked up`);
  });

  test('looks up each removed passage once in a list', () => {
    const corpus = new Corpus(TERMS);
    for (let i = 0; i < 20_000; i++) corpus.add([i % 2]);
    for (let slot = 1; slot <= 50; slot++) corpus.remove(slot);
    const { work } = corpus.postings;
    const lookups = (): number => {
      const before = work.lookups;
      corpus.postings.search([termOf(0)], { ...RANKING, limit: 10 });
      return work.lookups - before;
    };
    assert.deepEqual([lookups(), lookups()], [50, 0]);
    corpus.remove(51);
    assert.deepEqual([lookups(), lookups()], [1, 0]);
    corpus.assertSameHits([0], 10);
  });
});

describe('levels of blocks', () => {
  test('are upper bounds of impacts while passages get longer or shorter', () => {
    const random = congruentialRandom(5);
    const lengths = new Uint16Array(4_000);
    const norms = { constant: 0.15, byLength: 0.05, lengths };
    const lists = new PostingLists(() => norms);
    for (let slot = 1; slot < lengths.length; slot++) {
      const count = 1 + Math.floor(4 * random());
      lengths[slot] = count + Math.floor(40 * random());
      lists.add(slot, new Uint32Array(count));
      if (slot % 100 !== 0) continue;
      norms.byLength = 0.05 * (1 + 0.2 * random());
      const postings = lists.of(0);
      const share = lists.updateLevels(0, postings, norms) * LEVEL_SHARE;
      for (let i = 0; i < postings.length; i++) {
        const impact = scoreOf(postings.at(i), 1, norms.constant, norms.byLength, lengths);
        assert.ok(impact <= postings.level(Math.floor(i / BLOCK_POSTINGS)) * share);
      }
    }
  });
});
