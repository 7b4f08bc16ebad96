import { planWith, makeProduct, runResearch, makeStep, takeStep } from '../support/made-boards.ts';
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { exportedName } from '../../src/index/library/importing.ts';
import { libraryHandlers } from '../../src/index/library/library-handlers.ts';
import type { Answer, Citation } from '../../src/core/domain/answer.ts';
import type { OffsetMap } from '../../src/core/domain/document.ts';
import { citationIn, context, exported, fails, followable, imported } from '../support/exported-notebooks.ts';
import { close, input, makeFolder, open, openNew } from '../support/opened-notebooks.ts';
import { rounds } from '../support/test-size.mjs';

const saved: OffsetMap = { kind: 'saved' };

/** Drops undefined fields, and sorts the others. */
const plain = (locator: object): object =>
  Object.fromEntries(
    Object.entries(locator)
      .filter(([, value]) => value !== undefined)
      .toSorted(),
  );

test('matches every citation with its text after an export and import, with any offset map', async () => {
  const u32 = (...values: number[]): Uint32Array => Uint32Array.from(values);
  const maps: ((length: number) => OffsetMap)[] = [
    () => saved,
    () => ({ kind: 'text', origin: { line: 3, character: 2 } }),
    (length) => ({
      kind: 'aligned',
      starts: u32(0),
      lengths: u32(length),
      lines: u32(4),
      characters: u32(1),
    }),
    (length) => ({
      kind: 'cells',
      starts: u32(0),
      lengths: u32(length),
      lines: u32(0),
      characters: u32(0),
      cells: u32(2),
      outputs: u32(1),
    }),
    (length) => ({ kind: 'saved', places: { starts: u32(0, length), labels: ['slide 1', 'slide 2'] } }),
    (length) => ({
      kind: 'pdf',
      pages: [{ width: 600, height: 800, label: undefined, start: 0 }],
      starts: u32(0),
      ends: u32(length),
      pageOf: Uint16Array.of(0),
      boxes: Float32Array.of(1.5, 2, 3, 4),
      directions: Uint8Array.of(0),
    }),
  ];
  const text = fc
    .string({ unit: 'grapheme', minLength: 2, maxLength: 200 })
    .filter((one) => one.trim() !== '');
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(text, fc.nat(5), fc.nat(1000)), { minLength: 1, maxLength: 4 }),
      async (texts) => {
        const { folder: from, index } = await openNew();
        const source = await index.addSource('Folder', { kind: 'folder', uri: 'file:///notes' }, undefined);
        const citations: Citation[] = [];
        for (const [number, [words, kind, seed]] of texts.entries()) {
          const plain = input(words, `${String(number)}.txt`);
          const { length } = plain.document.text;
          const document = { ...plain.document, map: maps[kind]!(length) };
          await index.putDocument(source.id, { ...plain, document });
          const id = index.store.documents.ofSource(source.id).at(-1)!.id;
          const start = seed % length;
          citations.push(citationIn(index, id, start, start + 1 + (seed % (length - start))));
        }
        const answer: Answer = { kind: 'nothing', text: 'No.', citations };
        const conversation = index.features.conversations.begin();
        const turn = {
          id: 't',
          question: 'Q?',
          askedAt: 1,
          state: { kind: 'done', milliseconds: 1 },
          answer,
        } as const;
        index.features.conversations.putTurn(conversation, turn);
        await close(index);
        const target = await imported(await exported(from));
        const [back] = target.features.conversations.openNewest().turns;
        assert.equal(back?.answer?.citations.length, citations.length);
        for (const [number, citation] of back.answer.citations.entries()) {
          const { documentId, sourceId, span, quote, locator } = citation;
          assert.equal(quote, citations[number]!.quote);
          assert.deepEqual(JSON.stringify(plain(locator)), JSON.stringify(plain(citations[number]!.locator)));
          const document = target.cited.document(documentId);
          assert.equal(document.text.slice(span.start, span.end), quote);
          assert.equal(target.cited.find({ documentId, sourceId, span, quote }).kind, 'found');
        }
        await close(target);
      },
    ),
    { numRuns: rounds(6, 15) },
  );
});

