import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changedRows } from '../../src/features/sources/editor/changed-rows.ts';

test('redraws only changed rows of a list, and all rows of another list', () => {
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
