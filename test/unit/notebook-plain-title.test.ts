import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainTitle } from '../../src/core/domain/plain-title.ts';
import { input, makeFolder, open } from '../support/opened-notebooks.ts';

test('removes bidirectional and invisible characters from a title, but no words of any language', () => {
  assert.equal(plainTitle('invoice\u202Efdp.exe'), 'invoicefdp.exe');
  assert.equal(plainTitle('\u2067a\u2069\u200B\uFEFFb\u0007\u009F\r\n c\u2028d'), 'ab c d');
  assert.equal(plainTitle('a\u{E0061}\u{E007F}b'), 'ab');
  for (const title of [
    'שלום עולם',
    'مرحبا بالعالم',
    'می\u200Cخواهم',
    'क्\u200Dष',
    '👩\u200D🌾 garden',
    'Gärten & Söhne',
    '中文',
  ])
    assert.equal(plainTitle(title), title);
});

test('imports titles in a form that can be shown', async () => {
  const index = await open(makeFolder());
  const plain = input('Barrels hold apples.', 'a.txt');
  const document = { ...plain, document: { ...plain.document, title: 'Two\u202Eeno' } };
  const source = await index.addSource('Good\u202Eexe.pdf', { kind: 'text' }, document);
  assert.equal(source.title, 'Goodexe.pdf');
  assert.equal(index.store.documents.ofSource(source.id)[0]?.title, 'Twoeno');
  index.store.renameSource(source.id, 'A\u2066b\nc');
  assert.equal(index.store.sources()[0]?.title, 'Ab c');
});
