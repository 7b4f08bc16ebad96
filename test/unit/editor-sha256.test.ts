import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { sha256 } from '../../src/editor/sha256.ts';

const parts = [Buffer.from('/Gärten/été.pdf'), new Uint8Array(3_000_000).fill(7), Buffer.from('')];

test('bytes that are hashed off the thread have the hash by which they were kept before', async () => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  assert.equal(await sha256(...parts), hash.digest('hex'));
  assert.equal(await sha256(), createHash('sha256').digest('hex'));
});
