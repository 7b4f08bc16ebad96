import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rankExactly } from '../../src/index/search/vectors/exact-ranking.ts';
import { makeUniformVectors } from '../bench/made-vectors.ts';
import { SET_ID, storeVectors } from '../bench/stored-vectors.ts';

test('ranks hits by their vectors, and those without one by their score', () => {
  const hits = [
    { id: 1, score: 0.99 },
    { id: 2, score: 0.98 },
    { id: 3, score: 0.7 },
  ];
  const vectors = [
    { id: 1, vector: Float32Array.of(3, 4) },
    { id: 2, vector: Float32Array.of(2, 0) },
  ];
  const ranked = rankExactly(Float32Array.of(1, 0), hits, vectors);
  assert.deepEqual(
    ranked.map(({ id, score }) => [id, Number(score.toFixed(6))]),
    [
      [2, 1],
      [3, 0.7],
      [1, 0.6],
    ],
  );
});

test('finds the nearest stored vectors, with their exact cosines', async () => {
  const dimension = 32;
  const count = 2_000;
  const { rows, questions } = makeUniformVectors(count, dimension);
  const { vectors, close } = await storeVectors(rows, dimension, 4, (row) => row % 4);
  await vectors.load();
  for (const values of questions.slice(0, 10)) {
    const cosines = Array.from({ length: count }, (_, row) => {
      const vector = rows.subarray(row * dimension, (row + 1) * dimension);
      return { id: row + 1, score: vector.reduce((sum, value, i) => sum + value * (values[i] ?? 0), 0) };
    });
    const nearest = cosines.sort((a, b) => b.score - a.score).slice(0, 10);
    const hits = vectors.search({ setId: SET_ID, values }, 10);
    assert.deepEqual(
      hits.map(({ id }) => id),
      nearest.map(({ id }) => id),
    );
    for (const [i, { score }] of hits.entries())
      assert.ok(Math.abs(score - (nearest[i]?.score ?? 0)) < 1e-3, 'half precision');
  }
  close();
});
