import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { findSideBySide, mergeBoth } from '../../src/core/language/merged-lines.ts';
import { assertLinear } from '../support/growth.ts';

test('shows both versions of a line that both changed, with the other author’s name', () => {
  const merged = mergeBoth('Dig.\nSow.\nReap.', 'Dig.\nSow peas.\nReap.', 'Dig.\nSow beans.\nReap.', 'ada b');
  assert.deepEqual(merged.split('\n').slice(1, -1), [
    '<<<<<<<',
    'Sow beans.',
    '=======',
    'Sow peas.',
    '>>>>>>> ada b',
  ]);
  assert.deepEqual(findSideBySide(merged), [{ start: 1, middle: 3, end: 5, who: 'ada b' }]);
  assert.deepEqual(findSideBySide(merged.replaceAll('\n', '\r\n')), findSideBySide(merged));
});

test('ignores unmatched markers and underlined headings', () => {
  for (const text of [
    'Title\n=======\nWords',
    '<<<<<<<\nno end',
    '>>>>>>> ada',
    '<<<<<<<<\na\n=======\n>>>>>>>>',
  ])
    assert.deepEqual(findSideBySide(text), [], text);
});

test('finds versions with their markers in any text', () => {
  const line = fc.constantFrom('a', 'b', '<<<<<<<', '=======', '>>>>>>> ada', '');
  fc.assert(
    fc.property(fc.array(line, { maxLength: 40 }), (lines) => {
      for (const { start, middle, end } of findSideBySide(lines.join('\n'))) {
        assert.ok(start < middle && middle < end);
        assert.deepEqual([lines[start], lines[middle], lines[end]], ['<<<<<<<', '=======', '>>>>>>> ada']);
      }
    }),
  );
});

test('finds versions in linear time', () => {
  assertLinear((size) => findSideBySide('<<<<<<<\na\n=======\n'.repeat(size)), 1_000);
});
