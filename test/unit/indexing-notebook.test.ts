import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, test } from 'node:test';
import * as fc from 'fast-check';
import type { DocumentInput } from '../../src/indexing/api.ts';
import type { NotebookIndexEvents } from '../../src/indexing/notebook-index.ts';
import { NotebookIndex } from '../../src/indexing/notebook-index.ts';
import { readPlainText } from '../../src/reading/plain-text.ts';

const settings = { size: 500, overlap: 50 };
const silent: NotebookIndexEvents = {
  changed: () => undefined,
  indexing: () => undefined,
  resplitting: () => undefined,
};

const folders: string[] = [];
const opened = new Set<NotebookIndex>();

afterEach(async () => {
  for (const index of opened) await index.close();
  opened.clear();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'notebook-'));
  folders.push(folder);
  return folder;
}

async function open(folder: string, events = silent, passages = settings): Promise<NotebookIndex> {
  const { index } = await NotebookIndex.open(folder, passages, events);
  opened.add(index);
  return index;
}

async function close(index: NotebookIndex): Promise<void> {
  opened.delete(index);
  await index.close();
}

function input(text: string, key = ''): DocumentInput {
  return {
    key,
    uri: `file:///notes/${key || 'note.txt'}`,
    hash: `hash of ${text}`,
    size: text.length,
    modifiedAt: 1,
    document: readPlainText(text, 'text/plain'),
  };
}

const origin = { kind: 'folder', uri: 'file:///notes' } as const;

test('what stands at a place is given as a passage, cut to the document; what is gone is left out', async () => {
  const index = await open(makeFolder());
  const source = await index.addSource('Notes', origin, undefined);
  await index.putDocument(source.id, input('The heron waits in the reeds.', 'birds.txt'));
  const [found] = await index.search('heron', 5);
  const { documentId } = found!;
  const [passage, ...others] = index.passagesAt([
    { documentId, span: { start: 4, end: 900 } },
    { documentId, span: { start: 900, end: 901 } },
    { documentId: documentId + 1, span: { start: 0, end: 5 } },
  ]);
  assert.deepEqual(
    [passage?.text, passage?.end, passage?.documentKey],
    ['heron waits in the reeds.', 29, 'birds.txt'],
  );
  assert.deepEqual(others, []);
});

test('a place can stand for all of the passages that it touches', async () => {
  const index = await open(makeFolder());
  const source = await index.addSource('Notes', origin, undefined);
  const text = Array.from({ length: 200 }, (_, i) => `Bird number ${String(i)} waits in the reeds.`).join(
    '\n\n',
  );
  await index.putDocument(source.id, input(text, 'birds.txt'));
  const at = text.indexOf('number 30');
  const [found] = await index.search('number 30', 1);
  const { documentId } = found!;
  const [whole] = index.passagesAt([{ documentId, span: { start: at, end: at + 9 }, whole: true }]);
  assert.ok(
    whole && whole.start < at && whole.end > at + 9 && whole.text.length > 200 && whole.text.length < 2_100,
  );
  assert.equal(whole.text, text.slice(whole.start, whole.end));
});

test('what was put is found, cited to the letter, and gone when its source is removed', async () => {
  const index = await open(makeFolder());
  const source = await index.addSource('Notes', origin, undefined);
  await index.putDocument(
    source.id,
    input('The heron waits in the reeds.\nThe otter does not wait.', 'birds.txt'),
  );
  const [found] = await index.search('Where does the heron wait?', 5);
  assert.ok(found);
  assert.equal(found.documentKey, 'birds.txt');
  const start = found.text.indexOf('The otter');
  const [citation] = index.cite([
    {
      number: 1,
      documentId: found.documentId,
      passage: found,
      span: { start, end: start + 9 },
      quote: 'The otter',
    },
  ]);
  assert.equal(citation?.quote, 'The otter');
  assert.equal(citation.place, 'L2');
  assert.deepEqual(citation.locator, {
    kind: 'lines',
    start: { line: 1, character: 0 },
    end: { line: 1, character: 9 },
  });
  await index.removeSources([source.id]);
  assert.deepEqual(await index.search('heron', 5), []);
  assert.deepEqual(index.find({ documentId: found.documentId, span: { start: 0, end: 3 }, quote: 'The' }), {
    kind: 'removed',
  });
});

