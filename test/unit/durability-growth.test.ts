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
    let told: GrowthMessage | undefined;
    for await (const message of growth.told as AsyncIterable<GrowthMessage>) told = message;
    const { code, complaint } = await growth.ended;
    assert.equal(code, 0, complaint);
    assert.ok(told);
    t.diagnostic(JSON.stringify(told));
    assert.ok(told.perPassage < 2_500, `${String(told.perPassage)} bytes a passage`);
    assert.ok(told.log < 32 * MEGABYTE, `a log of ${String(told.log)} bytes`);
    // Limits for 40 documents with a million characters, and for 40 with 1.6 MB of offsets each.
    assert.ok(told.longTexts < 36 * MEGABYTE, `${String(told.longTexts)} bytes of texts`);
    assert.ok(told.longMaps < 40 * MEGABYTE, `${String(told.longMaps)} bytes of maps`);
  } finally {
    growth.kill();
    rmSync(folder, { recursive: true, force: true });
  }
});
