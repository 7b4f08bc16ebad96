import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import {
  CitationOpener,
  type CitationOpenerParts,
} from '../../src/features/citations/editor/citation-opener.ts';
import type { IndexApi } from '../../src/index/worker/api.ts';
import type { Citation } from '../../src/core/domain/answer.ts';
import { NotebookError } from '../../src/core/domain/errors.ts';
import type { Locator } from '../../src/core/domain/locator.ts';

const lines: Locator = {
  kind: 'lines',
  start: { line: 2, character: 0 },
  end: { line: 2, character: 5 },
};
const onPage = (y: number): Locator => ({
  kind: 'pdf',
  page: 1,
  label: undefined,
  rectangles: [{ page: 1, x: 10, y, width: 50, height: 10 }],
});

function makeCitation(uri: string, mediaType: string, more: Partial<Citation> = {}): Citation {
  const span = { start: 10, end: 15 };
  return {
    number: 1,
    documentId: 7,
    sourceId: 's',
    title: 'A title',
    place: '',
    quote: 'words',
    span,
    passage: span,
    mediaType,
    uri,
    locator: lines,
    ...more,
  } as Citation;
}

/** Key of a notebook in these tests. */
interface Key {
  readonly key: string;
}

/** The column with the focus and the next one, as the editor numbers them. */
type Column = CitationOpenerParts['activeColumn'];
const active: Column = -1;
const beside: Column = -2;

let diary: string[];
let findSpan: (span: Citation['span']) => ReturnType<IndexApi['find']>;
let copy: () => Promise<string>;
let files: Set<string>;
let opener: CitationOpener<Key>;
/** Runs the action that was offered last. */
let take: () => Promise<void>;

const note = (...args: readonly unknown[]): Promise<void> => {
  diary.push(args.map((part) => (typeof part === 'string' ? part : JSON.stringify(part))).join(' '));
  return Promise.resolve();
};

beforeEach(() => {
  diary = [];
  files = new Set(['file:///a.txt', 'file:///a.pdf']);
  findSpan = (span) => ({ kind: 'found', uri: 'file:///a.txt', span, locator: lines });
  copy = () => Promise.resolve('file:///copy.pdf');
  opener = new CitationOpener({
    notebook: { key: 'own' },
    find: (_, { span }) => Promise.resolve(findSpan(span)),
    readText: () => Promise.resolve('The selected words.'),
    activeColumn: active,
    originals: {
      isThere: (uri) => Promise.resolve(files.has(uri)),
      showLines: ({ uri, quote, title }, { start }, column) =>
        uri.startsWith('file:') && files.size === 0
          ? Promise.reject(new NotebookError('not-found', `${title} could not be opened.`))
          : note('lines', uri, quote, start.line, column),
      showWords: async ({ uri, quote }, column) => {
        await note('words', uri, quote, column);
        return quote === 'words';
      },
      showText: (uri, column, at) => note('text', uri, column, ...(at ? [at.line] : [])),
      showPdf: (uri, marks, column) =>
        note(
          'pdf',
          uri,
          marks?.current,
          marks?.marks.map(({ rectangles: [one] }) => one?.y),
          column,
        ),
      open: (uri, column) => note('open', uri, column),
      openOutside: (uri) => note('outside', uri),
    },
    cells: {
      open: async (locator, { quote }, column) => {
        await note('cell', locator.cell, quote, column);
        return locator.cell < 9;
      },
    },
    pages: {
      show: ({ key }, documentId, span, column) => note('page', key, documentId, span ?? null, column),
      showStored: ({ notice, text, mark, uri }, column) =>
        note('stored', notice, text, text.slice(mark.start, mark.end), uri === '' ? '-' : uri, column),
    },
    player: {
      show: ({ key }, documentId, span, column) => note('player', key, documentId, span ?? null, column),
    },
    copyPdf: () => copy(),
    inform: (message) => void note('told', message),
    offer: (message, action, run) => {
      void note('offered', message, action);
      take = run;
    },
    onFollowed: () => void note('followed'),
  });
});

