import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { PassageSearch } from '../../src/index/search/passage-search.ts';
import { input, makeFolder, open, origin } from '../support/opened-notebooks.ts';
import { rounds } from '../support/test-size.mjs';

test('returns the passage at a location, within the document, and skips missing ones', async () => {
  const index = await open(makeFolder());
  const source = await index.addSource('Notes', origin, undefined);
  await index.putDocument(source.id, input('The heron waits in the reeds.', 'birds.txt'));
  const [found] = await index.passageSearch.search('heron', 5);
  const { documentId } = found!;
  const [passage, ...others] = index.passageSearch.passagesAt([
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

test('finds and cites an added text exactly, until its source is deleted', async () => {
  const index = await open(makeFolder());
  const source = await index.addSource('Notes', origin, undefined);
  await index.putDocument(
    source.id,
    input('The heron waits in the reeds.\nThe otter does not wait.', 'birds.txt'),
  );
  const [found] = await index.passageSearch.search('Where does the heron wait?', 5);
  assert.ok(found);
  assert.equal(found.documentKey, 'birds.txt');
  const start = found.text.indexOf('The otter');
  const [citation] = index.cited.cite([
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
  await index.change(() => {
    index.store.removeSources([source.id]);
  });
  assert.deepEqual(await index.passageSearch.search('heron', 5), []);
  assert.deepEqual(
    index.cited.find({ documentId: found.documentId, span: { start: 0, end: 3 }, quote: 'The' }),
    {
      kind: 'removed',
    },
  );
});

test('matches every citation with the exact text of its span', async () => {
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
        const [citation] = index.cited.cite([
          {
            number: 1,
            documentId,
            passage: { start: 0, end: text.length },
            span: { start, end },
            quote: text.slice(start, end),
          },
        ]);
        assert.equal(citation?.quote, text.slice(start, end));
        assert.equal(index.cited.document(documentId).text, text);
      },
    ),
    { numRuns: rounds(20, 60) },
  );
});

test('stores the metadata of a page with it', async () => {
  const index = await open(makeFolder());
  const source = await index.addSource('Page', { kind: 'page', url: 'https://example.org/' }, undefined);
  const byline = { author: 'Ada Kern', published: '2024-05-03', canonicalUrl: undefined, language: 'en' };
  const page = input('Seventeen turns are enough for a week.', 'page');
  await index.putDocument(source.id, { ...page, document: { ...page.document, byline } });
  await index.putDocument(source.id, input('No word of who wrote this.', 'plain'));
  const bylines = index.store.documents.ofSource(source.id).map((entry) => entry.byline);
  assert.deepEqual(bylines, [byline, undefined]);
});

test('replaces a document that is added again', async () => {
  const index = await open(makeFolder());
  const source = await index.addSource('Notes', origin, undefined);
  await index.putDocument(source.id, input('The lamp is red.', 'lamp.txt'));
  const [before] = await index.passageSearch.search('lamp', 5);
  await index.putDocument(source.id, input('At night the lamp is blue.', 'lamp.txt'));
  const passages = await index.passageSearch.search('lamp', 5);
  assert.deepEqual(
    passages.map(({ text }) => text),
    ['At night the lamp is blue.'],
  );
  assert.ok(before);
  const words = { documentId: before.documentId, span: { start: 0, end: 11 }, quote: 'The lamp is' };
  assert.equal(index.cited.find(words).kind, 'changed');
  const moved = index.cited.find({ ...words, quote: 'lamp is', span: { start: 4, end: 11 } });
  assert.deepEqual(moved.kind === 'found' && moved.span, { start: 13, end: 20 });
});

test('finds quoted words only in their order, with any quotation marks and script', async () => {
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
    (await index.passageSearch.search(question, 5)).map(({ documentKey }) => documentKey).sort();

  for (const query of [
    '"night watch"',
    '“NIGHT watch”',
    '«night  watch»',
    'Who kept the „night watch“ then?',
  ])
    assert.deepEqual(await keys(query), ['both.txt', 'wrapped.txt'], query);
  for (const passage of await index.passageSearch.search('"night watch"', 5))
    assert.match(passage.text, /night\s+watch/i);
  assert.deepEqual(await keys('What does "to be, or not to be" mean?'), ['hamlet.txt']);
  assert.deepEqual(await keys('"E_NO_TOKEN (-32001)"'), ['code.txt']);
  assert.deepEqual(await keys('「分散数据」'), ['chinese.txt']);
  assert.deepEqual(await keys('"Verbindung wird"'), ['german.txt']);
  assert.deepEqual(await keys('"night watch" and "was \'kept"'), await keys('night watch was kept'));
  assert.deepEqual(await keys('"the watch" "by night"'), ['both.txt']);
  assert.ok((await keys('"watch night owl"')).includes('order.txt'));
  assert.ok((await keys('a 5" night and 6" watch')).includes('order.txt'));
});

test('cites words as they were read when the document changed meanwhile', async () => {
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
  const [moved] = index.cited.cite([request]);
  assert.equal(moved?.quote, request.quote);
  assert.equal(moved.place, 'L3');
  assert.deepEqual(moved.span, { start: 33, end: 11 + lines.length });
  assert.deepEqual(moved.passage, { start: 11, end: 11 + lines.length });
  await index.putDocument(source.id, input('No ferries.', 'ferry.txt'));
  const [missingCitation] = index.cited.cite([request]);
  assert.equal(missingCitation?.quote, request.quote);
  assert.deepEqual(missingCitation.span, request.span);
  assert.equal(missingCitation.place, 'L1');
  assert.equal(index.cited.find({ documentId, span: request.span, quote: request.quote }).kind, 'changed');
  // The same holds for a deleted document if the request says what it was.
  await index.change(() => {
    index.store.removeSources([source.id]);
  });
  assert.throws(() => index.cited.cite([request]), { code: 'not-found' });
  const readIn = { sourceId: source.id, title: 'ferry.txt', place: 'Timetable' };
  const [removed] = index.cited.cite([{ ...request, readIn }]);
  assert.ok(removed);
  assert.deepEqual(
    [removed.quote, removed.title, removed.place, removed.uri],
    [request.quote, 'ferry.txt', 'Timetable', ''],
  );
  assert.equal(index.cited.surroundings(removed), undefined);
});

test('names the folder of a cited file if another folder has one of the same path', async () => {
  const index = await open(makeFolder());
  const cite = async (title: string): Promise<string | undefined> => {
    const folder = { kind: 'folder', uri: `file:///${title}`, excluded: [] } as const;
    const { id } = await index.addSource(title, folder, undefined);
    const text = `The lighthouse of ${title} is kept by Ada Brandt.`;
    await index.putDocument(id, { ...input(text, 'keeper.md'), key: 'docs/keeper.md' });
    const documentId = index.store.documents.stamps(id)[0]?.id ?? 0;
    const span = { start: 0, end: text.length };
    return index.cited.cite([{ number: 1, documentId, passage: span, span, quote: text }])[0]?.title;
  };
  assert.equal(await cite('alpha'), 'docs/keeper.md');
  assert.equal(await cite('beta'), 'beta/docs/keeper.md');
});

test('limits a search to sources or documents before ranking', async () => {
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
  const keys = async (...question: Parameters<PassageSearch['search']>): Promise<string[]> =>
    (await index.passageSearch.search(...question)).map(({ documentKey }) => documentKey).sort();
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

test('returns outlines of the requested documents, or one per source', async () => {
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
  const [outline, ...others] = index.cited.outlines();
  assert.deepEqual(
    [outline?.title, outline?.headings.map(({ title }) => title)],
    ['heron.md', ['Herons', 'Nests']],
  );
  assert.deepEqual(others, []);
  assert.deepEqual(index.cited.outlines([outline?.documentId ?? 0, 999]), [outline]);
});

test('finds other word forms in a short page, even if it declares no language', async () => {
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
  assert.equal((await index.passageSearch.search('Welche Glocke hängt da?', 5)).length, 1);
  assert.equal((await index.passageSearch.search('Welche Kutsche hängt da?', 5)).length, 1);
});
