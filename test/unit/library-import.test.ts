import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { importLines } from '../../src/index/library/importing.ts';
import { libraryHandlers } from '../../src/index/library/library-handlers.ts';
import { withNewNotebook } from '../../src/index/library/with-notebook-db.ts';
import type { ErrorCode } from '../../src/core/domain/errors.ts';
import {
  importOptions,
  changed,
  citationIn,
  context,
  exported,
  fails,
  imported,
} from '../support/exported-notebooks.ts';
import { findLiveMarkdown, hostileMarkdown } from '../support/live-markdown.ts';
import { input, makeFolder, open, openNew } from '../support/opened-notebooks.ts';

test('rejects a file that is truncated, damaged, of another version, or not a notebook', async () => {
  const { folder: from, index } = await openNew();
  await index.addSource('Text', { kind: 'text' }, input('Bread is baked on Saturdays.'));
  const path = await exported(from);
  const bytes = readFileSync(path);
  const refused = async (other: string, code: ErrorCode): Promise<void> => {
    const to = makeFolder();
    const request = { ...importOptions, path: other, to };
    await assert.rejects(async () => libraryHandlers.importNotebook(request, context), fails(code));
  };
  const written = (content: Uint8Array | string): string => {
    const other = join(makeFolder(), 'c.opennotebook');
    writeFileSync(other, content);
    return other;
  };
  await refused(written(bytes.subarray(0, bytes.length - 40)), 'damaged');
  await refused(written('hello'), 'unsupported');
  await refused(written(''), 'unsupported');
  await refused(written(gzipSync('{"a":1}\n')), 'unsupported');
  await refused(written(gzipSync('no json\n')), 'damaged');
  await refused(
    changed(path, (lines) => lines.splice(1, 1)),
    'damaged',
  );
  await refused(
    changed(path, (lines) => lines.pop()),
    'damaged',
  );
  await refused(
    changed(path, ([head]) => (head!.version = 3)),
    'unsupported',
  );
  await refused(
    written(gzipSync(`{"type":"head","format":"open-notebook","version":1}\n${' '.repeat(80 * 2 ** 20)}`)),
    'too-large',
  );
});

test('imports a hostile file without leaving the folder or requesting anything but the web', async () => {
  const [from, root] = [makeFolder(), makeFolder()];
  writeFileSync(join(root, 'a.txt'), 'x');
  const index = await open(from);
  const uri = pathToFileURL(join(root, 'a.txt')).href;
  const source = await index.addSource(
    'a',
    { kind: 'file', uri },
    { ...input('The lamp is lit at nine.'), uri },
  );
  await index.addSource(
    'Page',
    { kind: 'page', url: 'https://example.com/' },
    { ...input('Cellars stay cool.'), uri: 'https://example.com/' },
  );
  const document = index.store.documents.ofSource(source.id)[0]!;
  const conversation = index.features.conversations.begin();
  const citations = [citationIn(index, document.id, 0, 8)];
  index.features.conversations.putTurn(conversation, {
    id: 't',
    question: 'Q?',
    askedAt: 1,
    state: { kind: 'done', milliseconds: 1 },
    answer: {
      kind: 'quotes',
      text: 'So:',
      quotes: [{ citation: 0, format: 'prose', languageId: undefined }],
      citations,
    },
  });
  const path = await exported(from, [pathToFileURL(root).href]);
  const findLine = (lines: Record<string, unknown>[], type: string): Record<string, unknown> =>
    lines.find((line) => line.type === type)!;
  const roots = [pathToFileURL(join(root, 'inner')).href];
  mkdirSync(join(root, 'inner'));
  for (const outside of ['../a.txt', '/etc/passwd', 'x/../../a.txt', '..\\a.txt', 'c:/a', 'a.txt\0']) {
    const target = await imported(
      changed(path, (lines) => (findLine(lines, 'source').origin = { kind: 'file', path: outside })),
      roots,
    );
    assert.deepEqual(target.store.sources()[0]?.origin, { kind: 'copy', of: 'file' }, outside);
  }
  const findAnswer = (
    lines: Record<string, unknown>[],
  ): { citations: Record<string, unknown>[]; quotes: unknown[] } => findLine(lines, 'turn').answer as never;
  const target = await imported(
    changed(path, (lines) => {
      Object.assign(findAnswer(lines).citations[0]!, {
        url: 'command:x',
        uri: 'file:///etc/passwd',
        path: '../a.txt',
      });
      findLine(lines, 'document').url = 'vscode://x';
    }),
  );
  assert.equal(target.features.conversations.openNewest().turns[0]?.answer?.citations[0]?.uri, '');

  const harms: ((lines: Record<string, unknown>[]) => unknown)[] = [
    (lines) => (findLine(lines, 'source').origin = { kind: 'page', url: 'javascript:x' }),
    (lines) => (findLine(lines, 'source').origin = { kind: 'site', starts: ['file:///'], depth: 1 }),
    (lines) => (findLine(lines, 'source').id = '../x'),
    (lines) => lines.splice(2, 0, findLine(lines, 'source')),
    (lines) => (findLine(lines, 'document').map = { kind: 'pdf' }),
    (lines) =>
      (findLine(lines, 'document').map = { kind: 'aligned', starts: 'AAAA/w==', lengths: 'AAAA/w==' }),
    (lines) => (findLine(lines, 'document').headings = [{ offset: 1e9, level: 1, title: 'x' }]),
    (lines) => (findLine(lines, 'document').text = 7),
    (lines) => (findAnswer(lines).quotes = [{ citation: 3, format: 'prose' }]),
    (lines) => (findAnswer(lines).citations[0]!.locator = { kind: 'lines' }),
    (lines) => (findLine(lines, 'turn').answer = []),
    (lines) => (findLine(lines, 'turn').type = 'sql'),
  ];
  for (const [number, harm] of harms.entries()) {
    const to = makeFolder();
    const other = changed(path, harm);
    // Corrects the line count in the last line, or the import would reject the file for it.
    const lines = gunzipSync(readFileSync(other)).toString().trim().split('\n');
    lines[lines.length - 1] = JSON.stringify({ type: 'end', count: lines.length - 1 });
    writeFileSync(other, gzipSync(`${lines.join('\n')}\n`));
    const importing = withNewNotebook(to, (sql) =>
      importLines(sql, { ...importOptions, path: other }, () => Promise.resolve()),
    );
    await assert.rejects(importing, fails('damaged'), String(number));
  }
});

