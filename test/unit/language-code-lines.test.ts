import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startOfLeadIn } from '../../src/core/language/code-lines.ts';

test('finds the comments and decorators directly above a declaration', () => {
  const lines = ['// Not of it', '', '/**', ' * Adds.', ' */', '@traced', 'function add() {', '}', 'add();'];
  const startAbove = (index: number): number => startOfLeadIn((line) => lines[line]!, index);
  assert.equal(startAbove(6), 2);
  assert.equal(startAbove(8), 8);
  assert.equal(startAbove(0), 0);
});
