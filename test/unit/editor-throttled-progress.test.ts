import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { ThrottledProgress } from '../../src/editor/throttled-progress.ts';

let done: number;
let told: number[];
let progress: ThrottledProgress;

beforeEach(() => {
  mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'], now: 1_000_000 });
  [done, told] = [0, []];
  progress = new ThrottledProgress(() => {
    told.push(done);
    return done === 13 ? Promise.reject(new Error('Not now.')) : Promise.resolve();
  });
});

afterEach(() => {
  progress.dispose();
  mock.timers.reset();
});

/** A step of the work every so many milliseconds. */
function work(steps: number, every: number): void {
  for (let step = 0; step < steps; step++) {
    done++;
    progress.changed();
    mock.timers.tick(every);
  }
}

test('the first step is told at once, those after it together, and the last one never goes untold', () => {
  work(10, 10);
  assert.deepEqual(told, [1]);
  mock.timers.tick(200);
  assert.deepEqual(told, [1, 10]);
});

test('steps far apart are each told', () => {
  work(3, 400);
  assert.deepEqual(told, [1, 2, 3]);
});

test('work that comes no further is told to go on', () => {
  mock.timers.tick(30_000);
  assert.deepEqual(told, [0, 0, 0]);
});

test('what can not be told is told with the next step', () => {
  done = 12;
  work(2, 400);
  assert.deepEqual(told, [13, 14]);
});

test('nothing is told after the end', () => {
  work(2, 10);
  progress.dispose();
  mock.timers.tick(60_000);
  assert.deepEqual(told, [1]);
});
