import { test } from 'node:test';
import { checkPatterns } from '../support/check-patterns.ts';

test('no pattern of reading takes more than linear time', { timeout: 600_000 }, () =>
  checkPatterns((file) => file.startsWith('src/reading/')),
);
