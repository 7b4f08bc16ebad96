import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { copySources } from '../../src/index/library/transfer.ts';
import { libraryHandlers } from '../../src/index/library/library-handlers.ts';
import { withNotebook } from '../../src/index/library/with-notebook-db.ts';
import type { NotebookIndex } from '../../src/index/worker/notebook-index.ts';
import { importOptions, changed, context, exported, fails, imported } from '../support/exported-notebooks.ts';
import { hashVector } from '../support/hash-vector.ts';
import { close, input, makeFolder, open, openNew } from '../support/opened-notebooks.ts';

const model = { baseUrl: 'http://user:secret@10.1.2.3:11434/v1', name: 'embedder' };
const texts = ['The lamp is lit at nine every evening.', 'The harbour is dredged in May.', 'x'];

/** Embeds missing texts, and resolves to those that were sent. The model rejects one of them. */
async function embed(index: NotebookIndex): Promise<string[]> {
  const sent: string[] = [];
  for (;;) {
    const batch = await index.nextEmbeddings(model, 'w');
    if (batch.kind !== 'texts') return sent;
    const vectors = batch.texts.map(({ hash, text }) => {
      sent.push(text);
      return [hash, text.endsWith('x') ? null : hashVector(text, 64)] as const;
    });
    await index.change(() => {
      index.embeddings.put(batch.setId, new Map(vectors));
    });
  }
}

async function embedded(): Promise<{ readonly from: string; readonly sourceId: string }> {
  const { folder: from, index } = await openNew();
  const source = await index.addSource('notes', { kind: 'folder', uri: 'file:///notes' }, undefined);
  for (const [number, text] of texts.entries())
    await index.putDocument(source.id, input(text, `${String(number)}.txt`));
  assert.equal((await embed(index)).length, texts.length);
  await close(index);
  return { from, sourceId: source.id };
}

/** Returns the nearest passage to some words by vectors alone. */
async function nearest(index: NotebookIndex, words: string): Promise<string | undefined> {
  const active = index.embeddings.active();
  assert.ok(active);
  const vector = { setId: active.setId, values: hashVector(words, 64) };
  return (await index.passageSearch.search('zzz', 1, vector))[0]?.text;
}

test('exports vectors, so that the same model embeds nothing again', async () => {
  const { from } = await embedded();
  const path = await exported(from);
  const text = gunzipSync(readFileSync(path)).toString();
  for (const word of ['10.1.2.3', 'secret', '11434']) assert.ok(!text.includes(word), word);
  assert.match(text, /"version":2/);

  const target = await imported(path);
  assert.equal(target.embeddings.active(), undefined, 'nothing is sent where an imported file says');
  assert.equal(target.embeddings.countMissing({ ...model, name: 'other' }).passages, texts.length);
  assert.equal(
    target.embeddings.countMissing({ ...model, baseUrl: 'http://localhost' }).passages,
    texts.length,
  );
  assert.equal(target.embeddings.countMissing(model).passages, 0);
  assert.deepEqual(await embed(target), []);
  assert.deepEqual(target.embeddings.active()?.model, model);
  assert.equal(await nearest(target, 'harbour dredged'), texts[1]);
  const listVectors = (index: NotebookIndex): unknown => {
    const setId = index.embeddings.active()?.setId ?? 0;
    const ids = index.store.sources().flatMap(({ id }) => index.store.documents.ofSource(id));
    return ids.map(({ id }) =>
      index.embeddings.ofPassages(setId, index.embeddings.passageIds(id)).map(({ vector }) => [...vector]),
    );
  };
  const before = await open(from);
  assert.deepEqual(listVectors(target), listVectors(before));

  // Only a text that is added later is sent.
  await target.addSource('Bread', { kind: 'text' }, input('Bread is baked on Saturdays.'));
  assert.equal((await embed(target)).length, 1);
});

