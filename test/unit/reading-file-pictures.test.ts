import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JUPYTER_TYPE } from '../../src/core/domain/media-types.ts';
import { pictureIn } from '../../src/parsers/file-pictures.ts';
import { DOCX_TYPE } from '../../src/parsers/office/docx.ts';
import { NotebookError } from '../../src/core/domain/errors.ts';
import { makeZip } from '../../src/features/export/service/zip.ts';

const png = Uint8Array.from(Buffer.from('89504e470d0a1a0a', 'hex'));

const cells = (...outputs: readonly object[]): Uint8Array =>
  Buffer.from(
    JSON.stringify({
      nbformat: 4,
      cells: [
        { cell_type: 'markdown', source: '' },
        { cell_type: 'code', source: 'plot()', outputs },
      ],
    }),
  );

test('finds an image in the output of a Jupyter cell', () => {
  const drawn = cells(
    { output_type: 'stream', text: 'done' },
    {
      data: {
        'image/png': [Buffer.from(png).toString('base64'), '\n'],
        'text/plain': '<Figure size 1x1 with 1 Axes>',
      },
    },
    { data: { 'image/svg+xml': ['<svg/>'] } },
  );
  const take = (output: number | undefined): ReturnType<typeof pictureIn> =>
    pictureIn(drawn, 'a.ipynb', JUPYTER_TYPE, { kind: 'cell', cell: 1, output });
  assert.deepEqual(take(1), { mediaType: 'image/png', bytes: png });
  assert.deepEqual(take(undefined), { mediaType: 'image/png', bytes: png });
  assert.equal(take(2)?.mediaType, 'image/svg+xml');
  for (const output of [0, 3, -4]) assert.equal(take(output), undefined);
  assert.equal(pictureIn(drawn, 'a.ipynb', JUPYTER_TYPE, { kind: 'cell', cell: 9, output: 0 }), undefined);
  assert.throws(
    () =>
      pictureIn(Buffer.from('{"cells": ['), 'a.ipynb', JUPYTER_TYPE, { kind: 'cell', cell: 0, output: 0 }),
    NotebookError,
  );
});

/** Returns a Word file of paragraphs. A number stands for a paragraph with that image. */
function docx(...paragraphs: readonly (number | string)[]): Uint8Array {
  const body = paragraphs.map((one) =>
    typeof one === 'number'
      ? `<w:p><w:r><w:drawing><a:blip r:embed="rId${String(one)}"/></w:drawing></w:r></w:p>`
      : `<w:p><w:r><w:t>${one.slice(0, 5)}</w:t></w:r><w:r><w:t>${one.slice(5)}</w:t></w:r></w:p>`,
  );
  const relation = (id: string, type: string, target: string): string =>
    `<Relationship Id="${id}" Type="http://x/${type}" Target="${target}"/>`;
  return makeZip({
    '_rels/.rels': `<Relationships>${relation('rId1', 'officeDocument', 'word/document.xml')}</Relationships>`,
    'word/document.xml': `<w:document><w:body>${body.join('')}</w:body></w:document>`,
    'word/_rels/document.xml.rels': `<Relationships>${relation('rId1', 'image', 'media/image1.png')}${relation('rId2', 'image', 'media/image2.jpeg')}${relation('rId3', 'image', 'media/image3.emf')}</Relationships>`,
    'word/media/image1.png': png,
    'word/media/image2.jpeg': Uint8Array.from([0xff, 0xd8]),
    'word/media/image3.emf': Uint8Array.from([1]),
  });
}

test('finds an image of a Word file by the caption next to it, the one before it first', () => {
  const take = (file: Uint8Array, words: string): string | undefined =>
    pictureIn(file, 'a.docx', DOCX_TYPE, { kind: 'caption', words })?.mediaType;
  const file = docx(
    'Text.',
    1,
    'Figure 1: The *pump*',
    2,
    'Figure 2: The gate',
    'More text.',
    'And more.',
    'Figure 9: Nothing',
  );
  assert.equal(take(file, 'Figure 1: The \\*pump\\*'), 'image/png');
  assert.equal(take(file, 'Figure 2: The gate'), 'image/jpeg');
  assert.equal(take(file, 'Figure 9: Nothing'), undefined);
  assert.equal(take(file, 'Figure 7'), undefined);
  assert.equal(take(file, '…'), undefined);
  assert.equal(take(docx('Figure 1: Below', 2), 'Figure 1: Below'), 'image/jpeg');
  assert.equal(take(docx(3, 'Figure 1: A drawing of Windows'), 'Figure 1: A drawing of Windows'), undefined);
});
