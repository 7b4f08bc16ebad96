// Runs in a process of its own: it replaces timers.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { reportReading } from '../../src/platform/report-reading.ts';
import type { NotebookClient } from '../../src/platform/notebook-client.ts';
import { stopClock } from '../support/clock.ts';

const progress = { done: 0, total: 20 };
let reports: number[];

const call = (_method: string, params: object): Promise<never> => {
  assert.deepEqual(params, { sourceId: 's', state: { kind: 'reading', ...progress } });
  reports.push(progress.done);
  return Promise.reject(new Error('Not now.'));
};
const notebook = { call } as Pick<NotebookClient, 'call'>;

beforeEach(() => {
  stopClock();
  progress.done = 0;
  reports = [];
});

afterEach(() => {
  mock.timers.reset();
  mock.restoreAll();
});

/** Simulates work that takes a step at a fixed interval, in milliseconds. */
async function work(steps: number, every: number): Promise<void> {
  await reportReading(notebook, 's', progress, async (changed) => {
    for (let step = 0; step < steps; step++) {
      progress.done++;
      changed();
      mock.timers.tick(every);
    }
    await Promise.resolve();
  });
}

test('reports the first step at once, and further steps together', async () => {
  await work(40, 10);
  assert.deepEqual(reports, [1, 30]);
});

test('reports steps that are far apart, even if the previous report failed', async () => {
  await work(3, 400);
  assert.deepEqual(reports, [1, 2, 3]);
});

test('reports that stalled work is still running, but nothing after its end', async () => {
  await reportReading(notebook, 's', progress, async () => {
    for (let i = 0; i < 3; i++) mock.timers.tick(10_000);
    await Promise.resolve();
  });
  assert.deepEqual(reports, [0, 0, 0]);
  mock.timers.tick(60_000);
  assert.equal(reports.length, 3);
});