test('exports sources, notes, and conversations, with workspace files as links and others as text', async () => {
  const [from, root, otherRoot] = [makeFolder(), makeFolder(), makeFolder()];
  const uri = pathToFileURL(root).href;
  mkdirSync(join(otherRoot, 'a b'));
  writeFileSync(join(otherRoot, 'a b', 'lamp (1).txt'), 'x');
  const index = await open(from);
  const lamp = `${uri}/a%20b/lamp%20%281%29.txt`;
  const inside = await index.addSource(
    'lamp',
    { kind: 'file', uri: lamp },
    { ...input('The lamp is lit at nine.'), uri: lamp },
  );
  const outside = await index.addSource(
    'Secret',
    { kind: 'folder', uri: 'file:///home/somebody/secret' },
    undefined,
  );
  const secret = {
    ...input('The harbour is dredged in May.', 'x/h.txt'),
    uri: 'file:///home/somebody/secret/x/h.txt',
  };
  await index.putDocument(outside.id, secret);
  const rules = { starts: ['https://example.com/'], depth: 2, limit: 50, include: [], exclude: [] };
  await index.addSource('Site', { kind: 'site', ...rules, privateHosts: ['intranet:80'] }, undefined);
  const url = 'https://pages.example.com/';
  const page = await index.addSource('Page', { kind: 'page', url }, undefined);
  index.store.allowPrivateHosts(page.id, ['intranet:443']);
  index.store.allowPrivateHosts(page.id, ['intranet:443']);
  assert.deepEqual(index.store.sources().find(({ id }) => id === page.id)?.origin, {
    kind: 'page',
    url,
    privateHosts: ['intranet:443'],
  });
  const harbour = index.store.documents.ofSource(outside.id)[0]!;
  const cited = citationIn(index, harbour.id, 4, 11);
  const id = '0123456789abcdef';
  const evidence = [{ statement: 'It is.', deciding: 'harbour' }];
  index.features.notes.add({ title: 'Old', text: 'First', citations: [] });
  index.features.notes.add({
    title: 'Harbour',
    text: `It is. [1](citation/${id})`,
    citations: [{ id, citation: { ...cited, evidence } }],
  });
  const conversation = index.features.conversations.begin();
  index.features.conversations.putTurn(conversation, {
    id: 't',
    question: 'When?',
    askedAt: 5,
    state: { kind: 'failed', failure: { message: '/home/somebody/x failed', action: undefined } },
    answer: {
      kind: 'written',
      model: 'm',
      text: 'In May.',
      statements: [{ start: 0, end: 7, verdict: 'supported', citations: [0] }],
      citations: [cited],
      isCut: true,
      read: [],
      searches: ['dredging dates'],
    },
    rating: 'good',
    scope: { kind: 'file', uri: 'file:///home/somebody/secret/x/h.txt', title: 'h.txt' },
  });
  index.features.conversations.rename(conversation, 'Dredging');
  index.features.conversations.setDraft(conversation, 'unsent');
  const path = await exported(from, [uri]);
  const text = gunzipSync(readFileSync(path)).toString();
  for (const word of ['somebody', 'unsent', 'intranet', root, 'file:']) assert.ok(!text.includes(word), word);
  assert.equal(await exportedName(path), 'Garden');

  const roots = [pathToFileURL(otherRoot).href];
  const target = await imported(path, roots, await followable(path, roots));
  const here = `${pathToFileURL(otherRoot).href}/a%20b/lamp%20%281%29.txt`;
  assert.deepEqual(
    target.store.sources().map(({ title, origin, passages }) => [title, origin, passages]),
    [
      ['lamp', { kind: 'file', uri: here, within: roots[0] }, 1],
      ['Secret', { kind: 'copy', of: 'folder' }, 1],
      ['Site', { kind: 'site', ...rules, privateHosts: [] }, 0],
      ['Page', { kind: 'page', url }, 0],
    ],
  );
  assert.equal(target.store.documents.ofSource(inside.id)[0]?.uri, here);
  assert.deepEqual(
    target.features.notes.list().map(({ title }) => title),
    ['Harbour', 'Old'],
  );
  const noteCitation = target.features.notes.citations([id])[0]?.citation;
  assert.deepEqual([noteCitation?.quote, noteCitation?.evidence], ['harbour', evidence]);
  const [{ id: conversationId, title } = { id: '', title: '' }] = target.features.conversations.list('');
  assert.equal(title, 'Dredging');
  const [turn] = target.features.conversations.allTurns(conversationId);
  assert.equal(turn?.state.kind, 'stopped');
  assert.equal(turn.scope, undefined);
  assert.equal(turn.rating, 'good');
  const { answer } = turn;
  assert.ok(answer?.kind === 'written' && answer.isCut);
  assert.deepEqual(
    [answer.citations[0]?.uri, answer.searches, answer.read],
    ['', ['dredging dates'], undefined],
  );
  assert.equal(
    (await target.passageSearch.search('When is the harbour dredged?', 1))[0]?.text,
    'The harbour is dredged in May.',
  );

  // Without an open folder, all sources are copies.
  const bare = await imported(path);
  assert.deepEqual(bare.store.sources()[0]?.origin, { kind: 'copy', of: 'file' });
});

