import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { NotebookFolders } from '../../src/index/library/notebook-folders.ts';
import { NotebookError } from '../../src/core/domain/errors.ts';
import { notebookName } from '../../src/core/domain/notebook.ts';
import { newFolder } from '../support/opened-databases.ts';

const DAY = 24 * 3_600_000;
function makeFolders(): { folders: NotebookFolders; folder: string } {
  const folder = newFolder();
  return { folders: new NotebookFolders(folder), folder };
}

const isGone = (error: unknown): boolean => error instanceof NotebookError && error.code === 'not-found';

test('creates, renames, lists, deletes, and restores notebooks across windows', async () => {
  const { folders, folder } = makeFolders();
  const elsewhere = new NotebookFolders(folder);
  assert.deepEqual(await folders.list(), []);
  const first = await folders.create('Garden');
  const second = await folders.create('Kitchen');
  await folders.use(first.id);
  const names = async (): Promise<string[]> => (await elsewhere.list()).map(({ name }) => name);
  assert.deepEqual((await names()).toSorted(), ['Garden', 'Kitchen']);
  const past = new Date(Date.now() - DAY);
  utimesSync(join(folders.directoryFor(first.id), 'about.json'), past, past);
  assert.deepEqual(await names(), ['Kitchen', 'Garden']);
  await folders.use(first.id);
  utimesSync(join(folders.directoryFor(second.id), 'about.json'), past, past);
  assert.deepEqual(await names(), ['Garden', 'Kitchen']);

  await elsewhere.rename(first.id, 'Allotment');
  assert.equal((await folders.entry(first.id))?.name, 'Allotment');
  writeFileSync(join(folders.directoryFor(first.id), 'notebook.sqlite'), 'kept');
  const trashed = await folders.remove(first.id);
  assert.deepEqual(await names(), ['Kitchen']);
  assert.equal(elsewhere.has(first.id), false);
  await assert.rejects(elsewhere.rename(first.id, 'X'), isGone);
  await assert.rejects(elsewhere.remove(first.id), isGone);
  assert.deepEqual(await elsewhere.listRemoved(), [trashed]);
  const back = await elsewhere.restore(trashed);
  assert.equal(back.id, first.id);
  assert.ok(existsSync(join(folders.directoryFor(first.id), 'notebook.sqlite')));
  await assert.rejects(folders.restore(trashed), isGone);
});

test('gives a restored notebook a new ID if another one took its place', async () => {
  const { folders, folder } = makeFolders();
  const own = 'a'.repeat(32);
  mkdirSync(join(folder, own));
  assert.deepEqual(await folders.list(), [], 'one without a name is not listed');
  await folders.rename(own, 'Own');
  const trashed = await folders.remove(own);
  mkdirSync(join(folder, own));
  const { id } = await folders.restore(trashed);
  assert.notEqual(id, own);
  assert.deepEqual(await folders.list(), [await folders.entry(id)]);
});

test('lists a new notebook once it is complete, and removes unfinished and long-deleted ones', async () => {
  const { folders, folder } = makeFolders();
  const unfinished = await folders.begin();
  const left = await folders.begin();
  const dropped = await folders.begin();
  await dropped.discard();
  assert.deepEqual(await folders.list(), []);
  const { id } = await unfinished.keep('Done');
  assert.deepEqual(
    (await folders.list()).map((one) => one.id),
    [id],
  );
  const other = await folders.create('Other');
  const { folder: inTrash } = await folders.remove(other.id);
  const removedSources = folders.newFolderForRemovedSources();
  mkdirSync(removedSources);
  await folders.tidy();
  assert.ok(existsSync(left.directory));
  assert.ok(existsSync(join(folder, '.trash', inTrash)));
  await folders.tidy(Date.now() + 2 * DAY);
  assert.ok(existsSync(removedSources));
  assert.equal(existsSync(left.directory), false);
  await folders.tidy(Date.now() + 31 * DAY);
  assert.deepEqual(readdirSync(join(folder, '.trash')), []);
  assert.deepEqual(
    (await folders.list()).map((one) => one.id),
    [id],
  );
});

test('keeps IDs within the folders, and names nothing after an empty file', async () => {
  const { folders, folder } = makeFolders();
  for (const id of ['..', '.trash', 'a/b', '', '/etc', 'a'.repeat(65), '..\\x'])
    assert.throws(() => folders.directoryFor(id), isGone, id);
  mkdirSync(join(folder, 'b'));
  for (const text of ['', '{', 'null', '{"name":3}', '{"name":"\\u0000 ","createdAt":1}']) {
    writeFileSync(join(folder, 'b', 'about.json'), text);
    assert.deepEqual(await folders.list(), [], text);
  }
  writeFileSync(join(folder, 'b', 'about.json'), '{"name":"Garden","createdAt":"yesterday"}');
  const [garden] = await folders.list();
  assert.deepEqual([garden?.name, garden?.createdAt], ['Garden', 0], 'it is there without its time');
});

test('limits a name to one line of visible characters', () => {
  assert.equal(notebookName('  My\n\u202enotes\t2 '), 'My notes 2');
  assert.equal(notebookName('\u0000\u200b'), '');
  assert.equal(notebookName('x'.repeat(100)).length, 80);
  assert.equal(notebookName('x'.repeat(79) + '😀'), 'x'.repeat(79));
});
