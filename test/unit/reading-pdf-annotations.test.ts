import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { saveAnnotations } from '../../src/reading/pdf/saving/save-annotations.ts';
import { annotationAt, asFile } from '../support/annotated-pdf.ts';
import { close, input, makeFolder, open, origin } from '../support/opened-notebooks.ts';
import { column, tinyPdf } from '../support/tiny-pdf.ts';
import { annotationsWanted } from '../../src/notebook/annotation.ts';
import { readPdf } from '../../src/reading/pdf.ts';
import { read, rectanglesOf } from './reading-pdf-fixtures.ts';

const lines = ['Memory fades within a day unless it is called up again.', 'Sleep keeps what was learned.'];
const plain = tinyPdf({
  pages: [{ lines: column(72, 700, lines) }, { lines: column(72, 700, ['Nothing else is known.']) }],
});
const changes = [
  annotationAt(1, [72, 697, 400, 709], { remark: 'Ask Ünal' }),
  annotationAt(2, [72, 697, 300, 709], { kind: 'underline' }),
  annotationAt(2, [72, 300, 300, 500], { kind: 'box', remark: 'The figure of decay' }),
  annotationAt(2, [72, 100, 300, 200], { kind: 'box' }),
].map((annotation, index) => ({ kind: 'add' as const, key: String(index), annotation }));
const { tail } = saveAnnotations(asFile(plain), changes, 'file.pdf', new Date());

describe('What is marked in a PDF', () => {
  it('is read behind its text, with its kind, its page, its words and what is said of it', async () => {
    const before = await read(plain);
    const document = await read(Buffer.concat([plain, tail]));
    assert.equal(document.text.slice(0, before.text.length), before.text);
    assert.equal(
      document.text.slice(before.text.length).trim(),
      [
        'What was marked: highlights, underlined words and remarks',
        `Highlighted on p. 1: “${lines[0] ?? ''}” Remark: Ask Ünal`,
        'Underlined on p. 2: “Nothing else is known.”',
        'Marked with a box on p. 2: Remark: The figure of decay',
      ].join('\n\n'),
    );
    assert.deepEqual(
      document.headings.at(-1)?.title,
      'What was marked: highlights, underlined words and remarks',
    );
    const [box] = rectanglesOf(document, 'The figure of decay');
    assert.deepEqual([box?.page, box?.y, box?.height], [2, 300, 200]);
  });

  it('is read from the notebook where that keeps what the file cannot hold', async () => {
    const [first] = changes;
    assert.ok(first);
    const words = lines[0] ?? '';
    const kept = { ...annotationAt(1, [72, 697, 400, 709]), words, remark: 'Kept beside it' };
    const fromFile = { ...first.annotation, words };
    const alone = await readPdf(plain, 'file.pdf', { kept: [['a', kept]] });
    assert.match(alone.text, /Highlighted on p\. 1: “Memory fades [^”]+” Remark: Kept beside it$/);
    assert.equal(rectanglesOf(alone, 'Kept beside it').length, 0);
    // One that stands at the same place is that of the file, changed; one that is to be gone is gone.
    const both = await readPdf(Buffer.concat([plain, tail]), 'file.pdf', { kept: [['a', kept]] });
    assert.doesNotMatch(both.text, /Ask Ünal/);
    assert.deepEqual(annotationsWanted([{ ref: '12R', annotation: fromFile }], [['12R', null]]), []);
  });

  for (const question of ['What did I mark about memory?', 'What did I highlight about memory?'])
    it(`is found as such by a question: ${question}`, async () => {
      const filler = (page: number): string[] =>
        Array.from(
          { length: 30 },
          (_, i) => `Line ${String(page)}.${String(i)} tells of memory and of sleep, at some length.`,
        );
      const book = tinyPdf({
        pages: Array.from({ length: 6 }, (_, page) => ({
          lines: column(72, 700, page === 3 ? [...filler(page), lines[0] ?? ''] : filler(page)),
        })),
      });
      // The last line of the fourth page.
      const mark = annotationAt(4, [72, 322, 400, 334], { remark: 'Ask Ünal' });
      const saved = saveAnnotations(
        asFile(book),
        [{ kind: 'add', key: 'a', annotation: mark }],
        'b.pdf',
        new Date(),
      );
      const index = await open(makeFolder());
      const { id } = await index.addSource('Book', origin, undefined);
      const document = await read(Buffer.concat([book, saved.tail]));
      await index.putDocument(id, { ...input('', 'book.pdf'), document });
      const [first] = await index.places({ words: question });
      assert.match(first?.passage.text ?? '', /Highlighted on p\. 4: “Memory fades within a day/);
      await close(index);
    });
});