test('shows the transcript of a page’s video at the cited words, and other words in the saved page', async () => {
  const url = 'https://talks.example/harbor';
  findSpan = (span) => ({
    kind: 'found',
    uri: url,
    span,
    locator: { kind: 'saved', span, time: { from: 3, to: 4 } },
  });
  await opener.open(makeCitation(url, 'text/html'));
  findSpan = (span) => ({ kind: 'found', uri: url, span, locator: { kind: 'saved', span } });
  await opener.open(makeCitation(url, 'text/html'));
  assert.match(diary.join('; '), /^followed; player own 7 .*; followed; page own 7 /);
});

test('plays a recording at the cited words, and from its start if it is opened as a source', async () => {
  findSpan = (span) => ({
    kind: 'found',
    uri: 'file:///talk.mp4',
    span,
    locator: { kind: 'saved', span, time: { from: 3, to: 4 } },
  });
  await opener.open(makeCitation('file:///talk.mp4', 'video/mp4'));
  await opener.openDocument({
    ...{ id: 7, mediaType: 'audio/mpeg', sourceId: 's', title: 'A title', uri: 'file:///talk.mp3' },
  });
  assert.deepEqual(diary, ['followed', 'player own 7 {"start":10,"end":15} -1', 'player own 7 null -1']);
});

test('opens a citation at the current location of its text, by default in the active column', async () => {
  findSpan = (span) => ({ kind: 'found', uri: 'file:///b.txt', span, locator: lines });
  await opener.open(makeCitation('file:///a.txt', 'text/plain'));
  await opener.open(makeCitation('file:///a.txt', 'text/plain'), beside);
  assert.deepEqual(diary, [
    'followed',
    'lines file:///b.txt words 2 -1',
    'followed',
    'lines file:///b.txt words 2 -2',
  ]);
});

describe('a citation whose source has changed', () => {
  const cited = makeCitation('file:///a.txt', 'text/plain', {
    context: { before: 'before ', after: ' after', format: 'prose' },
  });
  const passage = 'before words after words';

  test('is opened at its old lines, with a link to the old passage', async () => {
    findSpan = () => ({ kind: 'changed', uri: 'file:///a.txt' });
    await opener.open(cited);
    await take();
    assert.deepEqual(diary, [
      'offered A title has changed and no longer contains the cited text. Show Cited Text',
      'text file:///a.txt -1 2',
      `stored A title has changed. The text is shown as it was cited. ${passage} - -1`,
    ]);
  });

  test('shows the old passage if its file was moved or deleted', async () => {
    files.clear();
    const expectedMessage = `stored A title was moved or deleted. The text is shown as it was cited. ${passage} - -1`;
    findSpan = () => ({ kind: 'changed', uri: 'file:///a.txt' });
    await opener.open(cited);
    assert.deepEqual(diary.splice(0), [expectedMessage]);
    findSpan = (span) => ({ kind: 'found', uri: 'file:///a.txt', span, locator: lines });
    await opener.open(cited);
    assert.deepEqual(diary, ['followed', expectedMessage]);
  });

  test('is opened at its text if only its source was deleted', async () => {
    findSpan = () => ({ kind: 'removed' });
    await opener.open(cited);
    await opener.open(makeCitation('file:///a.pdf', 'application/pdf', { locator: onPage(700) }));
    assert.deepEqual(diary, ['words file:///a.txt words -1', 'pdf file:///a.pdf 0 [700] -1']);
  });

  test('shows the old passage if its source was deleted, with a link to the remaining file', async () => {
    findSpan = () => ({ kind: 'removed' });
    for (const uri of ['file:///a.txt', 'file:///gone.txt', '', 'https://example.org/a'])
      await opener.open({ ...cited, uri, quote: 'others' });
    const messageFor = (uri: string): string =>
      `stored A title is no longer in the notebook. The text is shown as it was cited. before others after others ${uri} -1`;
    assert.deepEqual(diary, [
      'words file:///a.txt others -1',
      messageFor('file:///a.txt'),
      messageFor('-'),
      messageFor('-'),
      messageFor('https://example.org/a'),
    ]);
  });
});

