import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { titleOfText } from '../../src/features/sources/model/text-title.ts';

describe('title of a pasted text', () => {
  test('is the heading at the start of the text', () => {
    assert.equal(titleOfText('\n# The windmill ##\r\n\nIt turns.'), 'The windmill');
    assert.equal(titleOfText('## Only a heading'), 'Only a heading');
  });

  test('is the first line if the text doesn’t start with a heading', () => {
    assert.equal(
      titleOfText('Meeting notes of Monday\nThe release moves to May.'),
      'Meeting notes of Monday',
    );
    assert.equal(titleOfText('#windmill turns'), '#windmill turns');
    assert.equal(titleOfText('#'), '#');
  });

  test('is cut at a word if the line is long', () => {
    assert.equal(
      titleOfText('It turns in the wind that comes from the sea in the evening, and it never stops.'),
      'It turns in the wind that comes from the sea in the evening…',
    );
    assert.equal(titleOfText(`# ${'very '.repeat(30)}long`), `${'very '.repeat(12).trim()}…`);
  });

  test('is cut between characters if the line has no spaces', () => {
    assert.equal(titleOfText('字'.repeat(100)), `${'字'.repeat(60)}…`);
    assert.equal(titleOfText(`a${'😀'.repeat(100)}`), `a${'😀'.repeat(29)}…`);
  });
});