test('every citation of any span slices back to exactly its words', async () => {
  const index = await open(makeFolder());
  const source = await index.addSource('Notes', origin, undefined);
  let key = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 400 }),
      fc.nat(400),
      fc.nat(400),
      async (text, a, b) => {
        const name = `${String(key++)}.txt`;
        await index.putDocument(source.id, input(text, name));
        const documentId =
          index.store.documents.stamps(source.id).find((stamp) => stamp.key === name)?.id ?? 0;
        const start = Math.min(a, b) % text.length;
        const end = Math.min(text.length, start + 1 + (Math.max(a, b) % text.length));
        const [citation] = index.cite([
          {
            number: 1,
            documentId,
            passage: { start: 0, end: text.length },
            span: { start, end },
            quote: text.slice(start, end),
          },
        ]);
        assert.equal(citation?.quote, text.slice(start, end));
        assert.equal(index.document(documentId).text, text);
      },
    ),
    { numRuns: 60 },
  );
});

test('what a page says of itself is kept with it', async () => {
  const index = await open(makeFolder());
  const source = await index.addSource('Page', { kind: 'page', url: 'https://example.org/' }, undefined);
  const byline = { author: 'Ada Kern', published: '2024-05-03', canonicalUrl: undefined, language: 'en' };
  const page = input('Seventeen turns are enough for a week.', 'page');
  await index.putDocument(source.id, { ...page, document: { ...page.document, byline } });
  await index.putDocument(source.id, input('No word of who wrote this.', 'plain'));
  const kept = index.store.documents.ofSource(source.id).map((entry) => entry.byline);
  assert.deepEqual(kept, [JSON.parse(JSON.stringify(byline)), undefined]);
});

test('a document that is put again replaces the one before', async () => {
  const index = await open(makeFolder());
  const source = await index.addSource('Notes', origin, undefined);
  await index.putDocument(source.id, input('The lamp is red.', 'lamp.txt'));
  const [before] = await index.search('lamp', 5);
  await index.putDocument(source.id, input('At night the lamp is blue.', 'lamp.txt'));
  const found = await index.search('lamp', 5);
  assert.deepEqual(
    found.map(({ text }) => text),
    ['At night the lamp is blue.'],
  );
  assert.ok(before);
  const words = { documentId: before.documentId, span: { start: 0, end: 11 }, quote: 'The lamp is' };
  assert.equal(index.find(words).kind, 'changed');
  const moved = index.find({ ...words, quote: 'lamp is', span: { start: 4, end: 11 } });
  assert.deepEqual(moved.kind === 'found' && moved.span, { start: 13, end: 20 });
});

test('quoted words are found in this order and nowhere else, in any marks and script', async () => {
  const index = await open(makeFolder());
  const source = await index.addSource('Notes', origin, undefined);
  const texts: Record<string, string> = {
    'both.txt': `The night watch is late. ${'Much else was said there. '.repeat(30)}And the watch by night was "kept".`,
    'order.txt': 'They watch the night. Night after night they watch.',
    'wrapped.txt': 'Nobody kept the Night\n  Watch that week.',
    'hamlet.txt': `To be, or not to be. ${'Words, words, words. '.repeat(40)}`,
    'not.txt': 'Not to be outdone, or to be there.',
    'code.txt': 'The call failed with {"code": "E_NO_TOKEN (-32001)"} again.',
    'chinese.txt': '我们使用分散数据库来保存。',
    'german.txt': 'Die Verbindung wird beendet, und die Sitzung ist damit für alle geschlossen.',
    'part.txt': 'The nightwatch and max_night watchers.',
  };
  for (const [key, text] of Object.entries(texts)) await index.putDocument(source.id, input(text, key));
  const keys = async (question: string): Promise<string[]> =>
    (await index.search(question, 5)).map(({ documentKey }) => documentKey).sort();

  for (const asked of [
    '"night watch"',
    '“NIGHT watch”',
    '«night  watch»',
    'Who kept the „night watch“ then?',
  ])
    assert.deepEqual(await keys(asked), ['both.txt', 'wrapped.txt'], asked);
  for (const found of await index.search('"night watch"', 5)) assert.match(found.text, /night\s+watch/i);
  assert.deepEqual(await keys('What does "to be, or not to be" mean?'), ['hamlet.txt']);
  assert.deepEqual(await keys('"E_NO_TOKEN (-32001)"'), ['code.txt']);
  assert.deepEqual(await keys('「分散数据」'), ['chinese.txt']);
  assert.deepEqual(await keys('"Verbindung wird"'), ['german.txt']);
  assert.deepEqual(await keys('"night watch" and "was \'kept"'), await keys('night watch was kept'));
  assert.deepEqual(await keys('"the watch" "by night"'), ['both.txt']);
  assert.ok((await keys('"watch night owl"')).includes('order.txt'));
  assert.ok((await keys('a 5" night and 6" watch')).includes('order.txt'));
});

