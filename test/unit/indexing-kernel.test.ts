import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import fc from 'fast-check';
import { KERNEL } from '../../src/index/search/vectors/kernel-bytes.ts';
import { GROUP_ROWS, PlainKernel, type Kernel } from '../../src/index/search/vectors/kernel.ts';
import { SimdKernel } from '../../src/index/search/vectors/simd-kernel.ts';
import { VectorIndex } from '../../src/index/search/vectors/vector-index.ts';
import { makeVectors } from '../bench/made-vectors.ts';
import { assemble } from '../support/assemble.mjs';

test('matches the assembled source', async () => {
  const text = await readFile(new URL('../../src/index/search/vectors/kernel.wat', import.meta.url), 'utf8');
  assert.equal(KERNEL, Buffer.from(await assemble(text)).toString('base64'));
});

/** Content of a kernel's memory for a scan of some groups. */
interface Scanned {
  readonly tables: Uint8Array;
  readonly codes: Uint8Array;
  readonly factors: Float32Array;
  readonly groups: number;
  readonly least: number;
}

/** Returns the rows that a kernel finds, and the bits of their scores. */
function scan(kernel: Kernel, { tables, codes, factors, groups, least }: Scanned): number[][] {
  const factorsAt = tables.length + codes.length;
  const sums = factorsAt + factors.byteLength;
  const rows = sums + 4 * GROUP_ROWS;
  const scores = rows + factors.byteLength;
  kernel.grow(scores + factors.byteLength);
  const { buffer } = kernel;
  new Uint8Array(buffer).set(tables);
  new Uint8Array(buffer).set(codes, tables.length);
  new Float32Array(buffer, factorsAt).set(factors);
  const count = kernel.scan({
    ...{ tables: 0, tableCount: tables.length / 32, codes: tables.length, factors: factorsAt, groups },
    ...{ unit: 0.1, offset: 7, base: 0.3, minScore: least, sums, rows, scores },
  });
  return [new Int32Array(buffer, rows, count), new Uint32Array(buffer, scores, count)].map((each) => [
    ...each,
  ]);
}

const bytes = (length: number): fc.Arbitrary<Uint8Array> =>
  fc.uint8Array({ minLength: length, maxLength: length });

test('scores the same bits in both kernels, also at numeric limits', () => {
  const scanned = fc
    .record({ tableCount: fc.integer({ min: 1, max: 9 }), groupCount: fc.integer({ min: 1, max: 16 }) })
    .chain(({ tableCount, groupCount }) =>
      fc.record({
        tables: fc.oneof(
          bytes(32 * tableCount).map((entries) => entries.map((entry) => entry >> 1)),
          fc.constantFrom(0, 127).map((value) => new Uint8Array(32 * tableCount).fill(value)),
        ),
        codes: bytes(32 * tableCount * groupCount),
        factors: fc
          .array(fc.float({ noNaN: true, noDefaultInfinity: true }), {
            ...{ minLength: GROUP_ROWS * groupCount, maxLength: GROUP_ROWS * groupCount },
          })
          .map((values) => Float32Array.from(values)),
        groups: fc.integer({ min: 1, max: 2 ** groupCount - 1 }),
        least: fc.constantFrom(-Infinity, -1e4, 0, 1e5, Infinity),
      }),
    );
  fc.assert(
    fc.property(scanned, (each) => {
      const simd = SimdKernel.create();
      assert.ok(simd, 'This processor supports the kernel.');
      assert.deepEqual(scan(simd, each), scan(new PlainKernel(), each));
    }),
    { numRuns: 50 },
  );
});

test('multiplies the same in both kernels, also at numeric limits', () => {
  const code = fc.oneof(fc.constantFrom(-128, -127, 0, 127), fc.integer({ min: -128, max: 127 }));
  const number = fc.oneof(fc.constantFrom(-32_768, 32_767), fc.integer({ min: -32_768, max: 32_767 }));
  const pairs = fc
    .integer({ min: 1, max: 5 })
    .chain((turns) => fc.array(fc.tuple(number, code), { minLength: 16 * turns, maxLength: 16 * turns }));
  fc.assert(
    fc.property(pairs, (each) => {
      const products = [SimdKernel.create() ?? new PlainKernel(), new PlainKernel()].map((kernel) => {
        kernel.grow(3 * each.length);
        new Int16Array(kernel.buffer).set(each.map(([value]) => value));
        new Int8Array(kernel.buffer).set(
          each.map(([, value]) => value),
          2 * each.length,
        );
        return kernel.multiply(0, 2 * each.length, each.length);
      });
      assert.deepEqual(products, [
        ...Array.from({ length: 2 }, () => each.reduce((sum, [a, b]) => sum + a * b, 0)),
      ]);
    }),
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
