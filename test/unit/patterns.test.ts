import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkPatterns } from '../support/check-patterns.ts';
import { slowPatterns } from '../support/slow-patterns.ts';

test(
  'a pattern that takes more than linear time is found, whichever of its alternatives does',
  { timeout: 600_000 },
  async () => {
    const patterns = [/^(?:a|a)*$/, /\s+$/, /b|<[^>]*>/g, /^\s+$/, /a{1,9}b/, /(?<!\s)\s+$/].map(
      ({ source, flags }, line) => ({ file: 'made', line, source, flags }),
    );
    const slow = await slowPatterns(patterns);
    assert.deepEqual(slow.map(({ line }) => line).sort(), [0, 1, 2]);
  },
);

test(
  'no pattern of what is neither read nor answered takes more than linear time',
  { timeout: 600_000 },
  () => checkPatterns((file) => !file.startsWith('src/answering/') && !file.startsWith('src/reading/')),
);
