import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { NotebookIndex } from '../../src/index/worker/notebook-index.ts';
import { checkAnswers, checkDatabase, checkSnapshot } from '../support/durability-checks.ts';
import { makeInput, versionText, versionWord } from '../support/durability-notes.ts';
import { seededRandom, wholeBelow } from '../support/durability-random.ts';
import { rounds } from '../support/test-size.mjs';

const origin = { kind: 'folder', uri: 'file:///notes' } as const;

const root = mkdtempSync(join(tmpdir(), 'notebook-snapshot-'));
const opened = new Set<NotebookIndex>();
after(async () => {
  for (const index of opened) await index.close();
  rmSync(root, { recursive: true, force: true });
});

async function open(folder: string, size = 300): Promise<NotebookIndex> {
  const silent = { indexing: () => undefined, resplitting: () => undefined };
  const { index } = await NotebookIndex.open(folder, { size, overlap: 20 }, silent);
  opened.add(index);
  return index;
}

async function close(index: NotebookIndex): Promise<void> {
  opened.delete(index);
  await index.close();
}

async function put(index: NotebookIndex, versions: readonly number[]): Promise<void> {
  const source = index.store.sources()[0] ?? (await index.addSource('Notes', origin, undefined));
  for (const version of versions)
    await index.putDocument(source.id, makeInput(versionText(version), `${String(version)}.txt`));
}

/** Opens a notebook and checks that it finds everything in its database. */
async function checkOpening(folder: string): Promise<void> {
  const index = await open(folder);
  await checkAnswers(index, checkDatabase(folder).held, []);
  await checkSnapshot(index, folder);
  await close(index);
}

function findSnapshot(folder: string): string {
  return join(folder, readdirSync(folder).find((name) => name.endsWith('.snapshot')) ?? '');
}

test('replaces a snapshot that is damaged, truncated, or of another version', async () => {
  const folder = join(root, 'damaged');
  const first = await open(folder);
  await put(first, [1, 2, 3, 4]);
  await close(first);
  const whole = readFileSync(findSnapshot(folder));
  const random = seededRandom(7);
  const damaged = Array.from({ length: rounds(5, 20) }, () => {
    const bytes = Buffer.from(whole);
    const at = wholeBelow(random, bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << wholeBelow(random, 8));
    return bytes;
  });
  const cut = Array.from({ length: rounds(3, 10) }, () =>
    whole.subarray(0, wholeBelow(random, whole.length)),
  );
  const ofAnotherVersion = Buffer.from(whole);
  ofAnotherVersion.writeUInt32BE(whole.readUInt32BE(4) + 1, 4);
  for (const bytes of [...damaged, ...cut, ofAnotherVersion, Buffer.concat([whole, Buffer.of(0)])]) {
    writeFileSync(findSnapshot(folder), bytes);
    await checkOpening(folder);
  }
});

test('rebuilds an index whose snapshot has other passages than the database', async () => {
  const folder = join(root, 'other passages');
  const first = await open(folder);
  await put(first, [1, 2, 3]);
  await close(first);
  const database = new DatabaseSync(join(folder, 'notebook.sqlite'));
  database.exec('UPDATE passages SET id = id + 100 WHERE document_id = 2');
  database.close();
  await checkOpening(folder);
});

test('ignores and deletes snapshots of other notebooks and unfinished ones of ended processes', async () => {
  const [folder, other] = [join(root, 'one'), join(root, 'other')];
  for (const [path, versions] of [[folder, [1, 2]] as const, [other, [3, 4]] as const]) {
    const index = await open(path);
    await put(index, versions);
    await close(index);
  }
  const own = findSnapshot(folder);
  cpSync(findSnapshot(other), join(folder, 'index-1234.snapshot'));
  // No process has an ID this high.
  writeFileSync(`${own}.2147483647`, 'half');
  // This process is alive and may be writing.
  writeFileSync(`${own}.${String(process.pid)}`, 'half');
  await checkOpening(folder);
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.includes('.snapshot')),
    [basename(own), `${basename(own)}.${String(process.pid)}`],
  );
});

