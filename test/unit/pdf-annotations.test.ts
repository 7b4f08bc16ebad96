import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Annotation, AnnotationChange } from '../../src/core/domain/annotation.ts';
import { saveAnnotations, savableAnnotations } from '../../src/parsers/pdf/saving/save-annotations.ts';
import { annotationAt, annotationsIn, asFile } from '../support/annotated-pdf.ts';
import { assertSound, readByPdfium, rewrittenByQpdf } from '../support/other-readers.ts';
import { column, tinyPdf } from '../support/tiny-pdf.ts';
import { fixture } from './reading-pdf-fixtures.ts';

const date = new Date('2026-03-04T05:06:07Z');

const plain = tinyPdf({
  pages: Array.from({ length: 3 }, (_, index) => ({
    lines: column(72, 700, [`Page ${String(index + 1)} tells of memory.`, 'It tells of nothing else.']),
  })),
});

const packed = await rewrittenByQpdf(plain);

function saved(bytes: Uint8Array, changes: readonly AnnotationChange[]): Buffer {
  return Buffer.concat([bytes, saveAnnotations(asFile(bytes), changes, 'file.pdf', date).tail]);
}

function add(key: string, annotation: Annotation): AnnotationChange {
  return { kind: 'add', key, annotation };
}

/** Asserts that other programs find no errors. */
async function assertWhole(bytes: Uint8Array): Promise<void> {
  await assertSound(bytes, ['Page 1 tells of memory']);
}

const memory = annotationAt(1, [140, 698, 190, 710], { remark: 'Ask Ünal: 記憶?' });
const kinds: readonly Annotation[] = [
  memory,
  annotationAt(1, [72, 685, 120, 697], { kind: 'underline', colour: '#9dd0ff' }),
  annotationAt(2, [60, 400, 300, 600], { kind: 'box', colour: '#ffb3d1', remark: '(a) \\ b' }),
  annotationAt(3, [72, 698, 100, 710], { kind: 'strikeout', colour: '#a3e58f' }),
];

describe('saving annotations at the end of a PDF', () => {
  for (const [name, bytes] of [
    ['with a table', plain],
    ['with packed objects', packed],
  ] as const) {
    it(`${name}, and other programs read them unchanged`, async () => {
      const all = saved(
        bytes,
        kinds.map((annotation, index) => add(String(index), annotation)),
      );
      assert.deepEqual(all.subarray(0, bytes.length), Buffer.from(bytes));
      await assertWhole(all);
      const stored = await annotationsIn(all);
      assert.deepEqual(
        stored.map(({ annotation: { kind, page, colour, remark } }) => ({ kind, page, colour, remark })),
        kinds.map(({ kind, page, colour, remark }) => ({ kind, page, colour, remark })),
      );
      assert.equal(stored[0]?.annotation.words, 'memory.');
      const { pages } = await readByPdfium(all);
      assert.deepEqual(
        pages.flatMap(({ annotations }, index) =>
          annotations.map(({ kind, colour, remark, quads, hasLook }) => ({
            kind,
            page: index + 1,
            colour,
            remark,
            quads,
            hasLook,
          })),
        ),
        kinds.map(({ kind, page, colour, remark, quads }) => ({
          kind,
          page,
          colour,
          remark,
          quads: kind === 'box' ? [] : quads,
          hasLook: true,
        })),
      );
    });
  }

  it('changes and deletes them in later saves, wherever they are', async () => {
    const { tail, refs } = saveAnnotations(
      asFile(plain),
      [add('a', memory), add('b', annotationAt(1, [72, 685, 120, 697]))],
      'file.pdf',
      date,
    );
    const first = Buffer.concat([plain, tail]);
    const changed = { ...memory, colour: '#a3e58f', remark: '' };
    const second = saved(first, [
      { kind: 'change', key: 'a', ref: refs.a ?? '', before: memory, annotation: changed },
      // Another program changed its object number.
      { kind: 'remove', key: 'b', ref: '999R', before: annotationAt(1, [72, 685, 120, 697]) },
    ]);
    await assertWhole(second);
    const annotations = await annotationsIn(second);
    assert.deepEqual(
      annotations.map(({ annotation }) => [annotation.colour, annotation.remark]),
      [['#a3e58f', '']],
    );
    const third = saved(second, [{ kind: 'remove', key: 'a', ref: refs.a ?? '', before: changed }]);
    assert.deepEqual(await annotationsIn(third), []);
    // A deleted annotation stays deleted, and a missing one that is changed is added again.
    const fourth = saved(third, [
      { kind: 'remove', key: 'a', ref: refs.a ?? '', before: changed },
      { kind: 'change', key: 'b', ref: '5R', before: memory, annotation: memory },
    ]);
    assert.equal((await annotationsIn(fourth)).length, 1);
    await assertWhole(fourth);
  });

  it('handles junk before the header, a missing line break, and a page’s own annotation list', async () => {
    const linked = tinyPdf({
      pages: [{ lines: column(72, 700, ['Page 1 tells of memory.']), link: 'https://example.org' }],
    });
    const shifted = Buffer.concat([Buffer.from('junk\n'), linked.subarray(0, linked.length - 1)]);
    const all = saved(shifted, [add('a', memory)]);
    await assertWhole(all.subarray(5));
    assert.equal((await annotationsIn(all)).length, 1);
    assert.match(all.toString('latin1').slice(shifted.length), /example\.org/);
  });

  it('reads only a small part of a large file', () => {
    const large = tinyPdf({
      pages: Array.from({ length: 400 }, () => ({
        lines: column(72, 700, Array<string>(200).fill('Every valve is opened by hand.')),
      })),
    });
    const file = asFile(large);
    saveAnnotations(file, [add('a', annotationAt(400, [72, 700, 90, 710]))], 'file.pdf', date);
    assert.ok(large.length > 4_000_000);
    assert.ok(file.count < large.length / 2, `${String(file.count)} bytes were read`);
  });
});