test('words are cited as they were read, wherever they stand when the document changed meanwhile', async () => {
  const index = await open(makeFolder());
  const source = await index.addSource('Notes', origin, undefined);
  const lines = 'The bridge is closed.\nThe ferry leaves at nine.';
  await index.putDocument(source.id, input(lines, 'ferry.txt'));
  const documentId = index.store.documents.stamps(source.id)[0]?.id ?? 0;
  const request = {
    number: 1,
    documentId,
    passage: { start: 0, end: lines.length },
    span: { start: 22, end: lines.length },
    quote: 'The ferry leaves at nine.',
  };
  await index.putDocument(source.id, input(`Timetable.\n${lines}`, 'ferry.txt'));
  const [moved] = index.cite([request]);
  assert.equal(moved?.quote, request.quote);
  assert.equal(moved.place, 'L3');
  assert.deepEqual(moved.span, { start: 33, end: 11 + lines.length });
  assert.deepEqual(moved.passage, { start: 11, end: 11 + lines.length });
  await index.putDocument(source.id, input('No ferries.', 'ferry.txt'));
  const [gone] = index.cite([request]);
  assert.equal(gone?.quote, request.quote);
  assert.deepEqual(gone.span, request.span);
  assert.equal(gone.place, 'L1');
  assert.equal(index.find({ documentId, span: request.span, quote: request.quote }).kind, 'changed');
});

/** Spoils what is kept of a document's text. */
function spoilText(folder: string, key: string): void {
  const database = new DatabaseSync(join(folder, 'notebook.sqlite'));
  // Nothing tells of damage as the trigger tells of a change.
  const trigger = database.prepare("SELECT sql FROM sqlite_master WHERE name = 'document_changed'").get();
  database.exec('DROP TRIGGER document_changed');
  database.prepare("UPDATE documents SET text = x'08ffffff' WHERE key = ?").run(key);
  database.exec(String(trigger?.sql));
  database.close();
}

for (const snapshot of ['with', 'without'])
  test(`a document whose text is damaged is passed over and said to be, ${snapshot} a snapshot`, async () => {
    const folder = makeFolder();
    const first = await open(folder);
    const source = await first.addSource('Notes', origin, undefined);
    await first.putDocument(source.id, input('The pear tree blooms in April.', 'pear.txt'));
    await first.putDocument(source.id, input('The plum tree blooms in March.', 'plum.txt'));
    const damagedId = first.store.documents.stamps(source.id).find(({ key }) => key === 'pear.txt')?.id ?? 0;
    await close(first);
    spoilText(folder, 'pear.txt');
    if (snapshot === 'without')
      for (const name of readdirSync(folder)) if (name.endsWith('.snapshot')) rmSync(join(folder, name));

    for (let times = 0; times < 2; times++) {
      const again = await open(folder, silent, { ...settings, size: settings.size + times });
      const found = await again.search('When does the pear tree bloom?', 5);
      assert.deepEqual(
        found.map(({ documentKey }) => documentKey),
        ['plum.txt'],
      );
      await again.catchUp();
      assert.throws(() => again.document(damagedId), { code: 'damaged' });
      const entry = again.store.documents.ofSource(source.id).find(({ key }) => key === 'pear.txt');
      assert.match(entry?.warnings.join() ?? '', /damaged/);
      assert.equal(entry?.passages, 0);
      assert.equal((await again.statistics()).passages, 1);
      await close(again);
    }

    const last = await open(folder);
    assert.equal(last.store.documents.stamps(source.id).find(({ key }) => key === 'pear.txt')?.hash, '');
    await last.putDocument(source.id, input('The pear tree blooms in April.', 'pear.txt'));
    assert.equal((await last.search('pear tree', 1))[0]?.documentKey, 'pear.txt');
  });

test('a notebook opened again answers from its snapshot, and without one', async () => {
  const folder = makeFolder();
  const first = await open(folder);
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
  assert.equal((await second.search('barrel 17', 1))[0]?.documentKey, '17.txt');
  await second.removeDocuments(
    second.store.documents
      .stamps(source.id)
      .filter(({ key }) => key === '17.txt')
      .map(({ id }) => id),
  );
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
    assert.equal((await again.search('barrel 18', 1))[0]?.documentKey, '18.txt');
    assert.ok((await again.search('barrel 17', 50)).every(({ documentKey }) => documentKey !== '17.txt'));
    assert.equal((await again.statistics()).passages, 29);
    await close(again);
  }
});

