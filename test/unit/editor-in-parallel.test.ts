import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inParallel } from '../../src/platform/in-parallel.ts';

const never = new AbortController().signal;
const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

test('processes every item once, up to the concurrency limit', async () => {
  const seen: number[] = [];
  let working = 0;
  let peak = 0;
  await inParallel(
    Array.from({ length: 50 }, (_, i) => i),
    4,
    never,
    async (item) => {
      peak = Math.max(peak, ++working);
      await turn();
      seen.push(item);
      working--;
    },
  );
  assert.equal(peak, 4);
  assert.deepEqual(
    seen.toSorted((a, b) => a - b),
    Array.from({ length: 50 }, (_, i) => i),
  );
});

test('stops at the first failure, and throws it once nothing is running', async () => {
  let working = 0;
  let begun = 0;
  await assert.rejects(
    inParallel([1, 2, 3, 4, 5, 6, 7, 8], 3, never, async (item) => {
      begun++;
      working++;
      await turn();
      if (item !== 2) await turn();
      working--;
      if (item === 2) throw new RangeError('no');
    }),
    RangeError,
  );
  assert.equal(working, 0);
  assert.ok(begun < 8);
});

test('stops when the signal is aborted', async () => {
  const controller = new AbortController();
  const seen: number[] = [];
  await assert.rejects(
    inParallel([1, 2, 3, 4], 1, controller.signal, async (item) => {
      seen.push(item);
      if (item === 2) controller.abort();
      await turn();
    }),
    { name: 'AbortError' },
  );
  assert.deepEqual(seen, [1, 2]);
});
