import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { saveAnnotations } from '../../src/parsers/pdf/saving/save-annotations.ts';
import { annotationAt, annotationsIn, asFile } from '../support/annotated-pdf.ts';
import {
  annotatedByPdfium,
  assertSound,
  readByPdfium,
  type WantedOfOther,
} from '../support/other-readers.ts';
import { close, input, makeFolder, open, origin } from '../support/opened-notebooks.ts';
import { column, tinyPdf } from '../support/tiny-pdf.ts';
import {
  annotationBounds,
  mergeAnnotations,
  type AnnotationChange,
} from '../../src/core/domain/annotation.ts';
import { readPdf } from '../../src/parsers/pdf.ts';
import { read, findRectangles } from './reading-pdf-fixtures.ts';

const lines = ['Memory fades within a day unless it is reviewed.', 'Sleep keeps what was learned.'];
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

/** Annotations in the form that another program writes. */
const byOthers = [
  { kind: 'highlight', page: 1, rect: [72, 697, 400, 709], remark: 'Ask Ünal', colour: [255, 0, 0] },
  { kind: 'underline', page: 1, rect: [72, 683, 300, 695] },
  { kind: 'squiggly', page: 1, rect: [72, 683, 102, 695] },
  { kind: 'strikeout', page: 2, rect: [72, 697, 130, 709] },
  { kind: 'note', page: 2, rect: [300, 600, 318, 618], remark: 'Who says so?' },
  { kind: 'box', page: 2, rect: [72, 300, 300, 500], remark: 'The figure of decay' },
  { kind: 'freeText', page: 2, rect: [300, 500, 420, 540], remark: 'Compare with\nEbbinghaus' },
  { kind: 'circle', page: 2, rect: [300, 400, 420, 480], remark: 'A round one' },
  { kind: 'ink', page: 2, rect: [300, 300, 420, 380], remark: 'An arrow' },
  { kind: 'stamp', page: 2, rect: [300, 200, 420, 280], remark: 'Approved' },
  { kind: 'ink', page: 2, rect: [300, 100, 420, 180] },
] as const satisfies readonly WantedOfOther[];

describe('annotations of another program in a PDF', () => {
  it('are listed with kind, location, color, and text, but drawings only with a comment', async () => {
    const annotations = (await annotationsIn(await annotatedByPdfium(plain, byOthers))).map(
      ({ annotation }) => annotation,
    );
    assert.deepEqual(
      annotations.map(({ kind, page, words, remark }) => [kind, page, words, remark]),
      [
        ['highlight', 1, lines[0], 'Ask Ünal'],
        ['underline', 1, lines[1], ''],
        ['squiggly', 1, 'Sleep', ''],
        ['strikeout', 2, 'Nothing else', ''],
        ['note', 2, '', 'Who says so?'],
        ['box', 2, '', 'The figure of decay'],
        ['text', 2, 'Compare with Ebbinghaus', ''],
        ['drawing', 2, '', 'A round one'],
        ['drawing', 2, '', 'An arrow'],
        ['drawing', 2, '', 'Approved'],
      ],
    );
    assert.equal(annotations[0]?.colour, '#ff0000');
    for (const [index, annotation] of annotations.entries()) {
      const { rect = [], kind } = byOthers[index] ?? {};
      // A note is an icon of one size. Half the width of a stroke is outside its path.
      const away = annotationBounds(annotation).map((side, at) => Math.abs(side - (rect[at] ?? NaN)));
      if (kind !== 'note') assert.ok(Math.max(...away) <= 0.5, `${String(kind)}: ${away.join(' ')}`);
    }
  });

  it('are read and found like annotations made in Open Notebook', async () => {
    const document = await read(await annotatedByPdfium(plain, byOthers));
    for (const expectedLine of [
      `Highlighted on p. 1: “${lines[0] ?? ''}” Comment: Ask Ünal`,
      'Comment on p. 2: Who says so?',
      'Written on p. 2: “Compare with Ebbinghaus”',
      'Drawn on p. 2: Comment: An arrow',
    ])
      assert.ok(document.text.includes(expectedLine), document.text);
    const [text] = findRectangles(document, 'Compare with Ebbinghaus');
    assert.deepEqual([text?.page, text?.y, text?.height], [2, 500, 40]);
    const index = await open(makeFolder());
    const { id } = await index.addSource('Book', origin, undefined);
    await index.putDocument(id, { ...input('', 'book.pdf'), document });
    const [first] = await index.passageSearch.places({ words: 'Ebbinghaus' });
    assert.match(first?.passage.text ?? '', /Written on p\. 2/);
    await close(index);
  });

  it('are changed and deleted in place and stay readable for other programs', async () => {
    const theirs = await annotatedByPdfium(plain, byOthers);
    const stored = await annotationsIn(theirs);
    const of = (kind: string) =>
      stored.find(({ annotation }) => annotation.kind === kind) ?? assert.fail(kind);
    const [highlight, note, struck] = [of('highlight'), of('note'), of('strikeout')];
    const save = (all: readonly AnnotationChange[]): Buffer =>
      Buffer.concat([theirs, saveAnnotations(asFile(theirs), all, 'file.pdf', new Date()).tail]);
    const changed = save([
      ...[highlight, note].map(({ ref, annotation }) => ({
        kind: 'change' as const,
        key: ref,
        ref,
        before: annotation,
        annotation: { ...annotation, remark: 'Said anew' },
      })),
      { kind: 'remove', key: struck.ref, ref: struck.ref, before: struck.annotation },
    ]);
    await assertSound(changed, ['Memory fades', 'Nothing else']);
    const wanted = byOthers.flatMap(({ kind, ...more }) =>
      kind === 'strikeout'
        ? []
        : [
            [
              kind,
              kind === 'highlight' || kind === 'note' ? 'Said anew' : 'remark' in more ? more.remark : '',
            ],
          ],
    );
    const { pages } = await readByPdfium(changed);
    const annotations = pages.flatMap(({ annotations }) =>
      annotations.filter(({ kind }) => kind !== 'popup').map(({ kind, remark }) => [kind, remark]),
    );
    assert.deepEqual(annotations.toSorted(), wanted.toSorted());
  });
});

