import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Bibliography } from '../../src/core/domain/bibliography.ts';
import { exported, imported } from '../support/exported-notebooks.ts';
import {
  close,
  input,
  makeFolder,
  open,
  origin,
  passageSettings,
  openNew,
} from '../support/opened-notebooks.ts';

const voyager: Bibliography = {
  title: 'Voyager: an open-ended agent',
  authors: [
    { family: 'Wang', givenName: 'Guanzhi' },
    { family: 'Xie', givenName: 'Yuqi' },
  ],
  year: 2023,
  doi: undefined,
  arxiv: '2305.16291',
};

const withWork = (key: string, bibliography: Bibliography | undefined) => {
  const documentInput = input(key, `file:///${key}`);
  return { ...documentInput, document: { ...documentInput.document, bibliography } };
};

test('finds references by key, author, year, and title, and keeps the user’s metadata', async () => {
  const index = await open(makeFolder());
  const { references } = index.store.documents;
  const source = await index.addSource('Voyager', origin, {
    ...withWork('', voyager),
    uri: 'file:///papers/v.pdf',
  });
  const [entry] = index.store.documents.ofSource(source.id);
  assert.ok(entry);
  assert.equal(references.of(entry.id)?.key, 'wang2023voyager');
  for (const words of ['wang', 'xie 2023', 'open-ended', 'wang2023'])
    assert.deepEqual(
      references.find(words, 10).map(({ key }) => key),
      ['wang2023voyager'],
      words,
    );
  assert.deepEqual(references.find('nobody', 10), []);
  assert.equal(references.byKeys(['wang2023voyager'])[0]?.item.URL, 'https://arxiv.org/abs/2305.16291');
  references.edit(entry.id, { ...voyager, year: 2024 });
  // The document has the same metadata when it is read again.
  await index.putDocument(source.id, {
    ...withWork('', voyager),
    uri: 'file:///papers/v.pdf',
    hash: 'other',
  });
  assert.equal(references.of(entry.id)?.key, 'wang2024voyager');
  references.edit(entry.id, undefined);
  assert.equal(references.of(entry.id)?.key, 'wang2023voyager');
  const other = await index.addSource('Twin', origin, withWork('', voyager));
  const [twin] = index.store.documents.ofSource(other.id);
  assert.equal(references.of(twin?.id ?? 0)?.key, 'wang2023voyagerb');
  index.store.removeSources([source.id, other.id]);
  assert.deepEqual(references.find('', 10), []);
  await close(index);
});

test('stores and transfers authors with the keys of CSL', async () => {
  const index = await open(makeFolder());
  const { references } = index.store.documents;
  const source = await index.addSource('Voyager', origin, withWork('', voyager));
  const [entry] = index.store.documents.ofSource(source.id);
  assert.ok(entry);
  references.edit(entry.id, voyager);
  const authors = [
    { family: 'Wang', given: 'Guanzhi' },
    { family: 'Xie', given: 'Yuqi' },
  ];
  const row = index.sql.get(
    `SELECT found -> '$.authors' AS found, edited -> '$.authors' AS edited FROM bibliographies`,
  );
  assert.deepEqual(JSON.parse(String(row?.found)), authors);
  assert.deepEqual(JSON.parse(String(row?.edited)), authors);
  assert.deepEqual(references.toPortable(entry.id).found?.authors, authors);
  assert.deepEqual(references.of(entry.id)?.found, voyager);
  await close(index);
});

test('creates new keys by the pattern in the settings, and keeps existing ones', async () => {
  const { folder, index } = await openNew();
  const { references } = index.store.documents;
  const add = async (title: string, bibliography: Bibliography) => {
    const source = await index.addSource(title, origin, withWork(title, bibliography));
    const [entry] = index.store.documents.ofSource(source.id);
    assert.ok(entry);
    return { source, id: entry.id };
  };
  const first = await add('first', voyager);
  index.setIndexSettings({ ...passageSettings, citationKeys: "auth + '_' + year" });
  await index.putDocument(first.source.id, { ...withWork('first', voyager), hash: 'other' });
  assert.equal(references.of(first.id)?.key, 'wang2023voyager');
  const second = await add('second', voyager);
  const third = await add('third', voyager);
  assert.equal(references.of(second.id)?.key, 'Wang_2023');
  assert.equal(references.of(third.id)?.key, 'Wang_2023b');
  assert.equal(references.byKeys(['Wang_2023'])[0]?.documentId, second.id);
  assert.deepEqual(
    references.find('wang_20', 10).map(({ key }) => key),
    ['Wang_2023', 'Wang_2023b'],
  );
  const copy = await imported(await exported(folder));
  assert.deepEqual(
    copy.store.documents.references
      .find('', 10)
      .map(({ key }) => key)
      .sort(),
    ['Wang_2023', 'Wang_2023b', 'wang2023voyager'],
  );
  await close(index);
});

test('links an entry of a library to its document by file, identifier, or address', async () => {
  const index = await open(makeFolder());
  const { references } = index.store.documents;
  const paper = await index.addSource('Paper', origin, {
    ...withWork('', voyager),
    uri: 'file:///home/me/Zotero/v%20one.pdf',
  });
  const [document] = index.store.documents.ofSource(paper.id);
  const item = (id: string, more: object) => ({
    item: { id, type: 'article', title: id, ...more },
    line: 3,
    files: [],
  });
  const library = [
    { ...item('byFile', {}), files: ['v one.pdf'] },
    item('byNumber', { DOI: '10.48550/arXiv.2305.16291' }),
    item('none', { DOI: '10.1000/1' }),
  ];
  const documentInput = input('', 'file:///my.bib');
  const bib = await index.addSource('my.bib', origin, {
    ...documentInput,
    document: { ...documentInput.document, library },
  });
  const [bibDocument] = index.store.documents.ofSource(bib.id);
  const matches = references.byKeys(['byFile', 'byNumber', 'none', 'unknown']);
  assert.deepEqual(
    matches.map(({ key, documentId }) => [key, documentId]),
    [
      ['byFile', document?.id],
      ['byNumber', document?.id],
      ['none', undefined],
    ],
  );
  assert.deepEqual(matches[0]?.library, { documentId: bibDocument?.id, line: 3 });
  // References of a library precede those from document metadata.
  assert.deepEqual(
    references.find('', 10).map(({ key }) => key),
    ['byFile', 'byNumber', 'none'],
  );
  await index.putDocument(bib.id, {
    ...documentInput,
    hash: 'later',
    document: { ...documentInput.document, library: library.slice(2) },
  });
  assert.deepEqual(references.byKeys(['byFile']), []);
  await close(index);
});

test('finds references among 10,000', async () => {
  const index = await open(makeFolder());
  const library = Array.from({ length: 10_000 }, (_, n) => ({
    item: {
      id: `key${String(n)}`,
      type: 'book',
      title: `The book of number ${String(n)}`,
      author: [{ family: `Writer${String(n % 500)}` }],
    },
    line: n,
    files: [],
  }));
  const documentInput = input('', 'file:///large.bib');
  await index.addSource('large.bib', origin, {
    ...documentInput,
    document: { ...documentInput.document, library },
  });
  const { references } = index.store.documents;
  assert.equal(references.find('writer7', 50).length, 50);
  await close(index);
});
