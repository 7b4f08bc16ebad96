import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearestQuotes } from '../../src/answering/places/nearest-quotes.ts';
import { passageOf } from './answering-fixtures.ts';

test('the nearest passages are quoted first, by whole sentences', () => {
  const sentence = 'An automobile needs its oil changed every year, and its tyres looked at.';
  const far = {
    ...passageOf({ id: 1, title: 'Notes', format: 'markdown', text: '# Food\n\nLentils are stirred.' }),
    nearness: 0.6,
  };
  const off = { ...passageOf({ id: 4, title: 'Notes', text: 'The lift is blue.' }), nearness: 0.1 };
  const near = {
    ...passageOf({ id: 2, title: 'Notes', text: Array(20).fill(sentence).join(' ') }),
    nearness: 0.7,
  };
  const byWords = passageOf({ id: 3, title: 'Notes', text: 'The treaty was signed.' });
  const quotes = nearestQuotes([off, far, byWords, near]);
  assert.deepEqual(
    quotes.map(({ passage, span }) =>
      passage.text.slice(span.start - passage.start, span.end - passage.start),
    ),
    [Array(6).fill(sentence).join(' '), 'Lentils are stirred.'],
  );
  assert.deepEqual(nearestQuotes([byWords]), []);
});