describe('annotations in a PDF', () => {
  it('are read after its text with kind, page, quoted text, and comment', async () => {
    const before = await read(plain);
    const document = await read(Buffer.concat([plain, tail]));
    assert.equal(document.text.slice(0, before.text.length), before.text);
    assert.equal(
      document.text.slice(before.text.length).trim(),
      [
        'Marked text: highlights, underlining, and comments',
        `Highlighted on p. 1: “${lines[0] ?? ''}” Comment: Ask Ünal`,
        'Underlined on p. 2: “Nothing else is known.”',
        'Marked with a box on p. 2: Comment: The figure of decay',
      ].join('\n\n'),
    );
    assert.deepEqual(document.headings.at(-1)?.title, 'Marked text: highlights, underlining, and comments');
    const [box] = findRectangles(document, 'The figure of decay');
    assert.deepEqual([box?.page, box?.y, box?.height], [2, 300, 200]);
  });

  it('are read from the notebook if the file can’t store them', async () => {
    const [first] = changes;
    assert.ok(first);
    const words = lines[0] ?? '';
    const stored = { ...annotationAt(1, [72, 697, 400, 709]), words, remark: 'Kept beside it' };
    const fromFile = { ...first.annotation, words };
    const alone = await readPdf(plain, 'file.pdf', { storedAnnotations: [['a', stored]] });
    assert.match(alone.text, /Highlighted on p\. 1: “Memory fades [^”]+” Comment: Kept beside it$/);
    assert.equal(findRectangles(alone, 'Kept beside it').length, 0);
    // A stored annotation at the same place replaces that of the file, and a deleted one is gone.
    const both = await readPdf(Buffer.concat([plain, tail]), 'file.pdf', {
      storedAnnotations: [['a', stored]],
    });
    assert.doesNotMatch(both.text, /Ask Ünal/);
    assert.deepEqual(mergeAnnotations([{ ref: '12R', annotation: fromFile }], [['12R', null]]), []);
  });

  for (const question of ['What did I mark about memory?', 'What did I highlight about memory?'])
    it(`are found by a question: ${question}`, async () => {
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
      // Marks the last line of the fourth page.
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
      const [first] = await index.passageSearch.places({ words: question });
      assert.match(first?.passage.text ?? '', /Highlighted on p\. 4: “Memory fades within a day/);
      await close(index);
    });
});
