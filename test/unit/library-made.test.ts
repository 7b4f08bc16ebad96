import assert from 'node:assert/strict';
import { test } from 'node:test';
import { libraryHandlers } from '../../src/index/library/library-handlers.ts';
import type { NotebookIndex } from '../../src/index/worker/notebook-index.ts';
import { compareVersions, type SourceDrift, type GeneratedNote } from '../../src/core/domain/artifact.ts';
import { importOptions, changed, context, exported, imported } from '../support/exported-notebooks.ts';
import { input, makeFolder, open, openNew } from '../support/opened-notebooks.ts';
import { template } from '../support/template-writing.ts';

/** Fills a notebook with two sources and a generated note of each kind. */
async function withGeneratedNotes(folder: string): Promise<NotebookIndex> {
  const index = await open(folder);
  const { id } = await index.addSource('Bread', { kind: 'text' }, input('Bread is baked on Saturdays.'));
  await index.addSource('Cellar', { kind: 'text' }, input('Cellars stay cool in summer.'));
  for (const [title, request] of [
    ['Glossary', { kind: 'glossary', sourceIds: [id] }],
    ['Briefing', { kind: 'template', template, since: { kind: 'note', title: 'Glossary' } }],
  ] as const) {
    index.features.notes.add({ title, text: `# ${title}`, citations: [] });
    const { listed } = index.features.artifacts.listDocuments({
      sourceIds: 'sourceIds' in request ? request.sourceIds : undefined,
    });
    const documents = listed.map(({ documentId, hash }) => ({ documentId, hash }));
    index.features.artifacts.generatedNotes.keep(title, {
      ...request,
      documents,
      text: `# ${title}`,
      generatedAt: 7,
    });
  }
  return index;
}

function readState(
  index: NotebookIndex,
  title: string,
): { generated: GeneratedNote; difference: SourceDrift } {
  const generated = index.features.artifacts.generatedNotes.find(title);
  assert.ok(generated);
  return {
    generated,
    difference: compareVersions(
      generated.documents,
      index.features.artifacts.listDocuments(generated).listed,
    ),
  };
}

const same = { added: 0, changed: 0, removed: 0 };

test('exports and imports the sources of generated notes', async () => {
  const from = makeFolder();
  const before = await withGeneratedNotes(from);
  const path = await exported(from);
  const target = await imported(path);
  for (const title of ['Glossary', 'Briefing']) {
    const { generated, difference } = readState(target, title);
    assert.deepEqual(difference, same);
    assert.deepEqual(
      { ...generated, documents: [] },
      { ...readState(before, title).generated, documents: [] },
    );
  }

  const { folder: to, index } = await openNew();
  // Documents have other numbers here, and one source has another ID.
  const own = await index.addSource('Own', { kind: 'text' }, input('The gate is shut at nine.'));
  const how = { ...importOptions, path, by: makeFolder(), to };
  await libraryHandlers.mergeNotebook(how, context);
  await index.followOthers();
  assert.deepEqual(readState(index, 'Glossary').difference, same);
  assert.equal(readState(index, 'Glossary').generated.documents.length, 1);
  // This note was generated from all sources, so the existing one is new to it.
  assert.deepEqual(readState(index, 'Briefing').difference, { ...same, added: 1 });
  index.store.removeSources([own.id]);
  assert.deepEqual(readState(index, 'Briefing').difference, same);
});

test('exports generated notes in the form that earlier versions read', async () => {
  const from = makeFolder();
  await withGeneratedNotes(from);
  const kinds: unknown[] = [];
  changed(await exported(from), (lines) => {
    for (const { type, made } of lines)
      if (type === 'note') {
        const { thing, madeOf, madeAt, wish } = made as Record<string, unknown>;
        kinds.push(thing);
        assert.ok(Array.isArray(madeOf));
        assert.equal(madeAt, 7);
        assert.equal(wish !== undefined, thing === 'template');
      }
  });
  assert.deepEqual(kinds.toSorted(), ['glossary', 'template']);
});

test('imports a note without details of an unknown kind', async () => {
  const from = makeFolder();
  await withGeneratedNotes(from);
  const path = await exported(from);
  for (const invalid of [
    { thing: 'opera' },
    7,
    { thing: 'template', madeOf: [], text: '', madeAt: 1, wish: {} },
  ]) {
    const index = await imported(
      changed(path, (lines) => {
        for (const line of lines) if (line.type === 'note') line.made = invalid;
      }),
    );
    assert.equal(index.features.notes.list().length, 2);
    assert.equal(index.features.artifacts.generatedNotes.find('Glossary'), undefined);
  }
});
