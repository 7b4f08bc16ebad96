import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { CslItem } from '../../src/notebook/bibliography.ts';
import { entryFiles, partBibtex } from '../../src/reading/bibliography/bibtex-entries.ts';
import { readLibrary } from '../../src/reading/bibliography/library.ts';
import { readDocument } from '../../src/reading/registry.ts';
import { writeBibtex } from '../../src/exporting/references.ts';
import { assertLinear } from '../support/growth.ts';
import { madeLibrary } from '../support/made-library.ts';

const itemsOf = async (text: string): Promise<CslItem[]> =>
  ((await readLibrary(text, 'my.bib'))?.entries ?? []).map(({ item }) => item);

test('a library of 500 entries of all kinds is read whole, and is the same once it was written and read again', async () => {
  const text = madeLibrary(455);
  const library = await readLibrary(text, 'my.bib');
  assert.ok(library);
  const items = library.entries.map(({ item }) => item);
  // Each tenth kind brings a second entry.
  assert.equal(items.length, 501);
  assert.deepEqual(library.warnings, []);
  const [first] = library.entries;
  assert.ok(first);
  assert.equal(first.item.id, 'key0');
  assert.equal(first.item.title, 'The DNA of things, part 0: x₁ & more');
  assert.equal(first.item['container-title'], 'Journal of Computer Science');
  assert.deepEqual(first.files, ['paper 0.pdf']);
  assert.equal(text.split('\n')[first.line]?.startsWith('@article{key0'), true);
  const conference = items.find(({ id }) => id === 'conf-2');
  assert.equal(conference?.['container-title'], 'Proceedings of the 2th Meeting');
  const again = await itemsOf(await writeBibtex(items));
  const ids = (list: readonly CslItem[]): string[] => list.map(({ id }) => id);
  assert.deepEqual(ids(again), ids(items));
  const kept = [
    'type',
    'title',
    'author',
    'editor',
    'issued',
    'DOI',
    'URL',
    'container-title',
    'volume',
    'page',
    'publisher',
  ];
  const changed = items.flatMap((item, index) =>
    kept.flatMap((name) => {
      const [before, after] = [item[name], again[index]?.[name]].map((value) => JSON.stringify(value));
      return before === after ? [] : [`${item.id} ${name}: ${String(before)} → ${String(after)}`];
    }),
  );
  assert.deepEqual(changed.slice(0, 12), []);
});

test('what is broken is named with its line, and the rest is read', async () => {
  const text = [
    '@article{good1, title={First}, year=2000}',
    '@article{open, title={Never closed, year=2001}',
    '@article{good2, title={Second}, year=2002}',
    '@article{missing, title={No comma} year=2003}',
    '@article{, title={No key}}',
    '@article{good1, title={Again}}',
    '@book{good3, title={Third}, year=2004}',
    '@article{end, title={Cut off',
  ].join('\n');
  const library = await readLibrary(text, 'my.bib');
  assert.deepEqual(
    library?.entries.map(({ item, line }) => [item.id, line]),
    [
      ['good1', 0],
      ['good2', 2],
      ['good3', 6],
    ],
  );
  assert.deepEqual(library.warnings, [
    'The entry “open” in line 2 does not end and was passed over; close its braces.',
    'The entry “end” in line 8 does not end and was passed over; close its braces.',
    'The entry “missing” in line 4 can’t be read and was passed over; look for a missing comma or brace.',
    'The entry in line 5 has no key and was passed over; give it one.',
    'The key “good1” in line 6 was used before; the first entry counts.',
  ]);
});

test('Zotero’s CSL JSON is a library, and other lists are none', async () => {
  const csl = [
    {
      id: 'http://zotero.org/1',
      'citation-key': 'wang2023',
      type: 'article-journal',
      title: 'A',
      issued: { 'date-parts': [['2023']] },
    },
    { id: 7, type: 'book', title: 'B' },
    { title: 'No id' },
  ];
  const read = await readLibrary(JSON.stringify(csl, undefined, 2), 'library.json');
  assert.deepEqual(
    read?.entries.map(({ item }) => item.id),
    ['wang2023', '7'],
  );
  assert.deepEqual(read.warnings, ['Entry 3 has no id or no type and was passed over.']);
  assert.equal(await readLibrary('[{"a": 1}, {"b": 2}]', 'other.json'), undefined);
  assert.equal(await readLibrary('[{"a": 1', 'other.json'), undefined);
  assert.equal(await readLibrary('words', 'notes.md'), undefined);
});

test('a library is a source whose text is its file, with its entries beside', async () => {
  const bytes = Buffer.from('@book{a, title={Words of a book}}\n@book{b, title={Cut');
  const { text, library, warnings } = await readDocument({ bytes, name: 'my.bib', minimumLength: 1 }, {});
  assert.ok(text.startsWith('@book{a'));
  assert.equal(library?.length, 1);
  assert.equal(warnings.length, 1);
});

test('files are named as Zotero and JabRef name them', () => {
  assert.deepEqual(
    entryFiles('@a{b, file = {Full Text:C\\:\\\\Users\\\\me\\\\a b.pdf:application/pdf;:x/y.html:HTML}}'),
    ['a b.pdf', 'y.html'],
  );
  assert.deepEqual(entryFiles('@a{b, title={file of files}}'), []);
});

test('entries are parted in time that grows with the file, whatever stands there', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('@a{', '@b(', '{', '}', ')', '\n', '\\', '"', 'k,', '=', '@')),
      (parts) => {
        const { entries } = partBibtex(parts.join(''));
        for (const { text } of entries) assert.ok(parts.join('').includes(text));
      },
    ),
  );
  for (const part of ['@a{b, {', '@a{b}\n', '\n@a{', '@a(', '{}'])
    assertLinear((size) => partBibtex(part.repeat(size)), 2_000);
});
