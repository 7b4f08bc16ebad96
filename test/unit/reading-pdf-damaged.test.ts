import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { salvage } from '../../src/parsers/pdf/salvage.ts';
import { damaged } from '../support/damaged-pdfs.ts';
import { rounds } from '../support/test-size.mjs';
import { column, tinyPdf } from '../support/tiny-pdf.ts';
import { WatchedPdfReader } from '../support/watched-pdf-reader.ts';
import { fixture, read, readLocked } from './reading-pdf-fixtures.ts';

describe('a PDF with a password', () => {
  test('is rejected without the password and with a wrong one, each with its reason', async () => {
    const bytes = await fixture('encrypted.pdf');
    await assert.rejects(read(bytes), { code: 'encrypted', message: /file\.pdf is password-protected/ });
    await assert.rejects(readLocked(bytes, 'sesame'), {
      code: 'encrypted',
      message: /The password for file\.pdf is incorrect/,
    });
  });

  test('is read with the password like the same PDF without one', async () => {
    const open = await readLocked(await fixture('encrypted.pdf'), 'reader');
    const plain = await read(await fixture('right-to-left.pdf'));
    assert.equal(open.text, plain.text);
    assert.deepEqual(open.map, plain.map);
  });
});

describe('a damaged PDF with a password', () => {
  const locked = async (damage: (file: string) => string): Promise<Uint8Array> =>
    Buffer.from(damage(Buffer.from(await fixture('encrypted.pdf')).toString('latin1')), 'latin1');
  const withoutEnd = (file: string): string => file.slice(0, file.lastIndexOf('xref\n0'));

  test('is read by its pages if it lost its catalog, its table, or its end', async () => {
    const plain = await read(await fixture('right-to-left.pdf'));
    for (const damage of [
      withoutEnd,
      (file: string) => withoutEnd(file).replace('/Type /Catalog', '/Type /Lost'),
      (file: string) => file.slice(0, file.lastIndexOf('trailer')),
    ]) {
      const bytes = await locked(damage);
      await assert.rejects(read(bytes), { code: 'encrypted', message: /is password-protected/ });
      await assert.rejects(readLocked(bytes, 'sesame'), { message: /The password for .* is incorrect/ });
      const { text, map } = await readLocked(bytes, 'reader');
      assert.equal(text, plain.text);
      assert.deepEqual(map, plain.map);
    }
  });

  test('is reported as damaged instead of locked if its content is lost', async () => {
    const contents = await locked((file) =>
      file.replace(
        /(\/Length (?:288|352|944) >>\nstream\n)([^]{200})/g,
        (_, before: string, lost: string) => before + 'x'.repeat(lost.length),
      ),
    );
    await assert.rejects(readLocked(contents, 'reader'), { code: 'damaged', message: /may be damaged/ });
    const key = await locked((file) => file.replace(/\/UE <..../, '/UE <0000'));
    await assert.rejects(readLocked(key, 'reader'), { code: 'damaged', message: /may be damaged/ });
  });

  test('reports that its encryption dictionary is lost', async () => {
    const bytes = await locked((file) => withoutEnd(file).replace('/Filter /Standard', '/Filter /Lost'));
    await assert.rejects(readLocked(bytes, 'reader'), { code: /unsupported|damaged/ });
  });
});

