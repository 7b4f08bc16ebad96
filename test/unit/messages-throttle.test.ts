// Runs in a process of its own: it replaces timers.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { Throttle } from '../../src/messages/throttle.ts';
import { stopClock } from '../support/clock.ts';

let times: number;
let throttle: Throttle;

beforeEach(() => {
  stopClock();
  times = 0;
  throttle = new Throttle(() => {
    times++;
  }, 1_000);
});

afterEach(() => {
  throttle.dispose();
  mock.timers.reset();
  mock.restoreAll();
});

test('what is asked for again and again is done at once, then once in an interval, and in the end', () => {
  throttle.ask();
  assert.equal(times, 1);
  for (let i = 0; i < 25; i++) {
    throttle.ask();
    mock.timers.tick(100);
  }
  assert.equal(times, 3);
  mock.timers.tick(1_000);
  assert.equal(times, 4, 'what was asked for last is done, too');
  mock.timers.tick(5_000);
  assert.equal(times, 4);
  throttle.ask();
  assert.equal(times, 5, 'after a while it is done at once again');
});

test('it is done once in an interval where no timer runs, too', () => {
  for (let i = 0; i < 25; i++) {
    throttle.ask();
    mock.timers.setTime(Date.now() + 100);
  }
  assert.equal(times, 3);
});

test('what is gathered is done together, later', () => {
  for (let i = 0; i < 3; i++) throttle.gather();
  assert.equal(times, 0);
  mock.timers.tick(999);
  assert.equal(times, 0);
  mock.timers.tick(1);
  assert.equal(times, 1);
  mock.timers.tick(5_000);
  assert.equal(times, 1);
});

test('what waits is not done after the end, and can be asked for again', () => {
  throttle.ask();
  throttle.ask();
  throttle.dispose();
  throttle.gather();
  throttle.dispose();
  mock.timers.tick(5_000);
  assert.equal(times, 1);
  throttle.ask();
  assert.equal(times, 2);
});
