import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { keepCopy } from '../../src/platform/copy-files.ts';
import { libraryHandlers } from '../../src/index/library/library-handlers.ts';
import { importOptions, context, exported, fails } from '../support/exported-notebooks.ts';
import { seededRandom } from '../support/durability-random.ts';
import { close, input, makeFolder, open, openNew } from '../support/opened-notebooks.ts';
import { smallDisk } from '../support/small-disk.ts';
import { rounds } from '../support/test-size.mjs';

/** Free space of the full disk. */
const FREE_BYTES = 2 ** 19;

/** Returns a notebook of documents that compress badly, to more than the free space. */
async function bulkyNotebook(): Promise<string> {
  const { folder: from, index } = await openNew();
  const source = await index.addSource('notes', { kind: 'folder', uri: 'file:///notes' }, undefined);
  const random = seededRandom(1);
  for (let number = 0; number < rounds(4, 8); number++) {
    const words = Array.from({ length: 60_000 }, () => Math.floor(random() * 2 ** 32).toString(36));
    await index.putDocument(source.id, input(words.join(' '), `${String(number)}.txt`));
  }
  await close(index);
  return from;
}

test('reports a full disk during exports, imports, and copies, and leaves nothing behind', async (t) => {
  const disk = smallDisk(t);
  if (disk === undefined) return;
  const from = await bulkyNotebook();
  const path = await exported(from);
  const to = join(disk, 'own');
  const index = await open(to);
  await index.addSource('Own', { kind: 'text' }, input('Cellars stay cool in summer.'));
  await close(index);
  const ballast = join(disk, 'ballast');
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(ballast, Buffer.alloc(bavail * bsize - FREE_BYTES));
  const rest = readdirSync(disk).toSorted();

  const exportPath = join(disk, 'a.opennotebook');
  const full = fails('disk-full');
  await assert.rejects(
    async () => libraryHandlers.exportNotebook({ from, path: exportPath, name: 'A', roots: [] }, context),
    full,
  );
  await assert.rejects(
    async () =>
      libraryHandlers.exportMarkdown({ from, to: join(disk, 'Markdown'), verdictMarks: 'inline' }, context),
    full,
  );
  assert.deepEqual(readdirSync(disk).toSorted(), rest);

  const how = { ...importOptions, path };
  const by = join(disk, 'by');
  mkdirSync(by);
  await assert.rejects(async () => libraryHandlers.importNotebook({ ...how, to: by }, context), full);
  rmSync(by, { recursive: true });
  await assert.rejects(
    async () => libraryHandlers.mergeNotebook({ ...how, by: makeFolder(), to }, context),
    full,
  );
  mkdirSync(by);
  await assert.rejects(async () => libraryHandlers.duplicate({ from, to: by }, context), full);
  rmSync(by, { recursive: true });
  const copy = { hash: 'a'.repeat(64), names: ['a.bin'], bytes: Buffer.alloc(2 * 2 ** 20) };
  await assert.rejects(keepCopy(join(disk, 'dropped'), copy), full);
  assert.deepEqual(readdirSync(join(disk, 'dropped')), []);

  rmSync(ballast);
  const own = await open(to);
  assert.deepEqual(own.store.counts().sources, 1);
  assert.equal((await own.passageSearch.search('cool cellars', 1))[0]?.text, 'Cellars stay cool in summer.');
  await close(own);
  await libraryHandlers.exportNotebook({ from, path: exportPath, name: 'A', roots: [] }, context);
});
