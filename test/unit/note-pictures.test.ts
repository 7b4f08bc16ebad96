import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeHtml } from '../../src/features/export/service/html.ts';
import { writeWord } from '../../src/features/export/service/word.ts';
import { duplicateNotebook } from '../../src/index/library/duplicate.ts';
import { libraryHandlers } from '../../src/index/library/library-handlers.ts';
import type { NotebookIndex } from '../../src/index/worker/notebook-index.ts';
import type { Citation } from '../../src/core/domain/answer.ts';
import { citationLink } from '../../src/core/domain/citation-links.ts';
import { marksAsNote } from '../../src/features/chat/model/marked-note.ts';
import { citationId, noteAsMarkdown } from '../../src/core/domain/note-markdown.ts';
import { citationOfPicture, MAX_IMAGE_LENGTH, pictureMarkdown } from '../../src/core/domain/note-pictures.ts';
import { openContainer } from '../../src/parsers/office/zip.ts';
import { importOptions, changed, context, exported, fails, imported } from '../support/exported-notebooks.ts';
import { close, input, makeFolder, open, origin, openNew } from '../support/opened-notebooks.ts';
import { pngPicture } from '../support/png-picture.ts';
import { column, tinyPdf } from '../support/tiny-pdf.ts';
import { read } from './reading-pdf-fixtures.ts';

const uri = 'file:///notes/decay.pdf';
const picture = {
  mediaType: 'image/png' as const,
  data: Buffer.from(pngPicture(40, 30)).toString('base64'),
  width: 40,
  height: 30,
};

async function withPdf(folder = makeFolder()): Promise<NotebookIndex> {
  const index = await open(folder);
  const { id } = await index.addSource('decay.pdf', origin, undefined);
  const document = await read(
    tinyPdf({
      pages: [
        {
          lines: [
            ...column(72, 700, ['Memory fades within a day.', 'Sleep keeps what was learned.']),
            ...column(72, 280, ['Figure 1: What is left after a day.']),
          ],
        },
        { lines: column(72, 700, ['Nothing else is known of it.']) },
        { lines: [] },
      ],
    }),
  );
  await index.putDocument(id, { ...input('', 'decay.pdf'), uri, document });
  return index;
}

/** Returns a region of a page from its lower left to its upper right, in points. */
const region = (page: number, [left, bottom, right, top]: readonly [number, number, number, number]) => ({
  page,
  x: left,
  y: bottom,
  width: right - left,
  height: top - bottom,
});

function cite(index: NotebookIndex, on: ReturnType<typeof region>): Citation {
  const citation = index.cited.citeRegion(uri, on);
  assert.ok(citation);
  return citation;
}

/** Adds a note with an image of the figure, and returns its citation. */
function addNote(index: NotebookIndex): { readonly id: string; readonly citation: Citation } {
  const citation = { ...cite(index, region(1, [72, 300, 400, 600])), picture };
  const id = citationId(citation);
  const text = `# Decay\n\n${pictureMarkdown('What is left', id, picture)} ${citationLink('1', id, citation)}\n`;
  index.features.notes.add({ title: 'Decay', text, citations: [{ id, citation }] });
  return { id, citation };
}

test('cites a region of a page by the words in it, or else by the nearest line', async () => {
  const index = await withPdf();
  assert.match(cite(index, region(1, [72, 300, 400, 600])).quote, /^Figure 1: What is left after a day/);
  const words = cite(index, region(1, [60, 670, 400, 720]));
  assert.match(words.quote, /^Memory fades within a day\.\s+Sleep keeps what was learned\.$/);
  assert.equal(words.place, 'p. 1');
  assert.match(cite(index, region(2, [72, 100, 400, 200])).quote, /^Nothing else/);
  // For a page without words, the previous page is the nearest.
  assert.match(cite(index, region(3, [72, 100, 400, 200])).quote, /^Nothing else/);
  assert.equal(index.cited.citeRegion('file:///notes/other.pdf', region(1, [0, 0, 9, 9])), undefined);
  // Another image with the same words is another citation.
  const citation = { ...words, picture };
  assert.notEqual(citationId(citation), citationId({ ...words, picture: { ...picture, data: 'AAAA' } }));
  assert.notEqual(citationId(citation), citationId(words));
});

