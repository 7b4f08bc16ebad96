import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { PostingLists } from '../../src/index/search/lexical/posting-lists.ts';
import { BLOCK_POSTINGS, numberSlot, readCount } from '../../src/index/search/lexical/posting-reader.ts';
import type { Norms } from '../../src/index/search/lexical/block-impacts.ts';
import { seededRandom, wholeBelow } from '../support/durability-random.ts';
import { saveAndRead } from '../support/snapshots.ts';
import { rounds } from '../support/test-size.mjs';

const noNorms = (): Norms => ({ constant: 1, byLength: 0, lengths: new Uint16Array(0) });

type Model = Map<number, Map<number, number>>;

/** Adds slots and counts by term to plain maps. */
function addToModel(model: Model, slot: number, terms: readonly number[]): void {
  for (const term of terms) {
    const counts = model.get(term) ?? new Map<number, number>();
    model.set(term, counts.set(slot, (counts.get(slot) ?? 0) + 1));
  }
}

/** Returns the slots and counts of a list, each read by itself and with its block. */
function postingsOf(lists: PostingLists, term: number): number[][] {
  const postings = lists.of(term);
  const single = Array.from({ length: postings.length }, (_, i) => postings.at(i));
  const all: number[] = [];
  for (let block = 0; block < postings.blocks; block++) {
    const size = postings.load(block);
    all.push(...postings.postings.subarray(0, size));
  }
  assert.deepEqual(all, single);
  return all.map((posting) => [numberSlot(posting), readCount(posting)]);
}

const slotsOf = (lists: PostingLists, term: number): number[] =>
  postingsOf(lists, term).map(([slot = 0]) => slot);

function assertSame(lists: PostingLists, model: Model, terms: number): void {
  for (let term = 0; term < terms; term++) {
    const expected = [...(model.get(term) ?? [])].map(([slot, count]) => [slot, Math.min(count, 255)]);
    assert.deepEqual(postingsOf(lists, term), expected);
    assert.equal(lists.listLength(term), expected.length);
  }
}

test('keep added postings through settling, compaction, and reloading with any number of terms', () => {
  // Uses far more terms than the initial capacity: first all at once, then others after most were removed.
  const passage = fc.array(fc.integer({ min: 0, max: 9_000 }), { maxLength: 60 });
  fc.assert(
    fc.property(fc.array(fc.array(passage, { maxLength: 12 }), { maxLength: 4 }), (rounds) => {
      let lists = new PostingLists();
      let model: Model = new Map();
      let slot = 0;
      const all = 9_001;
      for (const passages of rounds) {
        for (const terms of passages) {
          slot++;
          lists.add(slot, Uint32Array.from(terms));
          addToModel(model, slot, terms);
        }
        assertSame(lists, model, all);
        const moved = Uint32Array.from({ length: slot + 1 }, (_, old) =>
          old % 3 === 0 ? 0 : old - Math.floor(old / 3),
        );
        const isKept = lists.compact(moved);
        const next: Model = new Map();
        let keptCount = 0;
        for (let term = 0; term < all; term++) {
          const counts = [...(model.get(term) ?? [])].filter(([old]) => moved[old] !== 0);
          assert.equal(isKept(term), counts.length > 0);
          if (counts.length > 0)
            next.set(keptCount++, new Map(counts.map(([old, count]) => [moved[old] ?? 0, count])));
        }
        model = next;
        slot = Math.max(0, ...moved);
        assertSame(lists, model, all);
        lists = PostingLists.read(
          saveAndRead((writer) => lists.write(writer, keptCount)),
          noNorms,
        );
        assertSame(lists, model, all);
      }
    }),
    { numRuns: rounds(10, 30) },
  );
});

test('give new terms their lists after a compaction', () => {
  const lists = new PostingLists();
  const terms = (first: number, count: number): Uint32Array =>
    Uint32Array.from({ length: count }, (_, i) => first + i);
  lists.add(1, terms(0, 3_000));
  assert.equal(lists.listLength(2_999), 1);
  lists.compact(Uint32Array.of(0, 1));
  lists.add(2, terms(3_000, 500));
  lists.add(3, terms(3_000, 1_500));
  for (let term = 3_000; term < 3_500; term++) assert.deepEqual(slotsOf(lists, term), [2, 3]);
  lists.add(4, terms(0, 300_000));
  assert.deepEqual(slotsOf(lists, 4_499), [3, 4]);
  assert.deepEqual(slotsOf(lists, 299_999), [4]);
});

describe('blocks', () => {
  /** Returns ascending slots with random distances of about a mean, and counts up to a maximum. */
  const listsOf = (mean: number, highest: number): [PostingLists, number[][]] => {
    const random = seededRandom(mean * highest);
    const lists = new PostingLists();
    const expected: number[][] = [];
    let slot = 0;
    for (let i = 0; i < 5 * BLOCK_POSTINGS + 17; i++) {
      slot += 1 + wholeBelow(random, 2 * mean);
      const count = 1 + wholeBelow(random, highest);
      expected.push([slot, Math.min(count, 255)]);
      lists.add(slot, new Uint32Array(count));
    }
    return [lists, expected];
  };

  for (const [mean, highest] of [
    [0.5, 1],
    [1, 300],
    [3, 30],
    [200, 2],
    [250, 3],
    [1_000, 1],
    [20_000, 255],
  ] as const)
    test(`keep slots about ${String(mean)} apart with counts up to ${String(highest)}`, () => {
      const [lists, expected] = listsOf(mean, highest);
      assert.deepEqual(postingsOf(lists, 0), expected);
    });

  test('find the first posting from any slot on', () => {
    for (const [mean, highest] of [
      [0.5, 1],
      [3, 30],
      [1_000, 1],
    ] as const) {
      const [lists, expected] = listsOf(mean, highest);
      const last = expected.at(-1)?.[0] ?? 0;
      const random = seededRandom(3);
      for (let i = 0; i < rounds(300, 3_000); i++) {
        const postings = lists.of(0);
        if (i % 2 === 0) postings.load(wholeBelow(random, postings.blocks));
        const from = wholeBelow(random, expected.length);
        const slot = wholeBelow(random, last + 2);
        const next = expected.findIndex(([at = 0], index) => index >= from && at >= slot);
        assert.equal(postings.seek(from, slot), next < 0 ? expected.length : next);
      }
    }
  });
});
