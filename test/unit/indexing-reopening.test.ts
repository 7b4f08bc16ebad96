import assert from 'node:assert/strict';
import { readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import {
  close,
  input,
  makeFolder,
  open,
  openWithEvents,
  origin,
  passageSettings,
  silent,
  openNew,
} from '../support/opened-notebooks.ts';

/** Damages the stored text of a document. */
function spoilText(folder: string, key: string): void {
  const database = new DatabaseSync(join(folder, 'notebook.sqlite'));
  // Drops the trigger meanwhile, because real damage isn't recorded as a change.
  const trigger = database.prepare("SELECT sql FROM sqlite_master WHERE name = 'document_changed'").get();
  database.exec('DROP TRIGGER document_changed');
  database.prepare("UPDATE documents SET text = x'08ffffff' WHERE key = ?").run(key);
  database.exec(String(trigger?.sql));
  database.close();
}

for (const snapshot of ['with', 'without'])
  test(`skips and reports a document whose text is damaged, ${snapshot} a snapshot`, async () => {
    const { folder, index: first } = await openNew();
    const source = await first.addSource('Notes', origin, undefined);
    await first.putDocument(source.id, input('The pear tree blooms in April.', 'pear.txt'));
    await first.putDocument(source.id, input('The plum tree blooms in March.', 'plum.txt'));
    const damagedId = first.store.documents.stamps(source.id).find(({ key }) => key === 'pear.txt')?.id ?? 0;
    await close(first);
    spoilText(folder, 'pear.txt');
    if (snapshot === 'without')
      for (const name of readdirSync(folder)) if (name.endsWith('.snapshot')) rmSync(join(folder, name));

    for (let times = 0; times < 2; times++) {
      const again = await open(folder, silent, { ...passageSettings, size: passageSettings.size + times });
      const passages = await again.passageSearch.search('When does the pear tree bloom?', 5);
      assert.deepEqual(
        passages.map(({ documentKey }) => documentKey),
        ['plum.txt'],
      );
      await again.catchUp();
      assert.throws(() => again.cited.document(damagedId), { code: 'damaged' });
      const entry = again.store.documents.ofSource(source.id).find(({ key }) => key === 'pear.txt');
      assert.match(entry?.warnings.join() ?? '', /damaged/);
      assert.equal(entry?.passages, 0);
      assert.equal((await again.statistics()).passages, 1);
      await close(again);
    }

    const last = await open(folder);
    assert.equal(last.store.documents.stamps(source.id).find(({ key }) => key === 'pear.txt')?.hash, '');
    await last.putDocument(source.id, input('The pear tree blooms in April.', 'pear.txt'));
    assert.equal((await last.passageSearch.search('pear tree', 1))[0]?.documentKey, 'pear.txt');
  });

test('answers from a reopened notebook with and without its snapshot', async () => {
  const { folder, index: first } = await openNew();
  const source = await first.addSource('Notes', origin, undefined);
  for (let i = 0; i < 30; i++)
    await first.putDocument(
      source.id,
      input(`Barrel ${String(i)} holds apples number ${String(i)}.`, `${String(i)}.txt`),
    );
  await close(first);
  const snapshot = readdirSync(folder).find((name) => name.endsWith('.snapshot'));
  assert.ok(snapshot);

  const second = await open(folder);
  assert.equal((await second.passageSearch.search('barrel 17', 1))[0]?.documentKey, '17.txt');
  await second.change(() => {
    second.store.documents.removeDocuments(
      second.store.documents
        .stamps(source.id)
        .filter(({ key }) => key === '17.txt')
        .map(({ id }) => id),
    );
  });
  await close(second);

  for (const spoil of [
    () => undefined,
    () => {
      truncateSync(join(folder, snapshot), 100);
    },
    () => {
      writeFileSync(join(folder, snapshot), 'no snapshot at all');
    },
    () => {
      rmSync(join(folder, snapshot));
    },
  ]) {
    spoil();
    const again = await open(folder);
    assert.equal((await again.passageSearch.search('barrel 18', 1))[0]?.documentKey, '18.txt');
    assert.ok(
      (await again.passageSearch.search('barrel 17', 50)).every(
        ({ documentKey }) => documentKey !== '17.txt',
      ),
    );
    assert.equal((await again.statistics()).passages, 29);
    await close(again);
  }
});

test('keeps all data of a window that was never closed', async () => {
  const { folder, index: first } = await openNew();
  const source = await first.addSource('Notes', origin, undefined);
  await first.putDocument(source.id, input('The anchor lies at nine fathoms.', 'anchor.txt'));
  const second = await open(folder);
  assert.equal((await second.passageSearch.search('anchor', 1))[0]?.documentKey, 'anchor.txt');
});

test('shows additions and deletions of another window', async () => {
  const { folder, index: first } = await openNew();
  const second = await open(folder);
  const source = await first.addSource('Notes', origin, undefined);
  await Promise.all([
    first.putDocument(source.id, input('The bell rings at noon.', 'bell.txt')),
    second.putDocument(source.id, input('The drum beats at dusk.', 'drum.txt')),
  ]);
  await first.followOthers();
  await second.followOthers();
  for (const index of [first, second]) {
    assert.equal((await index.passageSearch.search('bell noon', 1))[0]?.documentKey, 'bell.txt');
    assert.equal((await index.passageSearch.search('drum dusk', 1))[0]?.documentKey, 'drum.txt');
  }
  assert.deepEqual([first.takeChanged(), second.takeChanged(), second.takeChanged()], [true, true, false]);
  await second.change(() => {
    second.store.removeSources([source.id]);
  });
  await first.followOthers();
  assert.deepEqual(await first.passageSearch.search('bell', 5), []);
});

test('splits everything again with other settings, and keeps citations valid', async () => {
  const folder = makeFolder();
  const text = Array.from(
    { length: 60 },
    (_, i) => `Sentence number ${String(i)} speaks about the weather of that day.`,
  ).join(' ');
  const first = await open(folder, silent, { size: 4_000, overlap: 0 });
  const source = await first.addSource('Notes', origin, undefined);
  const before = await first.putDocument(source.id, input(text, 'weather.txt'));
  const done = Promise.withResolvers<undefined>();
  await close(first);
  const second = await open(
    folder,
    {
      ...silent,
      resplitting(count, total) {
        if (count === total) done.resolve(undefined);
      },
    },
    passageSettings,
  );
  await done.promise;
  assert.ok(
    second.store.documents.documentPassages(second.store.documents.stamps(source.id)[0]?.id ?? 0).length >
      before,
  );
  const [found] = await second.passageSearch.search('sentence number 42', 1);
  assert.ok(found);
  assert.equal(found.text, text.slice(found.start, found.end));
  assert.ok(found.text.length <= 500);
});

test('reads a source in one window at a time', async () => {
  const { folder, index: first } = await openNew();
  const second = await open(folder);
  const { id } = await first.addSource('Notes', origin, undefined);
  assert.equal(first.store.claimSource(id, 'one'), true);
  assert.equal(second.store.claimSource(id, 'two'), false);
  const skipped = { binary: 0, tooLarge: 1, tooShort: 0, failed: 0 };
  const skippedFiles = [{ path: 'a/film.iso', reason: 'film.iso has 900 MB.' }];
  first.store.finishSource(id, { kind: 'ready' }, skipped, skippedFiles);
  assert.deepEqual(first.store.skippedFiles(id), skippedFiles);
  assert.deepEqual(first.store.sources()[0]?.skipped, skipped);
  assert.equal(second.store.claimSource(id, 'two'), true);
});

test('opens a database of a newer version read-only, and says so', async () => {
  const { folder, index: first } = await openNew();
  const source = await first.addSource('Notes', origin, undefined);
  await first.putDocument(source.id, input('The key hangs behind the door.', 'key.txt'));
  await close(first);
  const database = new DatabaseSync(join(folder, 'notebook.sqlite'));
  database.exec('PRAGMA user_version = 9999');
  database.close();
  const { index, result } = await openWithEvents(folder);
  assert.equal(result.readOnly, true);
  assert.match(result.notice ?? '', /newer version/);
  assert.equal((await index.passageSearch.search('key', 1))[0]?.documentKey, 'key.txt');
  await assert.rejects(index.putDocument(source.id, input('x', 'y.txt')), { code: 'newer-database' });
});

test('reports a damaged database, which is moved aside and never deleted', async () => {
  const folder = makeFolder();
  writeFileSync(join(folder, 'notebook.sqlite'), 'This was never a database. '.repeat(500));
  const { index, result } = await openWithEvents(folder);
  assert.match(result.notice ?? '', /was damaged, so Open Notebook moved it to/);
  assert.ok(readdirSync(folder).some((name) => name.includes('.damaged-')));
  await index.addSource('Notes', origin, input('It works again.'));
  assert.equal((await index.passageSearch.search('works again', 1)).length, 1);
});

test('reports the progress of a rebuilt index', async () => {
  const { folder, index: first } = await openNew();
  const source = await first.addSource('Notes', origin, undefined);
  for (let i = 0; i < 300; i++)
    await first.putDocument(source.id, input(`Crate ${String(i)}.`, `${String(i)}.txt`));
  await close(first);
  for (const name of readdirSync(folder)) if (name.endsWith('.snapshot')) rmSync(join(folder, name));
  const progressReports: (readonly [number, number])[] = [];
  const again = await open(folder, {
    ...silent,
    indexing: (done, total) => progressReports.push([done, total]),
  });
  assert.equal((await again.passageSearch.search('crate 250', 1))[0]?.documentKey, '250.txt');
  assert.ok(progressReports.length > 1);
  assert.deepEqual(progressReports.at(-1), [300, 300]);
});
