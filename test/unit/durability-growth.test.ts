// Runs in a process of its own: it starts processes.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { GrowthMessage } from '../support/durability-growth.ts';
import { runScript } from '../support/durability-process.ts';
import { rounds } from '../support/test-size.mjs';

const MEGABYTE = 2 ** 20;

test('limits memory while documents are added and read one by one', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'notebook-growth-'));
  const growth = runScript('durability-growth.ts', { folder, documents: rounds(2_000, 20_000) }, [
    '--expose-gc',
  ]);
  try {
    let lastMessage: GrowthMessage | undefined;
    for await (const message of growth.messages as AsyncIterable<GrowthMessage>) lastMessage = message;
    const { code, complaint } = await growth.ended;
    assert.equal(code, 0, complaint);
    assert.ok(lastMessage);
    t.diagnostic(JSON.stringify(lastMessage));
    assert.ok(lastMessage.perPassage < 2_500, `${String(lastMessage.perPassage)} bytes a passage`);
    assert.ok(lastMessage.log < 32 * MEGABYTE, `a log of ${String(lastMessage.log)} bytes`);
    // Limits for 40 documents with a million characters, and for 40 with 1.6 MB of offsets each.
    assert.ok(lastMessage.longTexts < 36 * MEGABYTE, `${String(lastMessage.longTexts)} bytes of texts`);
    assert.ok(lastMessage.longMaps < 40 * MEGABYTE, `${String(lastMessage.longMaps)} bytes of maps`);
  } finally {
    growth.kill();
    rmSync(folder, { recursive: true, force: true });
  }
});
