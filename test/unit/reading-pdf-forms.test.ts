import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rounds } from '../support/test-size.mjs';
import { column, type TinyField } from '../support/tiny-pdf.ts';
import { assertRunsAreWords, readPages, findRectangles } from './reading-pdf-fixtures.ts';

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
