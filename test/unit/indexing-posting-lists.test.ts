import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readCount, PostingLists, numberSlot } from '../../src/indexing/search/lexical/posting-lists.ts';
import { ByteReader, ByteWriter } from '../../src/indexing/search/lexical/snapshot-bytes.ts';
import { rounds } from '../support/test-size.mjs';

type Model = Map<number, Map<number, number>>;

/** Adds slots and counts by term to plain maps. */
function addToModel(model: Model, slot: number, terms: readonly number[]): void {
  for (const term of terms) {
    const counts = model.get(term) ?? new Map<number, number>();
    model.set(term, counts.set(slot, (counts.get(slot) ?? 0) + 1));
  }
}

function assertSame(lists: PostingLists, model: Model, terms: number): void {
  for (let term = 0; term < terms; term++) {
    const expected = [...(model.get(term) ?? [])].map(([slot, count]) => [slot, Math.min(count, 255)]);
    const postings = Array.from(lists.of(term), (posting) => [numberSlot(posting), readCount(posting)]);
    assert.deepEqual(postings, expected);
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
        let kept = 0;
        for (let term = 0; term < all; term++) {
          const counts = [...(model.get(term) ?? [])].filter(([old]) => moved[old] !== 0);
          assert.equal(isKept(term), counts.length > 0);
          if (counts.length > 0)
            next.set(kept++, new Map(counts.map(([old, count]) => [moved[old] ?? 0, count])));
        }
        model = next;
        slot = Math.max(0, ...moved);
        assertSame(lists, model, all);
        const writer = new ByteWriter();
        lists.write(writer, kept);
        lists = PostingLists.read(new ByteReader(writer.written()), kept);
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
  for (let term = 3_000; term < 3_500; term++)
    assert.deepEqual(Array.from(lists.of(term), numberSlot), [2, 3]);
  lists.add(4, terms(0, 300_000));
  assert.deepEqual(Array.from(lists.of(4_499), numberSlot), [3, 4]);
  assert.deepEqual(Array.from(lists.of(299_999), numberSlot), [4]);
});