test('a window that never closed loses nothing that was put', async () => {
  const folder = makeFolder();
  const first = await open(folder);
  const source = await first.addSource('Notes', origin, undefined);
  await first.putDocument(source.id, input('The anchor lies at nine fathoms.', 'anchor.txt'));
  const second = await open(folder);
  assert.equal((await second.search('anchor', 1))[0]?.documentKey, 'anchor.txt');
});

test('two windows on one notebook see what the other adds and removes', async () => {
  const folder = makeFolder();
  const told: string[] = [];
  const first = await open(folder, { ...silent, changed: () => told.push('first') });
  const second = await open(folder, { ...silent, changed: () => told.push('second') });
  const source = await first.addSource('Notes', origin, undefined);
  await Promise.all([
    first.putDocument(source.id, input('The bell rings at noon.', 'bell.txt')),
    second.putDocument(source.id, input('The drum beats at dusk.', 'drum.txt')),
  ]);
  await first.followOthers();
  await second.followOthers();
  for (const index of [first, second]) {
    assert.equal((await index.search('bell noon', 1))[0]?.documentKey, 'bell.txt');
    assert.equal((await index.search('drum dusk', 1))[0]?.documentKey, 'drum.txt');
  }
  assert.deepEqual([...new Set(told)].sort(), ['first', 'second']);
  await second.removeSources([source.id]);
  await first.followOthers();
  assert.deepEqual(await first.search('bell', 5), []);
});

test('other passage settings split everything anew, and citations still hold', async () => {
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
      changed: () => {
        done.resolve(undefined);
      },
    },
    settings,
  );
  await done.promise;
  assert.ok(
    second.store.documents.passagesOf(second.store.documents.stamps(source.id)[0]?.id ?? 0).length > before,
  );
  const [found] = await second.search('sentence number 42', 1);
  assert.ok(found);
  assert.equal(found.text, text.slice(found.start, found.end));
  assert.ok(found.text.length <= 500);
});

test('a source is read by one window at a time', async () => {
  const folder = makeFolder();
  const first = await open(folder);
  const second = await open(folder);
  const { id } = await first.addSource('Notes', origin, undefined);
  assert.equal(first.store.claimSource(id, 'one'), true);
  assert.equal(second.store.claimSource(id, 'two'), false);
  const skipped = { binary: 0, tooLarge: 1, tooShort: 0, failed: 0 };
  const passedOver = [{ path: 'a/film.iso', reason: 'film.iso has 900 MB.' }];
  first.store.finishSource(id, { kind: 'ready' }, skipped, passedOver);
  assert.deepEqual(first.store.passedOver(id), passedOver);
  assert.deepEqual(first.store.sources()[0]?.skipped, skipped);
  assert.equal(second.store.claimSource(id, 'two'), true);
});

test('a database of a newer version is only read, and says so', async () => {
  const folder = makeFolder();
  const first = await open(folder);
  const source = await first.addSource('Notes', origin, undefined);
  await first.putDocument(source.id, input('The key hangs behind the door.', 'key.txt'));
  await close(first);
  const database = new DatabaseSync(join(folder, 'notebook.sqlite'));
  database.exec('PRAGMA user_version = 9999');
  database.close();
  const { index, result } = await NotebookIndex.open(folder, settings, silent);
  opened.add(index);
  assert.equal(result.readOnly, true);
  assert.match(result.notice ?? '', /newer version/);
  assert.equal((await index.search('key', 1))[0]?.documentKey, 'key.txt');
  await assert.rejects(index.putDocument(source.id, input('x', 'y.txt')), { code: 'newer-database' });
});

test('a damaged database is set aside, never deleted, and said to be', async () => {
  const folder = makeFolder();
  writeFileSync(join(folder, 'notebook.sqlite'), 'This was never a database. '.repeat(500));
  const { index, result } = await NotebookIndex.open(folder, settings, silent);
  opened.add(index);
  assert.match(result.notice ?? '', /damaged and has been set aside/);
  assert.ok(readdirSync(folder).some((name) => name.includes('.damaged-')));
  await index.addSource('Notes', origin, input('It works again.'));
  assert.equal((await index.search('works again', 1)).length, 1);
});

