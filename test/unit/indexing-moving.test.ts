import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SpeakerNames } from '../../src/core/domain/recordings.ts';
import { readPlainText } from '../../src/parsers/plain-text.ts';
import { readCaptions } from '../../src/parsers/subtitles.ts';
import { makeFolder, open, origin } from '../support/opened-notebooks.ts';

test('keeps a document whose file was renamed, and finds it by its new path', async () => {
  const index = await open(makeFolder());
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
  const before = index.store.documents.stamps(source.id)[0]?.id ?? 0;
  assert.equal((await index.passageSearch.search('lamp', 1))[0]?.documentKey, 'lamp.txt');
  await index.change(() => {
    index.store.documents.moveDocument({
      documentId: before,
      key: 'lantern.txt',
      uri: 'file:///notes/lantern.txt',
      size: 67,
      modifiedAt: 2,
    });
  });
  assert.deepEqual(index.store.documents.stamps(source.id), [
    { id: before, key: 'lantern.txt', hash: 'h', size: 67, modifiedAt: 2 },
  ]);
  const [found] = await index.passageSearch.search('lantern', 1);
  assert.equal(found?.documentKey, 'lantern.txt');
  assert.equal(found.documentId, before);
  assert.equal(found.text, text);
  assert.deepEqual(await index.passageSearch.search('lamp', 1), []);
  assert.equal(index.cited.document(before).entry.uri, 'file:///notes/lantern.txt');
  assert.equal(index.store.documents.documentPassages(before).length, 1);
});

test('keeps the documents of a moved folder, and opens citations at the new location', async () => {
  const index = await open(makeFolder());
  const text = 'It is lit at nine every evening, and put out at six in the morning.';
  const document = readPlainText(text, 'text/plain');
  const stamp = { hash: 'h', size: 67, modifiedAt: 1, document };
  const notes = await index.addSource('notes', { kind: 'folder', uri: 'file:///a/notes' }, undefined);
  const others = await index.addSource('notes-2', { kind: 'folder', uri: 'file:///a/notes-2' }, undefined);
  for (const [source, key, uri] of [
    [notes, 'lamp.txt', 'file:///a/notes/lamp.txt'],
    [notes, 'x/lamp.txt', 'file:///a/notes/x/lamp.txt'],
    [others, 'lamp.txt', 'file:///a/notes-2/lamp.txt'],
  ] as const)
    await index.putDocument(source.id, { ...stamp, key, uri });
  const [lamp, inner] = index.store.documents.ofSource(notes.id);
  assert.ok(lamp && inner);
  const revision = index.store.revision();
  await index.change(() => {
    index.store.relocateSource(notes.id, 'papers', 'file:///b/papers%20of%202024');
  });
  assert.deepEqual(
    index.store.documents.ofSource(notes.id).map(({ id, uri }) => [id, uri]),
    [
      [lamp.id, 'file:///b/papers%20of%202024/lamp.txt'],
      [inner.id, 'file:///b/papers%20of%202024/x/lamp.txt'],
    ],
  );
  assert.deepEqual(
    index.store.documents.ofSource(others.id).map(({ uri }) => uri),
    ['file:///a/notes-2/lamp.txt'],
  );
  const [moved] = index.store.sources();
  assert.deepEqual(
    [moved?.title, moved?.origin],
    ['papers', { kind: 'folder', uri: 'file:///b/papers%20of%202024' }],
  );
  // Another window is notified, too.
  assert.deepEqual(index.store.changedSince(revision).toSorted(), [lamp.id, inner.id].toSorted());
  // A path that another person named must be within a folder, which may change. Other paths need no folder.
  const named = { kind: 'file', uri: 'file:///a/lamp.txt', within: 'file:///a' } as const;
  const { id } = await index.addSource('lamp', named, undefined);
  await index.change(() => {
    index.store.relocateSource(id, 'lamp', 'file:///c/lamp.txt', 'file:///c');
  });
  await index.change(() => {
    index.store.relocateSource(others.id, 'notes-2', 'file:///c/notes-2', 'file:///c');
  });
  const byId = new Map(index.store.sources().map((source) => [source.id, source.origin]));
  assert.deepEqual(byId.get(id), { kind: 'file', uri: 'file:///c/lamp.txt', within: 'file:///c' });
  assert.deepEqual(byId.get(others.id), { kind: 'folder', uri: 'file:///c/notes-2' });
  const span = { start: 0, end: 5 };
  const whereabouts = index.cited.find({ documentId: inner.id, span, quote: text.slice(0, 5) });
  assert.ok(whereabouts.kind === 'found');
  assert.equal(whereabouts.uri, 'file:///b/papers%20of%202024/x/lamp.txt');

  // Citations name the folder if two folders contain files with the same path.
  const cite = (documentId: number): string | undefined =>
    index.cited.cite([{ number: 1, documentId, passage: span, span, quote: text.slice(0, 5) }])[0]?.title;
  assert.deepEqual([cite(lamp.id), cite(inner.id)], ['papers/lamp.txt', 'x/lamp.txt']);
});

test('finds cited words of a transcript at their time after its speakers were renamed', async () => {
  const index = await open(makeFolder());
  const source = await index.addSource('talk', origin, undefined);
  const put = async (names: SpeakerNames): Promise<string> => {
    const cue = (second: number, words: string): string =>
      `\n\n00:0${String(second)}.000 --> 00:0${String(second + 1)}.000\n<v ${words}`;
    const captions = `WEBVTT${cue(1, 'Ada>At nine.')}${cue(3, 'Ben>Is it full?')}${cue(5, 'Eva>At nine.')}`;
    const { text, spoken } = readCaptions(new TextEncoder().encode(captions), names);
    const document = { ...readPlainText(text, 'audio/wav'), map: { kind: 'saved', spoken } } as const;
    const stamp = { hash: 'h', size: 67, modifiedAt: 1 };
    await index.putDocument(source.id, { ...stamp, key: '', uri: 'file:///talk.wav', document });
    return text;
  };
  const before = await put({});
  const documentId = index.store.documents.stamps(source.id)[0]?.id ?? 0;
  const timesOf = (quote: string): unknown => {
    const start = before.indexOf(quote);
    const citedText = index.cited.find({ documentId, quote, span: { start, end: start + quote.length } });
    return citedText.kind === 'found' && citedText.locator.kind === 'saved'
      ? citedText.locator.time
      : citedText.kind;
  };
  for (const names of [{}, { Ada: 'Countess', Eva: 'Countess' }, { Ben: 'Ada' }]) {
    await put(names);
    assert.deepEqual(timesOf('Ada: At nine.\nBen: Is it full?'), { from: 1, to: 4 });
    assert.deepEqual(timesOf('Eva: At nine.'), { from: 5, to: 6 });
  }
  assert.equal(timesOf('Ada: At ten.'), 'changed');
});
