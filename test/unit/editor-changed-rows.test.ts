import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { changedRows, Throttle } from '../../src/editor/sources/changed-rows.ts';

test('of a list the rows are drawn anew that show something else, and all where it is another list', () => {
  const before = new Map([
    ['a', 'a.md reading 1 of 9'],
    ['b', 'b.md'],
  ]);
  assert.deepEqual(changedRows(before, new Map(before)), []);
  assert.deepEqual(changedRows(before, new Map([...before, ['a', 'a.md reading 2 of 9']])), ['a']);
  assert.equal(changedRows(before, new Map([...before].reverse())), 'all');
  assert.equal(changedRows(before, new Map([...before].slice(1))), 'all');
  assert.equal(changedRows(before, new Map([...before, ['c', 'c.md']])), 'all');
});

test('what is asked for again and again is done at once, then once in an interval, and in the end', () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  let times = 0;
  const throttle = new Throttle(() => {
    times++;
  }, 1_000);
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
  throttle.ask();
  throttle.dispose();
  mock.timers.tick(5_000);
  assert.equal(times, 5);
  mock.timers.reset();
});