test('keeps vectors in a second export and in a copy for the same model', async () => {
  const { from, sourceId } = await embedded();
  const once = await imported(await exported(from));
  const { directory } = await importedTo(await exported(from));
  const twice = await imported(await exported(directory));
  for (const index of [once, twice]) assert.deepEqual(await embed(index), []);

  const { folder: target, index: own } = await openNew();
  await own.addSource('Bread', { kind: 'text' }, input('Bread is baked on Saturdays.'));
  await embed(own);
  await withNotebook(directory, (origin) =>
    withNotebook(target, (sql) =>
      copySources(origin, sql, { sourceIds: [sourceId], numbers: undefined }, () => undefined),
    ),
  );
  await own.followOthers();
  assert.deepEqual(await embed(own), []);
  assert.equal(await nearest(own, 'harbour dredged'), texts[1]);
});

async function importedTo(path: string): Promise<{ readonly directory: string }> {
  const directory = makeFolder();
  await libraryHandlers.importNotebook({ ...importOptions, path, to: directory }, context);
  return { directory };
}

test('exports a notebook without vectors in the old format, and skips vectors of other passages', async () => {
  const { folder: plain, index } = await openNew();
  await index.addSource('Text', { kind: 'text' }, input('Bread is baked on Saturdays.'));
  await close(index);
  assert.match(gunzipSync(readFileSync(await exported(plain))).toString(), /"version":1/);

  const { from } = await embedded();
  const target = await imported(
    changed(await exported(from), (lines) => {
      for (const line of lines) if (line.type === 'document') line.title = 'Called otherwise';
    }),
  );
  assert.equal(target.embeddings.countMissing(model).passages, texts.length);
  assert.equal(await withNotebook(from, (sql) => sql.all('SELECT 1 FROM embedding_sets').length), 1);
});

test('rejects damaged and hostile vectors', async () => {
  const { from } = await embedded();
  const path = await exported(from);
  const size = (line: Record<string, unknown>): number => Buffer.from(String(line.data), 'base64').length;
  const infinite = (line: Record<string, unknown>): string => {
    const bytes = Buffer.from(String(line.data), 'base64');
    bytes.writeUInt16LE(0x7c00, 2);
    return bytes.toString('base64');
  };
  const harms: ((embeddings: Record<string, unknown>, vectors: Record<string, unknown>) => void)[] = [
    (embeddings) => (embeddings.dimension = 1e9),
    (embeddings) => (embeddings.dimension = 63),
    (embeddings) => (embeddings.dimension = -1),
    (embeddings) => (embeddings.dimension = 1.5),
    (embeddings) => (embeddings.endpoint = 'http://evil.example'),
    (embeddings) => (embeddings.model = 'x'.repeat(1_000)),
    (_, vectors) => (vectors.set = 77),
    (_, vectors) => (vectors.data = Buffer.alloc(size(vectors) + 2).toString('base64')),
    (_, vectors) => (vectors.data = 'no base64 at all'),
    (_, vectors) => (vectors.data = infinite(vectors)),
    (_, vectors) => (vectors.hashes = ["'; DROP TABLE sources; --"]),
    (_, vectors) => (vectors.none = 'all'),
  ];
  for (const harm of harms) {
    const other = changed(path, (lines) => {
      const find = (type: string): Record<string, unknown> => lines.find((line) => line.type === type)!;
      harm(find('embeddings'), find('vectors'));
    });
    await assert.rejects(importedTo(other), fails('damaged'), String(harm));
  }
  const many = changed(path, (lines) => {
    const { ...one } = lines.find((line) => line.type === 'embeddings')!;
    lines.splice(1, 0, ...Array.from({ length: 20 }, (_, set) => ({ ...one, set: 100 + set })));
    lines.at(-1)!.count = lines.length - 1;
  });
  await assert.rejects(importedTo(many), fails('damaged'));
  assert.ok(statSync(path).size < 10_000);
});
