// Runs in a process of its own: it replaces timers.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { Throttle } from '../../src/core/rpc/throttle.ts';
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

test('runs a repeated request at once, then once per interval, and at the end', () => {
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

test('runs once per interval even if no timer fires', () => {
  for (let i = 0; i < 25; i++) {
    throttle.ask();
    mock.timers.setTime(Date.now() + 100);
  }
  assert.equal(times, 3);
});

test('runs collected requests together, later', () => {
  for (let i = 0; i < 3; i++) throttle.gather();
  assert.equal(times, 0);
  mock.timers.tick(999);
  assert.equal(times, 0);
  mock.timers.tick(1);
  assert.equal(times, 1);
  mock.timers.tick(5_000);
  assert.equal(times, 1);
});

test('runs no pending request after the end, and accepts new ones', () => {
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
