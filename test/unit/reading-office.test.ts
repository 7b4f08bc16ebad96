import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import type { ReadDocument } from '../../src/core/domain/document.ts';
import { locate, formatLocator } from '../../src/core/domain/locator.ts';
import { isOpenedAsReading } from '../../src/core/domain/media-types.ts';
import { containerFormats } from '../../src/parsers/formats.ts';
import { numberKind, numberText } from '../../src/parsers/office/number-format.ts';
import { columnIndex, columnName } from '../../src/parsers/office/sheet-writer.ts';
import { readDocument } from '../../src/parsers/registry.ts';
import { makeZip } from '../../src/features/export/service/zip.ts';
import { docx, paragraph, relation, relations, word, xlsx } from '../support/office-files.ts';
import { rounds } from '../support/test-size.mjs';

const folder = new URL('../fixtures/reading/office/', import.meta.url);

const fixture = async (name: string): Promise<Uint8Array> =>
  new Uint8Array(await readFile(new URL(name, folder)));

const read = (bytes: Uint8Array, name: string): Promise<ReadDocument> =>
  readDocument({ bytes, name, minimumLength: 1 }, {});

/** Returns the location of some words, as a citation shows it. */
const placeIn = ({ text, map, headings }: ReadDocument, first: string, last = first): string => {
  const start = text.indexOf(first);
  const end = text.indexOf(last, start) + last.length;
  assert.ok(start >= 0 && end > start, `${first} … ${last}`);
  const locator = locate(text, map, { start, end });
  if (locator.kind === 'saved')
    assert.equal(text.slice(locator.span.start, locator.span.end), text.slice(start, end));
  return formatLocator(
    locator,
    headings.filter(({ offset }) => offset <= start).map(({ title }) => title),
  );
};

describe('fixtures match the reviewed text', () => {
  for (const name of readdirSync(folder).filter((one) => !one.endsWith('.md')))
    test(name, async () => {
      const { text, title, warnings, mediaType, map } = await read(await fixture(name), name);
      assert.deepEqual(
        warnings,
        name === 'letter.eml'
          ? ['Attachments weren’t read. Save them, then add them as separate sources.']
          : [],
      );
      assert.equal(isOpenedAsReading(mediaType), map.kind === 'saved');
      const expected = await readFile(new URL(`${name}.md`, folder), 'utf8');
      assert.equal(`<!-- ${title ?? ''} -->\n${text}\n`, expected);
    });
});

describe('citations name the location', () => {
  test('names the heading in a Word file', async () => {
    const document = await read(await fixture('ferry.docx'), 'ferry.docx');
    assert.equal(placeIn(document, 'salt', 'drifting ice'), 'Winter');
  });

  test('names slides with their title in a PowerPoint file', async () => {
    const document = await read(await fixture('orchard.pptx'), 'orchard.pptx');
    assert.equal(placeIn(document, '31 kilograms'), 'slide 2: Yield by variety');
    const open = await read(await fixture('orchard.odp'), 'orchard.odp');
    assert.equal(placeIn(open, '31 kilograms'), 'slide 2: Yield by variety');
    assert.equal(placeIn(document, 'Rubinette', 'in the barn'), 'slide 2: Yield by variety – slide 3');
  });

  test('names sheet and cells in an Excel file, and repeats the header above every row', async () => {
    const document = await read(await fixture('stores.xlsx'), 'stores.xlsx');
    assert.equal(placeIn(document, 'Barograph 50'), 'Instruments!A53:D53');
    assert.equal(placeIn(document, 'Barograph 50', 'Rain gauge 52'), 'Instruments!A53:D55');
    assert.equal(placeIn(document, 'Town library'), 'Loans!B3:D3');
    const open = await read(await fixture('stores.ods'), 'stores.ods');
    assert.equal(placeIn(open, 'Barograph 50', 'Rain gauge 52'), 'Instruments!A53:D55');
    assert.equal(placeIn(document, 'Stores of the weather'), 'Instruments!A1');
    for (const piece of document.text.split('\n\n').filter((block) => block.startsWith('| ')))
      assert.match(piece, /^\| (?:Instrument \| Shelf|Borrower) /);
  });

  test('names the cell and its line in a Jupyter notebook', async () => {
    const document = await read(await fixture('tides.ipynb'), 'tides.ipynb');
    const notebook = JSON.parse(new TextDecoder().decode(await fixture('tides.ipynb'))) as {
      cells: { source: string | string[] }[];
    };
    for (const words of ['sum(levels) / len', 'A surge is', 'len(surges)', 'The gauge in the old']) {
      const start = document.text.indexOf(words);
      const locator = locate(document.text, document.map, { start, end: start + words.length });
      assert.ok(locator.kind === 'cell');
      const source = notebook.cells[locator.cell]?.source ?? '';
      const lines = (typeof source === 'string' ? source : source.join('')).split('\n');
      assert.equal(locator.start.line, locator.end.line);
      assert.equal(lines[locator.start.line]?.slice(locator.start.character, locator.end.character), words);
    }
    for (const [words, output, line] of [
      ['88.1 cm', 0, 1],
      ['7 surges since', 0, 0],
      ['29 February', 1, 0],
    ] as const) {
      const start = document.text.indexOf(words);
      const locator = locate(document.text, document.map, { start, end: start + words.length });
      assert.ok(locator.kind === 'cell' && locator.output === output && locator.start.line === line, words);
    }
    assert.equal(placeIn(document, '7 surges since'), 'cell 4, output');
    assert.equal(placeIn(document, 'len(surges)', '7 surges since'), 'cell 4');
    assert.equal(placeIn(document, 'mean level {', 'A surge is'), 'cell 2');
  });
});

