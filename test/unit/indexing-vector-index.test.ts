import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { PlainKernel } from '../../src/index/search/vectors/kernel.ts';
import { VectorIndex } from '../../src/index/search/vectors/vector-index.ts';
import type { Hit } from '../../src/index/search/lexical/passage-index.ts';
import { makeUniformVectors, makeVectors } from '../bench/made-vectors.ts';
import { congruentialRandom } from '../support/durability-random.ts';

/** Returns random numbers around zero, the same for the same seed. */
function randomVectors(count: number, dimension: number, seed: number): Float32Array {
  const random = congruentialRandom(seed);
  return Float32Array.from(
    { length: count * dimension },
    () => random() + random() + random() + random() - 2,
  );
}

function cosine(a: Float32Array, b: Float32Array): number {
  let [product, squaresOfA, squaresOfB] = [0, 0, 0];
  for (const [i, value] of a.entries()) {
    product += value * b[i]!;
    squaresOfA += value * value;
    squaresOfB += b[i]! * b[i]!;
  }
  return product / Math.sqrt(squaresOfA * squaresOfB);
}

/** Maximum error of a cosine from eight bits per number. */
const MAX_ERROR = 5e-3;
/** Maximum error of a cosine from the numbers of the last vectors. */
const MAX_EXACT_ERROR = 1e-6;

/** Compares matches with a full scan. Scores that differ by less than the precision may swap. */
function assertNearest(
  found: readonly Hit[],
  vectors: ReadonlyMap<number, Float32Array>,
  question: Float32Array,
  limit: number,
  maxError = MAX_ERROR,
): void {
  const scores = new Map([...vectors].map(([id, vector]) => [id, cosine(question, vector)]));
  const expected = [...scores.values()].sort((a, b) => b - a).slice(0, limit);
  assert.equal(found.length, expected.length);
  assert.equal(new Set(found.map(({ id }) => id)).size, found.length);
  for (const [i, { id, score }] of found.entries()) {
    assert.ok(Math.abs(score - scores.get(id)!) < maxError);
    assert.ok(Math.abs(score - expected[i]!) < maxError);
    assert.ok(i === 0 || score <= found[i - 1]!.score);
  }
}

const idsFrom = (first: number, count: number): number[] =>
  Array.from({ length: count }, (_, i) => first + i);

test('finds the same as a plain scan in dimensions that fill no register', () => {
  for (const dimension of [1, 3, 16, 17, 100, 384, 385]) {
    const count = 1_500;
    const vectors = randomVectors(count, dimension, dimension);
    const index = new VectorIndex(dimension);
    // Adds vectors in batches, so that the memory grows.
    for (let first = 0; first < count; first += 100)
      index.add(idsFrom(first + 1, 100), vectors.subarray(first * dimension, (first + 100) * dimension));
    assert.equal(index.size, count);
    const byId = new Map(
      idsFrom(1, count).map((id) => [id, vectors.subarray((id - 1) * dimension, id * dimension)]),
    );
    for (let seed = 1; seed <= 10; seed++) {
      const question = randomVectors(1, dimension, 1_000 + seed);
      assertNearest(index.search(question, 10), byId, question, 10);
    }
  }
});

test('keeps what was added, replaced, and removed, in any order', () => {
  const dimension = 20;
  const id = fc.integer({ min: 1, max: 30 });
  const step = fc.oneof(
    fc.record({ kind: fc.constant('add' as const), ids: fc.array(id, { maxLength: 5 }), seed: fc.nat() }),
    fc.record({ kind: fc.constant('remove' as const), ids: fc.array(id, { maxLength: 5 }) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const index = new VectorIndex(dimension);
      const expected = new Map<number, Float32Array>();
      for (const step of steps) {
        if (step.kind === 'add') {
          const vectors = randomVectors(step.ids.length, dimension, step.seed);
          index.add(step.ids, vectors);
          for (const [i, added] of step.ids.entries())
            expected.set(added, vectors.subarray(i * dimension, (i + 1) * dimension));
        } else {
          index.remove(step.ids);
          for (const removed of step.ids) expected.delete(removed);
        }
      }
      const question = randomVectors(1, dimension, 7);
      assert.equal(index.size, expected.size);
      for (let each = 1; each <= 30; each++) assert.equal(index.has(each), expected.has(each));
      // So few are never encoded.
      assertNearest(index.search(question, 30), expected, question, 30, MAX_EXACT_ERROR);
    }),
  );
});

