import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { FormStates, type FieldEdit, type FieldValue } from '../../src/core/domain/form-states.ts';
import { loadPdf, setPdfResources } from '../../src/parsers/pdf/engine.ts';
import { savePdf } from '../../src/parsers/pdf/saving/save-pdf.ts';
import { annotationAt, annotationsIn } from '../support/annotated-pdf.ts';
import { formPdf } from '../support/form-pdf.ts';
import { assertSound } from '../support/other-readers.ts';
import { tinyPdf } from '../support/tiny-pdf.ts';

setPdfResources(join(import.meta.dirname, '../../node_modules/pdfjs-dist'));

const form = formPdf();

const filling: readonly FieldEdit[] = [
  { field: 'name', before: '', after: 'Ada Lovelace' },
  { field: 'town', before: 'London', after: 'Paris' },
  { field: 'married', before: 'Off', after: 'Yes' },
  { field: 'trade', before: 'm', after: 'p' },
  { field: 'languages', before: ['en', 'fr'], after: ['it'] },
  { field: 'remarks', before: '', after: 'First line\nsecond line' },
];

async function saved(
  bytes: Uint8Array,
  fields: readonly FieldEdit[],
  { changes = [], isOverwriting = false }: Partial<Parameters<typeof savePdf>[0]> = {},
) {
  const result = await savePdf({
    content: { kind: 'bytes', bytes },
    name: 'form.pdf',
    changes,
    fields,
    isOverwriting,
  });
  return { ...result, bytes: new Uint8Array(Buffer.concat([bytes, result.tail])) };
}

/** Returns the values of a file's fields, as a new pdf.js instance reads them. */
async function held(bytes: Uint8Array): Promise<Partial<Record<'name' | 'town', FieldValue>>> {
  const task = await loadPdf(bytes);
  try {
    const page = await (await task.promise).getPage(1);
    const all = (await page.getAnnotations()) as { fieldName?: string; fieldValue: FieldValue }[];
    return Object.fromEntries(
      all.flatMap(({ fieldName, fieldValue }) => (fieldName === undefined ? [] : [[fieldName, fieldValue]])),
    );
  } finally {
    await task.destroy();
  }
}

describe('saving form fields at the end of a PDF', () => {
  it('shows the values of every kind of field in this program and in others', async () => {
    const { bytes, conflicts } = await saved(form, filling);
    assert.deepEqual(conflicts, []);
    assert.deepEqual(bytes.subarray(0, form.length), form);
    assert.deepEqual(await held(bytes), {
      name: 'Ada Lovelace',
      town: 'Paris',
      married: 'Yes',
      trade: ['p'],
      languages: ['it'],
      remarks: 'First line\nsecond line',
    });
    await assertSound(bytes, ['Full name', 'Ada Lovelace', 'Paris', 'Poet', 'Italian', 'second line']);
  });

  it('keeps characters of other scripts', async () => {
    const { bytes } = await saved(form, [{ field: 'name', before: '', after: 'Ünal 記憶' }]);
    assert.equal((await held(bytes)).name, 'Ünal 記憶');
  });

  it('saves annotations and fields together, and again after an earlier save', async () => {
    const changes = [{ kind: 'add' as const, key: 'a', annotation: annotationAt(1, [72, 700, 120, 712]) }];
    const once = await saved(form, filling.slice(0, 1), { changes });
    assert.equal((await annotationsIn(once.bytes)).length, 1);
    const twice = await saved(once.bytes, [{ field: 'name', before: 'Ada Lovelace', after: '' }]);
    assert.equal((await annotationsIn(twice.bytes)).length, 1);
    assert.equal((await held(twice.bytes)).name, '');
  });

  it('reports a value from another program, and overwrites it only on request', async () => {
    const theirs = (await saved(form, [{ field: 'town', before: 'London', after: 'Rome' }])).bytes;
    const mine = await saved(theirs, filling);
    assert.deepEqual(mine.conflicts, ['town']);
    assert.equal(mine.tail.length, 0);
    const forced = await saved(theirs, filling, { isOverwriting: true });
    assert.equal((await held(forced.bytes)).town, 'Paris');
    const same = await saved(theirs, [{ field: 'town', before: 'London', after: 'Rome' }]);
    assert.deepEqual(same.conflicts, []);
  });

  it('reports a missing field and a damaged file in one sentence', async () => {
    const other = tinyPdf({ pages: [{ lines: [{ x: 72, y: 700, text: 'No form.' }] }] });
    await assert.rejects(saved(other, filling.slice(0, 1)), {
      code: 'conflict',
      message: /form\.pdf has changed and no longer has the field “name”/,
    });
    await assert.rejects(saved(Buffer.from('This is no PDF.'), filling), {
      code: 'unsupported',
      message: /Can’t save form\.pdf because its form is damaged/,
    });
  });
});

describe('undoing form fields before and after a save', () => {
  const edit: FieldEdit = { field: 'name', before: '', after: 'Ada' };

  it('saves nothing after an undo, and the undo itself after a save', () => {
    const states = new FormStates();
    states.apply(edit);
    assert.deepEqual(states.changes(), [edit]);
    states.undo(edit);
    assert.deepEqual(states.changes(), []);
    states.apply(edit);
    states.markSaved(states.changes());
    assert.deepEqual(states.changes(), []);
    states.undo(edit);
    assert.deepEqual(states.changes(), [{ field: 'name', before: 'Ada', after: '' }]);
    states.revert();
    assert.deepEqual(states.current, [['name', 'Ada']]);
  });

  it('restores values from a backup, and forgets discarded ones', () => {
    const states = new FormStates();
    states.apply(edit);
    const other = new FormStates();
    other.restore(states.backup);
    assert.deepEqual(other.changes(), [edit]);
    other.forget(['name']);
    assert.deepEqual(other.changes(), []);
    assert.deepEqual(other.current, []);
  });
});