describe('a damaged PDF', () => {
  test('names the pages whose content is lost, but no blank pages', async () => {
    const words = { lines: column(72, 700, ['These are words that stand on a page and go on for a while.']) };
    const file = Buffer.from(tinyPdf({ pages: [words, { lines: [] }, words] })).toString('latin1');
    const last = file.lastIndexOf('>>\nstream\nBT');
    const lost = `${file.slice(0, last)}/Filter /FlateDecode ${file.slice(last)}`;
    const { warnings } = await read(Buffer.from(lost, 'latin1'));
    assert.deepEqual(warnings, ['Page 2 has no text.', 'Skipped page 3 because it’s damaged.']);
  });

  test('is rejected if too little is left', async () => {
    for (const rest of ['', '\nnothing else', '\n1 0 obj\n<< /Type /Page >>', '\n%%EOF'])
      await assert.rejects(read(new TextEncoder().encode(`%PDF-1.7${rest}`)), {
        code: /damaged|too-short/,
        message: /Can’t read file\.pdf as a PDF|file\.pdf has no text/,
      });
  });

  test('is read as far as possible if it is truncated late', async () => {
    const whole = tinyPdf({ pages: [{ lines: column(72, 700, ['All that is left of it.']) }] });
    const { text } = await read(whole.subarray(0, whole.length - 15));
    assert.equal(text, 'All that is left of it.');
  });

  test('is read by its pages without a catalog and object table', async () => {
    const bytes = await fixture('report.pdf');
    const file = Buffer.from(bytes).toString('latin1');
    const lost = file.slice(0, file.lastIndexOf('xref\n0')).replace('/Type /Catalog', '/Type /Lost');
    const whole = await read(bytes);
    const rest = await read(Buffer.from(lost, 'latin1'));
    assert.match(rest.warnings[0] ?? '', /^The file is damaged\. Open Notebook recovered \d+ pages/);
    assert.equal(rest.text, whole.text);
    assert.deepEqual(rest.map, whole.map);
  });

  test('is rejected if its fonts are lost', async () => {
    await assert.rejects(read(await fixture('truncated.pdf')), { code: 'damaged' });
    const glyphs = { lines: column(72, 700, ['\u0001\u0002\u0003 \u0004\u0005']) };
    const words = { lines: column(72, 700, ['These are words.']) };
    await assert.rejects(read(tinyPdf({ pages: [glyphs] })), {
      message: /its fonts don’t identify their characters/,
    });
    const { text, warnings } = await read(tinyPdf({ pages: [words, glyphs] }));
    assert.equal(text, 'These are words.');
    assert.match(
      warnings.join(),
      /^Can’t read the text on page 2 because its fonts don’t identify their characters/,
    );
  });

  test('keeps its page order from the remaining page tree', async () => {
    const lines = ['The third.', 'The first.', 'The second.'].map((text) => ({
      lines: column(72, 700, [text]),
    }));
    const file = new TextDecoder()
      .decode(tinyPdf({ pages: lines }))
      .replace('/Kids [5 0 R 7 0 R 9 0 R]', '/Kids [7 0 R 9 0 R 5 0 R]')
      .replace('/Type /Catalog', '/Type /Lost');
    const { text } = await read(new TextEncoder().encode(file.slice(0, file.lastIndexOf('xref'))));
    assert.equal(text.replace(/\s+/g, ' '), 'The first. The second. The third.');
  });

  test('isn’t salvaged if it is another kind of file, or a bomb', () => {
    assert.equal(
      salvage(new TextEncoder().encode('%PDF-1.7 1 0 obj << /Encrypt 2 0 R /Type /Page >>')),
      undefined,
    );
    assert.equal(salvage(new TextEncoder().encode('1 0 obj\n'.repeat(100_000))), undefined);
  });
});

test('reads or rejects PDFs damaged in many ways without a hang or crash of the worker', async () => {
  const reader = new WatchedPdfReader(20_000);
  const names = ['report.pdf', 'columns.pdf', 'right-to-left.pdf', 'encrypted.pdf'];
  const files = await Promise.all(names.map(fixture));
  // Enough seeds to include each kind of damage.
  const count = rounds(24, 80);
  let isRead = 0;
  for (let seed = 1; seed <= count; seed++) {
    const { bytes, how } = damaged(files[seed % files.length]!, seed);
    const outcome = await reader.run({ kind: 'read', bytes, name: 'damaged.pdf', password: 'reader' });
    const failureContext = `seed ${String(seed)}, ${how}: ${JSON.stringify(outcome).slice(0, 300)}`;
    if (outcome.kind === 'read') isRead++;
    else assert.ok(outcome.kind === 'refused' && outcome.code !== undefined, failureContext);
  }
  await reader.close();
  assert.ok(isRead >= 0.35 * count, `${String(isRead)} of ${String(count)} were read`);
});