test('finds only vectors of included owners, even if they are few', () => {
  const dimension = 32;
  const count = 3_000;
  const vectors = randomVectors(count, dimension, 5);
  const index = new VectorIndex(dimension);
  const ids = idsFrom(1, count);
  index.add(
    ids,
    vectors,
    ids.map((id) => id % 700),
  );
  const included = new Map(
    ids
      .filter((id) => id % 700 === 0)
      .map((id) => [id, vectors.subarray((id - 1) * dimension, id * dimension)]),
  );
  const question = randomVectors(1, dimension, 6);
  assertNearest(index.search(question, 10, Uint8Array.of(1)), included, question, 10);
  assert.ok(index.work.scanned <= 32 * included.size, 'Groups without an included vector are skipped.');
  assert.deepEqual(index.search(question, 10, new Uint8Array(700)), []);
});

test('scores the same direction with 1 and the opposite with -1, whatever the lengths', () => {
  const index = new VectorIndex(4);
  index.add([3, 8, 5], Float32Array.of(1e-30, 2e-30, 0, 0, -1e30, -2e30, 0, 0, 0, 0, 5, 0));
  const hits = index.search(Float32Array.of(3, 6, 0, 0), 10);
  assert.deepEqual(
    hits.map(({ id, score }) => [id, Number(score.toFixed(4))]),
    [
      [3, 1],
      [5, 0],
      [8, -1],
    ],
  );
});

test('finds nothing in an empty index, which uses no memory', () => {
  const index = new VectorIndex(384);
  assert.equal(index.bytes, 0);
  index.add([], new Float32Array());
  index.remove([1]);
  assert.deepEqual(index.search(new Float32Array(384).fill(1), 10), []);
});

test('rejects a vector without direction or of another dimension, and adds nothing', () => {
  const index = new VectorIndex(2);
  const wrong: [Float32Array, string][] = [
    [Float32Array.of(1, 2, 3), 'unsupported'],
    [Float32Array.of(1, 2, 0, 0), 'damaged'],
    [Float32Array.of(1, 2, NaN, 1), 'damaged'],
    [Float32Array.of(1, 2, 1, -Infinity), 'damaged'],
  ];
  for (const [vectors, code] of wrong)
    assert.throws(
      () => {
        index.add([1, 2], vectors);
      },
      { name: 'NotebookError', code },
    );
  assert.equal(index.size, 0);
  index.add([1], Float32Array.of(1, 1));
  assert.throws(() => index.search(Float32Array.of(1), 1), { code: 'unsupported' });
  assert.throws(() => index.search(Float32Array.of(0, 0), 1), { code: 'damaged' });
  for (const dimension of [0, -1, 1.5, NaN])
    assert.throws(() => new VectorIndex(dimension), { code: 'unsupported' });
});

test('reports a lack of memory, and keeps its contents', () => {
  class FullKernel extends PlainKernel {
    override grow(bytes: number): void {
      if (bytes > 2 ** 20) throw new RangeError('No memory.');
      super.grow(bytes);
    }
  }
  const index = new VectorIndex(64, new FullKernel());
  index.add(idsFrom(1, 500), randomVectors(500, 64, 1));
  assert.throws(
    () => {
      index.add(idsFrom(501, 30_000), randomVectors(30_000, 64, 2));
    },
    { name: 'NotebookError', code: 'too-large' },
  );
  assert.equal(index.size, 500);
  assert.equal(index.has(501), false);
  assert.equal(index.search(randomVectors(1, 64, 3), 10).length, 10);
  const huge = new VectorIndex(5_000_000);
  assert.throws(
    () => {
      huge.add([1], new Float32Array(5_000_000).fill(1));
    },
    { code: 'too-large' },
  );
});

test('reuses the space of removed vectors', () => {
  const index = new VectorIndex(100);
  index.add(idsFrom(1, 2_000), randomVectors(2_000, 100, 1));
  const { bytes } = index;
  assert.ok(bytes >= 2_000 * 1.25 * 100 && bytes < 2_000 * 2 * 128 * 1.5);
  for (let round = 0; round < 3; round++) {
    index.remove(idsFrom(1, 2_000));
    assert.equal(index.size, 0);
    index.add(idsFrom(1, 2_000), randomVectors(2_000, 100, round));
  }
  assert.equal(index.bytes, bytes);
});

