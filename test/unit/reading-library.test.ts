import { plugins } from '@citation-js/core';
import '@citation-js/plugin-bibtex';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import {
  bibliographyOfItem,
  shortName,
  withoutEntry,
  type CslItem,
} from '../../src/core/domain/bibliography.ts';
import {
  abbreviations,
  entryFiles,
  expandedEntry,
  partBibtex,
} from '../../src/parsers/bibliography/bibtex-entries.ts';
import {
  entryArxiv,
  entryFields,
  plainFields,
  readableFields,
} from '../../src/parsers/bibliography/entry-fields.ts';
import { readLibrary } from '../../src/parsers/bibliography/library.ts';
import { readDocument } from '../../src/parsers/registry.ts';
import { writeBibtex } from '../../src/features/export/service/references.ts';
import { assertLinear } from '../support/growth.ts';
import { generateLibrary } from '../support/generate-library.ts';
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
  const text = generateLibrary(455);
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
  assert.deepEqual(references.toPortable(documentId).library?.[0]?.item, item);
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

describe('an entry', () => {
  const readOne = async (fields: string): Promise<CslItem> => {
    const library = await readLibrary(`@article{a, author = {Ek, E.}, year = 2020, ${fields}}`, 'my.bib');
    assert.deepEqual(library?.warnings, []);
    const [entry] = library.entries;
    assert.ok(entry);
    return entry.item;
  };

  for (const [value, title] of [
    ['A cost of $5 million', 'A cost of $5 million'],
    ['Between $5 and US$6 (or 5$)', 'Between $5 and US$6 (or 5$)'],
    ['{A {cost of $5} and} $x_1$', 'A cost of $5 and x₁'],
    ['Mass of $10$ kg, $E = mc^2$, $$n$$, and \\(k\\)', 'Mass of 10 kg, E = mc², n, and k'],
    ['$\\sim$10 at $5^{\\circ}$C and 5$^\\circ$C', '∼10 at 5°C and 5°C'],
    ['\\AA ngstr\\"om, \\aa{}, 5 \\pm 2\\,\\%', 'Ångström, å, 5 ± 2 %'],
    ['Mart\\\'{\\i}nez, na\\"\\i ve, \\v{\\j}, Martı\u0301nez', 'Martínez, naïve, ǰ, Martínez'],
    ['$\\frac{1}{2}$, $\\frac12$, $\\frac{a+b}{c}$', '1/2, 1/2, (a+b)/c'],
    ['$\\mathbb{R}^n$ and \\mbox{text} \\protect and $\\log n$', 'Rⁿ and text and log n'],
    ['\\LaTeX{} and \\TeX\\ and 5\\~{}km', 'LaTeX and TeX and 5~km'],
    ['{\\$}{\\backslash}alpha{\\$} and $\\backslash$beta', 'α and β'],
    ['The \\textit{wrong {nesting} of $a_{b', 'The wrong nesting of $a_b'],
  ] as const)
    test(`is read whatever LaTeX it has: ${value}`, async () => {
      const balanced = value.split('{').length - value.split('}').length;
      const item = await readOne(`title = {${value}${'}'.repeat(balanced)}}`);
      assert.equal(String(item.title).replaceAll(/<[^>]+>/g, ''), title);
    });

  test('keeps signs in addresses', async () => {
    const item = await readOne('url = {https://example.org/a_b$c\\d}, doi = {10.1016/S0140-6736(20)30183-5}');
    assert.equal(item.DOI, '10.1016/S0140-6736(20)30183-5');
    assert.match(String(item.URL), /a_b\$c/);
  });

  test('has no LaTeX in its addresses', async () => {
    const item = await readOne(
      'url = {\\url{https://example.org/a\\_b\\%20c}}, doi = {https://doi.org/10.1000/a{\\_}b}',
    );
    assert.equal(item.URL, 'https://example.org/a_b%20c');
    assert.equal(item.DOI, '10.1000/a_b');
  });

  test('names its journal in full', async () => {
    const item = await readOne('journal = {{\\mnras}}, title = {A}');
    assert.equal(item['container-title'], 'Monthly Notices of the Royal Astronomical Society');
  });

  test('is read without a date that isn’t valid', async () => {
    const item = await readOne('title = {A}, date = {/2020}');
    assert.equal(item.title, 'A');
  });

  test('can have a period without an end', async () => {
    const [item] = await readItems('@book{a, title = {A}, date = {2001-01-02/..}}');
    assert.deepEqual(item?.issued, { 'date-parts': [[2001, 1, 2]] });
  });

  test('can have blanks in its key or after its sign', async () => {
    const items = await readItems('@ book{ek 2020, title = {A}}');
    assert.deepEqual(
      items.map(({ id, title }) => [id, title]),
      [['ek_2020', 'A']],
    );
  });

  for (const [names, expected] of [
    ['Ek, A. and', [{ family: 'Ek', given: 'A.' }]],
    [
      'Ek, A., Bo, B., and Cy, C.',
      [
        { family: 'Ek', given: 'A.' },
        { family: 'Bo', given: 'B.' },
        { family: 'Cy', given: 'C.' },
      ],
    ],
    [
      'Ada Ek & Bo Alm',
      [
        { family: 'Ek', given: 'Ada' },
        { family: 'Alm', given: 'Bo' },
      ],
    ],
    ['Ek, A. et al.', [{ family: 'Ek', given: 'A.' }]],
    ['King, Jr., Martin', [{ family: 'King', given: 'Martin', suffix: 'Jr.' }]],
    ["{\\v{S}}{\\'a}rka Nov{\\'a}kov{\\'a}", [{ family: 'Nováková', given: 'Šárka' }]],
  ] as const)
    test(`has its authors: ${names}`, async () => {
      const [item] = await readItems(`@book{a, title = {A}, author = {${names}}}`);
      assert.deepEqual(item?.author, expected);
    });

  test('can have a key with parentheses', async () => {
    const items = await readItems(
      '@article{doi:10.1016/S0140-6736(20)30183-5, title = {A}}\n@book(b, title = {B})',
    );
    assert.deepEqual(
      items.map(({ id, title }) => [id, title]),
      [
        ['doi:10.1016/S0140-6736(20)30183-5', 'A'],
        ['b', 'B'],
      ],
    );
  });

  test('names people who aren’t listed', async () => {
    for (const others of ['others', '{others}', 'et al.']) {
      const [item] = await readItems(`@book{a, title = {A}, author = {Ek, E. and ${others}}, year = 2020}`);
      assert.ok(item);
      assert.deepEqual(item.author, [{ family: 'Ek', given: 'E.' }]);
      assert.equal(shortName(item), 'Ek et al. (2020)');
    }
  });

  test('can separate names by semicolons', async () => {
    const [item] = await readItems('@book{a, title = {A}, author = {Ek, E.; Alm, A.}}');
    assert.deepEqual(item?.author, [
      { family: 'Ek', given: 'E.' },
      { family: 'Alm', given: 'A.' },
    ]);
  });

  for (const fields of [
    'eprint = {2305.16291}, eprinttype = {arxiv}, eprintclass = {cs.AI}',
    'eprint = {2305.16291v2}, archivePrefix = {arXiv}',
    'journal = {arXiv preprint arXiv:2305.16291}',
    'journal = {CoRR}, volume = {abs/2305.16291}',
    'journal = {arXiv preprint 2305.16291}',
    'journal = {ArXiv}, volume = {2305.16291}',
    'journal = {arXiv e-prints}, pages = {arXiv:2305.16291}',
    'howpublished = {arXiv: 2305.16291 [cs]}',
    'url = {https://arxiv.org/abs/2305.16291}',
  ])
    test(`has its arXiv ID: ${fields}`, async () => {
      assert.equal(bibliographyOfItem(await readOne(`title = {A}, ${fields}`)).arxiv, '2305.16291');
    });

  test('inherits the fields of other entries', async () => {
    const library = await readLibrary(
      [
        '@xdata{house, publisher = {Quay Press}, xdata = {place}}',
        '@xdata{place, location = {Lund}, xdata = {house}}',
        '@xdata{year, date = {2019}, title = {No}}',
        '@book{a, title = {A}, xdata = {house, year}}',
        '@set{both, entryset = {a, b}}',
      ].join('\n'),
      'my.bib',
    );
    assert.deepEqual(library?.warnings, []);
    assert.deepEqual(
      library.entries.map(({ item, line }) => [
        item.id,
        item.title,
        item.publisher,
        item['publisher-place'],
        line,
      ]),
      [['a', 'A', 'Quay Press', 'Lund', 3]],
    );
    assert.match(JSON.stringify(library.entries[0]?.item.custom), /@book\{a,[^]*Quay Press[^]*2019/);
  });

  test('is read in linear time whatever its fields are', () => {
    for (const part of ['$', '\\frac{', "\\'", ' et', ',', ' and ', '\\url{', '\\~'])
      assertLinear((size) => {
        const fields = entryFields(`@a{b, author = {${part.repeat(size)}}}`) ?? [
          { name: 'title', value: part.repeat(size) },
        ];
        plainFields(readableFields(fields, new Set()));
        entryArxiv(fields);
      }, 500);
  });
});
