// Runs in a process of its own: it replaces timers.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { pausing } from '../../src/core/rpc/pausing.ts';
import { stopClock } from '../support/clock.ts';

beforeEach(stopClock);

afterEach(() => {
  mock.timers.reset();
  mock.restoreAll();
});

/** Works for some milliseconds in steps of one, and returns the steps after which others had a turn. */
async function work(
  milliseconds: number,
  pause: (reportProgress?: () => void) => Promise<void>,
): Promise<number[]> {
  const turns: number[] = [];
  let done = 0;
  let isWaiting = false;
  for (; done < milliseconds; done++) {
    if (!isWaiting) {
      isWaiting = true;
      setImmediate(() => {
        isWaiting = false;
        turns.push(done);
      });
    }
    await pause();
    mock.timers.setTime(Date.now() + 1);
  }
  return turns;
}

test('lets others run within the time of a frame, and no more often', async () => {
  assert.deepEqual(await work(30, pausing()), [8, 16, 24]);
});

test('reports progress before it lets others run', async () => {
  const pause = pausing();
  let reportCount = 0;
  const reportProgress = (): void => {
    reportCount++;
  };
  await pause(reportProgress);
  assert.equal(reportCount, 0);
  mock.timers.setTime(Date.now() + 8);
  await pause(reportProgress);
  await pause(reportProgress);
  assert.equal(reportCount, 1);
});

test('stops work that is canceled meanwhile', async () => {
  const controller = new AbortController();
  const pause = pausing(controller.signal);
  mock.timers.setTime(Date.now() + 8);
  const paused = pause();
  controller.abort();
  await assert.rejects(paused, { code: 'cancelled' });
  await assert.rejects(pause(), { code: 'cancelled' });
});
