import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { NotebookIndex } from '../../src/indexing/notebook-index.ts';
import { readPlainText } from '../../src/reading/plain-text.ts';

test('a document whose file was renamed stays itself and is found by its new path', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'moving-'));
  const nothing = (): undefined => undefined;
  const events = { changed: nothing, indexing: nothing, resplitting: nothing };
  const { index } = await NotebookIndex.open(folder, { size: 500, overlap: 50 }, events);
  try {
    const origin = { kind: 'folder', uri: 'file:///notes' } as const;
    const source = await index.addSource('notes', origin, undefined);
    const text = 'It is lit at nine every evening, and put out at six in the morning.';
    const document = readPlainText(text, 'text/plain');
    const stamp = { hash: 'h', size: 67, modifiedAt: 1 };
    await index.putDocument(source.id, {
      ...stamp,
      key: 'lamp.txt',
      uri: 'file:///notes/lamp.txt',
      document,
    });
    const before = index.store.stamps(source.id)[0]?.id ?? 0;
    assert.equal((await index.search('lamp', 1))[0]?.documentKey, 'lamp.txt');
    await index.moveDocument({
      documentId: before,
      key: 'lantern.txt',
      uri: 'file:///notes/lantern.txt',
      size: 67,
      modifiedAt: 2,
    });
    assert.deepEqual(index.store.stamps(source.id), [
      { id: before, key: 'lantern.txt', hash: 'h', size: 67, modifiedAt: 2 },
    ]);
    const [found] = await index.search('lantern', 1);
    assert.equal(found?.documentKey, 'lantern.txt');
    assert.equal(found.documentId, before);
    assert.equal(found.text, text);
    assert.deepEqual(await index.search('lamp', 1), []);
    assert.equal(index.document(before).entry.uri, 'file:///notes/lantern.txt');
    assert.equal(index.store.passagesOf(before).length, 1);
  } finally {
    await index.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