describe('Word files', () => {
  test('keep headings, numbered lists, and links, but no contents, deletions, or old copies', async () => {
    const style = (id: string, name: string, more = ''): string =>
      `<w:style w:styleId="${id}"><w:name w:val="${name}"/>${more}</w:style>`;
    const heading = (id: string): string => `<w:pStyle w:val="${id}"/>`;
    const item = (level: number): string =>
      `<w:numPr><w:ilvl w:val="${String(level)}"/><w:numId w:val="3"/></w:numPr>`;
    const { text, headings, title } = await read(
      docx(
        [
          paragraph('On <b> tags', heading('Title')).replace('<b>', '&lt;b&gt;'),
          paragraph('Contents … 3', heading('TOC1')),
          paragraph('First part', heading('berschrift1')),
          paragraph('Open the valve.', item(0)),
          paragraph('Slowly.', item(1)),
          paragraph('Close it.', item(0)),
          '<w:p><w:hyperlink r:id="rId9"><w:r><w:t>The *manual*</w:t></w:r></w:hyperlink><w:del><w:r><w:delText>gone</w:delText><w:t>gone</w:t></w:r></w:del><w:ins><w:r><w:t xml:space="preserve"> says so</w:t></w:r></w:ins><w:r><mc:AlternateContent><mc:Choice><w:drawing><wp:docPr descr="A red valve"/></w:drawing></mc:Choice><mc:Fallback><w:t>again</w:t></mc:Fallback></mc:AlternateContent></w:r></w:p>',
        ].join(''),
        {
          'word/styles.xml': `<w:styles>${style('Title', 'Title')}${style('TOC1', 'toc 1')}${style('berschrift1', 'heading 1')}</w:styles>`,
          'word/numbering.xml':
            '<w:numbering><w:abstractNum w:abstractNumId="7"><w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/></w:lvl><w:lvl w:ilvl="1"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum><w:num w:numId="3"><w:abstractNumId w:val="7"/></w:num></w:numbering>',
          'word/_rels/document.xml.rels': relations(
            relation('rId1', 'styles', 'styles.xml'),
            relation('rId2', 'numbering', 'numbering.xml'),
            '<Relationship Id="rId9" Type="x/hyperlink" Target="https://example.org/a (b)" TargetMode="External"/>',
          ),
        },
      ),
      'valve.docx',
    );
    assert.equal(
      text,
      '# On \\<b> tags\n\n## First part\n\n1. Open the valve.\n   - Slowly.\n2. Close it.\n\n[The \\*manual\\*](https://example.org/a%20%28b%29) says so A red valve',
    );
    assert.equal(title, 'On <b> tags');
    assert.deepEqual(
      headings.map(({ level, title: words }) => [level, words]),
      [
        [1, 'On <b> tags'],
        [2, 'First part'],
      ],
    );
  });
});

