// Runs in a process of its own: it starts processes.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ChurnMessage, ChurnParameters } from '../support/durability-churn.ts';
import { damageSnapshot, SNAPSHOT_DAMAGES } from '../support/damaged-snapshot.ts';
import { runScript } from '../support/durability-process.ts';
import { seededRandom, wholeBelow } from '../support/durability-random.ts';
import { after, type DocumentVersions, type Step } from '../support/durability-steps.ts';
import { rounds } from '../support/test-size.mjs';

/** Number of passages of a source that stays the same while others change; 0 for none. See CONTRIBUTING.md. */
const BASE_PASSAGES = Number(process.env.DURABILITY_PASSAGES ?? 0);

/** Number of folders that are used in parallel, and of kills in each. */
const FOLDERS = BASE_PASSAGES > 0 ? 1 : rounds(1, 4);
const ROUNDS = BASE_PASSAGES > 0 ? 12 : rounds(5, 25);

/** Kills one process after another that changes a notebook. Each checks what the previous one left behind. */
async function killAgainAndAgain(folder: string, seed: number): Promise<void> {
  const random = seededRandom(seed);
  let savedRows: DocumentVersions = {};
  let pending: Step | undefined;
  let version = 1;
  let removed: number[] = [];
  // Opening a large notebook takes longer, and any instant of it must be hit.
  let openingTime = 250;
  for (let round = 0; round <= ROUNDS; round++) {
    const last = round === ROUNDS;
    const parameters: ChurnParameters = {
      ...{ folder, seed: seed + round, held: savedRows, pending, removed, version, last },
      ...{ thorough: last || round % 5 === 4, basePassages: BASE_PASSAGES },
    };
    // The next process rebuilds the index, and may be killed meanwhile.
    const damage = SNAPSHOT_DAMAGES[wholeBelow(random, SNAPSHOT_DAMAGES.length)];
    if (damage !== undefined && round % 4 === 2) damageSnapshot(folder, damage);
    const started = performance.now();
    const churn = runScript('durability-churn.ts', parameters);
    // One in five is killed while it opens and checks, and the others during a step.
    const steps = wholeBelow(random, 20);
    const milliseconds = random() * 5;
    if (!last && round % 5 === 2) setTimeout(churn.kill, random() * openingTime);
    let savedCount = 0;
    for await (const message of churn.messages as AsyncIterable<ChurnMessage>) {
      if (message.kind === 'answered') {
        openingTime = Math.max(openingTime, performance.now() - started);
        // Some are killed while they rebuild the index.
        if (!last && round % 8 === 2) setTimeout(churn.kill, milliseconds);
        continue;
      }
      if (message.kind === 'begun') {
        pending = message.step;
        if ('version' in pending && pending.version !== undefined) version = pending.version + 1;
        continue;
      }
      const before = listVersions(savedRows);
      if (message.kind === 'opened') {
        ({ held: savedRows } = message);
        pending = undefined;
      } else {
        assert.ok(pending);
        savedRows = after(savedRows, pending);
        pending = undefined;
        savedCount++;
      }
      const now = listVersions(savedRows);
      removed = [...removed, ...before.filter((one) => !now.includes(one))].slice(-12);
      if (!last && savedCount === steps) setTimeout(churn.kill, milliseconds);
    }
    const { code, complaint } = await churn.ended;
    const about = `seed ${String(seed)}, round ${String(round)}: ${complaint}`;
    assert.equal(code, last ? 0 : undefined, about);
  }
}

function listVersions(savedRows: DocumentVersions): number[] {
  return Object.values(savedRows).flatMap((documents) => Object.values(documents));
}

test('keeps all saved data when a process is killed at any instant', async () => {
  const folders = Array.from({ length: FOLDERS }, () => mkdtempSync(join(tmpdir(), 'notebook-killed-')));
  try {
    if (BASE_PASSAGES > 0) {
      // Most runs need no index in this process.
      const { makeBase } = await import('../support/durability-base.ts');
      for (const folder of folders) await makeBase(folder, BASE_PASSAGES);
    }
    await Promise.all(folders.map((folder, i) => killAgainAndAgain(folder, 1_000 * (i + 1))));
    for (const folder of folders) {
      const files = readdirSync(folder).filter(
        (name) => !/^(index-\w+\.snapshot|notebook\.sqlite)$/.test(name),
      );
      assert.deepEqual(files, [], 'files that nothing needs any more');
    }
  } finally {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  }
});
