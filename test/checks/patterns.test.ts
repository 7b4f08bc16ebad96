import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkPatterns, checkSearches, shippedPatterns } from '../support/check-patterns.ts';
import { unboundedParts } from '../support/pattern-parts.ts';
import { slowPatterns } from '../support/slow-patterns.ts';

test('finds a pattern that takes more than linear time in any of its alternatives', async () => {
  const patterns = [/^(?:a|a)*$/, /\s+$/, /b|<[^>]*>/g, /^\s+$/, /a{1,9}b/, /(?<!\s)\s+$/].map(
    ({ source, flags }, line) => ({ file: 'made', line, source, flags }),
  );
  const slow = await slowPatterns(patterns);
  assert.deepEqual(slow.map(({ line }) => line).sort(), [0, 1, 2]);
});

test('skips the search for attacks only for patterns that are certainly linear', () => {
  const linear = [
    /a{1,9}b/,
    /^\s+$/,
    /^([^b]*)b?c$/,
    /^a{1,9}.*?b/,
    /\s+/,
    /a?(?:b[^c]*)/,
    /^(?!a)b*$/,
    /c|^a*b/,
  ];
  for (const { source, flags } of linear) assert.deepEqual(unboundedParts(source, flags), [], source);
  const uncertain = [
    ...[
      /\s+$/,
      /\s+a/,
      /a\s+(?!b)/,
      /^\s+$/m,
      /^a*a*$/,
      /^a*b*/,
      /^(?:a|a)*$/,
      /^(?:a+){1,9}$/,
      /^(?:a+){2}/,
    ],
    ...[/^(?=a*b)a*c/, /^a*(?=a*b)/, /^a+(?<=a*b)/, /(?<=a*)b+/, /^(a*)\1$/, /^(?:ab)*/, /^a*(?:b?){20}c/],
    ...[/a*(?:b|c+)/, /(?:a|b+)/],
  ];
  for (const { source, flags } of uncertain)
    assert.deepEqual(unboundedParts(source, flags), [source], source);
});

const shipped = shippedPatterns();

test('every pattern has a saved search for attacks', () => {
  checkSearches(shipped);
});

test('every pattern takes linear time', () => checkPatterns(shipped));
