// Runs in a process of its own: it starts processes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Notes } from '../../src/features/notes/store/notes.ts';
import type { Citation } from '../../src/core/domain/answer.ts';
import type { StoredCitation } from '../../src/core/domain/note.ts';
import { runScript } from '../support/durability-process.ts';
import { newFolder, openStatements } from '../support/opened-databases.ts';

const open = async (folder?: string): Promise<Notes> => new Notes((await openStatements(folder)).sql);

function storedCitation(id: string, quote: string): StoredCitation {
  const span = { start: 0, end: quote.length };
  const citation: Citation = {
    ...{ number: 1, sourceId: 'garden', sourceKind: 'file', documentId: 1, title: 'garden.md', place: 'L3' },
    ...{ uri: 'file:///garden.md', mediaType: 'text/markdown', passage: span, span, quote },
    locator: { kind: 'lines', start: { line: 2, character: 0 }, end: { line: 2, character: quote.length } },
  };
  return { id, citation };
}

const [id1, id2] = ['0123456789abcdef', 'fedcba9876543210'];
const create = { create: true, overwrite: false };
const save = { create: false, overwrite: true };
const titles = (notes: Notes): string[] => notes.list().map(({ title }) => title);

test('writes a note, lists it by its last change, and reads it in another window', async () => {
  const folder = newFolder();
  const [here, there] = [await open(folder), await open(folder)];
  here.write('Beans', '# Beans\n', create);
  const first = here.open('Beans');
  here.write('Käse 🧀', 'é\r\n\u{feff}', create);
  assert.equal(here.open('Käse 🧀').text, 'é\r\n\u{feff}');
  assert.equal(here.list().find(({ title }) => title === 'Käse 🧀')?.size, 7);

  for (let i = 0; i < 3; i++) there.write('Beans', `# Beans ${String(i)}\n`, save);
  const last = here.open('Beans');
  assert.equal(last.text, '# Beans 2\n');
  // Each change has a unique time, even within a millisecond.
  assert.ok(last.changedAt >= first.changedAt + 3);
  assert.equal(last.createdAt, first.createdAt);
  assert.deepEqual(titles(here), ['Beans', 'Käse 🧀']);
});

test('creates or overwrites a note only if requested', async () => {
  const notes = await open();
  assert.throws(
    () => {
      notes.write('Beans', '', save);
    },
    { code: 'not-found' },
  );
  notes.write('Beans', 'kept', create);
  assert.throws(
    () => {
      notes.write('Beans', 'lost', create);
    },
    { code: 'exists' },
  );
  notes.write('Peas', 'kept, too', create);
  assert.throws(
    () => {
      notes.rename('Beans', 'Peas', false);
    },
    { code: 'exists' },
  );
  assert.equal(notes.open('Peas').text, 'kept, too');
  notes.rename('Beans', 'Peas', true);
  assert.equal(notes.open('Peas').text, 'kept');
  assert.throws(() => notes.open('Beans'), { code: 'not-found' });
  assert.throws(
    () => {
      notes.rename('Beans', 'Peas', true);
    },
    { code: 'not-found' },
  );
  assert.throws(
    () => {
      notes.remove('Beans');
    },
    { code: 'not-found' },
  );
  assert.throws(
    () => {
      notes.keepCitations('Beans', []);
    },
    { code: 'not-found' },
  );
});

test('gives added notes unique titles, and restores a deleted one unchanged', async () => {
  const notes = await open();
  const add = (): string =>
    notes.add({ title: 'Why?', text: 'Because.', citations: [storedCitation(id1, 'q')] }).title;
  assert.deepEqual([add(), add(), add()], ['Why?', 'Why? 2', 'Why? 3']);
  const removed = notes.open('Why? 2');
  notes.remove('Why? 2');
  assert.deepEqual(notes.citations([id1]).length, 1);
  assert.equal(titles(notes).includes('Why? 2'), false);
  notes.add(removed);
  const back = notes.open('Why? 2');
  assert.deepEqual({ ...back, id: removed.id }, removed);
});

test('keeps citations until the last note that refers to them is deleted', async () => {
  const notes = await open();
  const link = `[1](citation/${id1} "garden.md, L3")`;
  notes.add({ title: 'First', text: `So. ${link}\n`, citations: [storedCitation(id1, 'every morning')] });
  notes.keepCitations('First', [storedCitation(id2, 'in March'), storedCitation(id1, 'another')]);
  assert.deepEqual(
    notes
      .citations([id2, id1])
      .map(({ citation }) => citation.quote)
      .sort(),
    ['every morning', 'in March'],
  );
  // Adds a link that was copied from another note.
  notes.write('Second', `${link} and [2](citation/0000000000000000)`, create);
  assert.deepEqual(notes.open('Second').citations, [storedCitation(id1, 'every morning')]);
  // An undo in the editor may restore a removed link.
  notes.write('First', 'Nothing.', save);
  assert.equal(notes.open('First').citations.length, 2);
  notes.remove('First');
  assert.deepEqual(notes.citations([id1, id2]), [storedCitation(id1, 'every morning')]);
  notes.remove('Second');
  assert.deepEqual(notes.citations([id1]), []);
});

test('adds the evidence for another statement to a citation', async () => {
  const notes = await open();
  const cite = (statement: string, deciding: string): StoredCitation => {
    const { id, citation } = storedCitation(id1, 'every second morning');
    return { id, citation: { ...citation, evidence: [{ statement, deciding }] } };
  };
  const evidence = (): unknown => notes.citations([id1])[0]?.citation.evidence;
  notes.add({ title: 'First', text: '', citations: [cite('Often.', 'every')] });
  notes.keepCitations('First', [cite('In the morning.', 'morning'), cite('Often.', 'every second')]);
  const first = [
    { statement: 'Often.', deciding: 'every second' },
    { statement: 'In the morning.', deciding: 'morning' },
  ];
  assert.deepEqual(evidence(), first);
  notes.add({ title: 'Second', text: '', citations: [cite('Every other day.', 'second')] });
  assert.deepEqual(evidence(), [...first, { statement: 'Every other day.', deciding: 'second' }]);
});

test('keeps saved notes complete when the process is killed', async () => {
  const folder = newFolder();
  let saved = '';
  for (let round = 0; round < 3; round++) {
    const writing = runScript('write-notes.ts', { folder });
    let reportedCount = 0;
    for await (const message of writing.messages) {
      saved = (message as { readonly text: string }).text;
      if (++reportedCount === 10 + round) writing.kill();
    }
    assert.equal((await writing.ended).code, undefined);
    const { text } = (await open(folder)).open('Kept');
    // The process may not have reported its last save.
    assert.ok(Number.parseInt(text) >= Number.parseInt(saved), text.slice(0, 20));
    assert.equal(text, `${text.split(' ')[0]!} `.repeat(2_000));
  }
});