test('ignores a snapshot that is newer than its restored database', async () => {
  const folder = join(root, 'fallen back');
  const earlier = join(root, 'earlier.sqlite');
  const database = join(folder, 'notebook.sqlite');
  const first = await open(folder);
  await put(first, [1]);
  await close(first);
  cpSync(database, earlier);
  const second = await open(folder);
  await put(second, [2, 3]);
  await close(second);

  cpSync(earlier, database);
  const third = await open(folder);
  await put(third, [22, 23]);
  // Opens next to the other, which hasn't written its snapshot yet, as after a kill.
  const fourth = await open(folder);
  await checkAnswers(fourth, { Notes: { '1.txt': 1, '22.txt': 22, '23.txt': 23 } }, [2, 3]);
  await close(third);
  await close(fourth);
});

test('writes simultaneous snapshots one after the other', async () => {
  const folder = join(root, 'at once');
  const index = await open(folder);
  for (let version = 0; version < 20; version++) {
    await put(index, [version]);
    void index.writeSnapshot();
    void index.writeSnapshot();
  }
  await close(index);
  assert.ok(existsSync(findSnapshot(folder)));
  assert.deepEqual(
    readdirSync(folder).filter((name) => /\.\d+$/.test(name)),
    [],
  );
  await checkOpening(folder);
});

test('answers from passages that another window added or split just now', async () => {
  const folder = join(root, 'a moment ago');
  const first = await open(folder);
  await put(first, [10, 11]);
  const other = await open(folder);
  const sourceId = first.store.sources()[0]?.id ?? '';
  await first.putDocument(sourceId, makeInput(versionText(11), '10.txt'));
  first.setIndexSettings({ size: 1_500, overlap: 20 });
  while (first.store.documents.splitOtherwise({ size: 1_500, overlap: 20 }).length > 0)
    await new Promise((resolve) => setImmediate(resolve));
  const passages = await other.passageSearch.search(versionWord(11), 100);
  assert.deepEqual([...new Set(passages.map(({ documentKey }) => documentKey))].sort(), ['10.txt', '11.txt']);
  assert.deepEqual(await other.passageSearch.search(versionWord(10), 20), []);
  await close(first);
  await close(other);
});

test('splits every document once when two windows have new settings', async () => {
  const folder = join(root, 'split once');
  const first = await open(folder);
  await put(first, [1, 2, 3, 4, 5, 6, 7, 8]);
  const other = await open(folder);
  const before = first.store.revision();
  const settings = { size: 1_500, overlap: 20 };
  first.setIndexSettings(settings);
  other.setIndexSettings(settings);
  while (first.store.documents.splitOtherwise(settings).length > 0)
    await new Promise((resolve) => setImmediate(resolve));
  await close(first);
  await close(other);
  const last = await open(folder, 1_500);
  assert.equal(last.store.revision() - before, 8);
  await close(last);
});

test('applies a change later if it can’t be applied now', async () => {
  const folder = join(root, 'later');
  const index = await open(folder);
  await put(index, [1]);
  const database = new DatabaseSync(join(folder, 'notebook.sqlite'));
  const headings = database.prepare('SELECT headings FROM passages').get()?.headings as string;
  database.exec("UPDATE documents SET text = text; UPDATE passages SET headings = 'not JSON'");
  await assert.rejects(put(index, [2]));
  await index.followOthers();
  database.prepare('UPDATE passages SET headings = ? WHERE document_id = 1').run(headings);
  database.close();
  await index.followOthers();
  await checkAnswers(index, { Notes: { '1.txt': 1, '2.txt': 2 } }, []);
  await close(index);
  await checkOpening(folder);
});

test('reports the end of a splitting that is interrupted', async () => {
  const folder = join(root, 'broken off');
  const over = Promise.withResolvers<undefined>();
  const { index } = await NotebookIndex.open(
    folder,
    { size: 2_500, overlap: 20 },
    {
      indexing: () => undefined,
      resplitting(done, total) {
        if (done === total) over.resolve(undefined);
      },
    },
  );
  opened.add(index);
  await put(index, [1, 2, 3]);
  const database = new DatabaseSync(join(folder, 'notebook.sqlite'));
  database.exec(
    "CREATE TRIGGER full BEFORE DELETE ON passages WHEN old.document_id = 2 BEGIN SELECT raise(ABORT, 'Full.'); END",
  );
  database.close();
  index.setIndexSettings({ size: 1_500, overlap: 20 });
  await over.promise;
  assert.deepEqual(index.store.documents.splitOtherwise({ size: 1_500, overlap: 20 }), [2, 3]);
  await close(index);
});
