import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, test } from 'node:test';
import { Shelf } from '../../src/indexing/library/shelf.ts';
import { NotebookError } from '../../src/notebook/errors.ts';
import { notebookName } from '../../src/notebook/notebook.ts';

const DAY = 24 * 3_600_000;
const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function makeShelf(): { shelf: Shelf; folder: string } {
  const folder = mkdtempSync(join(tmpdir(), 'shelf-'));
  folders.push(folder);
  return { shelf: new Shelf(folder), folder };
}

const isGone = (error: unknown): boolean => error instanceof NotebookError && error.code === 'not-found';

test('notebooks are made, named, listed by their last use, deleted and brought back; another window sees it', async () => {
  const { shelf, folder } = makeShelf();
  const elsewhere = new Shelf(folder);
  assert.deepEqual(await shelf.list(), []);
  const first = await shelf.create('Garden');
  const second = await shelf.create('Kitchen');
  await shelf.use(first.id);
  const names = async (): Promise<string[]> => (await elsewhere.list()).map(({ name }) => name);
  assert.deepEqual((await names()).toSorted(), ['Garden', 'Kitchen']);
  const past = new Date(Date.now() - DAY);
  utimesSync(join(shelf.directoryOf(first.id), 'about.json'), past, past);
  assert.deepEqual(await names(), ['Kitchen', 'Garden']);
  await shelf.use(first.id);
  utimesSync(join(shelf.directoryOf(second.id), 'about.json'), past, past);
  assert.deepEqual(await names(), ['Garden', 'Kitchen']);

  await elsewhere.rename(first.id, 'Allotment');
  assert.equal((await shelf.entry(first.id))?.name, 'Allotment');
  writeFileSync(join(shelf.directoryOf(first.id), 'notebook.sqlite'), 'kept');
  const trashed = await shelf.remove(first.id);
  assert.deepEqual(await names(), ['Kitchen']);
  assert.equal(elsewhere.has(first.id), false);
  await assert.rejects(elsewhere.rename(first.id, 'X'), isGone);
  await assert.rejects(elsewhere.remove(first.id), isGone);
  assert.deepEqual(await elsewhere.removed(), [trashed]);
  const back = await elsewhere.restore(trashed);
  assert.equal(back.id, first.id);
  assert.ok(existsSync(join(shelf.directoryOf(first.id), 'notebook.sqlite')));
  await assert.rejects(shelf.restore(trashed), isGone);
});

test('one that comes back where another took its place gets an id of its own', async () => {
  const { shelf, folder } = makeShelf();
  const own = 'a'.repeat(32);
  mkdirSync(join(folder, own));
  assert.deepEqual(await shelf.list(), [], 'one without a name is not listed');
  await shelf.rename(own, 'Own');
  const trashed = await shelf.remove(own);
  mkdirSync(join(folder, own));
  const { id } = await shelf.restore(trashed);
  assert.notEqual(id, own);
  assert.deepEqual(await shelf.list(), [await shelf.entry(id)]);
});

test('one that is being made is seen when it is done; what was left half or deleted long ago goes', async () => {
  const { shelf, folder } = makeShelf();
  const made = await shelf.begin();
  const left = await shelf.begin();
  const dropped = await shelf.begin();
  await dropped.discard();
  assert.deepEqual(await shelf.list(), []);
  const { id } = await made.keep('Done');
  assert.deepEqual(
    (await shelf.list()).map((one) => one.id),
    [id],
  );
  const other = await shelf.create('Other');
  const { folder: inTrash } = await shelf.remove(other.id);
  await shelf.tidy();
  assert.ok(existsSync(left.directory));
  assert.ok(existsSync(join(folder, '.trash', inTrash)));
  await shelf.tidy(Date.now() + 2 * DAY);
  assert.equal(existsSync(left.directory), false);
  await shelf.tidy(Date.now() + 31 * DAY);
  assert.deepEqual(readdirSync(join(folder, '.trash')), []);
  assert.deepEqual(
    (await shelf.list()).map((one) => one.id),
    [id],
  );
});

test('no id reaches beyond the shelf, and a file that says nothing names nothing', async () => {
  const { shelf, folder } = makeShelf();
  for (const id of ['..', '.trash', 'a/b', '', '/etc', 'a'.repeat(65), '..\\x'])
    assert.throws(() => shelf.directoryOf(id), isGone, id);
  mkdirSync(join(folder, 'b'));
  for (const text of ['', '{', 'null', '{"name":3}', '{"name":"\\u0000 ","createdAt":1}']) {
    writeFileSync(join(folder, 'b', 'about.json'), text);
    assert.deepEqual(await shelf.list(), [], text);
  }
});

test('a name is one line of what can be shown', () => {
  assert.equal(notebookName('  My\n\u202enotes\t2 '), 'My notes 2');
  assert.equal(notebookName('\u0000\u200b'), '');
  assert.equal(notebookName('x'.repeat(100)).length, 80);
  assert.equal(notebookName('x'.repeat(79) + '😀'), 'x'.repeat(79));
});