describe('Excel files', () => {
  test('show dates, percentages, and times of day as people write them', () => {
    assert.equal(numberText(45352, numberKind(14, undefined), false), '2024-03-01');
    assert.equal(numberText(45352.75, numberKind(164, 'dd/mm/yyyy hh:mm'), false), '2024-03-01 18:00');
    assert.equal(numberText(43890, 'date', true), '2024-03-01');
    assert.equal(numberText(59, 'date', false), '1900-02-28');
    assert.equal(numberText(0.125, numberKind(10, undefined), false), '12.5%');
    assert.equal(numberText(0.5, numberKind(20, undefined), false), '12:00');
    assert.equal(numberText(0.1 + 0.2, 'number', false), '0.3');
    assert.equal(numberKind(165, '#,##0.00 [$€-407];[Red]-#,##0.00 "days"'), 'number');
    assert.equal(numberText(1e300, 'date', false), '1e+300');
  });

  test('name columns by letters', () => {
    for (const [index, name] of [
      [0, 'A'],
      [25, 'Z'],
      [26, 'AA'],
      [701, 'ZZ'],
      [702, 'AAA'],
      [16383, 'XFD'],
    ] as const) {
      assert.equal(columnName(index), name);
      assert.equal(columnIndex(name), index);
    }
  });

  test('are cut with a warning if they have too many columns', async () => {
    const cells = Array.from({ length: rounds(20_000, 200_000) }, () => word('', 'x')).join('');
    const { warnings, text } = await read(
      xlsx(`<row r="1">${cells}</row><row r="2">${cells}</row>`),
      'wide.xlsx',
    );
    assert.deepEqual(warnings, ['Data: Only the first 500 columns were read.']);
    assert.ok(text.length < 10_000);
  });

  test('name each cell if a header would fill a passage by itself', async () => {
    const row = (number: number, words: (i: number) => string): string =>
      `<row r="${String(number)}">${Array.from({ length: 60 }, (_, i) => word('', words(i))).join('')}</row>`;
    const document = await read(
      xlsx(row(1, (i) => `Measure ${String(i)}`) + row(2, (i) => `v${String(i)}`)),
      'wide.xlsx',
    );
    assert.match(document.text, /^Measure 0: v0; Measure 1: v1; .*Measure 59: v59$/m);
    assert.equal(placeIn(document, 'Measure 41: v41'), 'Data!A2:BH2');
  });
});