test('highlights everything that the answer cites in a PDF', async () => {
  const heights = new Map([
    [10, 700],
    [20, 300],
  ]);
  findSpan = ({ start }) => ({
    kind: 'found',
    uri: 'file:///a.pdf',
    span: { start, end: start + 5 },
    locator: onPage(heights.get(start) ?? 0),
  });
  const citation = makeCitation('file:///a.pdf', 'application/pdf', { span: { start: 20, end: 25 } });
  const other = makeCitation('file:///a.pdf', 'application/pdf');
  const elsewhere = makeCitation('file:///b.pdf', 'application/pdf', { documentId: 8 });
  await opener.open(citation, active, [citation, other, elsewhere]);
  assert.deepEqual(diary, ['followed', 'pdf file:///a.pdf 1 [700,300] -1']);
});

test('opens the stored copy of a web PDF, or else its text', async () => {
  const address = 'https://example.org/a.pdf';
  findSpan = (span) => ({ kind: 'found', uri: address, span, locator: onPage(700) });
  const citation = makeCitation(address, 'application/pdf');
  await opener.open(citation);
  copy = () => Promise.reject(new NotebookError('not-found', 'It has changed.'));
  await opener.open(citation);
  copy = () => Promise.reject(new NotebookError('cancelled', 'Stopped.'));
  await opener.open(citation);
  const page = 'page own 7 {"start":10,"end":15} -1';
  assert.deepEqual(diary, [
    'followed',
    'pdf file:///copy.pdf 0 [700] -1',
    'followed',
    'told It has changed. Showing the extracted text instead.',
    page,
    'followed',
    page,
  ]);
});

test('opens cells, saved pages, and pasted texts in their viewers', async () => {
  const start = { line: 0, character: 0 };
  const cell: Locator = { kind: 'cell', cell: 3, start, end: { line: 0, character: 5 } };
  const saved: Locator = { kind: 'saved', span: { start: 10, end: 15 } };
  for (const [uri, locator] of [
    ['file:///a.ipynb', cell],
    ['https://example.org/a', saved],
    ['', saved],
  ] as const) {
    findSpan = (span) => ({ kind: 'found', uri, span, locator });
    await opener.open(makeCitation(uri, 'text/html'));
  }
  const page = 'page own 7 {"start":10,"end":15} -1';
  assert.deepEqual(diary, ['followed', 'cell 3 words -1', 'followed', page, 'followed', page]);
});

test('shows the stored output of a cell if it is gone', async () => {
  const start = { line: 0, character: 0 };
  const locator: Locator = { kind: 'cell', cell: 9, output: 0, start, end: start };
  findSpan = (span) => ({ kind: 'found', uri: 'file:///a.ipynb', span, locator });
  await opener.open(makeCitation('file:///a.ipynb', 'application/x-ipynb+json'));
  assert.deepEqual(diary, ['followed', 'cell 9 words -1', 'page own 7 {"start":10,"end":15} -1']);
});

test('opens a source as a whole in the viewer for its kind', async () => {
  const entry = { id: 7, sourceId: 's', title: 'A title' };
  for (const [uri, mediaType] of [
    ['file:///a.txt', 'text/plain'],
    ['file:///a.pdf', 'application/pdf'],
    ['https://example.org/a.pdf', 'application/pdf'],
    ['https://example.org/a', 'text/html'],
    ['file:///a.ipynb', 'application/x-ipynb+json'],
    ['', 'text/markdown'],
  ] as const)
    await opener.openDocument({ ...entry, uri, mediaType });
  assert.deepEqual(diary, [
    'text file:///a.txt -1',
    'pdf file:///a.pdf   -1',
    'pdf file:///copy.pdf   -1',
    'page own 7 null -1',
    'open file:///a.ipynb -1',
    'page own 7 null -1',
  ]);
});

test('opens a selection at its text, and citations of another notebook there', async () => {
  await opener.openSelection({
    id: 7,
    sourceId: 's',
    title: 'A title',
    uri: 'file:///a.txt',
    mediaType: 'text/plain',
  });
  assert.deepEqual(diary, ['lines file:///a.txt The selected words. 2 -1']);
  findSpan = (span) => ({ kind: 'found', uri: '', span, locator: lines });
  await opener.in({ key: 'other' }).open(makeCitation('', 'text/markdown'));
  assert.equal(diary.at(-1), 'page other 7 {"start":10,"end":15} -1');
});
