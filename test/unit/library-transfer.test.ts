import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { CallContext } from '../../src/core/rpc/rpc.ts';
import { countNotebooks, duplicateNotebook } from '../../src/index/library/duplicate.ts';
import type { LibraryProgress } from '../../src/index/library/library-api.ts';
import { libraryHandlers } from '../../src/index/library/library-handlers.ts';
import { NotebookError } from '../../src/core/domain/errors.ts';
import { close, input, makeFolder, open } from '../support/opened-notebooks.ts';

const folder = { kind: 'folder', uri: 'file:///notes' } as const;
const model = { baseUrl: 'http://localhost/v1', name: 'm' };
const context: CallContext<LibraryProgress> = {
  signal: new AbortController().signal,
  report: () => undefined,
};

const copy = async (
  from: string,
  to: string,
  sourceIds: readonly string[],
  move = false,
): Promise<{ copied: number; there: number }> => {
  const { copied, there } = await libraryHandlers.copySources({ from, to, sourceIds, move }, context);
  return { copied: copied.length, there };
};

test('copies and moves sources with documents, vectors, and citations between windows', async () => {
  const [from, to] = [makeFolder(), makeFolder()];
  const source = await open(from);
  const target = await open(to);
  const other = await target.addSource('Own', { kind: 'text' }, input('Cellars stay cool in summer.', ''));
  const lamps = await source.addSource('notes', folder, undefined);
  await source.putDocument(lamps.id, input('The lamp is lit at nine every evening.', 'lamp.txt'));
  await source.putDocument(lamps.id, input('The harbour is dredged in May.', 'x/harbour.txt'));
  const bread = await source.addSource('Bread', { kind: 'text' }, input('Bread is baked on Saturdays.', ''));
  const batch = await source.nextEmbeddings(model, 'w');
  assert.ok(batch.kind === 'texts');
  await source.change(() => {
    source.embeddings.put(
      batch.setId,
      new Map(batch.texts.map(({ hash }) => [hash, new Float32Array([1, 0])])),
    );
  });
  assert.equal((await source.nextEmbeddings(model, 'w')).kind, 'done');
  const [found] = await source.passageSearch.search('When is the lamp lit?', 1);
  assert.ok(found);
  const quote = 'lit at nine';
  const span = { start: 12, end: 12 + quote.length };
  const [cited] = source.cited.cite([
    { number: 1, documentId: found.documentId, passage: span, span, quote },
  ]);
  assert.ok(cited);

  assert.deepEqual(await copy(from, to, [lamps.id, bread.id]), { copied: 2, there: 0 });
  await target.followOthers();
  assert.deepEqual(target.store.counts(), { sources: 3, documents: 4, passages: 4 });
  const [again] = await target.passageSearch.search('When is the lamp lit?', 1);
  assert.equal(again?.text, found.text);
  assert.deepEqual(target.embeddings.countMissing(model), { passages: 1, characters: 28, total: 4 });
  assert.equal(target.embeddings.active(), undefined, 'what was there is not embedded yet');

  // Copying again changes nothing. Moving a source that exists there keeps both.
  assert.deepEqual(await copy(from, to, [lamps.id]), { copied: 0, there: 1 });
  assert.deepEqual(await copy(from, to, [lamps.id], true), { copied: 0, there: 1 });
  assert.equal(source.store.sources().length, 2);
  await target.change(() => {
    target.store.removeSources([lamps.id]);
  });
  assert.deepEqual(await copy(from, to, [lamps.id], true), { copied: 1, there: 0 });
  await source.followOthers();
  await target.followOthers();
  assert.deepEqual(
    source.store.sources().map(({ id }) => id),
    [bread.id],
  );
  assert.equal((await source.passageSearch.search('lamp', 1)).length, 0);
  assert.equal((await target.passageSearch.search('lamp', 1))[0]?.text, found.text);

  // The citation of the answer still shows its quote, and isn't confused with a document of the same number.
  assert.equal(cited.quote, quote);
  const words = { documentId: cited.documentId, sourceId: cited.sourceId, span, quote };
  assert.equal(source.cited.find(words).kind, 'removed');
  const own = target.store.documents.ofSource(other.id)[0];
  assert.ok(own);
  assert.equal(target.cited.find({ ...words, documentId: own.id }).kind, 'removed');
  assert.equal(target.cited.surroundings({ ...words, documentId: own.id }), undefined);
});