test('cites highlighted words in place, and quotes them with their comments in a note', async () => {
  const index = await withPdf();
  const marked = (on: ReturnType<typeof region>, words: string): Citation => {
    const citation = index.cited.citeRegion(uri, on, words);
    assert.ok(citation);
    return citation;
  };
  const second = region(1, [72, 670, 400, 690]);
  const sleep = marked(second, 'keeps what was learned');
  assert.equal(sleep.quote, 'keeps what was learned');
  // For text that isn't on the page, the words in the region are cited.
  assert.match(marked(second, 'is written nowhere').quote, /^Sleep keeps/);
  const memory = marked(region(1, [72, 690, 400, 712]), 'Memory fades within a day.');
  const marks = [
    { words: 'Memory fades within a day.', remark: 'Ask *Ünal*\n<b>about</b> it', citation: memory },
    { words: 'keeps what was learned', remark: '', citation: sleep },
    { words: 'Memory fades within a day.', remark: '', citation: memory },
    { words: '', remark: '', citation: { ...memory, picture } },
  ];
  const { text, citations } = marksAsNote('Decay', marks, 0);
  const [first, other, boxed] = [memory, sleep, { ...memory, picture }].map(citationId);
  assert.deepEqual(
    citations.map(({ id }) => id),
    [first, other, boxed],
  );
  assert.deepEqual(text.split('\n\n'), [
    '# Decay',
    `> Memory fades within a day. [1](citation/${String(first)} "decay.pdf, p. 1")`,
    'Ask \\*Ünal\\*  \n\u2060\\<\u2060b\\>about\\<\u2060/b\\> it',
    `> keeps what was learned [2](citation/${String(other)} "decay.pdf, p. 1")`,
    `> Memory fades within a day. [1](citation/${String(first)} "decay.pdf, p. 1")`,
    `![decay.pdf, p. 1](picture/${String(boxed)}.png) [3](citation/${String(boxed)} "decay.pdf, p. 1")`,
    '',
  ]);
  assert.match(marksAsNote(undefined, marks.slice(1, 2), 7).text, /^> keeps what was learned \[8\]/);
});

test('exports, copies, and limits the images of notes', async () => {
  const from = makeFolder();
  const index = await withPdf(from);
  const { id } = addNote(index);
  const pictured = (target: NotebookIndex): unknown =>
    target.features.notes.citations([id])[0]?.citation.picture;
  assert.deepEqual(pictured(index), picture);
  const copy = makeFolder();
  await duplicateNotebook(from, copy);
  assert.deepEqual(pictured(await open(copy)), picture);
  await close(index);
  const path = await exported(from);
  assert.deepEqual(pictured(await imported(path)), picture);
  const { folder: to, index: other } = await openNew();
  const how = { ...importOptions, path, by: makeFolder(), to };
  await libraryHandlers.mergeNotebook(how, context);
  await other.followOthers();
  assert.deepEqual(pictured(other), picture);
  for (const data of ['<svg onload="x">', 'A'.repeat(MAX_IMAGE_LENGTH + 4)]) {
    const hostile = changed(path, (lines) => {
      for (const line of lines)
        if (line.type === 'note')
          (line.citations as { citation: { picture: object } }[])[0]!.citation.picture = { ...picture, data };
    });
    await assert.rejects(imported(hostile), fails('damaged'));
  }
});

test('shows an image of a note in HTML and Word files, and its description in Markdown', async () => {
  const index = await withPdf();
  const stored = addNote(index);
  const { text } = index.features.notes.open('Decay');
  const bytes = Uint8Array.from(Buffer.from(picture.data, 'base64'));
  const figures = [{ id: stored.id, caption: 'decay.pdf, p. 1', ...picture, bytes }];
  const request = { format: 'html' as const, title: 'Decay', text, citations: [stored], figures };
  const html = new TextDecoder().decode(writeHtml(request));
  assert.match(html, /What is left/);
  assert.match(html, /<img[^>]* src="data:image\/png;base64,/);
  assert.doesNotMatch(html, /picture\//);
  const word = openContainer(await writeWord({ ...request, format: 'docx' }), 'a.docx');
  assert.ok([...word.names].some((name) => /^word\/media\/.+\.png$/.test(name)));
  assert.match(noteAsMarkdown(text, [stored]), /^# Decay\n\nWhat is left\[\^1\]\n/);
});

test('escapes the description of an image, and serves only images', () => {
  const markdown = pictureMarkdown('a](x) <b> `c`\n\n# d', '0123456789abcdef', picture);
  assert.match(markdown, /^!\[[^[\]<>`\n]*\]\(picture\/0123456789abcdef\.png\)$/);
  assert.equal(citationOfPicture('/picture/0123456789abcdef.png'), '0123456789abcdef');
  assert.equal(citationOfPicture('/picture/../0123456789abcdef.png'), undefined);
});
