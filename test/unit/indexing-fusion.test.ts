import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fuse } from '../../src/indexing/vectors/fusion.ts';
import type { Hit } from '../../src/indexing/passage-index.ts';

const ranked = (best: number, ...ids: number[]): Hit[] =>
  ids.map((id, rank) => ({ id, score: best * 0.9 ** rank }));
const idsOf = (hits: readonly Hit[]): number[] => hits.map(({ id }) => id);

test('what both find comes first, then what either found first', () => {
  const fused = fuse(ranked(12, 1, 2, 3), ranked(0.8, 4, 2, 5), 10);
  assert.equal(fused[0]?.id, 2);
  assert.deepEqual(new Set(idsOf(fused).slice(1, 3)), new Set([1, 4]));
  assert.equal(fused.length, 5);
  for (const [i, { score }] of fused.entries()) assert.ok(i === 0 || score <= fused[i - 1]!.score);
});

test('what is first in both keeps its score', () => {
  const [first] = fuse(ranked(17, 6, 2, 3), ranked(0.8, 6, 5), 1);
  assert.equal(first?.id, 6);
  assert.ok(Math.abs(first.score - 17) < 1e-9);
});

test('one side alone keeps its order', () => {
  assert.deepEqual(idsOf(fuse(ranked(12, 9, 2, 7), [], 2)), [9, 2]);
  assert.deepEqual(idsOf(fuse([], ranked(0.8, 9, 2, 7), 10)), [9, 2, 7]);
  assert.deepEqual(fuse([], [], 10), []);
});
