import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { sha256 } from '../../src/platform/sha256.ts';

const parts = [Buffer.from('/Gärten/été.pdf'), new Uint8Array(3_000_000).fill(7), Buffer.from('')];

test('hashes bytes off the main thread to the same hash as before', async () => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  assert.equal(await sha256(...parts), hash.digest('hex'));
  assert.equal(await sha256(), createHash('sha256').digest('hex'));
});
