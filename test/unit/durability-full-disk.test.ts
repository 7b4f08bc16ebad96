import assert from 'node:assert/strict';
import { existsSync, mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDatabase } from '../../src/index/store/database/opening.ts';
import { NotebookIndex } from '../../src/index/worker/notebook-index.ts';
import { splitForWindows } from '../../src/index/documents/splitter.ts';
import { Statements } from '../../src/index/store/database/statements.ts';
import { Store } from '../../src/index/store/store.ts';
import { checkIntegrity } from '../support/durability-checks.ts';
import { makeInput, versionWord } from '../support/durability-notes.ts';
import { smallDisk } from '../support/small-disk.ts';
import { seededRandom } from '../support/durability-random.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const settings = { size: 2_000, overlap: 0 };
const silent = { indexing: () => undefined, resplitting: () => undefined };
const origin = { kind: 'folder', uri: 'file:///notes' } as const;
const diskFull = {
  name: 'NotebookError',
  code: 'disk-full',
  message: /^Can’t save the notebook because the disk is full\. .* Free up some space/,
};

const root = temporaryFolder('notebook-full-');

/** Returns a text that compresses badly and shares no words with other versions. */
function bulkyText(version: number): string {
  const random = seededRandom(version);
  const words = Array.from({ length: 4_000 }, () => Math.floor(random() * 2 ** 32).toString(36));
  return `${versionWord(version)} ${words.join(' ')}`;
}

/** Checks that exactly the versions before `kept` are stored and found. */
async function checkKept(index: NotebookIndex, sourceId: string, savedCount: number): Promise<void> {
  assert.deepEqual(
    index.store.documents
      .stamps(sourceId)
      .map(({ key }) => Number(key))
      .sort((a, b) => a - b),
    Array.from({ length: savedCount }, (_, i) => i),
  );
  for (let version = 0; version <= savedCount; version++) {
    const [found] = await index.passageSearch.search(versionWord(version), 1);
    assert.equal(found?.text.includes(versionWord(version)) ?? false, version < savedCount);
  }
}

test('keeps saved data when the database can’t grow, and resumes once it can', async () => {
  const folder = join(root, 'limited');
  const { database } = await openDatabase(folder);
  const store = new Store(new Statements(database));
  const { id } = store.addSource('Notes', origin, undefined, splitForWindows, settings);
  const put = (version: number): unknown =>
    store.documents.putDocument(
      id,
      makeInput(bulkyText(version), String(version)),
      splitForWindows,
      settings,
    );
  put(0);
  const pages = Number(database.prepare('PRAGMA page_count').get()?.page_count);
  database.exec(`PRAGMA max_page_count = ${String(pages + 40)}`);
  let savedCount = 1;
  assert.throws(() => {
    for (; savedCount < 100; savedCount++) put(savedCount);
  }, diskFull);
  assert.ok(savedCount > 1 && savedCount < 100);
  assert.throws(() => put(savedCount), diskFull);

  const { index } = await NotebookIndex.open(folder, settings, silent);
  try {
    await checkKept(index, id, savedCount);
    database.exec('PRAGMA max_page_count = 1000000');
    put(savedCount);
    await index.followOthers();
    await checkKept(index, id, savedCount + 1);
    checkIntegrity(folder);
  } finally {
    await index.close();
    database.close();
  }
});

test('continues without a snapshot that can’t be written', async () => {
  const folder = join(root, 'no snapshot');
  const { index } = await NotebookIndex.open(folder, settings, silent);
  const { id } = await index.addSource('Notes', origin, makeInput('The gate is shut.', '0'));
  // A nonempty folder blocks the path of the snapshot.
  mkdirSync(join(folder, `index-${index.store.identity().toString(16)}.snapshot`, 'in the way'), {
    recursive: true,
  });
  await index.writeSnapshot();
  await index.close();
  const { index: again } = await NotebookIndex.open(folder, settings, silent);
  assert.equal((await again.passageSearch.search('gate', 1))[0]?.sourceId, id);
  await again.close();
});

test('keeps and searches saved data on a full disk, and resumes once there is room', async (t) => {
  const disk = smallDisk(t);
  if (disk === undefined) return;
  const folder = join(disk, 'notebook');
  const ballast = join(disk, 'ballast');
  writeFileSync(ballast, Buffer.alloc(6 * 2 ** 20));
  const { index } = await NotebookIndex.open(folder, settings, silent);
  const { id } = await index.addSource('Notes', origin, undefined);
  const put = (version: number): Promise<number> =>
    index.putDocument(id, makeInput(bulkyText(version), String(version)));
  let savedCount = 0;
  await assert.rejects(async () => {
    for (; savedCount < 1_000; savedCount++) await put(savedCount);
  }, diskFull);
  assert.ok(savedCount > 1);
  await assert.rejects(put(savedCount), diskFull);
  await checkKept(index, id, savedCount);
  const { bavail, bsize } = statfsSync(disk);
  if (bavail > 0) writeFileSync(join(disk, 'rest'), Buffer.alloc(bavail * bsize));
  await index.writeSnapshot();
  await checkKept(index, id, savedCount);
  rmSync(ballast);
  await put(savedCount);
  await checkKept(index, id, savedCount + 1);
  await index.close();
  assert.ok(!existsSync(join(folder, 'notebook.sqlite-wal')));

  const { index: again } = await NotebookIndex.open(folder, settings, silent);
  await checkKept(again, id, savedCount + 1);
  await again.close();
  checkIntegrity(folder);
});
