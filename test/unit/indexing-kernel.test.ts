import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import fc from 'fast-check';
import { KERNEL } from '../../src/index/search/vectors/kernel-bytes.ts';
import { PlainKernel, type Kernel } from '../../src/index/search/vectors/kernel.ts';
import { SimdKernel } from '../../src/index/search/vectors/simd-kernel.ts';
import { VectorIndex } from '../../src/index/search/vectors/vector-index.ts';
import { makeVectors } from '../bench/made-vectors.ts';
import { assemble } from '../support/assemble.mjs';

test('matches the assembled source', async () => {
  const text = await readFile(new URL('../../src/index/search/vectors/kernel.wat', import.meta.url), 'utf8');
  assert.equal(KERNEL, Buffer.from(await assemble(text)).toString('base64'));
});

/** Returns the rows that a kernel finds, and the bits of their scores. */
function scan(
  kernel: Kernel,
  question: Uint8Array,
  codes: Int8Array,
  rows: number,
  least: number,
): number[][] {
  const stride = question.length;
  const excesses = stride + codes.length;
  const [steps, found, scores] = [1, 2, 3].map((place) => excesses + 4 * rows * place) as [
    number,
    number,
    number,
  ];
  kernel.grow(excesses + 16 * rows);
  const { buffer } = kernel;
  new Uint8Array(buffer).set(question);
  new Int8Array(buffer).set(codes, stride);
  new Int32Array(buffer, excesses, rows).set(Int32Array.from(codes.subarray(0, rows), (code) => 100 * code));
  new Float32Array(buffer, steps, rows).set(
    Float32Array.from(codes.subarray(0, rows), (code) => Math.exp(code / 10)),
  );
  const count = kernel.scan({
    question: 0,
    codes: stride,
    excesses,
    steps,
    stride,
    rows,
    least,
    found,
    scores,
  });
  return [new Int32Array(buffer, found, count), new Uint32Array(buffer, scores, count)].map((each) => [
    ...each,
  ]);
}

test('computes the same bits in both kernels, also at numeric limits', () => {
  const code = fc.oneof(fc.constantFrom(-128, -127, 0, 127), fc.integer({ min: -128, max: 127 }));
  const asking = fc
    .record({ turns: fc.integer({ min: 1, max: 4 }), rows: fc.integer({ min: 1, max: 9 }) })
    .chain(({ turns, rows }) => {
      const stride = 64 * turns;
      return fc.record({
        rows: fc.constant(rows),
        question: fc
          .uint8Array({ minLength: stride, maxLength: stride })
          .map((bytes) => bytes.map((byte) => byte & 127)),
        codes: fc.array(code, { minLength: rows * stride, maxLength: rows * stride }),
        extreme: fc.integer({ min: 0, max: 127 }),
        least: fc.constantFrom(-Infinity, -1e4, 0, 1e5),
      });
    });
  fc.assert(
    fc.property(asking, ({ rows, question, codes, extreme, least }) => {
      for (const each of [question, question.map(() => extreme)]) {
        const simd = SimdKernel.create();
        assert.ok(simd, 'This processor has what the kernel takes.');
        assert.deepEqual(
          scan(simd, each, Int8Array.from(codes), rows, least),
          scan(new PlainKernel(), each, Int8Array.from(codes), rows, least),
        );
      }
    }),
    { numRuns: 50 },
  );
});

test('finds the same with either kernel', () => {
  const { rows, questions } = makeVectors(2_000, 70);
  const ids = Array.from({ length: 2_000 }, (_, i) => i + 1);
  const fast = new VectorIndex(70);
  const plain = new VectorIndex(70, new PlainKernel());
  for (const index of [fast, plain]) index.add(ids, rows);
  for (const question of questions) assert.deepEqual(fast.search(question, 20), plain.search(question, 20));
});
