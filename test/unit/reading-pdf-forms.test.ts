import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { rounds } from '../support/test-size.mjs';
import { column, tinyPdf, type TinyField } from '../support/tiny-pdf.ts';
import { assertRunsAreWords, read, readPages, findRectangles } from './reading-pdf-fixtures.ts';

const field = (y: number, name: string, entries: string): TinyField => ({
  rect: [200, y, 400, y + 16],
  name,
  entries,
});
const APPEARANCES = '/AP << /N << /Yes << >> /Off << >> >> >>';

test('reads the values of form fields in their places and locates them', async () => {
  const document = await readPages({
    lines: [
      { x: 72, y: 704, text: 'Full name' },
      { x: 72, y: 664, text: 'Where you live' },
      { x: 72, y: 560, text: 'Signed in June.' },
    ],
    fields: [
      field(700, 'name', '/TU (Full name) /FT /Tx /V (Ada Lovelace)'),
      field(660, 'form1[0].City_of_birth[0]', '/FT /Tx /V (London)'),
      field(630, 'married', `/FT /Btn /V /Yes /AS /Yes ${APPEARANCES}`),
      field(610, 'retired', `/FT /Btn /V /Off /AS /Off ${APPEARANCES}`),
      field(590, 'Trade', '/FT /Ch /Ff 131072 /V (m) /Opt [[(m) (Mathematician)] [(p) (Poet)]]'),
      field(570, 'empty', '/FT /Tx'),
    ],
  });
  assert.match(document.text, /Full name\s(?:\| )?Ada Lovelace/);
  assert.match(document.text, /Where you live\s(?:\| )?City of birth: London/);
  assert.match(document.text, /☒ married/);
  assert.match(document.text, /Trade: Mathematician[\s\S]*Signed in June\./);
  assert.doesNotMatch(document.text, /retired|empty/);
  assertRunsAreWords(document);
  const [box] = findRectangles(document, 'Ada Lovelace');
  assert.ok(box && box.x >= 199 && box.x + box.width <= 401 && box.y >= 699 && box.y + box.height <= 717);
});

test('keeps the lines of a field below each other', async () => {
  const document = await readPages({
    lines: column(72, 740, ['What happened:']),
    fields: [
      {
        rect: [72, 600, 500, 700],
        name: 'f1_02',
        entries: '/FT /Tx /Ff 4096 /V (A pipe broke.\\rWater ran out.)',
      },
    ],
  });
  assert.match(document.text, /A pipe broke\.\s+Water ran out\./);
  const [first] = findRectangles(document, 'pipe');
  const [second] = findRectangles(document, 'Water');
  assert.ok(first && second && first.y > second.y && second.y >= 599);
});

test('excludes passwords and hidden fields, and accepts a PDF with only a form', async () => {
  const document = await readPages({
    lines: [],
    fields: [
      field(700, 'Pass', '/FT /Tx /Ff 8192 /V (secret)'),
      { ...field(680, 'Away', '/FT /Tx /V (hidden)'), entries: '/F 2 /FT /Tx /V (hidden)' },
      field(660, 'Town', '/FT /Tx /V (Paris)'),
    ],
  });
  assert.equal(document.text, 'Town: Paris');
});

test('reads hostile forms within limits', async () => {
  const many = Array.from({ length: rounds(2_000, 10_000) }, (_, index) => ({
    ...field(20 + (index % 700), `n${String(index)}`, '/FT /Tx /V (word)'),
  }));
  const crowded = await readPages({ lines: column(72, 740, ['A crowd']), fields: many });
  assert.ok(crowded.text.includes('word') && crowded.text.length < 300_000);
  const own = await readPages({
    lines: column(72, 740, ['A ring']),
    fields: [field(700, 'Ring', '/Parent {self} /Kids [{self}] /FT /Tx /V (round)')],
  });
  assert.ok(own.text.includes('A ring'));
  const huge = await readPages({
    lines: column(72, 740, ['Much']),
    fields: [field(700, 'Huge', `/FT /Tx /V (${'much '.repeat(200_000)})`)],
  });
  assert.ok(huge.text.length < 25_000);
});