describe('hostile and broken files are rejected in one sentence', () => {
  const refusals: readonly (readonly [what: string, code: string, name: string, bytes: () => Uint8Array])[] =
    [
      ['an archive', 'binary', 'all.zip', () => makeZip({ 'a.txt': 'a' })],
      ['an archive called a document', 'damaged', 'all.docx', () => makeZip({ 'a.txt': 'a' })],
      ['a document without words', 'empty', 'blank.docx', () => docx(paragraph(' '))],
      ['a workbook without cells', 'empty', 'blank.xlsx', () => xlsx('')],
      [
        'a zip bomb',
        'too-large',
        'bomb.docx',
        () => docx('', { 'word/document.xml': '<w>'.padEnd(120 * 2 ** 20, 'a') }),
      ],
      ['XML nested a hundred thousand deep', 'damaged', 'deep.docx', () => docx('<w:p>'.repeat(100_000))],
      [
        'a password',
        'encrypted',
        'secret.docx',
        () => Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1),
      ],
      [
        'an old format',
        'unsupported',
        'old.doc',
        () => Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1),
      ],
      ['no notebook', 'damaged', 'a.ipynb', () => new TextEncoder().encode('{"cells": 3}')],
      ['a list', 'damaged', 'a.ipynb', () => new TextEncoder().encode('[{"cells": []}]')],
      ['an old notebook', 'unsupported', 'a.ipynb', () => new TextEncoder().encode('{"worksheets": []}')],
      ['a notebook cut off', 'damaged', 'a.ipynb', () => new TextEncoder().encode('{"cells": [')],
      ['a text called a document', 'damaged', 'a.docx', () => new TextEncoder().encode('plain words')],
    ];
  for (const [what, code, name, bytes] of refusals)
    test(what, async () => {
      await assert.rejects(read(bytes(), name), (error: Error & { code: string }) => {
        assert.equal(error.code, code, error.message);
        assert.match(error.message, /^\S+ [^\n]+[.]$/);
        return true;
      });
    });

  test('skips invalid cells and keeps the numbers of the others', async () => {
    const cells = [
      null,
      7,
      { cell_type: 1, source: { words: 'none' }, outputs: {} },
      {
        cell_type: 'code',
        source: ['le', 3, 'vels'],
        outputs: [null, { text: 7 }, { data: [] }, { text: '88 cm' }],
      },
    ];
    const json = JSON.stringify({ cells, metadata: { language_info: [], kernelspec: { language: 'R' } } });
    const document = await read(new TextEncoder().encode(json), 'a.ipynb');
    assert.equal(document.text, '```r\nlevels\n```\n\n```text\n88 cm\n```');
    const start = document.text.indexOf('88 cm');
    const locator = locate(document.text, document.map, { start, end: start + 5 });
    assert.ok(locator.kind === 'cell' && locator.cell === 3 && locator.output === 3);
  });

  test('doesn’t expand an entity bomb', async () => {
    const entities = Array.from(
      { length: 20 },
      (_, i) => `<!ENTITY e${String(i + 1)} "&e${String(i)};&e${String(i)};">`,
    );
    const { text } = await read(
      docx('', {
        'word/document.xml': `<?xml version="1.0"?><!DOCTYPE w [<!ENTITY e0 "ha">${entities.join('')}<!ENTITY x SYSTEM "file:///etc/passwd">]><w:document><w:body>${paragraph('&e20; and &x; &amp;')}</w:body></w:document>`,
      }),
      'bomb.docx',
    );
    assert.equal(text, '&e20; and &x; &');
  });

  test('rejects a file that is truncated anywhere', async () => {
    const containers = containerFormats.map(({ endings }) => endings[0] ?? '');
    for (const name of readdirSync(folder)) {
      if (!containers.some((ending) => name.endsWith(`.${ending}`))) continue;
      const whole = await fixture(name);
      for (const share of [0.1, 0.5, 0.9, 0.999])
        await assert.rejects(read(whole.subarray(0, Math.floor(whole.length * share)), name), {
          name: 'NotebookError',
        });
    }
  });

  test('reads or rejects a file with any byte changed', async () => {
    for (const name of readdirSync(folder).filter((one) => !one.endsWith('.md'))) {
      const whole = await fixture(name);
      for (let at = 3; at < whole.length; at += Math.ceil(whole.length / rounds(10, 40))) {
        const bytes = whole.slice();
        bytes[at] = (bytes[at] ?? 0) ^ 0x55;
        await read(bytes, name).catch((error: unknown) => {
          assert.equal((error as Error).name, 'NotebookError', `${name}: ${String(error)}`);
        });
      }
    }
  });
});

test('has its title above each chapter of a book that doesn’t begin with it', async () => {
  const book = (chapter: string): Uint8Array =>
    makeZip({
      mimetype: 'application/epub+zip',
      'META-INF/container.xml':
        '<container><rootfiles><rootfile full-path="book.opf"/></rootfiles></container>',
      'book.opf':
        '<package><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/>' +
        '<item id="toc" href="toc.xhtml" media-type="application/xhtml+xml" properties="nav"/></manifest>' +
        '<spine><itemref idref="a"/></spine></package>',
      'toc.xhtml':
        '<html><body><nav epub:type="toc"><ol><li><a href="a.xhtml">Lamps</a></li></ol></nav></body></html>',
      'a.xhtml': `<html><body>${chapter}</body></html>`,
    });
  const headingsIn = async (chapter: string): Promise<readonly string[]> =>
    (await read(book(chapter), 'a.epub')).headings.map(({ title }) => title);
  assert.deepEqual(await headingsIn('<pre># fill the lamp\nfill 9</pre><p>They burn.</p>'), ['Lamps']);
  assert.deepEqual(await headingsIn('<h1>Of Lamps</h1><p>They burn.</p>'), ['Of Lamps']);
});
