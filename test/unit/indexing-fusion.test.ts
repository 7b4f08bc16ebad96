import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fuse } from '../../src/index/search/vectors/fusion.ts';
import type { Hit } from '../../src/index/search/lexical/passage-index.ts';

const hit = (id: number, score: number): Hit => ({ id, score });
const hitIds = (hits: readonly Hit[]): number[] => hits.map(({ id }) => id);
/** Returns hits whose scores fall slowly. */
const alike = (best: number, ...ids: number[]): Hit[] =>
  ids.map((id, rank) => hit(id, best - (best / 50) * rank));

test('ranks a passage that both searches find before one that only one finds', () => {
  const fused = fuse(alike(12, 1, 2, 3, 6, 7), alike(0.8, 4, 2, 5, 8, 9), 10);
  assert.equal(fused[0]?.id, 2);
  assert.equal(fused.length, 9);
});

test('ranks outstanding matches by keyword or by meaning first', () => {
  const flatWords = alike(3, 1, 2, 3, 4, 5, 6, 7, 8);
  const flatMeanings = alike(0.5, 11, 12, 13, 14, 15, 16, 17, 18);
  assert.equal(fuse([hit(9, 20), ...flatWords], [hit(10, 0.51), ...flatMeanings], 5)[0]?.id, 9);
  assert.equal(fuse([hit(9, 3.1), ...flatWords], [hit(10, 0.9), ...flatMeanings], 5)[0]?.id, 10);
});

test('ranks a name that only one passage contains before similar passages', () => {
  const fused = fuse([hit(99, 7)], alike(0.8, ...Array.from({ length: 20 }, (_, i) => i + 1)), 3);
  assert.deepEqual(hitIds(fused), [99, 1, 2]);
  assert.equal(fused[0]?.score, 7);
});

test('keeps the order of a single search, and the best keyword score', () => {
  const words = fuse(alike(12, 9, 2, 7), [], 2);
  assert.deepEqual(hitIds(words), [9, 2]);
  assert.equal(words[0]?.score, 12);
  const meanings = fuse([], alike(0.8, 9, 2, 7), 10);
  assert.deepEqual(hitIds(meanings), [9, 2, 7]);
  assert.equal(meanings[0]?.score, 1);
  assert.deepEqual(fuse([], [], 10), []);
  const scores = (lexical: readonly Hit[], vector: readonly Hit[]): Hit[] =>
    fuse(lexical, vector, 10).map(({ id, score }) => hit(id, score));
  assert.deepEqual(scores([hit(4, 3)], []), [hit(4, 3)]);
  assert.deepEqual(scores([hit(4, 3)], [hit(5, 0.5)]), [hit(4, 3), hit(5, 3)]);
});

test('returns every passage once, sorted, with scores up to the best keyword score', () => {
  const hits = (highest: number): fc.Arbitrary<Hit[]> =>
    fc
      .uniqueArray(
        fc.record({
          id: fc.integer({ min: 1, max: 40 }),
          score: fc.double({ min: 0, max: highest, noNaN: true }),
        }),
        {
          selector: ({ id }) => id,
          maxLength: 30,
        },
      )
      .map((found) => found.sort((a, b) => b.score - a.score));
  fc.assert(
    fc.property(hits(30), hits(1), fc.integer({ min: 1, max: 50 }), (lexical, vector, limit) => {
      const fused = fuse(lexical, vector, limit);
      const all = new Set(hitIds([...lexical, ...vector]));
      assert.equal(fused.length, Math.min(limit, all.size));
      assert.equal(new Set(hitIds(fused)).size, fused.length);
      const highest = lexical[0]?.score ?? 1;
      for (const [i, { id, score, words, meaning }] of fused.entries()) {
        assert.ok(all.has(id));
        assert.ok(Math.abs(words + meaning - score) < 1e-9);
        assert.ok(score >= 0 && score <= highest * (1 + 1e-9));
        assert.ok(i === 0 || score <= fused[i - 1]!.score);
      }
    }),
  );
});