test('moves a source back with its earlier numbers, unless they are taken', async () => {
  const [from, to] = [makeFolder(), makeFolder()];
  const source = await open(from);
  const target = await open(to);
  await target.addSource('Own', { kind: 'text' }, input('Cellars stay cool in summer.', ''));
  const lamps = await source.addSource('Lamps', { kind: 'text' }, input('The lamp is lit at nine.', ''));
  const [before] = source.store.documents.ofSource(lamps.id);
  assert.ok(before);
  const moved = await libraryHandlers.copySources({ from, to, sourceIds: [lamps.id], move: true }, context);
  const [away] = target.store.documents.ofSource(lamps.id);
  assert.ok(away);
  assert.deepEqual([...moved.numbers], [[before.id, away.id]]);
  assert.notEqual(away.id, before.id);

  const back = { from: to, to: from, sourceIds: moved.copied, move: true };
  await libraryHandlers.copySources({ ...back, numbers: new Map([[away.id, before.id]]) }, context);
  await source.followOthers();
  assert.equal(target.store.documents.ofSource(lamps.id).length, 0);
  assert.equal(source.store.documents.ofSource(lamps.id)[0]?.id, before.id);
  const quote = 'lit at nine';
  const span = { start: 12, end: 12 + quote.length };
  const words = { documentId: before.id, sourceId: lamps.id, span, quote };
  assert.equal(source.cited.find(words).kind, 'found');
  assert.equal((await source.passageSearch.search('When is the lamp lit?', 1))[0]?.documentId, before.id);

  const cellars = target.store.sources().map(({ id }) => id);
  const wayBack = { from: to, to: from, sourceIds: cellars, move: false };
  const copied = await libraryHandlers.copySources(
    { ...wayBack, numbers: new Map([[1, before.id]]) },
    context,
  );
  assert.notEqual(copied.numbers.get(1), before.id);
});

test('copies all vectors into an empty notebook, and leaves pending documents pending', async () => {
  const [from, to] = [makeFolder(), makeFolder()];
  const origin = await open(from);
  const source = await origin.addSource('notes', folder, undefined);
  await origin.putDocument(source.id, input('The lamp is lit at nine every evening.', 'lamp.txt'));
  origin.store.claimSource(source.id, 'window');
  origin.store.setSourceState(source.id, { kind: 'reading', done: 1, total: 2 });
  const batch = await origin.nextEmbeddings(model, 'w');
  assert.ok(batch.kind === 'texts');
  await origin.change(() => {
    origin.embeddings.put(
      batch.setId,
      new Map(batch.texts.map(({ hash }) => [hash, new Float32Array([1, 0])])),
    );
  });
  await origin.nextEmbeddings(model, 'w');
  await copy(from, to, [source.id], true);
  const target = await open(to);
  assert.equal(target.embeddings.active()?.dimension, 2);
  assert.equal(target.embeddings.countMissing(model).passages, 0);
  assert.deepEqual(target.store.sources()[0]?.state, { kind: 'queued' });
  assert.ok(target.store.claimSource(source.id, 'another'));
});

test('duplicates a notebook in use, and keeps both independent', async () => {
  const [from, to] = [makeFolder(), makeFolder()];
  const source = await open(from);
  await source.addSource('Bread', { kind: 'text' }, input('Bread is baked on Saturdays.', ''));
  source.features.notes.add({ title: 'Loaves', text: 'Rye', citations: [] });
  const conversation = source.features.conversations.begin();
  source.features.conversations.setDraft(conversation, 'And cakes?');
  await source.writeSnapshot();
  await duplicateNotebook(from, to);
  assert.ok(readdirSync(to).some((name) => name.endsWith('.snapshot')));
  const target = await open(to);
  assert.equal(
    (await target.passageSearch.search('When is bread baked?', 1))[0]?.text,
    'Bread is baked on Saturdays.',
  );
  assert.equal(target.features.notes.open('Loaves').text, 'Rye');
  assert.equal(target.features.conversations.openNewest().draft, 'And cakes?');
  await target.change(() => {
    target.store.removeSources(target.store.sources().map(({ id }) => id));
  });
  assert.equal(source.store.sources().length, 1);
  assert.deepEqual(await countNotebooks([from, to, join(to, 'none')]), [
    { sources: 1, notes: 1 },
    { sources: 0, notes: 1 },
    undefined,
  ]);
  assert.equal(existsSync(join(to, 'none')), false, 'counting makes nothing');
});

test('reports a missing notebook', async () => {
  const here = makeFolder();
  await close(await open(here));
  const isGone = (error: unknown): boolean => error instanceof NotebookError && error.code === 'not-found';
  await assert.rejects(copy(join(here, 'none'), here, []), isGone);
  await assert.rejects(duplicateNotebook(join(here, 'none'), here));
});
