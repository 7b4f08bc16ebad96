// Runs in a process of its own: profiling costs more in a process with more code.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { StallWatch } from '../support/stalls.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder('stalls-');

interface Busy {
  readonly keepBusy: (milliseconds: number) => void;
  readonly call: (action: () => void) => void;
}

async function program(name: string): Promise<Busy> {
  const path = join(folder, `${name}.mjs`);
  writeFileSync(
    path,
    `export function keepBusy(milliseconds) {
       // Counts processor time, so that other programs don't matter.
       for (const start = process.threadCpuUsage(); ; ) {
         const { user, system } = process.threadCpuUsage(start);
         if (user + system > 1000 * milliseconds) return;
       }
     }
     export function call(work) { work(); }`,
  );
  return (await import(pathToFileURL(path).href)) as Busy;
}

const [own, other] = [await program('own'), await program('other')];
const isOwn = (url: string): boolean => url.endsWith('/own.mjs');

test('reports a turn filled with the extension’s code as a stall, with its location', async () => {
  const watch = new StallWatch(isOwn, 100);
  try {
    await delay(30);
    own.keepBusy(200);
    await delay(30);
    const [stall, ...others] = watch.take();
    assert.deepEqual(others, []);
    assert.ok(stall && stall.own >= 100 && stall.own <= 400, JSON.stringify(stall));
    assert.match(stall.where, /^keepBusy at .*own\.mjs:1:/);
    assert.deepEqual(watch.take(), []);
  } finally {
    watch.dispose();
  }
});

test('counts code that the extension calls as its own', async () => {
  const watch = new StallWatch(isOwn, 100);
  try {
    own.call(() => {
      other.keepBusy(200);
    });
    await delay(30);
    assert.match(watch.take()[0]?.where ?? '', /^call at .*own\.mjs/);
  } finally {
    watch.dispose();
  }
});

test('ignores short turns and those of other code', async () => {
  const watch = new StallWatch(isOwn, 100);
  try {
    other.keepBusy(300);
    await delay(30);
    for (let turn = 0; turn < 10; turn++) {
      own.keepBusy(30);
      await delay(15);
    }
    await nextTurn();
    assert.deepEqual(watch.take(), []);
  } finally {
    watch.dispose();
  }
});
