import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isCanceled, NotebookError } from '../../src/core/domain/errors.ts';
import {
  pathToSource,
  pathToWords,
  readLink,
  type LinkedWords,
} from '../../src/features/citations/model/notebook-link.ts';

/** Reads a link as the desktop editor passes it, with a decoded query, and as a browser does. */
const read = (link: string): ReturnType<typeof readLink> => {
  const [path = '', query = ''] = link.split('?');
  const read = readLink(path, decodeURIComponent(query));
  assert.deepEqual(readLink(path, new URLSearchParams(query).toString()), read);
  return read;
};
const refuses = (path: string, query: string): void => {
  assert.throws(
    () => readLink(path, query),
    (error) => error instanceof NotebookError && error.code === 'unsupported' && !isCanceled(error),
    query.slice(0, 80),
  );
};
const words = (quote: string): LinkedWords => ({
  notebook: '0f3a',
  sourceId: '6b1f-22',
  documentId: 12,
  span: { start: 40, end: 40 + quote.length },
  quote,
});

test('leads from a link back to its cited text', () => {
  for (const quote of ['Wind & sea = 100 % (two lines)\nof "it"', '风和海', 'می‌روم', 'a+b'])
    assert.deepEqual(read(pathToWords(words(quote))), { kind: 'words', ...words(quote) });
  // Links to a team notebook name the document in a way that works on every machine.
  for (const key of ['', 'notes/a & b=1.md', '风/海.md'])
    assert.deepEqual(read(pathToWords({ ...words('it'), key })), { kind: 'words', ...words('it'), key });
  assert.match(pathToWords(words("it's (so)!")), /^[\w/?&=-]+$/);
});

test('finds a long quote by its beginning, also without characters that no link can contain', () => {
  const long = read(pathToWords(words('sea and wind '.repeat(100))));
  assert.ok(long.kind === 'words' && long.quote.length <= 300 && long.quote.endsWith(' wind'));
  assert.equal(long.span.end - long.span.start, long.quote.length);
  assert.ok(pathToWords(words('风'.repeat(1000))).length < 4000);
  const cut = read(pathToWords(words('before\u0000after')));
  assert.ok(cut.kind === 'words' && cut.quote === 'before');
  assert.equal(read(pathToWords(words('\u0007'))).kind, 'source');
});

test('links a source by its ID', () => {
  assert.deepEqual(read(pathToSource('0f3a', '6b1f')), {
    kind: 'source',
    notebook: '0f3a',
    sourceId: '6b1f',
  });
});

test('accepts only a complete address to add', () => {
  const address = 'https://example.com/a?x=1&y=2#z';
  assert.deepEqual(readLink('/add', `url=${address}`), { kind: 'add', address });
  assert.deepEqual(read(`/add?url=${encodeURIComponent(address)}`), { kind: 'add', address });
  assert.deepEqual(readLink('/add', 'url=https://例え.jp/'), {
    kind: 'add',
    address: 'https://xn--r8jz45g.jp/',
  });
});

test('rejects hostile links in one sentence', () => {
  for (const query of [
    '',
    'url=',
    'url=example.com',
    'url=https://',
    'url=https://user:secret@example.com/',
    'url=https://example.com@evil.example/',
    'url=https://example.com/\u0000',
    'url=https://example.com/\u202Emoc.live',
    'url=https://example.com/a b',
    'url=https://example.com/\nhttps://example.org/',
    `url=https://example.com/${'a'.repeat(2500)}`,
    `url=https://example.com/${'a'.repeat(100_000)}`,
  ])
    refuses('/add', query);
  for (const query of [
    '',
    'notebook=../../etc&source=a',
    'notebook=a&source=../b',
    'notebook=a&source=b&document=1&start=0&end=3',
    'notebook=a&source=b&document=1&start=0&end=9&quote=YWJj',
    'notebook=a&source=b&document=-1&start=0&end=3&quote=YWJj',
    'notebook=a&source=b&document=1&start=0&end=3&quote=YQdj',
  ])
    refuses('/open', query);
  refuses('/run', 'command=workbench.action.quit');
});