test('an index that has to be made anew tells how far it is', async () => {
  const folder = makeFolder();
  const first = await open(folder);
  const source = await first.addSource('Notes', origin, undefined);
  for (let i = 0; i < 300; i++)
    await first.putDocument(source.id, input(`Crate ${String(i)}.`, `${String(i)}.txt`));
  await close(first);
  for (const name of readdirSync(folder)) if (name.endsWith('.snapshot')) rmSync(join(folder, name));
  const told: (readonly [number, number])[] = [];
  const again = await open(folder, { ...silent, indexing: (done, total) => told.push([done, total]) });
  assert.equal((await again.search('crate 250', 1))[0]?.documentKey, '250.txt');
  assert.ok(told.length > 1);
  assert.deepEqual(told.at(-1), [300, 300]);
});

test('a search is narrowed to sources or documents before anything is ranked', async () => {
  const index = await open(makeFolder());
  const birds = await index.addSource('Birds', origin, undefined);
  const fish = await index.addSource('Fish', origin, undefined);
  for (let i = 0; i < 40; i++)
    await index.putDocument(
      birds.id,
      input(`The heron waits, waits and waits ${String(i)}.`, `${String(i)}.txt`),
    );
  await index.putDocument(
    fish.id,
    input('A pike lies in the reeds while some other animal waits.', 'pike.txt'),
  );
  await index.putDocument(fish.id, input('Where the carp waits is not known.', 'carp.txt'));
  const keys = async (...question: Parameters<NotebookIndex['search']>): Promise<string[]> =>
    (await index.search(...question)).map(({ documentKey }) => documentKey).sort();
  const inFish = { kind: 'sources', sourceIds: [fish.id] } as const;
  assert.deepEqual(await keys('Who waits?', 5, undefined, inFish), ['carp.txt', 'pike.txt']);
  assert.deepEqual(await keys('Who "some other animal"?', 5, undefined, inFish), ['pike.txt']);
  assert.deepEqual(await keys('heron', 5, undefined, inFish), []);
  assert.deepEqual(await keys('heron', 5, undefined, { kind: 'sources', sourceIds: [] }), []);
  const [carp] = index.store.documents.at('file:///notes/carp.txt');
  assert.ok(carp);
  const inCarp = { kind: 'documents', documentIds: [carp.id] } as const;
  assert.deepEqual(await keys('Who waits?', 5, undefined, inCarp), ['carp.txt']);
  assert.deepEqual(await keys('Who "some other animal" waits?', 5, undefined, inCarp), ['carp.txt']);
  assert.deepEqual(index.store.documents.at('file:///notes/eel.txt'), []);
});

test('outlines are of the documents asked for, or of one of each source', async () => {
  const index = await open(makeFolder());
  const source = await index.addSource('Birds', origin, undefined);
  const heron = input('# Herons\n\nThey wait.\n\n## Nests\n\nHigh.\n', 'heron.md');
  const document = {
    ...heron.document,
    headings: [
      { offset: 0, level: 1, title: 'Herons' },
      { offset: 22, level: 2, title: 'Nests' },
    ],
  };
  await index.putDocument(source.id, { ...heron, document });
  await index.putDocument(source.id, input('Nothing.', 'other.txt'));
  await index.addSource('Not read', origin, undefined);
  const [outline, ...others] = index.outlines();
  assert.deepEqual(
    [outline?.title, outline?.headings.map(({ title }) => title)],
    ['heron.md', ['Herons', 'Nests']],
  );
  assert.deepEqual(others, []);
  assert.deepEqual(index.outlines([outline?.documentId ?? 0, 999]), [outline]);
});

test('a short page that says its language is found by other forms of its words', async () => {
  const index = await open(makeFolder());
  const origin = { kind: 'page', url: 'https://example.org/' } as const;
  const page = async (text: string, language: string | undefined): Promise<void> => {
    const source = await index.addSource('Page', origin, undefined);
    const byline = { author: undefined, published: undefined, canonicalUrl: undefined, language };
    const { document, ...rest } = input(text);
    await index.putDocument(source.id, { ...rest, document: { ...document, byline } });
  };
  await page('Öffnungszeiten: Laternen, Glocken', 'de');
  await page('Preise: Kutschen, Stege', undefined);
  assert.equal((await index.search('Welche Glocke hängt da?', 5)).length, 1);
  assert.equal((await index.search('Welche Kutsche hängt da?', 5)).length, 0);
});
