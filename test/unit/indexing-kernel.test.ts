import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import fc from 'fast-check';
import { KERNEL } from '../../src/indexing/vectors/kernel-bytes.ts';
import { PlainKernel } from '../../src/indexing/vectors/kernel.ts';
import type { Kernel } from '../../src/indexing/vectors/kernel.ts';
import { SimdKernel } from '../../src/indexing/vectors/simd-kernel.ts';
import { VectorIndex } from '../../src/indexing/vectors/vector-index.ts';
import { makeVectors } from '../bench/made-vectors.ts';
import { assemble } from '../support/assemble.mjs';

test('the bytes of the kernel are what its text assembles to', async () => {
  const text = await readFile(new URL('../../src/indexing/vectors/kernel.wat', import.meta.url), 'utf8');
  assert.equal(KERNEL, Buffer.from(await assemble(text)).toString('base64'));
});

/** Scans these codes with a kernel. */
function scores(kernel: Kernel, question: Uint8Array, codes: Int8Array, rows: number): Uint32Array {
  const stride = question.length;
  const excesses = stride + codes.length;
  kernel.grow(excesses + 12 * rows);
  const { buffer } = kernel;
  new Uint8Array(buffer).set(question);
  new Int8Array(buffer).set(codes, stride);
  new Int32Array(buffer, excesses, rows).set(codes.subarray(0, rows).map((code) => 100 * code));
  new Float32Array(buffer, excesses + 4 * rows, rows).set(
    Float32Array.from(codes.subarray(0, rows), (code) => Math.exp(code / 10)),
  );
  kernel.scan({
    question: 0,
    codes: stride,
    excesses,
    steps: excesses + 4 * rows,
    scores: excesses + 8 * rows,
    stride,
    rows,
  });
  return new Uint32Array(buffer, excesses + 8 * rows, rows).slice();
}

test('both kernels compute the same in every bit, at the borders of what a number holds too', () => {
  const code = fc.oneof(fc.constantFrom(-128, -127, 0, 127), fc.integer({ min: -128, max: 127 }));
  const asked = fc.integer({ min: 0, max: 127 });
  const scan = fc
    .record({ turns: fc.integer({ min: 1, max: 4 }), rows: fc.integer({ min: 1, max: 9 }) })
    .chain(({ turns, rows }) => {
      const stride = 64 * turns;
      return fc.record({
        rows: fc.constant(rows),
        question: fc
          .uint8Array({ minLength: stride, maxLength: stride })
          .map((bytes) => bytes.map((byte) => byte & 127)),
        codes: fc.array(code, { minLength: rows * stride, maxLength: rows * stride }),
        extreme: asked,
      });
    });
  fc.assert(
    fc.property(scan, ({ rows, question, codes, extreme }) => {
      for (const each of [question, question.map(() => extreme)]) {
        const simd = SimdKernel.create();
        assert.ok(simd, 'This processor has what the kernel takes.');
        assert.deepEqual(
          scores(simd, each, Int8Array.from(codes), rows),
          scores(new PlainKernel(), each, Int8Array.from(codes), rows),
        );
      }
    }),
    { numRuns: 50 },
  );
});

test('an index finds the same with either kernel', () => {
  const { rows, questions } = makeVectors(2_000, 70);
  const ids = Array.from({ length: 2_000 }, (_, i) => i + 1);
  const fast = new VectorIndex(70);
  const plain = new VectorIndex(70, new PlainKernel());
  for (const index of [fast, plain]) index.add(ids, rows);
  for (const question of questions) assert.deepEqual(fast.search(question, 20), plain.search(question, 20));
});