describe('a PDF that can’t store annotations', () => {
  it('reports the reason', async () => {
    assert.deepEqual(savableAnnotations(asFile(plain)), { kind: 'yes', isSigned: false });
    assert.deepEqual(savableAnnotations(asFile(await fixture('encrypted.pdf'))), {
      kind: 'no',
      reason: 'encrypted',
    });
    assert.deepEqual(savableAnnotations(asFile(await fixture('truncated.pdf'))), {
      kind: 'no',
      reason: 'damaged',
    });
    assert.deepEqual(savableAnnotations(asFile(Buffer.from('This is no PDF.'))), {
      kind: 'no',
      reason: 'damaged',
    });
    const signed = Buffer.from(plain).toString('latin1');
    const at = (entry: string): Uint8Array =>
      Buffer.from(`${entry}\nstartxref\n${String(entry.indexOf('xref'))}\n%%EOF`, 'latin1');
    const objects = signed.slice(0, signed.indexOf('xref\n0'));
    const catalog = (more: string): Uint8Array => {
      const number = 90;
      const file = `${objects}${String(number)} 0 obj\n<< /Type /Catalog /Pages 2 0 R ${more} >>\nendobj\n`;
      const table = signed.slice(signed.indexOf('xref\n0'), signed.indexOf('trailer'));
      return at(
        `${file}${table}${String(number)} 1\n${String(objects.length).padStart(10, '0')} 00000 n \ntrailer\n<< /Size 91 /Root 90 0 R >>`,
      );
    };
    assert.deepEqual(savableAnnotations(asFile(catalog('/AcroForm << /SigFlags 3 >>'))), {
      kind: 'yes',
      isSigned: true,
    });
    const locked =
      '/Perms << /DocMDP << /Type /Sig /Reference [<< /TransformMethod /DocMDP /TransformParams << /P 1 >> >>] >> >>';
    assert.deepEqual(savableAnnotations(asFile(catalog(locked))), {
      kind: 'no',
      reason: 'forbidden',
      mayBeFilledIn: false,
    });
    assert.throws(() => saveAnnotations(asFile(Buffer.from('no')), [add('a', memory)], 'a.pdf', date), {
      code: 'unsupported',
      message: /Can’t save a\.pdf because it isn’t a valid PDF/,
    });
  });
});
