import assert from 'node:assert/strict';
import { test } from 'node:test';
import { titleOfText } from '../../src/notebook/text-title.ts';

test('a text is called by the heading it begins with, or by its first words', () => {
  assert.equal(titleOfText('\n# The windmill ##\r\n\nIt turns.'), 'The windmill');
  assert.equal(titleOfText('## Only a heading'), 'Only a heading');
  assert.equal(titleOfText('It turns in the\nwind, and never stops.'), 'It turns in the wind,');
  assert.equal(titleOfText('#windmill turns'), '#windmill turns');
  assert.equal(titleOfText(`# ${'very '.repeat(30)}long`), 'very very very very very');
  assert.equal(titleOfText('#'), '#');
});