test('keeps what was added, replaced, and removed in many blocks', () => {
  const dimension = 24;
  const count = 4_000;
  const index = new VectorIndex(dimension);
  const expected = new Map<number, Float32Array>();
  const add = (ids: readonly number[], seed: number): void => {
    const vectors = randomVectors(ids.length, dimension, seed);
    index.add(ids, vectors);
    for (const [i, id] of ids.entries())
      expected.set(id, vectors.subarray(i * dimension, (i + 1) * dimension));
  };
  const remove = (ids: readonly number[]): void => {
    index.remove(ids);
    for (const id of ids) expected.delete(id);
  };
  const check = (): void => {
    assert.equal(index.size, expected.size);
    for (let id = 1; id <= 2 * count; id++) assert.equal(index.has(id), expected.has(id));
    const question = randomVectors(1, dimension, 9);
    assertNearest(index.search(question, 20), expected, question, 20);
  };
  add(idsFrom(1, count), 1);
  check();
  const { bytes } = index;
  // Gaps that empty whole blocks, then replacements that fill them.
  remove(idsFrom(1, count).filter((id) => id % 5 !== 0));
  check();
  add(idsFrom(1, count), 2);
  check();
  for (let round = 0; round < 6; round++) {
    remove(idsFrom(1, count).filter((id) => (id + round) % 3 === 0));
    add(
      idsFrom(1, count).filter((id) => (id + round) % 3 === 0),
      3 + round,
    );
  }
  check();
  assert.ok(index.bytes < 2.5 * bytes);
  remove(idsFrom(1, 2 * count));
  check();
  assert.deepEqual(index.search(randomVectors(1, dimension, 1), 5), []);
});

test('finds nearly all of the nearest vectors with little work', () => {
  const dimension = 128;
  const count = 10_000;
  for (const { rows, questions } of [
    makeVectors(count, dimension),
    // No vector is close to another, so that rough scores decide least.
    makeUniformVectors(count, dimension),
  ]) {
    const index = new VectorIndex(dimension);
    const ids = idsFrom(1, count);
    index.add(
      ids,
      rows,
      ids.map((id) => id % 100),
    );
    const nearest = (question: Float32Array, owners: (id: number) => boolean): number[] =>
      ids
        .filter(owners)
        .map((id) => [id, cosine(question, rows.subarray((id - 1) * dimension, id * dimension))] as const)
        .sort((a, b) => b[1] - a[1])
        .slice(0, 10)
        .map(([id]) => id);
    let [found, foundOfOwner] = [0, 0];
    for (const question of questions.slice(0, 20)) {
      const all = new Set(index.search(question, 10).map(({ id }) => id));
      // All but the last 272, two bits and a factor for each, and 256 with eight bits.
      assert.deepEqual(index.work, {
        scanned: 9_728,
        rescored: 256 + 272,
        bytes: 9_728 * (128 / 4 + 4) + 256 * 128 + 272 * 4 * 128,
      });
      found += nearest(question, () => true).filter((id) => all.has(id)).length;
      const ofOwner = new Set(index.search(question, 10, Uint8Array.of(1)).map(({ id }) => id));
      assert.ok(index.work.scanned <= 32 * 100);
      foundOfOwner += nearest(question, (id) => id % 100 === 0).filter((id) => ofOwner.has(id)).length;
    }
    assert.ok(found >= 0.97 * 200, `found ${String(found)} of 200`);
    assert.ok(foundOfOwner >= 0.97 * 200, `found ${String(foundOfOwner)} of 200 with an owner`);
  }
});

test('returns the usual similarity of its vectors', () => {
  const index = new VectorIndex(2);
  index.add([1, 2, 3], Float32Array.of(1, 0, 0, 1, 1, 1));
  assert.equal(index.cosineStatistics, undefined);
  index.add([4], Float32Array.of(0, -2));
  const half = Math.SQRT1_2;
  const cosines = [0, half, 0, half, -1, -half];
  const mean = cosines.reduce((sum, value) => sum + value) / cosines.length;
  const deviation = Math.sqrt(cosines.reduce((sum, value) => sum + (value - mean) ** 2, 0) / cosines.length);
  assert.ok(Math.abs(index.cosineStatistics!.mean - mean) < 1e-3);
  assert.ok(Math.abs(index.cosineStatistics!.deviation - deviation) < 1e-3);
  index.remove([4]);
  assert.equal(index.cosineStatistics, undefined);
  index.add([5, 6], Float32Array.of(1, 0, 1, 0));
  index.remove([2, 3]);
  index.add([7], Float32Array.of(3, 0));
  assert.equal(index.cosineStatistics, undefined, 'All are alike.');
});
