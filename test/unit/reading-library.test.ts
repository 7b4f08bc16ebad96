import { plugins } from '@citation-js/core';
import '@citation-js/plugin-bibtex';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { withoutEntry, type CslItem } from '../../src/notebook/bibliography.ts';
import {
  abbreviations,
  entryFiles,
  expandedEntry,
  partBibtex,
} from '../../src/reading/bibliography/bibtex-entries.ts';
import { readLibrary } from '../../src/reading/bibliography/library.ts';
import { readDocument } from '../../src/reading/registry.ts';
import { writeBibtex } from '../../src/exporting/references.ts';
import { assertLinear } from '../support/growth.ts';
import { madeLibrary } from '../support/made-library.ts';
import { close, input, makeFolder, open, origin } from '../support/opened-notebooks.ts';

const readItems = async (text: string): Promise<CslItem[]> =>
  ((await readLibrary(text, 'my.bib'))?.entries ?? []).map(({ item }) => item);

/** Returns all fields of a .bib file's entries as citation-js parses them, before conversion. */
function readFields(text: string): Map<string, unknown> {
  const entries = plugins.input.chain(text, {
    forceType: '@biblatex/text',
    generateGraph: false,
    strict: true,
    maxChainLength: 10,
    target: '@biblatex/entries+list',
  }) as unknown as readonly { readonly type: string; readonly label: string; readonly properties: object }[];
  return new Map(entries.map(({ type, label, properties }) => [label, { type, ...properties }]));
}

test('reads a library with entries of all kinds, and reads it again unchanged after writing it', async () => {
  const text = madeLibrary(455);
  const library = await readLibrary(text, 'my.bib');
  assert.ok(library);
  const items = library.entries.map(({ item }) => item);
  // Every tenth kind adds a second entry.
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
  // Writes the items without their original entries.
  const again = await readItems(await writeBibtex(items.map(withoutEntry)));
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

test('keeps every field of Zotero, JabRef, and Mendeley exports after writing and reading them', async () => {
  for (const name of ['zotero', 'jabref', 'mendeley']) {
    const text = readFileSync(new URL(`../fixtures/bibliography/${name}.bib`, import.meta.url), 'utf8');
    const library = await readLibrary(text, `${name}.bib`);
    assert.ok(library);
    assert.deepEqual(library.warnings, [], name);
    const items = library.entries.map(({ item }) => item);
    const written = await writeBibtex(items);
    const [before, after] = [readFields(text), readFields(written)];
    assert.deepEqual([...after.keys()].toSorted(), [...before.keys()].toSorted());
    for (const [key, fields] of before) assert.deepEqual(after.get(key), fields, `${name}: ${key}`);
    // The output needs no string definitions.
    assert.doesNotMatch(written, /@string/i);
    const byId = (list: readonly CslItem[]): CslItem[] =>
      list.map(withoutEntry).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    assert.deepEqual(byId(await readItems(written)), byId(items));
    assert.deepEqual(
      (await readLibrary(written, 'my.bib'))?.entries.flatMap(({ files }) => files).toSorted(),
      library.entries.flatMap(({ files }) => files).toSorted(),
    );
  }
});

test('reuses a BibTeX entry only if it is valid and belongs to the reference, and never shares it', async () => {
  const item = { id: 'a', type: 'book', title: 'Tides' };
  const entry = '@book{a, title = {Tides}, file = {/home/ada/tides.pdf}}';
  assert.equal(await writeBibtex([{ ...item, custom: { bibtex: entry } }]), `${entry}\n`);
  for (const bibtex of ['@book{b, title = {Other}}', `${entry}\n@book{c, title = {Two}}`, 'no entry', 7]) {
    const written = await writeBibtex([{ ...item, custom: { bibtex } }]);
    assert.match(written, /^@book\{a,\s+title = \{Tides\},?\s+\}\s+$/);
  }
  const index = await open(makeFolder());
  const { id } = await index.addSource('Works', origin, undefined);
  const library = [{ item: { ...item, custom: { bibtex: entry } }, line: 0, files: [] }];
  const { document } = input(entry, 'works.bib');
  await index.putDocument(id, { ...input(entry, 'works.bib'), document: { ...document, library } });
  const { references } = index.store.documents;
  assert.deepEqual(references.byKeys(['a'])[0]?.item.custom, { bibtex: entry });
  const [{ id: documentId } = { id: 0 }] = index.store.documents.at(input(entry, 'works.bib').uri);
  assert.deepEqual(references.portable(documentId).library?.[0]?.item, item);
  await close(index);
});

test('expands abbreviations, but not within words', () => {
  const values = abbreviations(
    '@string{jcs = "Journal of " # {Computing}}\n@STRING(full = jcs # { and More})',
  );
  assert.equal(values.get('full'), '"Journal of " # {Computing} # { and More}');
  assert.equal(
    expandedEntry(
      '@article{jcs, title = {On jcs, year = jcs}, journal = JCS # " 2", note = "jcs" , month = apr}',
      values,
    ),
    '@article{jcs, title = {On jcs, year = jcs}, journal = "Journal of " # {Computing} # " 2", note = "jcs" , month = apr}',
  );
  for (const part of ['a = ', '"', '{', 'jcs # ', '\\'])
    assertLinear((size) => expandedEntry(`@a{${part.repeat(size)}`, values), 2_000);
});

test('reports broken entries with their line and reads the rest', async () => {
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
    'Skipped the entry “open” on line 2 because a closing brace is missing. Add the brace.',
    'Skipped the entry “end” on line 8 because a closing brace is missing. Add the brace.',
    'Skipped the entry “missing” on line 4 because it isn’t valid. Check for a missing comma or brace.',
    'Skipped the entry on line 5 because it has no citation key. Add a key.',
    'The key “good1” on line 6 is a duplicate. Open Notebook uses the first entry with this key.',
  ]);
});

test('reads CSL JSON of Zotero as a library, but no other list', async () => {
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
  assert.deepEqual(read.warnings, ['Skipped entry 3 because it has no ID or no type.']);
  assert.equal(await readLibrary('[{"a": 1}, {"b": 2}]', 'other.json'), undefined);
  assert.equal(await readLibrary('[{"a": 1', 'other.json'), undefined);
  assert.equal(await readLibrary('words', 'notes.md'), undefined);
});

test('reads a library as a document with its file’s text and its entries', async () => {
  const bytes = Buffer.from('@book{a, title={Words of a book}}\n@book{b, title={Cut');
  const { text, library, warnings } = await readDocument({ bytes, name: 'my.bib', minimumLength: 1 }, {});
  assert.ok(text.startsWith('@book{a'));
  assert.equal(library?.length, 1);
  assert.equal(warnings.length, 1);
});

test('names attached files as Zotero and JabRef do', () => {
  assert.deepEqual(
    entryFiles('@a{b, file = {Full Text:C\\:\\\\Users\\\\me\\\\a b.pdf:application/pdf;:x/y.html:HTML}}'),
    ['a b.pdf', 'y.html'],
  );
  assert.deepEqual(entryFiles('@a{b, title={file of files}}'), []);
});

test('splits entries in linear time for any content', () => {
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