describe('a dynamic form', () => {
  const placeholder = {
    lines: column(72, 700, [
      'Please wait... If this message is not eventually replaced with the proper',
      'contents of the document, your PDF viewer may not be able to display it.',
    ]),
  };
  const stream = (content: string): string =>
    `<< /Length ${String(content.length)} >>\nstream\n${content}\nendstream`;
  const draw = (text: string, more = ''): string =>
    `<draw w="300pt" h="20pt" ${more}><value><text>${text}</text></value></draw>`;
  const formField = (name: string, caption: string, ui: string, rest = ''): string =>
    `<field name="${name}" w="300pt" h="20pt"><ui>${ui}</ui><caption reserve="80pt"><value><text>${caption}</text></value></caption>${rest}</field>`;
  const items = (...values: readonly string[]): string =>
    `<items>${values.map((value) => `<text>${value}</text>`).join('')}</items>`;
  const template = `<template xmlns="http://www.xfa.org/schema/xfa-template/3.0/"><subform name="form" layout="tb"><pageSet><pageArea><contentArea h="700pt" w="500pt" x="20pt" y="20pt"/><medium stock="letter" short="612pt" long="792pt"/></pageArea></pageSet>${[
    draw('The ferry form asks for your name.'),
    draw('Nobody sees this.', 'presence="hidden"'),
    formField('name', 'Name', '<textEdit/>'),
    formField('boat', 'Kind of boat:', '<choiceList/>', items('Brig', 'Sloop')),
    formField('crew', 'With crew', '<checkButton/>', items('yes', 'no')),
    formField('dog', 'With dog', '<checkButton/>', items('yes', 'no')),
  ].join('')}</subform></template>`;
  const data =
    '<xfa:datasets xmlns:xfa="http://www.xfa.org/schema/xfa-data/1.0/"><xfa:data><form><name>Ada</name><boat>Sloop</boat><crew>yes</crew><dog>no</dog></form></xfa:data></xfa:datasets>';
  const head = '<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/">';
  const text =
    'The ferry form asks for your name.\n\nName: Ada\n\nKind of boat: Sloop\n\n☒ With crew\n\n☐ With dog';
  const dynamic = (xfa: string, objects: readonly string[]) =>
    tinyPdf({
      pages: [placeholder],
      catalog: `/AcroForm << /XFA ${xfa} /Fields [] >> /NeedsRendering true`,
      objects,
    });

  for (const [kind, xfa, objects] of [
    ['one stream', '{0}', [`${head}${template}${data}</xdp:xdp>`]],
    [
      'several streams',
      '[(xdp:xdp) {0} (template) {1} (datasets) {2} (</xdp:xdp>) {3}]',
      [head, template, data, '</xdp:xdp>'],
    ],
  ] as const)
    test(`in ${kind} is read with the values of its fields`, async () => {
      const document = await read(dynamic(xfa, objects.map(stream)));
      assert.equal(document.text, text);
      assert.match(document.warnings.join('\n'), /^This PDF is a dynamic form \(XFA\)/);
      assertRunsAreWords(document);
    });

  test('that can’t be read is reported', async () => {
    const document = await read(dynamic('{0}', [stream('<broken')]));
    assert.match(document.warnings.join('\n'), /^Can’t read this dynamic form \(XFA\)/);
  });
});

describe('attached files', () => {
  const file = (name: string): string => `<< /Type /Filespec /F (${name}) /EF << /F {0} >> >>`;
  const objects = ['<< /Length 4 /Type /EmbeddedFile >>\nstream\ntext\nendstream'];
  const names = (all: readonly string[]): string =>
    `/Names << /EmbeddedFiles << /Names [${all.map((name) => `(${name}) ${file(name)}`).join(' ')}] >> >>`;
  const collection = '/Collection << /Type /Collection /View /D >>';
  const cover = { lines: column(72, 700, ['Open this portfolio in another program.']) };

  test('of a portfolio are named', async () => {
    const document = await read(
      tinyPdf({ pages: [cover], catalog: `${collection} ${names(['plan.pdf', 'ships.xlsx'])}`, objects }),
    );
    assert.deepEqual(document.warnings, [
      'This PDF is a portfolio whose files weren’t read: plan.pdf, ships.xlsx. Save them from a PDF viewer, then add them as separate sources.',
    ]);
  });

  test('of a portfolio without text are named in the error', async () => {
    await assert.rejects(
      read(tinyPdf({ pages: [{ lines: [] }], catalog: `${collection} ${names(['plan.pdf'])}`, objects })),
      { code: 'too-short', message: /is a portfolio without text of its own.* sources: plan\.pdf\.$/ },
    );
  });

  test('of a text are named, the first twenty of many', async () => {
    const many = Array.from({ length: 23 }, (_, index) => `table-${String(index + 10)}.csv`);
    const { text, warnings } = await read(tinyPdf({ pages: [cover], catalog: names(many), objects }));
    assert.equal(text, 'Open this portfolio in another program.');
    assert.match(
      warnings.join('\n'),
      /^Attached files weren’t read: table-10\.csv, .*table-29\.csv, and 3 more\. Save them/,
    );
  });
});