test('keeps the user’s files next to an export', async () => {
  const from = makeFolder();
  await close(await open(from));
  const parent = makeFolder();
  mkdirSync(join(parent, 'Garden.part'));
  writeFileSync(join(parent, 'Garden.part', 'own.md'), 'own');
  writeFileSync(join(parent, 'garden.opennotebook.part'), 'own');
  await libraryHandlers.exportMarkdown({ from, to: join(parent, 'Garden'), verdictMarks: 'inline' }, context);
  const path = join(parent, 'garden.opennotebook');
  await libraryHandlers.exportNotebook({ from, path, name: 'Garden', roots: [] }, context);
  assert.equal(readFileSync(join(parent, 'Garden.part', 'own.md'), 'utf8'), 'own');
  assert.equal(readFileSync(join(parent, 'garden.opennotebook.part'), 'utf8'), 'own');
});

test('exports a Markdown file for each document, note, and conversation, with portable names', async () => {
  const { folder: from, index } = await openNew();
  const source = await index.addSource('My: notes/2', { kind: 'folder', uri: 'file:///notes' }, undefined);
  const code = input('const a = "```";', 'src/a.ts');
  await index.putDocument(source.id, {
    ...code,
    document: { ...code.document, format: 'code', languageId: 'typescript' },
  });
  await index.putDocument(source.id, input('![x](https://example.com/x.png) text', '../../up.md'));
  const page = { ...input('Cellars stay cool in summer.'), uri: 'https://example.com/a' };
  const added = await index.addSource('Con', { kind: 'page', url: page.uri }, page);
  await index.addSource('con', { kind: 'text' }, input('Another.'));
  const cited = citationIn(index, index.store.documents.ofSource(added.id)[0]!.id, 0, 7);
  const id = '0123456789abcdef';
  index.features.notes.add({
    title: 'Cool',
    text: `Cellars are. [1](citation/${id})`,
    citations: [{ id, citation: cited }],
  });
  const conversation = index.features.conversations.begin();
  const state = { kind: 'done', milliseconds: 1 } as const;
  const answer: Answer = { kind: 'nothing', text: 'Nothing says so.', citations: [] };
  index.features.conversations.putTurn(conversation, {
    id: 't',
    question: 'What of a/b?',
    askedAt: 1,
    state,
    answer,
  });
  const { board } = index.features.researches;
  const researchId = runResearch(
    board,
    planWith(makeStep('cool', ['sources'], { target: 'Say how cellars are' }), makeStep('warm', ['cool'])),
    'Cellars: cool?',
  );
  const { token = '' } = takeStep(board, researchId) ?? {};
  const text = 'Cellars stay cool. ![x](https://example.com/x.png)';
  board.submitStep({
    token,
    product: {
      ...makeProduct(text),
      statements: [{ start: 0, end: 18, verdict: 'supported', citations: [0] }],
      citations: [cited],
      check: { claims: 1, supported: 1, partly: 0, cut: ['Cellars are on Mars.'] },
    },
  });
  const parent = makeFolder();
  const to = join(parent, 'Garden');
  await libraryHandlers.exportMarkdown({ from, to, verdictMarks: 'inline' }, context);
  const files = readdirSync(to, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(to.length + 1))
    .toSorted();
  assert.deepEqual(files, [
    'Conversations/What of a b.md',
    'Notes/Cool.md',
    'Researches/Cellars cool.md',
    'Sources/My notes 2/_/_/up.md.md',
    'Sources/My notes 2/src/a.ts.md',
    'Sources/_Con.md',
    'Sources/_con 2.md',
  ]);
  const read = (name: string): string => readFileSync(join(to, name), 'utf8');
  assert.match(read('Sources/My notes 2/src/a.ts.md'), /\n````typescript\nconst a = "```";\n````\n$/);
  assert.doesNotMatch(read('Sources/My notes 2/_/_/up.md.md'), /!\[x\]\(/);
  assert.match(read('Sources/_Con.md'), /^---\ntitle: "Con"\nsource: "https:\/\/example.com\/a"\n/);
  assert.match(read('Notes/Cool.md'), /Cellars are\.\[\^1\]\n\n\[\^1\]: Con/);
  assert.match(read('Conversations/What of a b.md'), /## What of a\/b\?\n\nNothing says so\./);
  const research = read('Researches/Cellars cool.md');
  assert.match(
    research,
    /^# Cellars: cool\?\n\n1\. Say how cellars are \(Done, Model Worker 1\)\n2\. Find warm \(Ready\)\n/,
  );
  assert.match(research, /## 1 Say how cellars are\n\nCellars stay cool\.\[\^1\]/);
  assert.match(research, /\n\[\^1\]: Con/);
  assert.match(research, /Removed because no source supports it:\n- Cellars are on Mars\./);
  assert.doesNotMatch(research, /!\[x\]\(/);
  assert.deepEqual(readdirSync(parent), ['Garden']);
  await assert.rejects(
    async () => libraryHandlers.exportMarkdown({ from, to, verdictMarks: 'inline' }, context),
    fails('exists'),
  );
});
