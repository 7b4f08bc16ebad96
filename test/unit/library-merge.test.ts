import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { AddedToNotebook } from '../../src/index/library/library-api.ts';
import { libraryHandlers } from '../../src/index/library/library-handlers.ts';
import type { NotebookIndex } from '../../src/index/worker/notebook-index.ts';
import type { Answer } from '../../src/core/domain/answer.ts';
import {
  importOptions,
  citationIn,
  context,
  exported,
  fails,
  followable,
} from '../support/exported-notebooks.ts';
import { close, input, makeFolder, open } from '../support/opened-notebooks.ts';

const rules = { starts: ['https://example.com/'], depth: 2, limit: 50, include: [], exclude: [] };

/** Adds an exported file to a notebook. `index` is that of a window that shows the notebook. */
async function merge(
  path: string,
  to: string,
  index: NotebookIndex,
  roots: readonly string[] = [],
): Promise<AddedToNotebook> {
  const by = makeFolder();
  const followed = await followable(path, roots);
  const how = { ...importOptions, path, by, to, roots, followed };
  const added = await libraryHandlers.mergeNotebook(how, context);
  await index.followOthers();
  return added;
}

/** Returns a turn whose answer cites the first words of a document. */
function asked(index: NotebookIndex, documentId: number, id: string, conversationId?: string): string {
  const conversation = conversationId ?? index.features.conversations.begin();
  const answer: Answer = { kind: 'nothing', text: 'No.', citations: [citationIn(index, documentId, 0, 8)] };
  const state = { kind: 'done', milliseconds: 1 } as const;
  index.features.conversations.putTurn(conversation, { id, question: `${id}?`, askedAt: 1, state, answer });
  return conversation;
}

function findDocument(index: NotebookIndex, sourceId: string): number {
  const [document] = index.store.documents.ofSource(sourceId);
  assert.ok(document);
  return document.id;
}

test('adds sources, notes, and conversations to a notebook without duplicates', async () => {
  const [from, to, root] = [makeFolder(), makeFolder(), makeFolder()];
  writeFileSync(join(root, 'lamp.txt'), 'x');
  const uri = pathToFileURL(join(root, 'lamp.txt')).href;
  const lamp = { ...input('The lamp is lit at nine.'), uri };
  const target = await open(to);
  const before = await target.addSource('First', { kind: 'text' }, input('Cellars stay cool in summer.'));
  const own = await target.addSource('Own name', { kind: 'file', uri }, lamp);
  await target.addSource('Site', { kind: 'site', ...rules, privateHosts: ['intranet'] }, undefined);
  target.features.notes.add({ title: 'Same', text: 'Same.', citations: [] });
  target.features.notes.add({ title: 'Harbour', text: 'Other words.', citations: [] });

  const index = await open(from);
  const file = await index.addSource('lamp.txt', { kind: 'file', uri }, lamp);
  const text = await index.addSource('Harbour', { kind: 'text' }, input('The harbour is dredged in May.'));
  await index.addSource('Site', { kind: 'site', ...rules, privateHosts: [] }, undefined);
  const id = '0123456789abcdef';
  const cited = citationIn(index, findDocument(index, text.id), 4, 11);
  index.features.notes.add({ title: 'Same', text: 'Same.', citations: [] });
  index.features.notes.add({
    title: 'Harbour',
    text: `It is. [1](citation/${id})`,
    citations: [{ id, citation: cited }],
  });
  const conversation = asked(index, findDocument(index, text.id), 'one');
  asked(index, findDocument(index, file.id), 'two', conversation);
  const roots = [pathToFileURL(root).href];
  const path = await exported(from, roots);

  const added = await merge(path, to, target, roots);
  assert.deepEqual(added.sources, [text.id]);
  const { notes = [], conversations = [], turns: newTurns = [] } = added.entities;
  assert.deepEqual([notes.length, conversations.length, newTurns.length], [1, 1, 2]);
  const titles = ['First', 'Own name', 'Site', 'Harbour'];
  assert.deepEqual(
    target.store.sources().map(({ title }) => title),
    titles,
  );
  assert.deepEqual(
    target.features.notes
      .list()
      .map(({ title }) => title)
      .toSorted(),
    ['Harbour', 'Harbour 2', 'Same'],
  );
  assert.equal((await target.passageSearch.search('When is the harbour dredged?', 1))[0]?.sourceId, text.id);
  // Citations use the numbers and IDs of this notebook.
  const stored = target.features.notes.citations([id])[0]?.citation;
  const turns = target.features.conversations.allTurns(conversation);
  const [first, second] = turns.map(({ answer }) => answer?.citations[0]);
  assert.equal(stored?.documentId, findDocument(target, text.id));
  assert.equal(first?.documentId, findDocument(target, text.id));
  assert.equal(second?.documentId, findDocument(target, own.id));
  assert.equal(second.sourceId, own.id);
  for (const citation of [stored, first, second]) assert.equal(target.cited.find(citation).kind, 'found');

  // A second import adds only the new turns of a conversation.
  const again = await merge(path, to, target, roots);
  assert.deepEqual(again, {
    sources: [],
    entities: { notes: [], conversations: [], turns: [], researches: [], decks: [], matrices: [] },
  });
  asked(index, findDocument(index, file.id), 'three', conversation);
  const later = await merge(await exported(from, roots), to, target, roots);
  assert.deepEqual(later, {
    sources: [],
    entities: {
      notes: [],
      conversations: [],
      turns: [{ id: 'three' }],
      researches: [],
      decks: [],
      matrices: [],
    },
  });

  // Undoing restores everything, except later changes.
  target.features.notes.write('Harbour 2', 'Changed since.', { create: false, overwrite: true });
  await libraryHandlers.unmergeNotebook({ from: to, added: later }, context);
  assert.equal(target.features.conversations.allTurns(conversation).length, 2);
  await libraryHandlers.unmergeNotebook({ from: to, added }, context);
  await target.followOthers();
  assert.deepEqual(
    target.store.sources().map(({ title }) => title),
    titles.slice(0, 3),
  );
  assert.equal(target.features.conversations.open(conversation), undefined);
  assert.equal(target.features.notes.open('Harbour 2').text, 'Changed since.');
  assert.equal((await target.passageSearch.search('cool cellars', 1))[0]?.sourceId, before.id);
});

test('adds nothing from a damaged file or a canceled import', async () => {
  const [from, to] = [makeFolder(), makeFolder()];
  const index = await open(from);
  for (let number = 0; number < 3; number++)
    await index.addSource(`Text ${String(number)}`, { kind: 'text' }, input('Bread is baked on Saturdays.'));
  await close(index);
  const path = await exported(from);
  const target = await open(to);
  const other = join(makeFolder(), 'cut.opennotebook');
  writeFileSync(other, readFileSync(path).subarray(0, -30));
  await assert.rejects(merge(other, to, target), fails('damaged'));
  const stopped = { signal: AbortSignal.abort(), report: () => undefined };
  const how = { ...importOptions, path, by: makeFolder(), to };
  await assert.rejects(async () => libraryHandlers.mergeNotebook(how, stopped), fails('cancelled'));
  const aside = join(makeFolder(), 'a.opennotebook');
  const writing = { from, path: aside, name: 'A', roots: [] };
  await assert.rejects(async () => libraryHandlers.exportNotebook(writing, stopped), fails('cancelled'));
  assert.equal(target.store.counts().sources, 0);
});
