import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pace } from '../../src/parsers/sites/pace.ts';

const { signal } = new AbortController();

/** Returns the times between the starts of four requests, in milliseconds. */
async function gapsOf(pace: Pace): Promise<readonly number[]> {
  const starts: number[] = [];
  const request = (): Promise<void> => {
    starts.push(Date.now());
    return Promise.resolve();
  };
  await Promise.all([1, 2, 3, 4].map(() => pace.run(request, signal)));
  return starts.slice(1).map((start, i) => start - (starts[i] ?? 0));
}

test('starts requests at least a pause apart', async () => {
  const gaps = await gapsOf(new Pace(() => ({ requestsAtOnce: 2, pause: 30 })));
  // A start is noted up to a millisecond after the pace counted it.
  assert.ok(Math.min(...gaps) >= 29, String(gaps));
});

test('lengthens the pause to the one that a host requires, and never shortens it', async () => {
  const slowed = new Pace(() => ({ requestsAtOnce: 2, pause: 0 }));
  slowed.slowDownTo(30);
  const gaps = await gapsOf(slowed);
  assert.ok(Math.min(...gaps) >= 29, String(gaps));
  const paused = new Pace(() => ({ requestsAtOnce: 2, pause: 30 }));
  paused.slowDownTo(1);
  const longer = await gapsOf(paused);
  assert.ok(Math.min(...longer) >= 29, String(longer));
});