test('removes active content from an imported note', async () => {
  const { folder: from, index } = await openNew();
  const plan = 'Dig `a<b>` [1](https://example.org).\n';
  for (const number of hostileMarkdown.keys())
    index.features.notes.add({ title: `Note ${String(number)}`, text: '', citations: [] });
  index.features.notes.add({ title: 'Plan', text: plan, citations: [] });
  const path = changed(await exported(from), (lines) => {
    for (const line of lines)
      if (line.type === 'note' && line.text === '')
        line.text = hostileMarkdown[Number(String(line.title).split(' ')[1])];
  });
  const { notes } = (await imported(path)).features;
  assert.equal(notes.list().length, hostileMarkdown.length + 1);
  for (const { title } of notes.list()) assert.deepEqual(findLiveMarkdown(notes.open(title).text), [], title);
  assert.equal(notes.open('Plan').text, plan);
});

test('removes invisible characters from imported titles', async () => {
  const { folder: from, index } = await openNew();
  await index.addSource('Report', { kind: 'text' }, input('Bread is baked on Saturdays.'));
  const { id } = index.features.conversations.openNewest();
  index.features.conversations.rename(id, 'Bread');
  const path = changed(await exported(from), (lines) => {
    for (const line of lines) if ('title' in line) line.title = 'invoice \u202efdp.exe\u0000\u200b';
  });
  const to = await imported(path);
  assert.deepEqual(
    to.store.sources().map(({ title }) => title),
    ['invoice fdp.exe'],
  );
});

test('keeps the reason why a page couldn’t be read, but not that of a file', async () => {
  const { folder: from, index } = await openNew();
  const page = await index.addSource('Lost', { kind: 'page', url: 'https://example.org/lost' }, undefined);
  const file = await index.addSource('a.txt', { kind: 'file', uri: 'file:///home/me/a.txt' }, undefined);
  for (const { id } of [page, file])
    index.store.setSourceState(id, { kind: 'failed', reason: 'There is no /home/me/a.txt.' });
  const to = await imported(await exported(from));
  assert.deepEqual(
    to.store.sources().map(({ title, state }) => [title, state]),
    [
      ['Lost', { kind: 'failed', reason: 'There is no /home/me/a.txt.' }],
      ['a.txt', { kind: 'ready' }],
    ],
  );
});
