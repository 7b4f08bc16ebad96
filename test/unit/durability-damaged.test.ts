// Runs in a process of its own: it starts processes.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, mock, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { migrations } from '../../src/index/store/database/migrations.ts';
import { salvage } from '../../src/index/store/database/salvage.ts';
import { storedTables } from '../../src/index/store/database/stored-rows.ts';
import { SelfRepairingNotebook } from '../../src/index/worker/self-repairing-notebook.ts';
import {
  CONVERSATIONS,
  copyNotebook,
  DOCUMENTS,
  emptyTable,
  fillNotebook,
  NOTES,
  use,
} from '../support/damaged-notebook.ts';
import type { LaneParameters, Used } from '../support/damaged-lane.ts';
import type { SavingParameters } from '../support/damaged-saving.ts';
import { runScript } from '../support/durability-process.ts';
import { passageSettings, silent } from '../support/opened-notebooks.ts';
import { rounds } from '../support/test-size.mjs';

const COPIES = rounds(24, 200);
const LANES = rounds(2, 4);
const KILLS = rounds(4, 16);
/** The last kill comes this long after saving begins, in milliseconds. */
const LAST_KILL_MS = 90;

let root: string;
let whole: string;

before(async () => {
  root = mkdtempSync(join(tmpdir(), 'notebook-damaged-'));
  whole = join(root, 'whole');
  await fillNotebook(whole);
});

after(() => {
  rmSync(root, { recursive: true, force: true });
});

test('recognizes an undamaged notebook', async () => {
  const folder = join(root, 'known');
  copyNotebook(whole, folder);
  const { notebook } = await SelfRepairingNotebook.open([folder, passageSettings, silent], () =>
    assert.fail(),
  );
  assert.equal(notebook.index.isWhole(), true);
  await assert.rejects(
    notebook.run(() => {
      throw new TypeError('An error of our own');
    }),
    TypeError,
  );
  await notebook.close();
  assert.deepEqual(await use(folder), {
    notes: NOTES,
    turns: 6 * CONVERSATIONS,
    documents: DOCUMENTS,
    notices: [],
    raw: [],
  });
});

test('saves what is readable in randomly damaged databases, and explains every error', async () => {
  const seeds = Array.from({ length: COPIES }, (_, i) => i + 1);
  const all = await Promise.all(
    Array.from({ length: LANES }, (_, lane) => everythingUsed(seeds.filter((seed) => seed % LANES === lane))),
  );
  const sums = { aside: 0, notes: 0, turns: 0, documents: 0 };
  for (const { said, first, second, files } of all.flat()) {
    assert.deepEqual(first.raw, [], said);
    const aside = files.filter((name) => /^notebook\.sqlite\.damaged-[\dTZ-]+$/.test(name));
    assert.equal(aside.length, first.notices.length, said);
    for (const name of aside) assert.ok(first.notices.join().includes(name), said);
    // The repaired notebook stays undamaged.
    assert.deepEqual(second, { ...first, notices: [] }, said);
    assert.ok(!files.some((name) => /\.(?:copy|unfinished|saved)/.test(name)), said);
    if (aside.length > 0) sums.aside++;
    sums.notes += first.notes;
    sums.turns += first.turns;
    sums.documents += first.documents;
  }
  // Some copies lack most of their file.
  assert.ok(sums.aside > COPIES / 4, JSON.stringify(sums));
  assert.ok(sums.notes > 0.85 * COPIES * NOTES, JSON.stringify(sums));
  assert.ok(sums.turns > 0.85 * COPIES * 6 * CONVERSATIONS, JSON.stringify(sums));
  assert.ok(sums.documents > 0.8 * COPIES * DOCUMENTS, JSON.stringify(sums));
});

/** Damages and uses copies in a worker thread. */
async function everythingUsed(seeds: readonly number[]): Promise<readonly Used[]> {
  const worker = new Worker(new URL('../support/damaged-lane.ts', import.meta.url), {
    workerData: { whole, root, seeds } satisfies LaneParameters,
  });
  const [used] = (await once(worker, 'message')) as [readonly Used[]];
  await worker.terminate();
  return used;
}

test('looks for no rows in a database without readable tables', () => {
  const path = join(root, 'cut off.sqlite');
  // The list of the tables continues after the first pages.
  writeFileSync(path, readFileSync(join(whole, 'notebook.sqlite')).subarray(0, 3 * 4096));
  const damaged = new DatabaseSync(path, { readOnly: true });
  const fresh = new DatabaseSync(':memory:');
  for (const step of migrations) fresh.exec(step);
  const prepareMock = mock.method(damaged, 'prepare');
  const saved = salvage(damaged, fresh);
  assert.deepEqual(saved, Object.fromEntries(Object.keys(storedTables).map((table) => [table, 0])));
  assert.equal(prepareMock.mock.callCount(), Object.keys(storedTables).length);
  damaged.close();
  fresh.close();
});

test('loses nothing when a process is killed during a repair', async () => {
  const expected = { notes: NOTES, turns: 6 * CONVERSATIONS };
  for (let round = 0; round < KILLS; round++) {
    const folder = join(root, `killed ${String(round)}`);
    copyNotebook(whole, folder);
    emptyTable(join(folder, 'notebook.sqlite'), 'documents');
    const saving = runScript('damaged-saving.ts', { folder } satisfies SavingParameters);
    for await (const message of saving.messages) {
      if (message !== undefined) setTimeout(saving.kill, (LAST_KILL_MS * round) / (KILLS - 1));
    }
    await saving.ended;
    const { notes, turns, raw } = await use(folder);
    assert.deepEqual({ notes, turns, raw }, { ...expected, raw: [] }, String(round));
    const files = readdirSync(folder);
    assert.ok(
      files.some((name) => name.includes('.damaged-')),
      files.join(),
    );
    assert.ok(!files.some((name) => /\.(?:copy|unfinished|saved)/.test(name)), files.join());
  }
});

test('continues with the same repaired notebook in two windows', async () => {
  const folder = join(root, 'shared');
  copyNotebook(whole, folder);
  const notices: string[] = [];
  const heard = ({ notice }: { readonly notice: string | undefined }): void => {
    if (notice !== undefined) notices.push(notice);
  };
  const windows = await Promise.all(
    [1, 2].map(() => SelfRepairingNotebook.open([folder, passageSettings, silent], heard)),
  );
  const [one, other] = windows.map(({ notebook }) => notebook);
  assert.ok(one && other);
  emptyTable(join(folder, 'notebook.sqlite'), 'notes');
  const lists = await Promise.all(
    [one, other].map((window) => window.run(() => window.index.features.notes.list())),
  );
  assert.equal(notices.length, 1);
  assert.deepEqual(lists[0], lists[1]);
  await one.run(() => one.index.features.notes.add({ title: 'By one', text: '', citations: [] }));
  await other.run(() => other.index.features.notes.add({ title: 'By the other', text: '', citations: [] }));
  for (const window of [one, other]) {
    const titles = (await window.run(() => window.index.features.notes.list())).map(({ title }) => title);
    assert.ok(titles.includes('By one') && titles.includes('By the other'), titles.join());
    await window.close();
  }
});
