import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { keepCopy, storedPdf, originIn, recordOrigin } from '../../src/platform/copy-files.ts';
import { duplicateNotebook } from '../../src/index/library/duplicate.ts';
import { withNotebook } from '../../src/index/library/with-notebook-db.ts';
import { copySources } from '../../src/index/library/transfer.ts';
import { removeUnusedCopies } from '../../src/index/library/unused-copies.ts';
import { NotebookFolders } from '../../src/index/library/notebook-folders.ts';
import { close, input, makeFolder, open } from '../support/opened-notebooks.ts';

interface Storage {
  readonly notebooks: string;
  readonly dropped: string;
  readonly pdfs: string;
  /** Deletes unused copies. */
  readonly tidy: () => Promise<void>;
}

function makeStorage(): Storage {
  const root = makeFolder();
  const [notebooks, dropped, pdfs] = ['notebooks', 'dropped', 'pdfs'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  const tidy = (): Promise<void> => removeUnusedCopies({ notebooks, copies: [dropped, pdfs] });
  return { notebooks, dropped, pdfs, tidy };
}

/** Stores a copy that is two hours old. */
async function oldCopy(parent: string, text: string, name = 'a.md'): Promise<string> {
  const bytes = Buffer.from(text);
  const hash = createHash('sha256').update(bytes).digest('hex');
  const path = await keepCopy(parent, { hash, names: [name], bytes });
  age(dirname(path));
  return path;
}

function age(path: string): void {
  const then = Date.now() / 1000 - 7_200;
  utimesSync(path, then, then);
}

/** Creates a notebook whose only source is a file. */
async function addFile(directory: string, path: string): Promise<string> {
  const index = await open(directory);
  const { href: uri } = pathToFileURL(path);
  const source = await index.addSource(
    basename(path),
    { kind: 'file', uri },
    { ...input('Words of it.'), uri },
  );
  await close(index);
  return source.id;
}

async function removeFrom(directory: string, sourceId: string): Promise<void> {
  await withNotebook(directory, (sql) => sql.run('DELETE FROM sources WHERE id = ?', sourceId));
}

test('deletes a copy once no notebook uses it, also after it was passed on', async () => {
  const { notebooks, dropped, tidy } = makeStorage();
  const copy = await oldCopy(dropped, 'Words of it.');
  const orphan = await oldCopy(dropped, 'What a crash left.');
  const [first, second, third] = ['first', 'second', 'third'].map((name) => join(notebooks, name)) as [
    string,
    string,
    string,
  ];
  const id = await addFile(first, copy);
  await tidy();
  assert.ok(existsSync(copy));
  assert.ok(!existsSync(dirname(orphan)));

  mkdirSync(second);
  await duplicateNotebook(first, second);
  await removeFrom(first, id);
  await tidy();
  assert.ok(existsSync(copy), 'the duplicate uses it');

  await close(await open(third));
  await withNotebook(second, (from) =>
    withNotebook(third, (to) =>
      copySources(from, to, { sourceIds: [id], numbers: undefined }, () => undefined),
    ),
  );
  await removeFrom(second, id);
  await tidy();
  assert.ok(existsSync(copy), 'the notebook that it was moved to uses it');

  await removeFrom(third, id);
  await tidy();
  assert.deepEqual(readdirSync(dropped), []);
});

test('keeps a copy of a deleted notebook while it can be restored', async () => {
  const { notebooks, dropped, tidy } = makeStorage();
  const folders = new NotebookFolders(notebooks);
  const copy = await oldCopy(dropped, 'Words of it.');
  const { id } = await folders.create('Garden');
  await addFile(folders.directoryFor(id), copy);
  await folders.remove(id);
  await tidy();
  assert.ok(existsSync(copy));
  await folders.tidy(Date.now() + 31 * 24 * 3_600_000);
  await tidy();
  assert.ok(!existsSync(copy));
});

test('keeps a copy that was created or used recently, as its source may be unsaved', async () => {
  const { dropped, tidy } = makeStorage();
  const copy = await oldCopy(dropped, 'Words of it.');
  const hash = createHash('sha256').update('Words of it.').digest('hex');
  assert.equal(await keepCopy(dropped, { hash, names: ['a.md'], bytes: Buffer.from('Words of it.') }), copy);
  await tidy();
  assert.ok(existsSync(copy));
});

test('keeps every copy if a notebook is damaged or unreadable', async () => {
  const { notebooks, dropped, tidy } = makeStorage();
  const copy = await oldCopy(dropped, 'Words of it.');
  const directory = join(notebooks, 'broken');
  mkdirSync(directory, { recursive: true });
  const database = join(directory, 'notebook.sqlite');
  writeFileSync(database, 'no database at all, but as long as its head would have to be'.repeat(40));
  await tidy();
  assert.ok(existsSync(copy));
  renameSync(database, `${database}.damaged-2026-01-01`);
  await tidy();
  assert.ok(existsSync(copy), 'what was set aside may still be mended');
  utimesSync(`${database}.damaged-2026-01-01`, 0, 0);
  await tidy();
  assert.ok(!existsSync(copy));
});

test('restores used copies after a kill, and deletes unused ones', async () => {
  const { notebooks, dropped, tidy } = makeStorage();
  const [used, unused] = [await oldCopy(dropped, 'Words of it.'), await oldCopy(dropped, 'Others.')];
  await addFile(join(notebooks, 'one'), used);
  for (const path of [used, unused]) renameSync(dirname(path), `${dirname(path)}.unused`);
  for (const name of ['unfinished-1', 'unfinished-2']) writeFileSync(join(dropped, name), 'half');
  age(join(dropped, 'unfinished-1'));
  await tidy();
  assert.deepEqual(readdirSync(dropped).toSorted(), [basename(dirname(used)), 'unfinished-2'].toSorted());
  assert.ok(existsSync(used));
  // A copy that was created again meanwhile isn't overwritten.
  renameSync(dirname(used), `${dirname(used)}.unused`);
  await oldCopy(dropped, 'Words of it.');
  await tidy();
  assert.deepEqual(readdirSync(dropped).toSorted(), [basename(dirname(used)), 'unfinished-2'].toSorted());
});

test('recognizes a copied web PDF in every window, and deletes it with its document', async () => {
  const { notebooks, pdfs, tidy } = makeStorage();
  const bytes = Buffer.from('%PDF-1.4 bytes');
  const hash = createHash('sha256').update(bytes).digest('hex');
  const path = await keepCopy(pdfs, { hash, names: ['report.pdf'], bytes });
  const origin = { uri: 'https://example.com/report.pdf', hash };
  assert.equal(await originIn(dirname(path)), undefined);
  await recordOrigin(pdfs, origin);
  assert.equal(await storedPdf(pdfs, hash), path);
  assert.deepEqual(await originIn(dirname(path)), origin);
  assert.equal(await storedPdf(pdfs, '0'.repeat(64)), undefined);
  const directory = join(notebooks, 'one');
  const index = await open(directory);
  const page = input('Words of it.');
  const document = { ...page.document, mediaType: 'application/pdf' };
  const source = await index.addSource(
    'Report',
    { kind: 'page', url: origin.uri },
    { ...page, uri: origin.uri, hash, document },
  );
  await close(index);
  age(dirname(path));
  await tidy();
  assert.ok(existsSync(path));
  await removeFrom(directory, source.id);
  age(dirname(path));
  await tidy();
  assert.deepEqual(readdirSync(pdfs), []);
  writeFileSync(join(pdfs, 'origin.json'), '{');
  assert.equal(await originIn(pdfs), undefined);
});

test('rewrites a truncated copy, and keeps one with the same bytes under another name', async () => {
  const { dropped } = makeStorage();
  const copy = await oldCopy(dropped, 'Words of it.');
  writeFileSync(copy, 'Wor');
  assert.equal(await oldCopy(dropped, 'Words of it.'), copy);
  const other = await oldCopy(dropped, 'Words of it.', 'b.md');
  assert.equal(dirname(other), dirname(copy));
  assert.deepEqual(readdirSync(dirname(copy)).toSorted(), ['a.md', 'b.md']);
  assert.equal(readdirSync(dropped).length, 1);
});

test('keeps copies that are added again while several windows look for unused ones', async () => {
  const { notebooks, dropped, tidy } = makeStorage();
  const index = await open(join(notebooks, 'one'));
  const texts = Array.from({ length: 60 }, (_, number) => `Words number ${String(number)}.`);
  for (const text of texts) await oldCopy(dropped, text);
  let isDone = false;
  const windows = Array.from({ length: 3 }, async () => {
    while (!isDone) await tidy();
  });
  const used: string[] = [];
  try {
    for (const text of texts) {
      const bytes = Buffer.from(text);
      const hash = createHash('sha256').update(bytes).digest('hex');
      const path = await keepCopy(dropped, { hash, names: ['a.md'], bytes });
      const { href: uri } = pathToFileURL(path);
      await index.addSource('a.md', { kind: 'file', uri }, { ...input('Words.'), uri });
      // A window may be checking it at this very moment.
      if (existsSync(path)) age(dirname(path));
      used.push(path);
    }
  } finally {
    isDone = true;
    await Promise.all(windows);
  }
  await tidy();
  for (const path of used) assert.ok(existsSync(path), path);
  assert.equal(readdirSync(dropped).length, texts.length);
});
