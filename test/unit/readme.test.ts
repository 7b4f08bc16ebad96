import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../support/paths.mjs';
import { currentReadme } from '../support/readme.mjs';

test('the README lists the settings and commands that there are', async () => {
  assert.equal(
    readFileSync(join(root, 'README.md'), 'utf8'),
    await currentReadme(),
    'Run `node test/support/readme.mjs`.',
  );
});
